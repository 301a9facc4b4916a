import type { Diagnostic } from "../diagnostic.js";
import type { Facts } from "../machine/facts.js";
import { buildPicture, type DrawablePack, type PictureExtras } from "./build-picture.js";
import { canTryDirections, cropForLayout } from "./crop-picture.js";
import { cropNote, type Direction, type Picture } from "./picture.js";

export const drawingFormats = ["mermaid", "dot", "svg", "html", "json"] as const;
export type DrawingFormat = (typeof drawingFormats)[number];

export interface Drawing {
  readonly text: string;
  readonly note: string | undefined;
}

export interface DrawingInput extends PictureExtras {
  readonly pack: DrawablePack;
  readonly facts: Facts;
  /** Undefined for a plain drawing without findings. */
  readonly diagnostics: readonly Diagnostic[] | undefined;
  readonly direction?: Direction;
}

interface Renderer {
  readonly crop: (whole: Picture) => Picture | Promise<Picture>;
  readonly render: (picture: Picture, pack: DrawablePack) => string | Promise<string>;
}

export async function draw(format: DrawingFormat, input: DrawingInput): Promise<Drawing> {
  const { pack, facts, diagnostics, direction = "auto" } = input;
  const { crop, render } = await renderers[format]();
  const picture = await crop({ ...buildPicture(pack, facts, diagnostics, input), direction });
  return { text: await render(picture, pack), note: cropNote(picture) };
}

/** Loaded on demand, because most formats need no layout. */
const renderers: Readonly<Record<DrawingFormat, () => Promise<Renderer>>> = {
  mermaid: async () => {
    const { cropForMermaid, mermaid } = await import("./mermaid.js");
    return { crop: (whole) => chooseDirection(cropForMermaid(whole)), render: mermaid };
  },
  dot: async () => {
    const { dot, cropForDot } = await import("./dot.js");
    return { crop: (whole) => chooseDirection(cropForDot(whole)), render: dot };
  },
  svg: async () => ({ crop: cropForLayout, render: (await import("./svg.js")).svg }),
  html: async () => {
    const [{ html }, { sourcesOf }] = [await import("./html.js"), await import("./page-data.js")];
    return { crop: cropForLayout, render: (picture, pack) => html(picture, sourcesOf(pack)) };
  },
  json: async () => ({ crop: (whole) => whole, render: (await import("./json.js")).json }),
};

/** For formats that leave the layout to others: the direction in which ours fits better. */
async function chooseDirection(picture: Picture): Promise<Picture> {
  if (!canTryDirections(picture)) return picture;
  const { computeLayout } = await import("./layout.js");
  return { ...picture, direction: computeLayout(picture).direction };
}
