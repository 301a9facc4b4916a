import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { itemsOf, LocatedString, type MappingNode, type Node, placeOf, toValue } from "../document/node.js";
import { type Reference, referencesIn } from "./references.js";

/** The question of a branch, as far as it is well-formed. */
export type Predicate = ComparePredicate | ExistsPredicate | CombinedPredicate | NotPredicate;

interface PredicateBase {
  readonly at: Place;
  readonly node: MappingNode;
}

export interface ComparePredicate extends PredicateBase {
  readonly kind: "compare";
  readonly path: PredicatePath;
  readonly op: ComparisonOperator;
  readonly value: Node;
}

export interface ExistsPredicate extends PredicateBase {
  readonly kind: "exists";
  readonly path: PredicatePath;
  readonly exists: boolean;
}

interface CombinedPredicate extends PredicateBase {
  readonly kind: "all" | "any";
  readonly parts: readonly Predicate[];
}

interface NotPredicate extends PredicateBase {
  readonly kind: "not";
  readonly part: Predicate;
}

/** The string that says what a predicate asks about. */
export interface PredicatePath {
  readonly text: LocatedString;
  readonly references: readonly Reference[];
  /** The one reference that the string consists of. */
  readonly reference: Reference | undefined;
}

const orderedOperators = [
  "less_than",
  "less_than_or_equals",
  "greater_than",
  "greater_than_or_equals",
] as const;
const operators = ["equals", "not_equals", "in", "not_in", ...orderedOperators] as const;
export type ComparisonOperator = (typeof operators)[number];

/** Whether the operator compares numbers, and so fails for a value that is not there. */
export function isOrdered(op: ComparisonOperator): boolean {
  return orderedOperators.some((ordered) => ordered === op);
}

/** Reads a predicate; undefined if a part of it breaks the schema. The schema limits the depth. */
export function readPredicate(node: Node | undefined, document: Document): Predicate | undefined {
  if (node?.kind !== "mapping") return undefined;
  const base = { at: placeOf(node), node };
  const combined = node.get("all_of") ?? node.get("any_of");
  if (combined !== undefined) {
    const parts = itemsOf(combined).map((item) => readPredicate(item, document));
    const read = parts.filter((part) => part !== undefined);
    if (combined.kind !== "sequence" || read.length < parts.length) return undefined;
    return { ...base, kind: node.get("all_of") === undefined ? "any" : "all", parts: read };
  }
  if (node.get("not") !== undefined) {
    const part = readPredicate(node.get("not"), document);
    return part && { ...base, kind: "not", part };
  }
  const path = readPath(node.get("path"), document);
  const exists = node.get("exists");
  if (path === undefined) return undefined;
  if (exists?.kind === "scalar" && typeof exists.value === "boolean")
    return { ...base, kind: "exists", path, exists: exists.value };
  const op = operators.find((each) => each === LocatedString.of(node.get("op"))?.text);
  const value = node.get("value");
  return op === undefined || value === undefined ? undefined : { ...base, kind: "compare", path, op, value };
}

function readPath(node: Node | undefined, document: Document): PredicatePath | undefined {
  const text = LocatedString.of(node);
  if (text === undefined) return undefined;
  const references = referencesIn(text, document);
  const [only, ...others] = references;
  const isWhole = only?.start === 0 && only.end === text.text.length && others.length === 0;
  return { text, references, reference: isWhole ? only : undefined };
}

/** Every comparison and question for existence in a predicate. */
export function* atomsOf(predicate: Predicate): Generator<ComparePredicate | ExistsPredicate> {
  const open: Predicate[] = [predicate];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === "not") open.push(next.part);
    else if (next.kind === "compare" || next.kind === "exists") yield next;
    else for (const part of next.parts.toReversed()) open.push(part);
  }
}

/** The values that a comparison names. */
export function literalsOf({ op, value }: ComparePredicate): readonly unknown[] {
  const plain = toValue(value);
  return (op === "in" || op === "not_in") && Array.isArray(plain) ? plain : [plain];
}

/** The required kind of value; undefined if the value has it. */
export function wantedValue({ op, value }: ComparePredicate): "a list" | "a number" | undefined {
  if (op === "in" || op === "not_in") return value.kind === "sequence" ? undefined : "a list";
  const isNumber = value.kind === "scalar" && typeof value.value === "number";
  return isOrdered(op) && !isNumber ? "a number" : undefined;
}
