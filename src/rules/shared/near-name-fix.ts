import type { Document } from "../../document/document.js";
import type { Edits } from "../../document/edit/edit-ground.js";
import { renameKey, replaceText, replaceWord } from "../../document/edit/edit.js";
import type { Key, Span } from "../../document/node.js";
import type { Text } from "../../document/spelled-values.js";
import type { TemplateText } from "../../pack/template-text.js";
import { onlyNearName } from "../../words/nearest-name.js";
import { unsafeFix, type WithFix } from "./with-fix.js";

/** The fix of a string that names nothing: the name that is near, where there is just one. */
export function nearNameFix(document: Document, name: Text, candidates: Iterable<string>): WithFix {
  const near = onlyNearName(name.text, candidates);
  return near === undefined ? {} : replacement(name.text, near, replaceText(document, name.node, near));
}

/** The same for a key. */
export function nearKeyFix(document: Document, key: Key, candidates: Iterable<string>): WithFix {
  const near = onlyNearName(key.text, candidates);
  return near === undefined ? {} : replacement(key.text, near, renameKey(document, key, near));
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
