import type { Finding, Place } from "../diagnostic.js";
import type { Format } from "./format-of.js";
import type { Limits } from "./limits.js";
import type { LineMap } from "./line-map.js";
import type { Key, Node, ScalarNode, Span } from "./node.js";

export type { Format } from "./format-of.js";
export { defaultLimits, type Limits } from "./limits.js";

/** A reason why the file cannot be read. */
export interface Fault extends Place {
  readonly message: string;
  /** Of a text that may be sound as such; what to do about it depends on what the file was meant to be. */
  readonly kind?: FaultKind | undefined;
  /** Where the bracket stands that is not closed, where else an anchor is missed, or the anchor of what cannot be merged. */
  readonly related?: Finding["related"];
}

/** There is no object in it, or more than one document, or YAML in place of JSON, or more of something than the limit allows. */
export type FaultKind = "no-object" | "several-documents" | "yaml" | keyof Limits;

export interface DuplicateKey {
  readonly first: Key;
  readonly second: Key;
}

/** A YAML comment, from `#` to the end of its line. */
export interface Comment extends Span {
  readonly text: string;
}

/** What aliases and merge keys make of a YAML text. */
export interface AliasInfo {
  /** The anchored values that aliases repeat, and the mappings that merge keys bring, in no order. */
  readonly targets: ReadonlySet<Span>;
  /** The mappings that have a merge key. */
  readonly mergingMappings: ReadonlySet<Node>;
}

/** A file as text, and as the tree it spells. */
export interface Document {
  readonly text: string;
  readonly format: Format;
  readonly lines: LineMap;
  /** Absent when there are faults, unless it is a record, which is read up to the first of them. */
  readonly root: Node | undefined;
  /** The plain data of the tree. Only for who asks for no name but those of a schema: its objects are ordinary ones. */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  readonly duplicateKeys: readonly DuplicateKey[];
  readonly comments: readonly Comment[];
  /** What an edit has to keep clear of, as it would change other places than its own. */
  readonly aliases: AliasInfo;
  /** The part of the source text that spells the characters `from` to `to` of a string value. */
  placeWithin(scalar: ScalarNode, from: number, to: number): Place;
}
