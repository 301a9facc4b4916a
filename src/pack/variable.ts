import {
  asMapping,
  isNull,
  isSameValue,
  itemsOf,
  type Key,
  LocatedBoolean,
  LocatedString,
  type MappingNode,
  type Node,
  numberOf,
  placeOf,
  type ScalarValue,
  stringOf,
} from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";
import { codePoints } from "../document/scan-text.js";
import { matchPattern, type StepBudget } from "../pattern/match-pattern.js";
import { firstByKey } from "../text/collections.js";
import { type NameGuess, uniqueNearestName } from "../text/names.js";

/** RFC 0003. */
export type Variable = Readonly<ReturnType<typeof readVariable>>;
export type Validation = Readonly<ReturnType<typeof readValidation>>;

export function readVariables(node: Node | undefined, unclear: Unclear) {
  const variables: readonly Variable[] = itemsOf(node).flatMap((item, index) =>
    item.kind === "mapping" && !unclear.has(item) ? [readVariable(item, index, unclear)] : [],
  );
  const named = variables.filter(({ name }) => name !== undefined);
  const declared = firstByKey(named, ({ name }) => name?.text ?? "");
  return { variables, declared };
}

/** Whether the schema accepts it as the name of a variable. */
export function isValidVariableName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name);
}

export function describeVariable({ name, index }: Variable): string {
  return name === undefined ? `variable ${index + 1}` : `the variable "${name.text}"`;
}

function readVariable(node: MappingNode, index: number, unclear: Unclear) {
  const name = LocatedString.of(unclear.get(node, "name"));
  const validation = asMapping(unclear.get(node, "validation"));
  return {
    index,
    node,
    name: name?.text === "" ? undefined : name,
    type: LocatedString.of(unclear.get(node, "type")),
    required: LocatedBoolean.of(unclear.get(node, "required")),
    /** Absent when it is null. */
    default: valueOf(unclear.get(node, "default")),
    example: valueOf(unclear.get(node, "example")),
    /** Filled in by the runtime. */
    isBound: valueOf(node.get("binding")) !== undefined,
    validation: validation && readValidation(validation, unclear),
  };
}

function readValidation(node: MappingNode, unclear: Unclear) {
  const get = (field: string) => unclear.get(node, field);
  const allowed = itemsOf(get("enum"));
  return {
    at: placeOf(node),
    pattern: LocatedString.of(get("pattern")),
    minLength: numberOf(get("min_length")),
    maxLength: numberOf(get("max_length")),
    minimum: numberOf(get("minimum")),
    maximum: numberOf(get("maximum")),
    enum: allowed.length === 0 ? undefined : allowed,
  };
}

function valueOf(node: Node | undefined): Node | undefined {
  return isNull(node) ? undefined : node;
}

export interface Violation {
  /** Follows the value in a sentence or, if it is given, its length. */
  readonly words: string;
  readonly length?: number;
  /** The texts of the `enum` that does not list it. */
  readonly allowed?: readonly string[];
}

interface TypeCheck {
  readonly words: string;
  readonly fits: (node: Node) => boolean;
}

/** The types of JSON Schema and what values they take, without `null`. */
const typeChecks: ReadonlyMap<string, TypeCheck> = new Map([
  ["string", { words: "a string", fits: (node) => typeof scalarValue(node) === "string" }],
  ["number", { words: "a number", fits: (node) => typeof scalarValue(node) === "number" }],
  ["integer", { words: "a whole number", fits: (node) => Number.isInteger(scalarValue(node)) }],
  ["boolean", { words: "true or false", fits: (node) => typeof scalarValue(node) === "boolean" }],
  ["array", { words: "a list", fits: (node) => node.kind === "sequence" }],
  ["object", { words: "an object", fits: (node) => node.kind === "mapping" }],
]);
const nullCheck: TypeCheck = { words: "null", fits: isNull };

const longestPatternShown = 60;

