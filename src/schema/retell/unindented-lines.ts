import type { Key, Node } from "../../document/node.js";
import { counts, linesBelow } from "../../meant/unindented.js";
import { meantProperty } from "../../meant/meant-property.js";
import { linesFrom } from "../place-words.js";
import { knownBeside } from "../thing.js";
import { knows, type SchemaError, typesOf } from "../validator.js";
import { type ByName, type Mistake, type Scene, unknownByPath } from "./retold.js";

/** `on_event:` with nothing beside it, and below it the events, not indented: they are taken for its neighbours. */
export function* unindentedLines(
  errors: readonly SchemaError[],
  { nodeAt, words }: Scene,
): Iterable<Mistake> {
  const lines = new Set<string>();
  const unknown = unknownByPath(errors);
  for (const error of errors) {
    if (error.keyword !== "type" || !typesOf(error.parentSchema).includes("object")) continue;
    const empty = nodeAt(error.instancePath);
    const around = error.instancePath.slice(0, error.instancePath.lastIndexOf("/"));
    const known = empty === undefined || words !== undefined ? [] : knownBeside(empty);
    const siblings = unknown.get(around);
    if (siblings === undefined && known.length === 0 && !hasAgain(empty?.parent)) continue;
    const keys = keysBelow(empty, error, siblings, known);
    if (keys.length === 0) continue;
    for (const key of keys) if (counts(key)) lines.add(`${around}/${key.text}`);
    yield { told: error, said: { advice: indentAdvice([...new Set(keys.map(({ text }) => text))]) } };
  }
  const isOfLine = ({ instancePath, keyword, params }: SchemaError) =>
    lines.has(
      keyword === "additionalProperties"
        ? `${instancePath}/${String(params["additionalProperty"])}`
        : instancePath,
    );
  if (lines.size > 0) yield { implied: errors.filter(isOfLine) };
}

function hasAgain(holder: Node | null | undefined): boolean {
  return holder?.kind === "mapping" && holder.written !== undefined;
}

function keysBelow(
  empty: Node | undefined,
  { parentSchema }: SchemaError,
  unknown: ByName = new Map(),
  known: readonly string[],
): readonly Key[] {
  const isUnknown = (name: string) => {
    const error = unknown.get(name);
    if (error === undefined || knows(parentSchema, name)) return error !== undefined;
    return parentSchema.additionalProperties !== false && !isMisspelt(name, error);
  };
  // An object that may have anything has no unknown properties; what belongs inside is not its own.
  const isInner = (name: string) => known.length > 0 && !known.includes(name) && knows(parentSchema, name);
  // What its neighbours have already is once more there for want of indentation.
  const isAgain = ({ isDoubled, text }: Key) => isDoubled === true && knows(parentSchema, text);
  return linesBelow(empty, (key) => isUnknown(key.text) || isInner(key.text) || isAgain(key));
}

export function isMisspelt(name: string, { parentSchema }: SchemaError): boolean {
  return meantProperty(name, Object.keys(parentSchema.properties ?? {})) !== undefined;
}

function indentAdvice(names: readonly string[]): string {
  return `Indent ${linesFrom(names)} to put ${names.length === 1 ? "it" : "them"} inside.`;
}
