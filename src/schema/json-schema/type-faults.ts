import type { Finding, Words } from "../../diagnostic.js";
import { isNull, type Node } from "../../document/node.js";
import { stringOf } from "../../document/spelled-values.js";
import { isUniqueTypo, nearestName } from "../../words/nearest-name.js";
import { joinWords } from "../../words/wording.js";
import { describeFound, suggestion, quoteValue } from "../show-value.js";
import { isType, types } from "../type-names.js";
import { mustBe } from "../words.js";

/** What other languages call them. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["str", "string"],
  ["text", "string"],
  ["char", "string"],
  ["int", "integer"],
  ["long", "integer"],
  ["float", "number"],
  ["double", "number"],
  ["decimal", "number"],
  ["bool", "boolean"],
  ["list", "array"],
  ["tuple", "array"],
  ["dict", "object"],
  ["map", "object"],
  ["none", "null"],
  ["nil", "null"],
]);

export interface TypeFault extends Words, Pick<Finding, "wants"> {
  readonly node: Node;
}

/** What is wrong with the value of `type`: the name of a type, or a list of different ones. */
export function* typeFaults(subject: () => string, node: Node, source: string): Iterable<TypeFault> {
  if (node.kind !== "sequence") {
    if (!isType(node)) yield unknownType(subject, node, source);
    return;
  }
  if (node.items.length === 0) yield { node, message: `${subject()} is an empty list: name a type.` };
  const seen = new Set<unknown>();
  for (const item of node.items) {
    if (!isType(item)) yield unknownType(subject, item, source);
    else if (seen.has(item.value))
      yield { node: item, message: `${subject()} names ${quoteValue(String(item.value))} twice.` };
    else seen.add(item.value);
  }
}

function unknownType(subject: () => string, node: Node, source: string): TypeFault {
  const given = stringOf(node) ?? "";
  // One that is not written is none of the types.
  const isWrittenNull = isNull(node) && node.start < node.end;
  const near = isWrittenNull ? "null" : nearestName(given, types);
  const meant = near ?? otherNames.get(given.toLowerCase());
  const isOther = near === undefined && meant !== undefined;
  return {
    node,
    wants: "a type",
    message: mustBe(subject(), joinWords(types.map(quoteValue), "or"), describeFound(node, source)),
    ...suggestion(meant, isWrittenNull || isOther || isUniqueTypo(given, meant ?? "", types)),
  };
}
