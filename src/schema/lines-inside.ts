import { isNull, type Key, type MappingNode, type Node } from "../document/node.js";
import { partsFor } from "./parts-for.js";
import { knows, packSchema, type SchemaPart } from "./validator.js";

/** Neighbouring lines that belong inside the one above them. */
export interface Lines {
  readonly owner: Key;
  readonly keys: readonly Key[];
}

/** Of a mapping in which a key comes again, the lines that a neighbour above lacks, by each of their keys. */
export function linesInside({ written = [] }: MappingNode): ReadonlyMap<Key, Lines> {
  const { schema } = packSchema.explainer();
  const found = new Map<Key, Lines>();
  let owner: Key | undefined;
  let lacking: (name: string) => boolean = () => false;
  let keys: Key[] = [];
  for (const { key, value } of written) {
    if (owner !== undefined && lacking(key.text) && keys.every(({ text }) => text !== key.text)) {
      keys.push(key);
      found.set(key, { owner, keys });
      continue;
    }
    owner = key;
    keys = [];
    lacking = lackedBy(value, schema);
  }
  return found;
}

/** Whether something is missing in a value that is an object, or may be one: all where nothing but its name is written. */
function lackedBy(value: Node, schema: SchemaPart): (name: string) => boolean {
  if (value.kind === "mapping") {
    const required = partsFor(value, schema).flatMap((part) => part.required ?? []);
    return (name) => required.includes(name) && value.get(name) === undefined;
  }
  if (!isNull(value) || value.start !== value.end) return () => false;
  const parts = partsFor(value, schema);
  return (name) => parts.some((part) => knows(part, name));
}
