import type { Note, Place } from "../diagnostic.js";
import type { Format, Limits } from "./file-format.js";
import type { LineMap } from "./line-map.js";
import type { Key, Node, ScalarNode, Span } from "./node.js";

/** A reason why the file cannot be read. */
export interface Fault extends Place {
  readonly message: string;
  /** Set if the advice depends on the kind of file, so that the caller adds it. */
  readonly kind?: FaultKind | undefined;
  readonly related?: readonly Note[] | undefined;
}

export type FaultKind = "binary" | "no-object" | "several-documents" | "yaml" | keyof Limits;

export interface DuplicateKey {
  readonly first: Key;
  readonly second: Key;
}

/** A YAML comment, from `#` to the end of its line. */
export interface Comment extends Span {
  readonly text: string;
}

export interface AliasInfo {
  /** The anchored values that aliases repeat, and the mappings that merge keys add, in no order. */
  readonly targets: ReadonlySet<Span>;
  /** The mappings that have a merge key. */
  readonly mergingMappings: ReadonlySet<Node>;
}

export interface Document {
  readonly text: string;
  readonly format: Format;
  readonly lines: LineMap;
  /** Absent if there are faults, except for a record, which is read up to its first fault. */
  readonly root: Node | undefined;
  readonly faults: readonly Fault[];
  readonly duplicateKeys: readonly DuplicateKey[];
  readonly comments: readonly Comment[];
  /** Edits avoid these, since changing them would affect other places. */
  readonly aliases: AliasInfo;
  /** The part of the source text that spells the characters `from` to `to` of a string value. */
  placeWithin(scalar: ScalarNode, from: number, to: number): Place;
}
