import type { Words } from "../../diagnostic.js";
import type { MappingNode, Node } from "../../document/node.js";
import { addTo } from "../../maps/add-to.js";
import { getOrMake } from "../../maps/get-or-make.js";
import { without } from "../merge-errors.js";
import type { Instead } from "../show-value.js";
import type { SchemaError } from "../validator.js";
import type { Vocabulary } from "../vocabulary.js";

/** A mistake from which errors follow: one of them tells it. */
export interface Mistake {
  readonly told?: SchemaError | undefined;
  /** What stands in its place, where it is about another part of the document. */
  readonly as?: SchemaError | undefined;
  /** What it says: in place of all its words, or only what to do. */
  readonly said?: Said;
  /** The errors that need not be told, then. */
  readonly implied?: Iterable<SchemaError>;
}

type Said = Words | (Instead & { readonly message?: undefined });

/** What errors are about. */
export interface Scene {
  readonly nodeAt: (path: string) => Node | undefined;
  /** What the things of another schema than that of packs are called. */
  readonly words?: Vocabulary | undefined;
}

/** Knows a mistake by the errors that follow from it. */
export type Reteller = (errors: readonly SchemaError[], scene: Scene) => Iterable<Mistake>;

export interface Retold {
  readonly errors: readonly SchemaError[];
  readonly words: ReadonlyMap<SchemaError, Said>;
}

/** What is left after all of them; of an error that several know, the first says what it is, and no later one drops it. */
export function retell(retellers: readonly Reteller[], errors: readonly SchemaError[], scene: Scene): Retold {
  const words = new Map<SchemaError, Said>();
  let left = errors;
  for (const reteller of retellers) {
    const known = new Set(words.keys());
    const dropped = new Set<SchemaError>();
    const moved = new Map<SchemaError, SchemaError>();
    for (const { told, as, said, implied = [] } of reteller(left, scene)) {
      for (const error of implied) if (!known.has(error)) dropped.add(error);
      if (told === undefined) continue;
      if (as !== undefined) moved.set(told, as);
      const error = as ?? told;
      if (said !== undefined && !words.has(error)) words.set(error, said);
    }
    left = without(left, dropped);
    if (moved.size > 0) left = left.map((error) => moved.get(error) ?? error);
  }
  return { errors: left, words };
}

export type ByName = ReadonlyMap<string, SchemaError>;
export type ByPath = ReadonlyMap<string, ByName>;

/** The properties that objects lack. */
export function missingByPath(errors: readonly SchemaError[]): ByPath {
  return byPath(errors, "required", "missingProperty");
}

/** The properties that objects have and that are not known. */
export function unknownByPath(errors: readonly SchemaError[]): ByPath {
  return byPath(errors, "additionalProperties", "additionalProperty");
}

/** An object that lacks properties and has others that are not known: these may be meant for those. */
export interface Muddle {
  readonly node: MappingNode;
  readonly lacking: ByName;
  readonly unknown: ByName;
}

export function* muddlesIn(errors: readonly SchemaError[], { nodeAt }: Scene): Iterable<Muddle> {
  const missing = missingByPath(errors);
  for (const [path, unknown] of missing.size > 0 ? unknownByPath(errors) : []) {
    const node = nodeAt(path);
    const lacking = missing.get(path);
    if (node?.kind === "mapping" && lacking !== undefined) yield { node, lacking, unknown };
  }
}

/** The errors that have something in common, by that. */
export function groupedBy<Common>(
  errors: readonly SchemaError[],
  commonOf: (error: SchemaError) => Common | undefined,
): ReadonlyMap<Common, readonly SchemaError[]> {
  const found = new Map<Common, SchemaError[]>();
  for (const error of errors) {
    const common = commonOf(error);
    if (common !== undefined) addTo(found, common, error);
  }
  return found;
}

/** The errors of one keyword, by the object that has them and by the property they are about. */
function byPath(errors: readonly SchemaError[], keyword: string, parameter: string): ByPath {
  const found = new Map<string, Map<string, SchemaError>>();
  for (const error of errors) {
    if (error.keyword !== keyword) continue;
    const here = getOrMake(found, error.instancePath, () => new Map());
    here.set(String(error.params[parameter]), error);
  }
  return found;
}
