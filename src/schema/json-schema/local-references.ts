import type { Finding } from "../../diagnostic.js";
import type { MappingNode, Node, ScalarNode } from "../../document/node.js";
import { isUniqueTypo, type NameGuess } from "../../words/nearest-name.js";
import { findNode } from "../../document/find-node.js";
import { suggestion, quoteValue } from "../show-value.js";

/** A `$ref` of the form `#/…`, which leads into the schema that holds it. */
export interface LocalReference {
  readonly keyword: "$ref";
  readonly schema: MappingNode;
  readonly node: ScalarNode;
  readonly pointer: string;
}

export function isLocal(node: Node): node is ScalarNode & { readonly value: string } {
  return node.kind === "scalar" && typeof node.value === "string" && node.value.startsWith("#/");
}

/** Whether it leads to an `$anchor`. */
export function isByName(node: Node): boolean {
  return node.kind === "scalar" && /^#[^/]/u.test(String(node.value));
}

export function localReferences(schema: MappingNode, node: Node): readonly LocalReference[] {
  if (!isLocal(node)) return [];
  try {
    return [{ keyword: "$ref", schema, node, pointer: decodeURIComponent(node.value.slice(1)) }];
  } catch {
    return [];
  }
}

/** Nothing when the reference leads somewhere. */
export function danglingFinding(
  subject: string,
  root: Node,
  reference: LocalReference,
  guess: NameGuess,
): Finding | undefined {
  const { pointer, node } = reference;
  if (findNode(root, pointer) !== undefined) return undefined;
  const slash = pointer.lastIndexOf("/");
  const holder = findNode(root, pointer.slice(0, slash));
  const name = pointer.slice(slash + 1);
  const nearest = guess(name, namesIn(holder));
  return {
    at: node,
    message: `${subject} leads to ${quoteValue(`#${pointer}`)}, which does not exist.`,
    ...suggestion(
      nearest && `#${pointer.slice(0, slash)}/${nearest}`,
      // What is written with escapes would need them again.
      node.value === `#${pointer}` && isUniqueTypo(name, nearest ?? "", namesIn(holder)),
    ),
  };
}

/** One by one: only the first thousands are looked at. */
function* namesIn(node: Node | undefined): Iterable<string> {
  if (node?.kind === "mapping") for (const { key } of node.entries) yield key.text;
}
