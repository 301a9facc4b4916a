import { isAroundArtifact, isValueOfProperty } from "./homes.js";
import type { Entry } from "../document/node.js";

/** Whether what stands among the artifacts of a state is a property of that state; an artifact may be called like one. */
export function isAmongArtifacts({ key, value }: Entry): boolean {
  if (!isAroundArtifact(key.text)) return false;
  if (value.kind === "scalar") return isValueOfProperty(key.text, value.value);
  return key.text === "on_event" && value.kind === "mapping" && value.get("type") === undefined;
}
