import type { MappingNode, Node, ScalarNode } from "../document/node.js";

const longestIndent = 200;

/** Another key before it on the same line would make it part of a value. */
export function isFirstOnLine({ start }: ScalarNode, source: string): boolean {
  return /(?:^|[\r\n])[ \t]*(?:- +)*$/.test(source.slice(Math.max(0, start - longestIndent), start));
}

/** Whether a string is written without quotes. */
export function isPlain({ start, value }: ScalarNode, source: string): boolean {
  return typeof value === "string" && source.startsWith(value.charAt(0), start);
}

/** Whether an object is written in block style. */
export function isBlock({ start, entries }: MappingNode): boolean {
  return entries[0]?.key.start === start;
}

const comment = /[ \t]+#/y;

/** Whether a comment is where the value should be. */
export function isBeforeComment({ start, end }: Node, source: string): boolean {
  comment.lastIndex = end;
  return start === end && comment.test(source);
}
