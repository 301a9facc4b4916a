import { createHash } from "node:crypto";
import type { Diagnostic } from "../diagnostic.js";
import { escapeSegment, type Node, unescapeSegment } from "../document/node.js";
import { withoutAdvice } from "../wording.js";

/**
 * A finding's name in the baseline: the rule, what it is about and the names in question. Neither a line, nor
 * an index, nor a number: what moves stays known, what is new is not taken for what was fixed.
 */
export function findingPrint(root: Node | undefined, { rule, pointer, message }: Diagnostic): string {
  const meaning = JSON.stringify([rule, lastingPointer(root, pointer), namesIn(message)]);
  return createHash("sha256").update(meaning).digest("hex").slice(0, 20);
}

/** The pointer with the items of lists named by what they are instead of where they stand. */
function lastingPointer(root: Node | undefined, pointer: string): string {
  let node = root;
  let lasting = "";
  for (const segment of pointer.split("/").slice(1)) {
    if (node?.kind === "sequence") {
      node = node.items[Number(segment)];
      lasting += `/${nameOf(node) ?? segment}`;
    } else {
      node = node?.kind === "mapping" ? node.get(unescapeSegment(segment)) : undefined;
      lasting += `/${segment}`;
    }
  }
  return lasting;
}

function nameOf(item: Node | undefined): string | undefined {
  if (item?.kind === "scalar") return `=${escapeSegment(String(item.value))}`;
  if (item?.kind !== "mapping") return undefined;
  for (const key of ["name", "id", "path"]) {
    const value = item.get(key);
    if (value?.kind === "scalar" && typeof value.value === "string")
      return `${key}=${escapeSegment(value.value)}`;
  }
  return undefined;
}

function namesIn(message: string): readonly string[] {
  return [...withoutAdvice(message).matchAll(/"([^"]*)"/gu)].map((match) => match[1] ?? "");
}
