import type { Document } from "../document/document.js";
import { findNode } from "../document/pointers.js";
import { Key, type MappingNode, type Node } from "../document/node.js";
import { getOrCreate } from "../text/collections.js";
import { placeAdvice } from "./describe-node.js";
import type { SchemaErrors } from "./validator.js";

/**
 * The parts of a pack that break the schema or have a key twice: the smallest named thing around each error, otherwise
 * the field alone; of a missing property, only that property. Rules about names skip them, and rules about the graph need
 * every state to be clear.
 */
export class Unclear {
  private readonly parts = new Set<Node>();
  /** Objects with a property that the schema does not know: it may be any that they lack. */
  private readonly withUnknown = new Set<Node>();
  private readonly missing = new Map<Node, Set<string>>();
  private around: ReadonlySet<Node> | undefined;

  constructor({ root, duplicateKeys }: Document, errors: SchemaErrors) {
    if (root === undefined) return;
    for (const { node, keyword, property = "" } of errors) {
      // The rest of an object that merely lacks a property is clear.
      if (keyword === "required") getOrCreate(this.missing, node, () => new Set()).add(property);
      else if (keyword !== "additionalProperties") this.add(node);
      // A key with known advice is not a misspelt property, so its owner stays clear.
      else if (placeAdvice(node, property) === undefined) this.addUnknown(node, property);
    }
    for (const { second } of duplicateKeys) this.add(findNode(root, second.pointer));
  }

  private addUnknown(owner: Node, property: string): void {
    const isNamed = owner.kind !== "mapping" || namedThingAround(owner) !== undefined;
    if (isNamed) return this.add(owner);
    this.withUnknown.add(owner);
    this.add(owner.get(property));
  }

  private add(node: Node | undefined): void {
    if (node !== undefined) this.parts.add(namedThingAround(node) ?? node);
  }

  has(value: Node | undefined): boolean {
    if (this.parts.size === 0) return false;
    for (let node: Node | null | undefined = value; node; node = node.parent)
      if (this.parts.has(node)) return true;
    return false;
  }

  /** Whether a value is unclear, or something inside it, or something is missing there. */
  hasWithin(value: Node): boolean {
    this.around ??= nodesAround([...this.parts, ...this.withUnknown, ...this.missing.keys()]);
    return this.around.has(value) || this.has(value);
  }

  /** The same for a property of an object, which may also be missing by mistake. */
  hasProperty(owner: MappingNode, name: string): boolean {
    const value = owner.get(name);
    if (value !== undefined) return this.has(value);
    return this.withUnknown.has(owner) || this.missing.get(owner)?.has(name) === true || this.has(owner);
  }
}

function nodesAround(inner: readonly Node[]): ReadonlySet<Node> {
  const around = new Set<Node>();
  for (const start of inner)
    for (let node: Node | null = start; node !== null && !around.has(node); node = node.parent)
      around.add(node);
  return around;
}

/** Where the things that have names are; a list has them by their index. */
const homes: readonly (readonly string[])[] = [
  ...[
    "prompts",
    "tools",
    "fragments",
    "evals",
    "skills",
    "compositions",
    "workflow/states",
    "agents/members",
  ],
  ...["prompts/*/evals", "prompts/*/validators", "compositions/*/steps", "requires/providers"],
  ...["metadata/governance/obligations", "agents/members/*/governance/obligations"],
  ...["metadata/governance/reviews", "agents/members/*/governance/reviews"],
].map((path) => path.split("/"));

function namedThingAround(value: Node): Node | undefined {
  for (let node: Node = value; node.parent !== null; node = node.parent) {
    const { parent } = node;
    if (homes.some((home) => isAt(parent, home))) return node;
  }
  return undefined;
}

function isAt(value: Node, path: readonly string[]): boolean {
  let node: Node | null = value;
  for (const name of path.toReversed()) {
    if (node === null || !(node.key instanceof Key) || (name !== "*" && node.key.text !== name)) return false;
    node = node.parent;
  }
  return node?.parent === null;
}
