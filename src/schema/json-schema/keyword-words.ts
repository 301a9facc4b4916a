import type { MappingNode, Node } from "../../document/node.js";
import { quoteValue } from "../show-value.js";
import { describeValue } from "../thing.js";

/** A keyword of a JSON Schema, and its value. */
export interface KeywordUse {
  readonly schema: MappingNode;
  readonly keyword: string;
  readonly value: Node;
}

/** `the "type" of parameter "city"` */
export function subjectOf({ schema, keyword }: Pick<KeywordUse, "schema" | "keyword">): string {
  return `the ${quoteValue(keyword)} of ${describeValue(schema)}`;
}

/** `required: true` beside the `type` of a parameter is a habit from elsewhere. */
export function requiredAdvice({ schema, keyword, value }: KeywordUse): string | undefined {
  const isHabit = keyword === "required" && value.kind === "scalar" && typeof value.value === "boolean";
  return isHabit
    ? `To require ${describeValue(schema)}, name it in the "required" of the object that holds it.`
    : undefined;
}
