import type { Diagnostic } from "../diagnostic.js";
import type { Facts } from "../machine/facts.js";
import { buildPicture, type DrawablePack } from "./build-picture.js";
import { cropNote, type Picture } from "./picture.js";

export const drawingFormats = ["mermaid", "dot", "svg", "html", "json"] as const;
export type DrawingFormat = (typeof drawingFormats)[number];

export interface Drawing {
  readonly text: string;
  /** A sentence on what could not be shown, if anything. */
  readonly note: string | undefined;
}

/** What is drawn, and the findings that are to be seen on it, unless they are to be left out. */
export interface DrawingInput {
  readonly pack: DrawablePack;
  readonly facts: Facts;
  readonly diagnostics: readonly Diagnostic[] | undefined;
}

type Renderer = (whole: Picture, pack: DrawablePack) => Promise<Drawing>;

/** Each format is loaded when it is asked for: the layout is not needed for most of them. */
const renderers: Readonly<Record<DrawingFormat, Renderer>> = {
  mermaid: async (whole) => {
    const { cropForMermaid: fitForMermaid, mermaid } = await import("./mermaid.js");
    return renderDrawing(fitForMermaid(whole), mermaid);
  },
  dot: async (whole) => {
    const { dot, cropForDot: fitForDot } = await import("./dot.js");
    return renderDrawing(fitForDot(whole), dot);
  },
  svg: async (whole) => {
    const [{ cropForLayout: fitForLayout }, { svg }] = await Promise.all([
      import("./crop-picture.js"),
      import("./svg.js"),
    ]);
    return renderDrawing(fitForLayout(whole), svg);
  },
  html: async (whole, pack) => {
    const [{ cropForLayout: fitForLayout }, { html }] = await Promise.all([
      import("./crop-picture.js"),
      import("./html.js"),
    ]);
    return renderDrawing(fitForLayout(whole), (shown) => html(shown, pack));
  },
  json: async (whole) => {
    const { json } = await import("./json.js");
    return renderDrawing(whole, json);
  },
};

export function draw(format: DrawingFormat, { pack, facts, diagnostics }: DrawingInput): Promise<Drawing> {
  return renderers[format](buildPicture(pack, facts, diagnostics), pack);
}

async function renderDrawing(
  shown: Picture,
  write: (shown: Picture) => string | Promise<string>,
): Promise<Drawing> {
  return { text: await write(shown), note: cropNote(shown) };
}
