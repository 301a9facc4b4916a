import type { Place } from "../diagnostic.js";
import type { Prompt } from "./prompt.js";

/** Variables that a block of text takes in, as they are indented as far as its lines. */
interface Swallowed {
  /** The line `variables:`. */
  readonly at: Place;
  readonly names: ReadonlySet<string>;
}

const item = String.raw`[ \t]*-[ \t]+(?:\{[ \t]*)?name:[ \t]*["']?(\w+)`;
const section = new RegExp(String.raw`^variables:(?=[ \t]*\n${item})`, "m");
const eachItem = new RegExp(`^${item}`, "gm");

export function swallowedVariables({ node, systemTemplate }: Prompt): Swallowed | undefined {
  if (systemTemplate === undefined || node?.get("variables") !== undefined) return undefined;
  const { text, node: scalar } = systemTemplate.text;
  if (scalar.source.indent < 0) return undefined;
  const found = section.exec(text);
  if (found === null) return undefined;
  const { index } = found;
  const rest = text.slice(index);
  // An example for the model is text.
  if (rest.includes("```")) return undefined;
  const names = [...rest.matchAll(eachItem)].map(([, name = ""]) => name);
  return {
    at: systemTemplate.placeOf({ start: index, end: index + found[0].length }),
    names: new Set(names),
  };
}