/** After a wrong type or an unlisted value, the other limits do not apply. */
export function* findViolations(
  { type, validation }: Variable,
  node: Node,
  budget: StepBudget,
): Iterable<Violation> {
  const wanted = typeChecks.get(type?.text ?? "");
  if (wanted?.fits(node) === false) {
    yield { words: `but its type requires ${wanted.words}` };
    return;
  }
  if (validation === undefined) return;
  const isUnlisted = (allowed: Node): boolean => allowed.kind === node.kind && !isSameValue(allowed, node);
  if (validation.enum?.every(isUnlisted) === true) {
    yield {
      words: 'which its "enum" does not list',
      allowed: validation.enum.flatMap((item) => stringOf(item) ?? []),
    };
    return;
  }
  const value = scalarValue(node);
  const { pattern, minLength, maxLength, minimum, maximum } = validation;
  if (typeof value === "string") {
    if (pattern !== undefined && matchPattern(pattern.text, value, budget) === false) {
      const shown =
        pattern.text.length > longestPatternShown ? "its pattern" : `the pattern "${pattern.text}"`;
      yield { words: `which does not match ${shown}` };
    }
    if (isEmptyRange(minLength, maxLength)) return;
    const length = codePoints(value);
    if (minLength !== undefined && length < minLength)
      yield { length, words: `but its "min_length" is ${minLength}` };
    if (maxLength !== undefined && length > maxLength)
      yield { length, words: `but its "max_length" is ${maxLength}` };
  }
  if (typeof value !== "number" || isEmptyRange(minimum, maximum)) return;
  if (minimum !== undefined && value < minimum) yield { words: `below its "minimum" of ${minimum}` };
  if (maximum !== undefined && value > maximum) yield { words: `above its "maximum" of ${maximum}` };
}

export function isEmptyRange(least: number | undefined, most: number | undefined): boolean {
  return least !== undefined && most !== undefined && least > most;
}

function scalarValue(node: Node): ScalarValue | undefined {
  return node.kind === "scalar" ? node.value : undefined;
}

export type ArgumentFault =
  | { readonly kind: "missing"; readonly names: readonly string[] }
  /** `near` is the parameter that is nearest by name; `replacement` the same, if no other is as near. */
  | {
      readonly kind: "unknown";
      readonly key: Key;
      readonly near: string | undefined;
      readonly replacement: string | undefined;
    }
  | { readonly kind: "type"; readonly key: Key; readonly value: Node; readonly expected: string };

/** The others are reported once these are given. */
const maxMissing = 6;

/** Compares arguments with the JSON Schema of a tool's parameters. */
export function* argumentFaults(
  args: MappingNode | undefined,
  parameters: MappingNode,
  guess: NameGuess,
): Iterable<ArgumentFault> {
  const properties = asMapping(parameters.get("properties"));
  const near = new Set<string>();
  for (const { key, value } of args?.entries ?? []) {
    const property = properties?.get(key.text);
    if (property === undefined && isClosed(parameters)) {
      const meant = guess(key.text, absentNames(properties, args));
      if (meant !== undefined) near.add(meant);
      const replacement = meant && uniqueNearestName(key.text, absentNames(properties, args));
      yield { kind: "unknown", key, near: meant, replacement };
    }
    const expected = expectedType(asMapping(property)?.get("type"), value);
    if (expected !== undefined) yield { kind: "type", key, value, expected };
  }
  const names: string[] = [];
  for (const item of itemsOf(parameters.get("required"))) {
    const name = stringOf(item);
    // The rule tool-parameters reports a required name without a property.
    if (name === undefined || properties?.get(name) === undefined) continue;
    if (args?.get(name) === undefined && !near.has(name) && names.push(name) === maxMissing) break;
  }
  if (names.length > 0) yield { kind: "missing", names };
}

function isClosed(parameters: MappingNode): boolean {
  const others = parameters.get("additionalProperties");
  return (
    others?.kind === "scalar" && others.value === false && parameters.get("patternProperties") === undefined
  );
}

/** Lazily: only the first thousands of names are compared. */
function* absentNames(properties: MappingNode | undefined, args: MappingNode | undefined): Iterable<string> {
  for (const { key } of properties?.entries ?? []) if (args?.get(key.text) === undefined) yield key.text;
}

/** The required type, if the value has another; a text with a reference may become anything. */
function expectedType(type: Node | undefined, value: Node): string | undefined {
  if (stringOf(value)?.includes("${") === true) return undefined;
  const names = (type?.kind === "sequence" ? type.items : [type]).map(stringOf);
  const words: string[] = [];
  for (const name of names) {
    // An unknown type takes anything.
    const check = name === "null" ? nullCheck : typeChecks.get(name ?? "");
    if (check === undefined || check.fits(value)) return undefined;
    words.push(check.words);
  }
  return words.length === 0 ? undefined : words.join(" or ");
}
