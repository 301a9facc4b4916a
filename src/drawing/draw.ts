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

interface Drawn {
  readonly shown: Picture;
  readonly text: string | Promise<string>;
}

type Drawer = (whole: Picture, pack: DrawnPack) => Drawn;

/** Each format is loaded when it is asked for: the layout is not needed for most of them. */
const drawers: Readonly<Record<DrawingFormat, () => Promise<Drawer>>> = {
  mermaid: async () => {
    const { fitForMermaid, mermaid } = await import("./mermaid.js");
    return (whole) => drawn(fitForMermaid(whole), mermaid);
  },
  dot: async () => {
    const { dot, fitForDot } = await import("./dot.js");
    return (whole) => drawn(fitForDot(whole), dot);
  },
  svg: async () => {
    const [{ fitForLayout }, { svg }] = await Promise.all([import("./layout-cost.js"), import("./svg.js")]);
    return (whole) => drawn(fitForLayout(whole), svg);
  },
  html: async () => {
    const [{ fitForLayout }, { html }] = await Promise.all([import("./layout-cost.js"), import("./html.js")]);
    return (whole, pack) => drawn(fitForLayout(whole), (picture) => html(picture, pack));
  },
  json: async () => {
    const { json } = await import("./json.js");
    return (whole) => drawn(whole, json);
  },
};

export async function draw(format: DrawingFormat, { pack, facts, diagnostics }: Subject): Promise<Drawing> {
  const drawer = await drawers[format]();
  const { shown, text } = drawer(buildPicture(pack, facts, diagnostics), pack);
  return { text: await text, note: partNote(shown) };
}

function drawn(shown: Picture, write: (picture: Picture) => Drawn["text"]): Drawn {
  return { shown, text: write(shown) };
}
