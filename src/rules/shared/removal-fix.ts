import type { Document } from "../../document/document.js";
import { removeEntry } from "../../document/edit/edit.js";
import type { MappingNode } from "../../document/node.js";
import { fields } from "../../meant/spelled.js";
import { safeFix, type WithFix } from "./with-fix.js";

/** Takes out a part of a state that has no effect. While some other key of the state may be misspelt, that is not certain. */
export function removalFix(document: Document, state: MappingNode | undefined, name: string): WithFix {
  if (state === undefined || !state.entries.every(({ key }) => fields.state.has(key.text))) return {};
  return safeFix(`Remove ${name}.`, removeEntry(document, state, name));
}
