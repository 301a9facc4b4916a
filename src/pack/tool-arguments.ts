import { asMapping, itemsOf, type Key, type MappingNode, type Node, stringOf } from "../document/node.js";
import type { NameGuess } from "../text/names.js";
import { typeChecks } from "./variable.js";

export type ArgumentFault =
  | { readonly kind: "missing"; readonly names: readonly string[] }
  /** `near` is the parameter that is nearest by name. */
  | { readonly kind: "unknown"; readonly key: Key; readonly near: string | undefined }
  | { readonly kind: "type"; readonly key: Key; readonly value: Node; readonly expected: string };

/** More are found when these are there. */
const maxMissing = 6;

/** Compares arguments with the JSON Schema of a tool's parameters. */
export function* argumentFaults(
  args: MappingNode | undefined,
  parameters: MappingNode,
  guess: NameGuess,
): Iterable<ArgumentFault> {
  const properties = asMapping(parameters.get("properties"));
  const near = new Set<string>();
  for (const { key, value } of args?.entries ?? []) {
    const property = properties?.get(key.text);
    if (property === undefined && isClosed(parameters)) {
      const meant = guess(key.text, absentNames(properties, args));
      if (meant !== undefined) near.add(meant);
      yield { kind: "unknown", key, near: meant };
    }
    const expected = expectedType(asMapping(property)?.get("type"), value);
    if (expected !== undefined) yield { kind: "type", key, value, expected };
  }
  const names: string[] = [];
  for (const item of itemsOf(parameters.get("required"))) {
    const name = stringOf(item);
    // The rule tool-parameters reports a required name without a property.
    if (name === undefined || properties?.get(name) === undefined) continue;
    if (args?.get(name) === undefined && !near.has(name) && names.push(name) === maxMissing) break;
  }
  if (names.length > 0) yield { kind: "missing", names };
}

function isClosed(parameters: MappingNode): boolean {
  const others = parameters.get("additionalProperties");
  return (
    others?.kind === "scalar" && others.value === false && parameters.get("patternProperties") === undefined
  );
}

/** Lazily: only the first thousands of names are compared. */
function* absentNames(properties: MappingNode | undefined, args: MappingNode | undefined): Iterable<string> {
  for (const { key } of properties?.entries ?? []) if (args?.get(key.text) === undefined) yield key.text;
}

/** The required type, if the value has another; a text with a reference may become anything. */
function expectedType(type: Node | undefined, value: Node): string | undefined {
  if (stringOf(value)?.includes("${") === true) return undefined;
  const names = (type?.kind === "sequence" ? type.items : [type]).map(stringOf);
  const words: string[] = [];
  for (const name of names) {
    // An unknown type takes anything.
    if (name === undefined || (name !== "null" && !Object.hasOwn(typeChecks, name))) return undefined;
    const check = name === "null" ? nullCheck : typeChecks[name];
    if (check === undefined || check.fits(value)) return undefined;
    words.push(check.words);
  }
  return words.length === 0 ? undefined : words.join(" or ");
}

const nullCheck = {
  words: "null",
  fits: (node: Node) => node.kind === "scalar" && node.value === null,
};
