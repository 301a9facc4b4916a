import { escapeCharacter } from "../text/escape.js";
import type { Note, Place } from "../diagnostic.js";
import type { Format, Limits } from "./file-format.js";
import type { Comment, LineMap } from "./scan-text.js";
import { type DuplicateKey, Key, type LocatedString, type Node, type ScalarNode, type Span } from "./node.js";
import { maskSecrets } from "../text/secrets.js";

export type { Comment };

/** A reason why the file cannot be read. */
export interface Fault extends Place {
  readonly message: string;
  /** Set if the advice depends on the kind of file, so that the caller adds it. */
  readonly kind?: FaultKind | undefined;
  readonly related?: readonly Note[] | undefined;
}

export type FaultKind = "binary" | "no-object" | "several-documents" | "yaml" | keyof Limits;

export interface AliasInfo {
  /** The anchored values that aliases repeat, and the mappings that merge keys add, in no order. */
  readonly targets: ReadonlySet<Span>;
  readonly mergingMappings: ReadonlySet<Node>;
}

/** A string in a project that names a part of its pack. */
export interface Mention {
  readonly kind: "prompt" | "state" | "tool";
  readonly name: LocatedString;
}

export interface Document {
  readonly text: string;
  readonly format: Format;
  /** For a project, whose files may differ in format: the format of the file at this offset. */
  readonly formatAt?: (offset: number) => Format;
  readonly lines: LineMap;
  /** Absent if there are faults, except for a record, which is read up to its first fault. */
  readonly root: Node | undefined;
  readonly faults: readonly Fault[];
  readonly duplicateKeys: readonly DuplicateKey[];
  readonly comments: readonly Comment[];
  /** Edits avoid these, since changing them would affect other places. */
  readonly aliases: AliasInfo;
  /** For a project: by object, properties that its sources seem to provide, but that cannot be read. */
  readonly lacking?: ReadonlyMap<Node, ReadonlySet<string>>;
  /** For a project: task types of prompts, by the ids that its head uses instead. */
  readonly otherNames?: ReadonlyMap<string, string>;
  /** For a project: places outside of the pack that name prompts, states and tools. */
  readonly mentions?: () => readonly Mention[];
  /** The part of the source text that spells the characters `from` to `to` of a string value. */
  placeWithin(scalar: ScalarNode, from: number, to: number): Place;
}

export const maxFaults = 20;

export class ParseError extends Error {
  constructor(
    readonly fault: Fault,
    /** A syntax error, after which there may be more. */
    readonly isSyntax: boolean,
  ) {
    super(fault.message);
  }

  static syntaxErrorAt({ start, end }: Span, message: string): ParseError {
    return new ParseError(faultAt(start, end, message), true);
  }

  static rejectionAt({ start, end }: Span, message: string, kind?: FaultKind): ParseError {
    return new ParseError(faultAt(start, end, message, kind), false);
  }
}

export function faultAt(start: number, end: number, message: string, kind?: FaultKind): Fault {
  return { pointer: "", start, end, message, kind };
}

export function withOpening(fault: Fault, start: number): Fault {
  return { ...fault, related: [{ at: { pointer: "", start, end: start + 1 }, message: "opened here" }] };
}

export function nestedTooDeep(at: number, maxDepth: number): ParseError {
  const message = `The values are nested more than ${maxDepth} levels deep.`;
  return ParseError.rejectionAt({ start: at, end: at + 1 }, message, "maxDepth");
}

export function tooManyValues(at: number, maxValues: number): ParseError {
  const message = `The file holds more than ${maxValues} values.`;
  return ParseError.rejectionAt({ start: at, end: at + 1 }, message, "maxValues");
}

/** Spaces that look like plain ones, but that YAML reads as text. */
export const unicodeSpaces = "\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000";

export const spaceName = (space: string): string => (space === "\u00a0" ? "no-break space" : "special space");

/** `name:value`, which lacks a space after the colon, but not a URL. */
export const unspacedKey = /^(?:<<|[\w.-]+):(?!\/\/)\S/;

/** Whether a value is missing because its key is `name:value`, as in `{ name:value }`. */
export function isUnspaced({ key, start, end }: Node): boolean {
  if (!(key instanceof Key) || start !== end || start !== key.end) return false;
  // A quoted key is longer than its text.
  return key.end - key.start === key.text.length && unspacedKey.test(key.text);
}

/** Control characters, and spaces that look like plain ones, but not ZWJ and ZWNJ, which emoji and scripts need. */
const unprintablePattern = () =>
  new RegExp(`(?![\\u{200c}\\u{200d}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}${unicodeSpaces}]`, "gu");
const maxQuotedLength = 40;

/** Source text for a message: short, on one line, and safe for a terminal. */
export function quoteSource(written: string): string {
  const safe = escapeUnprintable(truncate(written));
  return /^"(?:\\"|[^"])+"$/.test(safe) ? safe : `"${safe.replaceAll('"', '\\"')}"`;
}

/** The same for a parsed value, whose backslashes are literal. */
export function quoteValue(text: string): string {
  return escapeUnprintable(JSON.stringify(truncate(text)));
}

/** Avoids compiling the pattern for plain text, since that is slow. */
function escapeUnprintable(text: string): string {
  return /^[ -~]*$/.test(text) ? text : text.replace(unprintablePattern(), escapeCharacter);
}

function truncate(whole: string): string {
  const text = maskSecrets(whole);
  const short = [...text.slice(0, 2 * maxQuotedLength)].slice(0, maxQuotedLength).join("");
  return short.length < text.length ? short + "…" : short;
}
