import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Analysis } from "../../src/analysis.js";
import type { Diagnostic } from "../../src/diagnostic.js";
import { buildPicture, type DrawingInput } from "../../src/drawing/build-picture.js";
import { draw, type DrawingFormat } from "../../src/drawing/draw.js";
import type { Picture } from "../../src/drawing/picture.js";
import { workflowOf } from "../simulate/open-text.js";

export function expected(name: string): string {
  return readFileSync(fileURLToPath(new URL(`expected/${name}`, import.meta.url)), "utf8");
}

/** A pack and its findings, ready to be drawn. */
export function subjectOf(text: string): DrawingInput & { readonly diagnostics: readonly Diagnostic[] } {
  const { pack, workflow, facts } = workflowOf(text);
  return {
    pack: { ...pack, workflow },
    facts,
    diagnostics: new Analysis("", pack.document).lint({ inlineConfig: false }).kept,
  };
}

export function pictureOf(text: string): Picture {
  return buildPicture(subjectOf(text));
}

export function drawText(format: DrawingFormat, text: string): ReturnType<typeof draw> {
  return draw(format, subjectOf(text));
}

type StateText = Readonly<Record<string, unknown>>;

/** A pack with one prompt and these states; the first one is the entry. */
export function packOf(states: Readonly<Record<string, StateText>>, rest: object = {}): string {
  const prompt = { id: "p", name: "P", version: "1.0.0", system_template: "Emit what you like." };
  const entry = Object.keys(states)[0] ?? "";
  const all = Object.fromEntries(
    Object.entries(states).map(([name, state]) => [name, { prompt_task: "p", ...state }]),
  );
  return JSON.stringify({
    id: "drawn",
    name: "Drawn",
    version: "1.0.0",
    template_engine: { version: "v1", syntax: "{{variable}}" },
    prompts: { p: prompt },
    workflow: { version: 2, entry, states: all },
    ...rest,
  });
}

/** Names that mean something to one format or another. */
export const hostileNames = [
  'a"]; b--x',
  "<script>alert(1)</script>",
  "line\nbreak\ttab",
  "100% `tick` #35; &lt; \\N \\",
  "%%{init: {}}%%",
  "1. list",
  "- bullet",
  "style x:#35;",
  "ﬂ°°60¶ß",
  "*emph* _under_ **bold**",
  "$$x^2$$",
  "fa:fa-car click",
  "\u202ertl\u0007bell",
  "-->",
  "end",
  "--- > `",
  "]]>",
  "</svg><!--",
  "日本語",
  "it's",
  "{{x}}",
  " two  spaces ",
];

/** How a name is shown: nothing in it is invisible. */
export function shownName(name: string): string {
  return name
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("\u202e", "\\u202e")
    .replaceAll("\u0007", "\\u0007")
    .replace(/^ | $|(?<= ) /g, "\u00a0");
}

/** Each hostile name is a state, and the event that leads to the next one. */
export function hostilePack(): string {
  const names = hostileNames;
  const states = names.map((name, index): [string, StateText] => {
    const next = names[index + 1];
    return [name, next === undefined ? { terminal: true } : { on_event: { [next]: next } }];
  });
  return packOf(Object.fromEntries(states), { name: '<b>"&amp;" ]]> </title>' });
}

/** The words of the legend of a page or a standalone drawing. */
export function legendOf(drawing: string): readonly string[] {
  const words = /<li><svg .*?<\/svg> ([^<]*)<\/li>|<text class="words"[^>]*>([^<]*)<\/text>/g;
  return [...drawing.matchAll(words)].map(([, inPage, inPicture]) => inPage ?? inPicture ?? "");
}

/** A state that leads to many others, side by side. */
export function fanPack(): string {
  const names = ["billing", "sales", "support", "legal", "press", "returns", "shipping"];
  const branches = names.map((name) => [`${name}_department`, { on_event: { Done: "end" } }] as const);
  const on_event = Object.fromEntries(names.map((name) => [`To_${name}`, `${name}_department`]));
  return packOf({ triage: { on_event }, ...Object.fromEntries(branches), end: { terminal: true } });
}
