import type { Words } from "../../diagnostic.js";
import type { MappingNode, Node, SequenceNode } from "../../document/node.js";
import { capitalized, joined } from "../../words/wording.js";
import { quoted } from "../show-value.js";
import { thing } from "../thing.js";
import { knows, type SchemaError } from "../validator.js";
import type { Vocabulary } from "../vocabulary.js";
import { isBlock } from "../written-as.js";
import { type ByName, type ByPath, missingByPath, type Mistake, type Scene } from "./retold.js";

/** A dash before each property makes several items of one, and none of them is whole: that is one fault. */
export function* spreadItems(errors: readonly SchemaError[], { nodeAt, words }: Scene): Iterable<Mistake> {
  const missing = missingByPath(errors);
  for (const list of listsAt(missing, nodeAt)) {
    for (const parts of spreadIn(list, missing)) {
      const [told, ...implied] = parts.flatMap(({ lacking }) => [...lacking.values()]);
      yield { told, said: wordsOf(parts, words), implied };
    }
  }
}

function listsAt(missing: ByPath, nodeAt: Scene["nodeAt"]): ReadonlySet<SequenceNode> {
  const lists = [...missing.keys()].map((path) => nodeAt(path)?.parent);
  return new Set(lists.filter((list) => list?.kind === "sequence"));
}

interface Part {
  readonly item: MappingNode;
  /** Those of its properties that such a thing has. */
  readonly own: readonly string[];
  /** The errors that it is not whole. */
  readonly lacking: ByName;
}

/** Neighbouring items that are whole only together. */
function spreadIn({ items }: SequenceNode, missing: ByPath): readonly (readonly Part[])[] {
  const found: Part[][] = [];
  let run: Part[] = [];
  let names = new Set<string>();
  for (const node of items) {
    const part = partOf(node, missing);
    const own = part?.own ?? [];
    if (part === undefined || own.some((name) => names.has(name))) {
      run = [];
      names = new Set();
    }
    if (part === undefined) continue;
    if (run.length === 0) found.push(run);
    run.push(part);
    for (const name of own) names.add(name);
  }
  return found.filter(isWholeTogether);
}

function partOf(item: Node, missing: ByPath): Part | undefined {
  if (item.kind !== "mapping" || !isBlock(item)) return undefined;
  const lacking = missing.get(item.pointer) ?? new Map<string, SchemaError>();
  const errors = [...lacking.values()];
  const names = item.entries.map(({ key }) => key.text);
  const own = names.filter((name) => errors.some(({ parentSchema }) => knows(parentSchema, name)));
  return own.length === 0 ? undefined : { item, own, lacking };
}

function isWholeTogether(parts: readonly Part[]): boolean {
  const names = new Set(parts.flatMap(({ own }) => own));
  return (
    parts.length > 1 && parts.every(({ lacking }) => [...lacking.keys()].every((name) => names.has(name)))
  );
}

function wordsOf(parts: readonly Part[], words: Vocabulary | undefined): Words {
  const whole = parts.slice(0, 1).map(({ item }) => capitalized(thing(item, words)));
  const dashed = parts.slice(1).flatMap(({ item }) => item.entries.slice(0, 1));
  const names = dashed.map(({ key }) => quoted(key.text));
  return {
    message: `${whole.join("")} is spread over ${parts.length} list items.`,
    advice: `Write a space instead of the "-" before ${joined(names, "and")}.`,
  };
}
