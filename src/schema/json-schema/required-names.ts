import { isDuplicated, type MappingNode, type Node, type ScalarNode } from "../../document/node.js";
import { isLocal } from "./local-references.js";

/** A property that a schema requires. */
export interface RequiredName {
  readonly schema: MappingNode;
  readonly node: ScalarNode;
  readonly name: string;
}

/**
 * What the schemas that speak of one value say of its properties: a schema, and those in its `allOf`, `then` and the
 * like. One of them may require what another declares.
 */
export class PropertiesOfValue {
  private readonly declared = new Set<string>();
  private readonly required: RequiredName[] = [];
  private isObject = false;
  /** Whether a `$ref` says more of the value. */
  private refers = false;
  /** Whether references may lead here by a name of its own. */
  private isAnchored = false;
  /** Where the names of all that references join are gathered. */
  private gathered: PropertiesOfValue = this;

  /** `isOpen`: other properties than those declared here may be meant. `isNegated`: what is said must not hold. */
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

  /** What a `$ref` leads to speaks of the value that has it: it may require what stands beside the `$ref`. */
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

  /** `anchorsAreUsed`: what stands beside references by name is not known here. */
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
