import type { MappingNode, Node, ScalarNode } from "../document/node.js";

/** Deeper than anybody writes. */
const longestIndent = 200;

/** A key with a value cannot stand on the line of another key. */
export function isFirstOnLine({ start }: ScalarNode, source: string): boolean {
  return /(?:^|[\r\n])[ \t]*(?:- +)*$/.test(source.slice(Math.max(0, start - longestIndent), start));
}

/** Whether a text stands in the file without quotes. */
export function isPlain({ start, value }: ScalarNode, source: string): boolean {
  return typeof value === "string" && source.startsWith(value.charAt(0), start);
}

/** Whether an object stands in the file without brackets. */
export function isBlock({ start, entries }: MappingNode): boolean {
  return entries[0]?.key.start === start;
}

/** Whether a text stands in the file below a "|" or a ">". */
export function isBlockText(node: Node | undefined): boolean {
  return node?.kind === "scalar" && ["literal", "folded"].includes(node.source.style);
}

/** Whether what stands before a colon is rather a part of a text than a name. */
export function isLikeText(key: string): boolean {
  return /^\p{Lu}|\s/u.test(key);
}

const comment = /[ \t]+#/y;

/** Whether a comment stands where a value could. */
export function isBeforeComment({ start, end }: Node, source: string): boolean {
  comment.lastIndex = end;
  return start === end && comment.test(source);
}
