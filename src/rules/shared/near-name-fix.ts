import type { Document } from "../../document/document.js";
import type { Edits } from "../../document/edit/edit-ground.js";
import { renameKey, replaceText, replaceWord } from "../../document/edit/edit.js";
import { Key, type Span } from "../../document/node.js";
import type { Text } from "../../document/spelled-values.js";
import type { TemplateText } from "../../pack/template-text.js";
import { onlyNearName } from "../../words/nearest-name.js";
import { unsafeFix, type WithFix } from "./with-fix.js";

/** The fix of a string or a key that names nothing: the name that is near, where there is just one. */
export function nearNameFix(document: Document, name: Text | Key, candidates: Iterable<string>): WithFix {
  const near = onlyNearName(name.text, candidates);
  if (near === undefined) return {};
  const edits =
    name instanceof Key ? renameKey(document, name, near) : replaceText(document, name.node, near);
  return replacement(name.text, near, edits);
}

/** Another text in place of a part of a template. */
export function partFix(
  document: Document,
  source: TemplateText,
  { start, end }: Span,
  replacing: string,
): WithFix {
  const { text, node } = source.text;
  return replacement(
    text.slice(start, end),
    replacing,
    replaceWord(document, node, { start, end }, replacing),
  );
}

function replacement(name: string, near: string, edits: Edits): WithFix {
  return unsafeFix(`Replace "${name}" with "${near}".`, edits);
}
