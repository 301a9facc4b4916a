import { nearestName } from "../words/nearest-name.js";
import { requestPrefix } from "../routes/routes.js";

const request = requestPrefix.slice(0, -1);

/** The type of RFC-103 that a mistyped one most likely stands for. */
export function meantType(type: string, types: Iterable<string>): string | undefined {
  const dot = type.lastIndexOf(".");
  const isRequest = dot > 0 && nearestName(type.slice(0, dot), [request]) !== undefined;
  return isRequest ? `${request}${type.slice(dot)}` : nearestName(type, types);
}
