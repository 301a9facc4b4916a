import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { childrenOf, itemsOf, LocatedString, type Node, placeOf, toValue } from "../document/node.js";
import { maskSecrets } from "../text/secrets.js";

/** `${…}` in a string of a composition. */
export type Reference = Readonly<ReturnType<typeof referencesIn>[number]>;

const dotPath = /^[A-Za-z_]\w*(?:\.\w+)*$/;

function referencesIn(source: LocatedString, document: Document) {
  const [before = "", ...parts] = source.text.split("${");
  let start = before.length;
  return parts.map((part) => {
    const close = part.indexOf("}");
    const isClosed = close !== -1;
    const text = (isClosed ? part.slice(0, close) : part).trim();
    const end = start + 2 + (isClosed ? close + 1 : part.length);
    const reference = {
      at: document.placeWithin(source.node, start, end),
      text,
      /** The names between the dots; undefined if it is not a dot path. */
      path: isClosed && dotPath.test(text) ? text.split(".") : undefined,
      isClosed,
      /** The string that holds it, and where in it the reference is. */
      source,
      start,
      end,
    };
    start += 2 + part.length;
    return reference;
  });
}

/** The references in all strings below a node, in file order. */
export function referencesBelow(node: Node | undefined, document: Document): readonly Reference[] {
  const found: Reference[] = [];
  const open: Node[] = node === undefined ? [] : [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // Not spread into `push`: a list may have more items than a call may have arguments.
    for (const child of childrenOf(next).toReversed()) open.push(child);
    const text = LocatedString.of(next);
    if (text !== undefined) for (const reference of referencesIn(text, document)) found.push(reference);
  }
  return found;
}

/** The question of a branch, as far as it is well-formed. */
export type Predicate =
  PredicateAtom | CombinedPredicate | (PredicateBase<"not"> & { readonly part: Predicate });

/** A question about one path. */
export type PredicateAtom =
  ComparePredicate | (PredicateBase<"exists"> & { readonly path: PredicatePath; readonly exists: boolean });

interface PredicateBase<Kind> {
  readonly kind: Kind;
  readonly at: Place;
}

export interface ComparePredicate extends PredicateBase<"compare"> {
  readonly path: PredicatePath;
  readonly op: (typeof operators)[number];
  readonly value: Node;
}

export interface CombinedPredicate extends PredicateBase<"all" | "any"> {
  readonly parts: readonly Predicate[];
}

/** The string that says what a predicate asks about. */
export type PredicatePath = Readonly<NonNullable<ReturnType<typeof readPath>>>;

const orderedOperators = [
  "less_than",
  "less_than_or_equals",
  "greater_than",
  "greater_than_or_equals",
] as const;
const operators = ["equals", "not_equals", "in", "not_in", ...orderedOperators] as const;

/** Whether the operator compares numbers, and so fails for a value that is not there. */
export function isOrdered({ op }: ComparePredicate): boolean {
  return orderedOperators.some((ordered) => ordered === op);
}

/** Reads a predicate; undefined if a part of it breaks the schema. `--max-depth` limits the recursion. */
export function readPredicate(node: Node | undefined, document: Document): Predicate | undefined {
  if (node?.kind !== "mapping") return undefined;
  const at = placeOf(node);
  const combined = node.get("all_of") ?? node.get("any_of");
  if (combined !== undefined) {
    const parts = itemsOf(combined).map((item) => readPredicate(item, document));
    const read = parts.filter((part) => part !== undefined);
    if (combined.kind !== "sequence" || read.length < parts.length) return undefined;
    return { at, kind: node.get("all_of") === undefined ? "any" : "all", parts: read };
  }
  if (node.get("not") !== undefined) {
    const part = readPredicate(node.get("not"), document);
    return part && { at, kind: "not", part };
  }
  const path = readPath(node.get("path"), document);
  const exists = node.get("exists");
  if (path === undefined) return undefined;
  if (exists?.kind === "scalar" && typeof exists.value === "boolean")
    return { at, kind: "exists", path, exists: exists.value };
  const op = operators.find((each) => each === LocatedString.of(node.get("op"))?.text);
  const value = node.get("value");
  return op === undefined || value === undefined ? undefined : { at, kind: "compare", path, op, value };
}

function readPath(node: Node | undefined, document: Document) {
  const text = LocatedString.of(node);
  if (text === undefined) return undefined;
  const references = referencesIn(text, document);
  const [only, ...others] = references;
  const isWhole = only?.start === 0 && only.end === text.text.length && others.length === 0;
  /** `reference` is the one that the string consists of. */
  return { text, references, reference: isWhole ? only : undefined };
}

/** Every comparison and question for existence in a predicate. */
export function atomsOf(predicate: Predicate | undefined): readonly PredicateAtom[] {
  if (predicate === undefined) return [];
  if (predicate.kind === "not") return atomsOf(predicate.part);
  return "parts" in predicate ? predicate.parts.flatMap(atomsOf) : [predicate];
}

export function literalsOf({ op, value }: ComparePredicate): readonly unknown[] {
  const plain = toValue(value);
  return (op === "in" || op === "not_in") && Array.isArray(plain) ? plain : [plain];
}

/** The required kind of value; undefined if the value has it. */
export function wantedValue(comparison: ComparePredicate): "a list" | "a number" | undefined {
  const { op, value } = comparison;
  if (op === "in" || op === "not_in") return value.kind === "sequence" ? undefined : "a list";
  const isNumber = value.kind === "scalar" && typeof value.value === "number";
  return isOrdered(comparison) && !isNumber ? "a number" : undefined;
}

/** Longer texts fit nowhere. */
const maxLength = 200;
const maxParts = 8;

/** A predicate in words: `kind.output.intent equals "refund"`. */
export function predicateText(predicate: Predicate): string {
  const text = maskSecrets(fullText(predicate));
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function fullText(predicate: Predicate): string {
  const { kind } = predicate;
  if (kind === "not") return `not (${fullText(predicate.part)})`;
  if (kind === "compare" || kind === "exists") {
    const { reference, text } = predicate.path;
    const path = reference?.text ?? text.text;
    if (kind === "exists") return `${path} ${predicate.exists ? "exists" : "does not exist"}`;
    return `${path} ${predicate.op.replaceAll("_", " ")} ${JSON.stringify(toValue(predicate.value))}`;
  }
  const shown = predicate.parts.slice(0, maxParts);
  const parts = shown.map((part) => ("parts" in part ? `(${fullText(part)})` : fullText(part)));
  if (predicate.parts.length > maxParts) parts.push("…");
  return parts.join(kind === "all" ? " and " : " or ") || `${kind} of nothing`;
}
