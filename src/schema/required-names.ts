import type { MappingNode, Node, ScalarNode } from "../document/node.js";

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
    const properties = schema.get("properties");
    if (properties?.kind === "mapping") {
      this.isObject = true;
      for (const { key } of properties.entries) this.declared.add(key.text);
    } else if (properties !== undefined) {
      this.isOpen = true;
    }
    this.isObject ||= saysObject(schema.get("type"));
    this.isOpen ||= isOpen(schema);
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
}

function saysObject(type: Node | undefined): boolean {
  const types = type?.kind === "sequence" ? type.items : [type];
  return types.some((item) => item?.kind === "scalar" && item.value === "object");
}

function isOpen(schema: MappingNode): boolean {
  if (["$ref", "$dynamicRef", "$recursiveRef", "propertyNames"].some((name) => schema.get(name))) return true;
  const patterns = schema.get("patternProperties");
  if (patterns?.kind === "mapping" && patterns.entries.length > 0) return true;
  return ["additionalProperties", "unevaluatedProperties"].some(
    (name) => schema.get(name)?.kind === "mapping",
  );
}
