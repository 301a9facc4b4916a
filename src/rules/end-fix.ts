import type { Document } from "../document/document.js";
import { addEntries } from "../document/edit.js";
import type { MappingNode } from "../document/node.js";
import type { Repair } from "./near-name-fix.js";

/** Marks a state as an end, in the way its spec version knows. */
export function endFix(
  document: Document,
  state: MappingNode | undefined,
  emptyMeansTerminal: boolean,
): Repair {
  if (state === undefined || state.get("terminal") !== undefined) return {};
  const entry = emptyMeansTerminal ? { name: "on_event", value: [] } : { name: "terminal", value: true };
  const edits = addEntries(document, state, [entry]);
  const description = emptyMeansTerminal ? "Add an empty on_event." : "Add terminal: true.";
  return edits === undefined ? {} : { fix: { description, edits } };
}
