import { capitalized, joined } from "../words/wording.js";
import { quoted } from "./show-value.js";
import type { SchemaPart } from "./validator.js";

/** More names than this are for the documentation to tell. */
const mostNames = 6;

/** `A budget takes "max_total_visits" and "max_tool_calls".`, of an object that has few properties and no others. */
export function takesAdvice(
  kind: string,
  { properties = {}, additionalProperties }: SchemaPart,
): string | undefined {
  const names = Object.keys(properties);
  if (additionalProperties !== false || names.length > mostNames) return undefined;
  return `${capitalized(kind)} takes ${joined(names.map(quoted), "and")}.`;
}
