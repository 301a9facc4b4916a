import type { Node } from "../document/node.js";
import { meantProperty } from "../words/meant-property.js";
import { joined } from "../words/wording.js";
import { quoted } from "./show-value.js";
import type { SchemaError, SchemaPart } from "./validator.js";

/** `on_event:` with nothing beside it, and below it the events, not indented: they are taken for its neighbours. */
export function unindentedAfter(
  empty: Node | undefined,
  { parentSchema }: SchemaError,
  unknown: ReadonlyMap<string, SchemaError>,
): readonly [string, SchemaError][] {
  const parent = empty?.parent;
  // A null that is written out is meant.
  if (parent?.kind !== "mapping" || empty?.start !== empty?.end) return [];
  const lines: [string, SchemaError][] = [];
  const after = parent.entries.findIndex(({ value }) => value === empty) + 1;
  for (let index = after; index < parent.entries.length; index++) {
    const name = parent.entries[index]?.key.text ?? "";
    const error = unknown.get(name);
    if (error === undefined || isMisspelt(name, error) || !mayHold(parentSchema, name)) break;
    lines.push([name, error]);
  }
  return lines;
}

export function isMisspelt(name: string, { parentSchema }: SchemaError): boolean {
  return meantProperty(name, Object.keys(parentSchema.properties ?? {})) !== undefined;
}

function mayHold({ properties = {}, additionalProperties }: SchemaPart, name: string): boolean {
  return additionalProperties !== false || Object.hasOwn(properties, name);
}

export function indentAdvice(names: readonly string[]): string {
  const [first = "", ...rest] = names.map(quoted);
  const last = rest.at(-1);
  if (last === undefined) return `Indent ${first} to put it inside.`;
  const lines = rest.length === 1 ? joined([first, last], "and") : `the entries from ${first} to ${last}`;
  return `Indent ${lines} to put them inside.`;
}
