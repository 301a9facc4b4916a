import { isDoubled, type MappingNode, type Node, type ScalarNode } from "../document/node.js";

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

  /** `isOpen`: other properties than those declared here may be meant. */
  constructor(private isOpen: boolean) {}

  add(schema: MappingNode): void {
    for (const { key, value } of schema.entries) {
      if (key.text === "type") this.isObject ||= saysObject(value);
      else if (key.text === "properties") this.declare(value);
      else this.isOpen ||= opens(key.text, value);
    }
  }

  require(name: RequiredName): void {
    this.required.push(name);
  }

  names(): Iterable<string> {
    return this.declared.values();
  }

  *absent(): Iterable<RequiredName> {
    if (this.isOpen || !this.isObject) return;
    for (const required of this.required) if (!this.declared.has(required.name)) yield required;
  }

  private declare(properties: Node): void {
    this.isObject = true;
    if (properties.kind !== "mapping" || isDoubled(properties)) this.isOpen = true;
    else for (const { key } of properties.entries) this.declared.add(key.text);
  }
}

function saysObject(type: Node): boolean {
  const types = type.kind === "sequence" ? type.items : [type];
  return types.some((item) => item.kind === "scalar" && item.value === "object");
}

/** Whether a keyword lets properties be declared elsewhere, or described without their names. */
function opens(keyword: string, value: Node): boolean {
  switch (keyword) {
    case "$ref":
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
