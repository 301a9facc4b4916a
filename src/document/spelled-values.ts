import type { Located, Place } from "../diagnostic.js";
import { isDuplicated, type MappingNode, type Node, type ScalarNode } from "./node.js";

/** A value of a file together with the node that spells it, so that it can never lose its place. */
abstract class LocatedValue implements Place {
  constructor(readonly node: ScalarNode) {}

  get start(): number {
    return this.node.start;
  }

  get end(): number {
    return this.node.end;
  }

  get pointer(): string {
    return this.node.pointer;
  }
}

export class LocatedString extends LocatedValue implements Located {
  constructor(
    readonly text: string,
    node: ScalarNode,
  ) {
    super(node);
  }

  /** The string a node spells; nothing for any other value: that is the schema's to report. */
  static of(node: Node | undefined): LocatedString | undefined {
    return node?.kind === "scalar" && typeof node.value === "string" ? new LocatedString(node.value, node) : undefined;
  }

  /** The same, and nothing where its key occurs twice: the other may be meant. */
  static unlessDuplicated(node: Node | undefined): LocatedString | undefined {
    return isDuplicated(node) ? undefined : LocatedString.of(node);
  }
}

export class LocatedCount extends LocatedValue {
  constructor(
    readonly value: number,
    node: ScalarNode,
  ) {
    super(node);
  }

  /** A whole number from 1 on, as every count in a file is. */
  static of(node: Node | undefined): LocatedCount | undefined {
    if (node?.kind !== "scalar" || typeof node.value !== "number") return undefined;
    return Number.isInteger(node.value) && node.value >= 1 ? new LocatedCount(node.value, node) : undefined;
  }
}

export class LocatedBoolean extends LocatedValue {
  constructor(
    readonly value: boolean,
    node: ScalarNode,
  ) {
    super(node);
  }

  static of(node: Node | undefined): LocatedBoolean | undefined {
    return node?.kind === "scalar" && typeof node.value === "boolean"
      ? new LocatedBoolean(node.value, node)
      : undefined;
  }
}

export function asMapping(node: Node | undefined): MappingNode | undefined {
  return node?.kind === "mapping" ? node : undefined;
}

export function hasProperty(node: Node | null | undefined, name: string): boolean {
  return node?.kind === "mapping" && node.get(name) !== undefined;
}

/** Whether a value is of its kind, and no other under its key may be meant. */
export function isUnambiguous(node: Node | undefined, kind: Node["kind"]): boolean {
  return node?.kind === kind && !isDuplicated(node);
}

export function stringOf(node: Node | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

export function numberOf(node: Node | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

/** The items of a list; none for anything else. */
export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "sequence" ? node.items : [];
}

/** The strings of a list, each with its place; others are left out. */
export function locatedStringsOf(node: Node | undefined): readonly LocatedString[] {
  return itemsOf(node).flatMap((item) => LocatedString.of(item) ?? []);
}
