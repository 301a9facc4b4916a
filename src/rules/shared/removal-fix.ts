import type { Document } from "../../document/document.js";
import { removeEntry } from "../../document/edit/edit.js";
import type { MappingNode } from "../../document/node.js";
import { safeFix, type WithFix } from "./with-fix.js";

/** Takes out a part of a state that has no effect. */
export function removalFix(document: Document, state: MappingNode | undefined, name: string): WithFix {
  return state === undefined ? {} : safeFix(`Remove ${name}.`, removeEntry(document, state, name));
}
