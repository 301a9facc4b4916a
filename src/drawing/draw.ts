import type { Diagnostic } from "../diagnostic.js";
import type { Facts } from "../machine/facts.js";
import { buildPicture, type DrawnPack } from "./build-picture.js";
import { partNote, type Picture } from "./picture.js";

export const drawingFormats = ["mermaid", "dot", "svg", "html", "json"] as const;
export type DrawingFormat = (typeof drawingFormats)[number];

export interface Drawing {
  readonly text: string;
  /** A sentence on what could not be shown, if anything. */
  readonly note: string | undefined;
}

/** What is drawn, and the findings that are to be seen on it, unless they are to be left out. */
export interface Subject {
  readonly pack: DrawnPack;
  readonly facts: Facts;
  readonly diagnostics: readonly Diagnostic[] | undefined;
}

type Drawer = (whole: Picture, pack: DrawnPack) => Promise<Drawing>;

/** Each format is loaded when it is asked for: the layout is not needed for most of them. */
const drawers: Readonly<Record<DrawingFormat, Drawer>> = {
  mermaid: async (whole) => {
    const { fitForMermaid, mermaid } = await import("./mermaid.js");
    return drawing(fitForMermaid(whole), mermaid);
  },
  dot: async (whole) => {
    const { dot, fitForDot } = await import("./dot.js");
    return drawing(fitForDot(whole), dot);
  },
  svg: async (whole) => {
    const [{ fitForLayout }, { svg }] = await Promise.all([import("./layout-cost.js"), import("./svg.js")]);
    return drawing(fitForLayout(whole), svg);
  },
  html: async (whole, pack) => {
    const [{ fitForLayout }, { html }] = await Promise.all([import("./layout-cost.js"), import("./html.js")]);
    return drawing(fitForLayout(whole), (shown) => html(shown, pack));
  },
  json: async (whole) => {
    const { json } = await import("./json.js");
    return drawing(whole, json);
  },
};

export function draw(format: DrawingFormat, { pack, facts, diagnostics }: Subject): Promise<Drawing> {
  return drawers[format](buildPicture(pack, facts, diagnostics), pack);
}

async function drawing(
  shown: Picture,
  write: (shown: Picture) => string | Promise<string>,
): Promise<Drawing> {
  return { text: await write(shown), note: partNote(shown) };
}
