import { toValue } from "../document/node.js";
import type { Predicate } from "./predicate.js";

/** Longer texts fit nowhere. */
const maxLength = 200;
const maxParts = 8;

/** A predicate in words: `kind.output.intent equals "refund"`. */
export function predicateText(predicate: Predicate): string {
  const text = textOf(predicate);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function textOf(predicate: Predicate): string {
  switch (predicate.kind) {
    case "exists":
      return `${pathText(predicate)} ${predicate.exists ? "exists" : "does not exist"}`;
    case "compare":
      return `${pathText(predicate)} ${predicate.op.replaceAll("_", " ")} ${JSON.stringify(toValue(predicate.value))}`;
    case "not":
      return `not (${textOf(predicate.part)})`;
    case "all":
    case "any": {
      const word = predicate.kind === "all" ? " and " : " or ";
      const shown = predicate.parts.slice(0, maxParts);
      const parts = shown.map((part) => ("parts" in part ? `(${textOf(part)})` : textOf(part)));
      return (
        [...parts, ...(predicate.parts.length > maxParts ? ["…"] : [])].join(word) ||
        `${predicate.kind} of nothing`
      );
    }
  }
}

function pathText({ path }: Extract<Predicate, { readonly kind: "exists" | "compare" }>): string {
  return path.reference?.text ?? path.text.text;
}
