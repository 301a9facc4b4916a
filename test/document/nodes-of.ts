import type { Document } from "../../src/document/document.js";
import type { Key, Node, ScalarNode } from "../../src/document/node.js";

/** Every node of a document, parents first. */
export function nodesOf(document: Document): Node[] {
  const nodes: Node[] = document.root === undefined ? [] : [document.root];
  for (const node of nodes) {
    if (node.kind === "mapping") for (const entry of node.entries) nodes.push(entry.value);
    if (node.kind === "sequence") for (const item of node.items) nodes.push(item);
  }
  return nodes;
}

export function scalarsOf(document: Document): ScalarNode[] {
  return nodesOf(document).filter((node) => node.kind === "scalar");
}

export function nodeAt(document: Document, pointer: string): Node {
  const node = nodesOf(document).find((candidate) => candidate.pointer === pointer);
  if (node === undefined) throw new Error(`no node at ${pointer}`);
  return node;
}

export function keyAt(document: Document, pointer: string): Key {
  const { key } = nodeAt(document, pointer);
  if (key === null || typeof key === "number") throw new Error(`no key at ${pointer}`);
  return key;
}

/** `line:column-line:column` of a part of the text. */
export function where(document: Document, place: { readonly start: number; readonly end: number }): string {
  const { start, end } = document.lines.range(place.start, place.end);
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

/** Each fault as `line:column-line:column message`. */
export function faultsOf(document: Document): string[] {
  return document.faults.map((fault) => `${where(document, fault)} ${fault.message}`);
}
