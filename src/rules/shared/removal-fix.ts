import type { Document } from "../../document/document.js";
import { removeEntry } from "../../document/edit.js";
import type { MappingNode } from "../../document/node.js";
import { certainRepair, type Repair } from "./repair.js";

/** Takes out a part of a state that has no effect. */
export function removalFix(document: Document, state: MappingNode | undefined, name: string): Repair {
  return state === undefined ? {} : certainRepair(`Remove ${name}.`, removeEntry(document, state, name));
}
