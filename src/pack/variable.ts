import type { Place } from "../diagnostic.js";
import {
  asMapping,
  isNull,
  isSameValue,
  itemsOf,
  LocatedBoolean,
  LocatedString,
  type MappingNode,
  type Node,
  numberOf,
  placeOf,
  type ScalarValue,
} from "../document/node.js";
import { codePoints } from "../document/scan-text.js";
import { matchPattern, type StepBudget } from "../pattern/match-pattern.js";

/** RFC 0003. */
interface Variable {
  readonly index: number;
  readonly node: MappingNode;
  /** Absent when it is empty. */
  readonly name: LocatedString | undefined;
  readonly type: LocatedString | undefined;
  readonly required: LocatedBoolean | undefined;
  /** Absent when it is null. */
  readonly default: Node | undefined;
  readonly example: Node | undefined;
  /** Filled in by the runtime. */
  readonly isBound: boolean;
  readonly validation: Validation | undefined;
}

export interface Validation {
  readonly at: Place;
  readonly pattern: LocatedString | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** Absent when the list is empty. */
  readonly enum: readonly Node[] | undefined;
}

export interface Variables {
  readonly variables: readonly Variable[];
  /** By name, the first of each. */
  readonly declared: ReadonlyMap<string, Variable>;
}

export function readVariables(node: Node | undefined): Variables {
  const variables = itemsOf(node).flatMap((item, index) =>
    item.kind === "mapping" ? [readVariable(item, index)] : [],
  );
  const declared = new Map<string, Variable>();
  for (const variable of variables) {
    if (variable.name === undefined) continue;
    if (!declared.has(variable.name.text)) declared.set(variable.name.text, variable);
  }
  return { variables, declared };
}

/** Whether the schema accepts it as the name of a variable. */
export function isValidVariableName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name);
}

export function describeVariable({ name, index }: Variable): string {
  return name === undefined ? `variable ${index + 1}` : `the variable "${name.text}"`;
}

function readVariable(node: MappingNode, index: number): Variable {
  const name = LocatedString.of(node.get("name"));
  return {
    index,
    node,
    name: name?.text === "" ? undefined : name,
    type: LocatedString.of(node.get("type")),
    required: LocatedBoolean.of(node.get("required")),
    default: valueOf(node.get("default")),
    example: valueOf(node.get("example")),
    isBound: valueOf(node.get("binding")) !== undefined,
    validation: readValidation(asMapping(node.get("validation"))),
  };
}

function readValidation(node: MappingNode | undefined): Validation | undefined {
  if (node === undefined) return undefined;
  const allowed = itemsOf(node.get("enum"));
  return {
    at: placeOf(node),
    pattern: LocatedString.of(node.get("pattern")),
    minLength: lengthOf(node.get("min_length"), 0),
    maxLength: lengthOf(node.get("max_length"), 1),
    minimum: numberOf(node.get("minimum")),
    maximum: numberOf(node.get("maximum")),
    enum: allowed.length === 0 ? undefined : allowed,
  };
}

/** A limit that the schema rejects is ignored. */
function lengthOf(node: Node | undefined, least: number): number | undefined {
  const length = numberOf(node);
  return length !== undefined && Number.isInteger(length) && length >= least ? length : undefined;
}

function valueOf(node: Node | undefined): Node | undefined {
  return isNull(node) ? undefined : node;
}

export type Violation =
  | { readonly kind: "type"; readonly expected: string }
  | { readonly kind: "enum"; readonly allowed: readonly string[] }
  | { readonly kind: "pattern"; readonly pattern: string }
  | { readonly kind: "length"; readonly length: number; readonly limit: number; readonly isMost: boolean }
  | { readonly kind: "range"; readonly limit: number; readonly isMost: boolean };

/** The types of JSON Schema and what values they take, without `null`. */
export const typeChecks: Readonly<
  Record<string, { readonly words: string; readonly fits: (node: Node) => boolean }>
> = {
  string: { words: "a string", fits: (node) => typeof scalarValue(node) === "string" },
  number: { words: "a number", fits: (node) => typeof scalarValue(node) === "number" },
  integer: { words: "a whole number", fits: (node) => Number.isInteger(scalarValue(node)) },
  boolean: { words: "true or false", fits: (node) => typeof scalarValue(node) === "boolean" },
  array: { words: "a list", fits: (node) => node.kind === "sequence" },
  object: { words: "an object", fits: (node) => node.kind === "mapping" },
};

/** After a wrong type or an unlisted value, the other limits do not apply. */
export function* findViolations(
  { type, validation }: Variable,
  node: Node,
  budget: StepBudget,
): Iterable<Violation> {
  const wanted =
    type !== undefined && Object.hasOwn(typeChecks, type.text) ? typeChecks[type.text] : undefined;
  if (wanted !== undefined && !wanted.fits(node)) {
    yield { kind: "type", expected: wanted.words };
    return;
  }
  if (validation === undefined) return;
  if (
    validation.enum?.every((allowed) => allowed.kind === node.kind && !isSameValue(allowed, node)) === true
  ) {
    const allowed = validation.enum.flatMap((item) =>
      typeof scalarValue(item) === "string" ? [String(scalarValue(item))] : [],
    );
    yield { kind: "enum", allowed };
    return;
  }
  const value = scalarValue(node);
  if (typeof value === "string") yield* textViolations(validation, value, budget);
  if (typeof value === "number") yield* numberViolations(validation, value);
}

/** Whether a lower limit is above the upper one, so that no value fits. */
export function isEmptyRange(least: number | undefined, most: number | undefined): boolean {
  return least !== undefined && most !== undefined && least > most;
}

function* textViolations(
  { pattern, minLength, maxLength }: Validation,
  text: string,
  budget: StepBudget,
): Iterable<Violation> {
  if (pattern !== undefined && matchPattern(pattern.text, text, budget) === false) {
    yield { kind: "pattern", pattern: pattern.text };
  }
  if (isEmptyRange(minLength, maxLength)) return;
  const length = codePoints(text);
  if (minLength !== undefined && length < minLength)
    yield { kind: "length", length, limit: minLength, isMost: false };
  if (maxLength !== undefined && length > maxLength)
    yield { kind: "length", length, limit: maxLength, isMost: true };
}

function* numberViolations({ minimum, maximum }: Validation, value: number): Iterable<Violation> {
  if (isEmptyRange(minimum, maximum)) return;
  if (minimum !== undefined && value < minimum) yield { kind: "range", limit: minimum, isMost: false };
  if (maximum !== undefined && value > maximum) yield { kind: "range", limit: maximum, isMost: true };
}

function scalarValue(node: Node): ScalarValue | undefined {
  return node.kind === "scalar" ? node.value : undefined;
}
