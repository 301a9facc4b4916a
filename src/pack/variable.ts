import type { Place } from "../diagnostic.js";
import { isNull, type MappingNode, type Node, placeOf } from "../document/node.js";
import { asMapping, itemsOf, numberOf, LocatedString, LocatedBoolean } from "../document/spelled-values.js";

/** What a prompt says of a value that its template takes (RFC 0003). */
export interface Variable {
  readonly index: number;
  readonly node: MappingNode;
  /** Absent when it is empty, too, which the schema reports. */
  readonly name: LocatedString | undefined;
  readonly type: LocatedString | undefined;
  readonly required: LocatedBoolean | undefined;
  /** Absent when it is null: that says there is none. */
  readonly default: Node | undefined;
  readonly example: Node | undefined;
  /** Filled in by the runtime, from the session or its surroundings. */
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
  /** Absent when nothing is listed. */
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

/** Whether the schema takes it. */
export function isValidVariableName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name);
}

/** How a sentence speaks of it. */
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

/** One that the schema rejects limits nothing. */
function lengthOf(node: Node | undefined, least: number): number | undefined {
  const length = numberOf(node);
  return length !== undefined && Number.isInteger(length) && length >= least ? length : undefined;
}

function valueOf(node: Node | undefined): Node | undefined {
  return isNull(node) ? undefined : node;
}
