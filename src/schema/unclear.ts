import type { Document } from "../document/document.js";
import { findNode } from "../document/pointers.js";
import { asMapping, itemsOf, type MappingNode, type Node } from "../document/node.js";
import { getOrCreate, lazy } from "../text/collections.js";
import { placeAdvice } from "./describe-node.js";
import { packSchema } from "./generated/schemas.js";
import { nearestProperty, partAround } from "./unknown-property.js";
import type { SchemaError, SchemaPart } from "./validator.js";

/**
 * The values of a pack that rules draw no conclusions from: those that break the schema, or whose key occurs
 * twice. If an object lacks a property, or has an unknown one, only the missing or probably intended property
 * is unclear.
 */
export class Unclear {
  private readonly values = new Set<Node>();
  /** By object, the properties that it lacks, or has only in part, but was probably supposed to have. */
  private readonly lacking = new Map<Node, Set<string>>();
  private around: ReadonlySet<Node> | undefined;

  constructor({ root, duplicateKeys, lacking }: Document, errors: Iterable<SchemaError>) {
    if (root === undefined) return;
    for (const { node, keyword, part, property = "" } of errors) {
      if (keyword === "required") this.addLacking(node, property);
      else if (keyword !== "additionalProperties") this.values.add(node);
      else if (placeAdvice(node, property) === undefined)
        this.addLacking(node, meantProperty(asMapping(node), property, part));
    }
    for (const [owner, names] of lacking ?? []) for (const name of names) this.addLacking(owner, name);
    for (const { second } of duplicateKeys) {
      const value = findNode(root, second.pointer);
      if (value !== undefined) this.values.add(value);
    }
  }

  private addLacking(owner: Node, property: string | undefined): void {
    if (property !== undefined) getOrCreate(this.lacking, owner, () => new Set()).add(property);
  }

  private get isEmpty(): boolean {
    return this.values.size === 0 && this.lacking.size === 0;
  }

  /** Whether a value is unclear, or something around it. */
  has(value: Node | undefined): boolean {
    if (this.values.size === 0) return false;
    for (let node: Node | null | undefined = value; node; node = node.parent)
      if (this.values.has(node)) return true;
    return false;
  }

  /** A property, unless its value is unclear. */
  get(owner: MappingNode | undefined, name: string): Node | undefined {
    const value = owner?.get(name);
    return value === undefined || this.values.has(value) ? undefined : value;
  }

  /** Whether it is unclear what value a property has, or whether it has one. */
  hasProperty(owner: MappingNode, name: string): boolean {
    return this.lacking.get(owner)?.has(name) === true || this.has(owner.get(name) ?? owner);
  }

  /** Whether these properties are clear, with everything in them; false without an owner. */
  isClear(owner: MappingNode | undefined, ...names: readonly string[]): boolean {
    if (owner === undefined) return false;
    if (this.isEmpty) return true;
    return names.every((name) => {
      const value = owner.get(name);
      return !this.hasProperty(owner, name) && (value === undefined || !this.nodesAround.has(value));
    });
  }

  /** Whether a list is clear, and this property of each of its items, so that everything in it has a known name. */
  isClearList(owner: MappingNode, list: string, property: string): boolean {
    if (this.isEmpty) return true;
    if (this.hasProperty(owner, list)) return false;
    return itemsOf(owner.get(list)).every(
      (item) => !this.values.has(item) && (item.kind !== "mapping" || !this.hasProperty(item, property)),
    );
  }

  private get nodesAround(): ReadonlySet<Node> {
    return (this.around ??= nodesAround([...this.values, ...this.lacking.keys()]));
  }
}

const schema = lazy(packSchema);

/** The absent property that an unknown one is near to, or belongs inside. */
function meantProperty(owner: MappingNode | undefined, name: string, part: SchemaPart): string | undefined {
  const entry = owner?.entry(name);
  if (owner === undefined || entry === undefined) return undefined;
  const absent = Object.keys(part.properties ?? {}).filter((property) => owner.get(property) === undefined);
  return nearestProperty(name, absent) ?? partAround(entry, part, schema());
}

function nodesAround(inner: readonly Node[]): ReadonlySet<Node> {
  const around = new Set<Node>();
  for (const start of inner)
    for (let node: Node | null = start; node !== null && !around.has(node); node = node.parent)
      around.add(node);
  return around;
}
