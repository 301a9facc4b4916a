import type { Place } from "../diagnostic.js";
import { hasDoubledKeys, isNull, type MappingNode, type Node, placeOf } from "../document/node.js";
import { firstName, syntaxes } from "../template/read-template.js";
import { fields, isComplete, spelled } from "../meant/spelled.js";
import { asMapping, itemsOf, numberOf, Text, textsOf, Truth } from "../document/spelled-values.js";

/** What a prompt says of a value that its template takes (RFC 0003). */
export interface Variable {
  readonly index: number;
  readonly node: MappingNode;
  /** Absent when it is empty, too, which the schema reports. */
  readonly name: Text | undefined;
  readonly type: Text | undefined;
  readonly required: Truth | undefined;
  /** Absent when it is null: that says there is none; and as all its values are when its declaration has a key twice. */
  readonly default: Node | undefined;
  readonly example: Node | undefined;
  /** Filled in by the runtime, from the session or its surroundings. */
  readonly isBound: boolean;
  readonly validation: Validation | undefined;
}

export interface Validation {
  readonly at: Place;
  readonly pattern: Text | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** Absent when nothing is listed. */
  readonly enum: readonly Node[] | undefined;
}

export interface Variables {
  readonly variables: readonly Variable[];
  /** By name, the first of each; by the name that was meant, too, where the schema takes no such name. */
  readonly declared: ReadonlyMap<string, Variable>;
  /** Whether each declaration could be read; a reference may be to one that could not. */
  readonly hasAllVariables: boolean;
}

export function readVariables(node: Node | undefined): Variables {
  const items = itemsOf(node);
  const variables = items.flatMap((item, index) =>
    item.kind === "mapping" ? [readVariable(item, index)] : [],
  );
  const declared = new Map<string, Variable>();
  let named = 0;
  for (const variable of variables) {
    if (variable.name === undefined) continue;
    named++;
    if (!declared.has(variable.name.text)) declared.set(variable.name.text, variable);
  }
  const isList = isComplete(node, "sequence");
  return { variables, declared: withMeantNames(declared), hasAllVariables: isList && named === items.length };
}

/** The names that a section of variables has in whatever form: a list of them or of names, or one below each name. */
export function variableNamesIn(section: Node | undefined): ReadonlySet<string> {
  const named = readVariables(section).declared.keys();
  const texts = textsOf(section).map(({ text }) => text);
  const keys = asMapping(section)?.entries.map(({ key }) => key.text) ?? [];
  return new Set([...named, ...texts, ...keys]);
}

function withMeantNames(declared: ReadonlyMap<string, Variable>): ReadonlyMap<string, Variable> {
  const meant = new Map<string, Variable>();
  for (const [name, variable] of declared) {
    for (const sound of meantNames(name))
      if (!declared.has(sound) && !meant.has(sound)) meant.set(sound, variable);
  }
  // In front, as what is suggested first of equally near names should be one that the schema takes.
  return meant.size === 0 ? declared : new Map([...meant, ...declared]);
}

/**
 * What templates may call a variable whose name the schema reports: `order_id` for `order-id` or `{{order_id}}`, as it
 * must be, and what they read of it, such as the `user` of `user.name`.
 */
function meantNames(name: string): readonly string[] {
  if (isSoundName(name)) return [];
  const bare = withoutDelimiters(name);
  // Of `first name` no template reads the `first`.
  const read = bare.includes(" ") ? "" : firstName(bare);
  return [bare.replaceAll(/[-. ]/g, "_"), ...(read === "" ? [] : [read])].filter((each) => each !== name);
}

function withoutDelimiters(name: string): string {
  const bare = name.trim();
  const syntax = syntaxes.find(({ open, close }) => bare.startsWith(open) && bare.endsWith(close));
  return syntax === undefined ? bare : bare.slice(syntax.open.length, -syntax.close.length).trim();
}

/** Whether the schema takes it. */
export function isSoundName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name);
}

/** How a sentence speaks of it. */
export function variableName({ name, index }: Variable): string {
  return name === undefined ? `variable ${index + 1}` : `the variable "${name.text}"`;
}

function readVariable(written: MappingNode, index: number): Variable {
  const node = spelled(written, fields.variable);
  const name = Text.once(node.get("name"));
  const isMixed = hasDoubledKeys(written);
  return {
    index,
    node: written,
    name: name?.text === "" ? undefined : name,
    type: Text.of(node.get("type")),
    required: Truth.of(node.get("required")),
    default: isMixed ? undefined : valueOf(node.get("default")),
    example: isMixed ? undefined : valueOf(node.get("example")),
    isBound: valueOf(node.get("binding")) !== undefined,
    validation: isMixed ? undefined : readValidation(asMapping(node.get("validation"))),
  };
}

function readValidation(node: MappingNode | undefined): Validation | undefined {
  if (node === undefined) return undefined;
  const allowed = itemsOf(node.get("enum"));
  return {
    at: placeOf(node),
    pattern: Text.of(node.get("pattern")),
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
