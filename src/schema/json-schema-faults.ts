import type { Finding, Words } from "../diagnostic.js";
import {
  isDuplicated,
  isNull,
  type MappingNode,
  type Node,
  type ScalarNode,
  stringOf,
} from "../document/node.js";
import { isUniqueTypo, nearestName } from "../text/names.js";
import { joinWords } from "../text/wording.js";
import { describeFound, quoteValue, suggestion } from "./show-value.js";
import { isType, types } from "./validator.js";
import { mustBe } from "./value-messages.js";

/** A property that a schema requires. */
interface RequiredName {
  readonly schema: MappingNode;
  readonly node: ScalarNode;
  readonly name: string;
}

/**
 * The properties that all schemas for one value declare and require: a schema, and those in its `allOf`, `then` and the
 * like. One of them may require what another declares.
 */
export class PropertiesOfValue {
  private readonly declared = new Set<string>();
  private readonly required: RequiredName[] = [];
  private isObject = false;
  /** Whether a `$ref` adds to it. */
  private refers = false;
  /** Whether references may lead here by an anchor. */
  private isAnchored = false;
  /** The scope that collects the names of all schemas joined by references. */
  private gathered: PropertiesOfValue = this;

  /** `isOpen`: further properties may be declared elsewhere. `isNegated`: inside a `not`. */
  constructor(
    private isOpen: boolean,
    private readonly isNegated = false,
  ) {}

  add(schema: MappingNode): void {
    for (const { key, value } of schema.entries) {
      if (key.text === "type") this.isObject ||= saysObject(value);
      else if (key.text === "properties") this.declare(value);
      else {
        this.refers ||= key.text === "$ref";
        this.isAnchored ||= anchors.has(key.text);
        this.isOpen ||= opens(key.text, value);
      }
    }
  }

  /** The target of a `$ref` applies to the same value, and may require what is declared beside the `$ref`. */
  join(target: PropertiesOfValue | undefined): void {
    if (this.isNegated) return;
    const all = this.all();
    const others = target?.all();
    if (others === undefined) all.isOpen = true;
    if (others === undefined || others === all) return;
    const [few, many] = others.declared.size > all.declared.size ? [all, others] : [others, all];
    for (const name of few.declared) many.declared.add(name);
    many.isOpen ||= few.isOpen;
    few.gathered = many;
  }

  require(name: RequiredName): void {
    this.required.push(name);
  }

  names(): Iterable<string> {
    return this.all().declared;
  }

  /** `anchorsAreUsed`: what references by anchor add is unknown. */
  *absent(anchorsAreUsed: boolean): Iterable<RequiredName> {
    const { isOpen, declared } = this.all();
    if (anchorsAreUsed && this.isAnchored) return;
    if (isOpen || this.refers || this.isNegated || !this.isObject) return;
    for (const required of this.required) if (!declared.has(required.name)) yield required;
  }

  private all(): PropertiesOfValue {
    let { gathered } = this;
    while (gathered !== gathered.gathered) {
      gathered.gathered = gathered.gathered.gathered;
      gathered = gathered.gathered;
    }
    return gathered;
  }

  private declare(properties: Node): void {
    this.isObject = true;
    if (properties.kind !== "mapping" || isDuplicated(properties)) this.isOpen = true;
    else for (const { key } of properties.entries) this.declared.add(key.text);
  }
}

const anchors: ReadonlySet<string> = new Set(["$anchor", "$dynamicAnchor"]);

function saysObject(type: Node): boolean {
  const types = type.kind === "sequence" ? type.items : [type];
  return types.some((item) => item.kind === "scalar" && item.value === "object");
}

/** Whether a keyword lets properties be declared elsewhere, or described without their names. */
function opens(keyword: string, value: Node): boolean {
  switch (keyword) {
    case "$ref":
      return !isLocal(value);
    case "$dynamicRef":
    case "$recursiveRef":
    case "propertyNames":
      return true;
    case "patternProperties":
      return value.kind === "mapping" && value.entries.length > 0;
    case "additionalProperties":
    case "unevaluatedProperties":
      return value.kind === "mapping";
    default:
      return false;
  }
}

/** The names of types in other languages. */
const otherNames = Object.entries({
  string: ["str", "text", "char"],
  integer: ["int", "long"],
  number: ["float", "double", "decimal"],
  boolean: ["bool"],
  array: ["list", "tuple"],
  object: ["dict", "map"],
  null: ["none", "nil"],
});

interface TypeFault extends Words, Pick<Finding, "wants"> {
  readonly node: Node;
}

/** `type` must be the name of a type, or a list of different ones. */
export function* typeFaults(subject: () => string, node: Node, source: string): Iterable<TypeFault> {
  if (node.kind !== "sequence") {
    if (!isType(node)) yield unknownType(subject, node, source);
    return;
  }
  if (node.items.length === 0) yield { node, message: `${subject()} is an empty list: name a type.` };
  const seen = new Set<unknown>();
  for (const item of node.items) {
    if (!isType(item)) yield unknownType(subject, item, source);
    else if (seen.has(item.value))
      yield { node: item, message: `${subject()} names ${quoteValue(String(item.value))} twice.` };
    else seen.add(item.value);
  }
}

function unknownType(subject: () => string, node: Node, source: string): TypeFault {
  const given = stringOf(node) ?? "";
  // A missing value is not the type "null".
  const isWrittenNull = isNull(node) && node.start < node.end;
  const near = isWrittenNull ? "null" : nearestName(given, types);
  const candidate = near ?? otherNames.find(([, names]) => names.includes(given.toLowerCase()))?.[0];
  const isOther = near === undefined && candidate !== undefined;
  return {
    node,
    wants: "a type",
    message: mustBe(subject(), joinWords(types.map(quoteValue), "or"), describeFound(node, source)),
    ...suggestion(given, candidate, isWrittenNull || isOther || isUniqueTypo(given, candidate ?? "", types)),
  };
}

export function isLocal(node: Node): node is ScalarNode & { readonly value: string } {
  return node.kind === "scalar" && typeof node.value === "string" && node.value.startsWith("#/");
}
