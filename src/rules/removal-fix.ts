import type { Document } from "../document/document.js";
import { removeEntry } from "../document/edit.js";
import type { MappingNode } from "../document/node.js";
import type { Repair } from "./near-name-fix.js";

/** Takes out a part of a state that has no effect. */
export function removalFix(document: Document, state: MappingNode | undefined, name: string): Repair {
  const edits = state === undefined ? undefined : removeEntry(document, state, name);
  return edits === undefined ? {} : { fix: { description: `Remove ${name}.`, edits } };
}
