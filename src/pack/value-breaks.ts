import { codePoints } from "../document/code-points.js";
import type { Node, ScalarValue } from "../document/node.js";
import { isSameValue } from "../document/same-value.js";
import { matchPattern, type StepBudget } from "../pattern/find-match.js";
import type { Validation, Variable } from "./variable.js";

/** How a value breaks what its variable asks for. */
export type Violation =
  | { readonly kind: "type"; readonly expected: string }
  | { readonly kind: "enum"; readonly allowed: readonly string[] }
  | { readonly kind: "pattern"; readonly pattern: string }
  | { readonly kind: "length"; readonly length: number; readonly limit: number; readonly isMost: boolean }
  | { readonly kind: "range"; readonly limit: number; readonly isMost: boolean };

const typeChecks: Readonly<Record<string, { readonly words: string; readonly fits: (node: Node) => boolean }>> = {
  string: { words: "a string", fits: (node) => typeof scalarValue(node) === "string" },
  number: { words: "a number", fits: (node) => typeof scalarValue(node) === "number" },
  integer: { words: "a whole number", fits: (node) => Number.isInteger(scalarValue(node)) },
  boolean: { words: "true or false", fits: (node) => typeof scalarValue(node) === "boolean" },
  array: { words: "a list", fits: (node) => node.kind === "sequence" },
  object: { words: "an object", fits: (node) => node.kind === "mapping" },
};

/** A wrong type, or a value that is not listed, says it all: the other limits then mean nothing. */
export function* findViolations({ type, validation }: Variable, node: Node, patience: StepBudget): Iterable<Violation> {
  const wanted = type !== undefined && Object.hasOwn(typeChecks, type.text) ? typeChecks[type.text] : undefined;
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
  if (typeof value === "string") yield* textViolations(validation, value, patience);
  if (typeof value === "number") yield* numberViolations(validation, value);
}

/** Whether a lower limit lies above the upper one, so that no value fits. */
export function isEmptyRange(least: number | undefined, most: number | undefined): boolean {
  return least !== undefined && most !== undefined && least > most;
}

function* textViolations(
  { pattern, minLength, maxLength }: Validation,
  text: string,
  patience: StepBudget,
): Iterable<Violation> {
  if (pattern !== undefined && matchPattern(pattern.text, text, patience) === false) {
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
