import type { Words } from "../../diagnostic.js";
import type { MappingNode, Node } from "../../document/node.js";
import type { Instead } from "../show-value.js";
import type { SchemaError } from "../validator.js";
import type { Vocabulary } from "../vocabulary.js";

/** What is left where one error stands for others. */
export interface Retold {
  readonly errors: readonly SchemaError[];
  /** What is said of such an error: in place of all its words, or only what to do. */
  readonly words: ReadonlyMap<SchemaError, Said>;
}

export type Said = Words | (Instead & { readonly message?: undefined });

/** What errors are about. */
export interface Scene {
  readonly nodeAt: (path: string) => Node | undefined;
  /** What the things of another schema than that of packs are called. */
  readonly words?: Vocabulary | undefined;
}

/** Knows one mistake by the errors that follow from it, and makes one of them. */
export type Reteller = (errors: readonly SchemaError[], scene: Scene) => Retold;

/** What is left after all of them; of an error that several know, the first says what it is. */
export function retell(retellers: readonly Reteller[], errors: readonly SchemaError[], scene: Scene): Retold {
  const words = new Map<SchemaError, Said>();
  let left = errors;
  for (const reteller of retellers) {
    const told = reteller(left, scene);
    left = told.errors;
    for (const [error, said] of told.words) if (!words.has(error)) words.set(error, said);
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

/** The errors of one keyword, by the object that has them and by the property they are about. */
function byPath(errors: readonly SchemaError[], keyword: string, parameter: string): ByPath {
  const found = new Map<string, Map<string, SchemaError>>();
  for (const error of errors) {
    if (error.keyword !== keyword) continue;
    let here = found.get(error.instancePath);
    if (here === undefined) found.set(error.instancePath, (here = new Map<string, SchemaError>()));
    here.set(String(error.params[parameter]), error);
  }
  return found;
}
