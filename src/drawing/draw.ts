import { buildPicture, type DrawingInput } from "./build-picture.js";
import { canTryDirections, cropForLayout } from "./crop-picture.js";
import { cropNote, type Picture } from "./picture.js";

export const drawingFormats = ["mermaid", "dot", "svg", "html", "json"] as const;
export type DrawingFormat = (typeof drawingFormats)[number];

interface Renderer {
  readonly crop: (whole: Picture) => Picture | Promise<Picture>;
  readonly render: (picture: Picture) => string | Promise<string>;
}

export async function draw(format: DrawingFormat, input: DrawingInput) {
  const { crop, render } = await renderers[format]();
  const picture = await crop(buildPicture(input));
  return { text: await render(picture), note: cropNote(picture) };
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
  html: async () => ({ crop: cropForLayout, render: (await import("./html.js")).html }),
  json: async () => ({ crop: (whole) => whole, render: (await import("./json.js")).json }),
};

/** For formats that leave the layout to others: the direction in which ours fits better. */
async function chooseDirection(picture: Picture): Promise<Picture> {
  if (!canTryDirections(picture)) return picture;
  const { computeLayout } = await import("./layout.js");
  return { ...picture, direction: computeLayout(picture).direction };
}
