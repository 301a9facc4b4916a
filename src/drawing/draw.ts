import type { Diagnostic } from "../diagnostic.js";
import type { Facts } from "../machine/facts.js";
import { buildPicture, type DrawablePack, type PictureExtras } from "./build-picture.js";
import { canTryDirections } from "./crop-picture.js";
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

type Renderer = (whole: Picture, pack: DrawablePack) => Promise<Drawing>;

export function draw(format: DrawingFormat, input: DrawingInput): Promise<Drawing> {
  const { pack, facts, diagnostics, direction = "auto" } = input;
  return renderers[format]({ ...buildPicture(pack, facts, diagnostics, input), direction }, pack);
}

/** Loaded on demand, because most formats need no layout. */
const renderers: Readonly<Record<DrawingFormat, Renderer>> = {
  mermaid: async (whole) => {
    const { cropForMermaid, mermaid } = await import("./mermaid.js");
    return renderDrawing(await chooseDirection(cropForMermaid(whole)), mermaid);
  },
  dot: async (whole) => {
    const { dot, cropForDot } = await import("./dot.js");
    return renderDrawing(await chooseDirection(cropForDot(whole)), dot);
  },
  svg: async (whole) => {
    const { cropForLayout } = await import("./crop-picture.js");
    const { svg } = await import("./svg.js");
    return renderDrawing(cropForLayout(whole), svg);
  },
  html: async (whole, pack) => {
    const { cropForLayout } = await import("./crop-picture.js");
    const { html } = await import("./html.js");
    const { sourcesOf } = await import("./page-data.js");
    return renderDrawing(cropForLayout(whole), (picture) => html(picture, sourcesOf(pack)));
  },
  json: async (whole) => {
    const { json } = await import("./json.js");
    return renderDrawing(whole, json);
  },
};

/** For formats that leave the layout to others: the direction in which ours fits better. */
async function chooseDirection(picture: Picture): Promise<Picture> {
  if (!canTryDirections(picture)) return picture;
  const { computeLayout } = await import("./layout.js");
  return { ...picture, direction: computeLayout(picture).direction };
}

async function renderDrawing(
  picture: Picture,
  render: (picture: Picture) => string | Promise<string>,
): Promise<Drawing> {
  return { text: await render(picture), note: cropNote(picture) };
}
