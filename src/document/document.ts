import type { Finding, Place } from "../diagnostic.js";
import type { LineMap } from "./line-map.js";
import type { Key, Node, ScalarNode, Span } from "./node.js";

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

/** What a file may ask of us before we refuse it. */
export interface Limits {
  /** The flag `--max-size`, which messages name here as they do in the command. */
  readonly maxBytes: number;
  /** Levels of nesting: `--max-depth`. */
  readonly maxDepth: number;
  /** Nodes that aliases and merge keys may add: `--max-alias-nodes`. */
  readonly maxAliasNodes: number;
  /** Values as they are written: `--max-values`. Small ones take a hundred times their length in memory. */
  readonly maxValues: number;
}

export const defaultLimits: Limits = {
  maxBytes: 64 * 1024 * 1024,
  maxDepth: 200,
  maxAliasNodes: 100_000,
  maxValues: 5_000_000,
};

export type Format = "json" | "yaml";

/** Bytes that are looked at: more blanks than this begin no file. */
const maxSniffedBytes = 64 * 1024;

/** By the extension of the file; where it tells nothing, by what the text starts with. */
export function detectFormat(fileName: string | undefined, source: string | Uint8Array): Format {
  const extension = /\.([^./\\]+)$/.exec(fileName ?? "")?.[1]?.toLowerCase();
  if (extension === "json") return "json";
  if (extension === "yaml" || extension === "yml") return "yaml";
  const text =
    typeof source === "string" ? source : new TextDecoder().decode(source.subarray(0, maxSniffedBytes));
  return /^[\s\ufeff]*\{/.test(text) ? "json" : "yaml";
}
