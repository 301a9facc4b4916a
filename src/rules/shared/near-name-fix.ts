import type { Finding } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import type { Edits } from "../../document/edit/edit-ground.js";
import { renameKey, replaceText, replaceWord } from "../../document/edit/edit.js";
import { Key, ScalarNode, type Span } from "../../document/node.js";
import type { Text } from "../../document/spelled-values.js";
import type { TemplateText } from "../../pack/template-text.js";
import { isOnlySlip, nameAdvice, nearestName, onlyNearName } from "../../words/nearest-name.js";
import { unsafeFix, type WithFix } from "./with-fix.js";

/** The fix of a string or a key that names nothing: the name that is near, where there is just one. */
export function nearNameFix(document: Document, name: Text | Key, candidates: Iterable<string>): WithFix {
  const near = onlyNearName(name.text, candidates);
  return near === undefined ? {} : renaming(document, name instanceof Key ? name : name.node, near);
}

/** What to do about a word that is none of these: to write the one that is near, or else the remedy. */
export function nearChoice(
  document: Document,
  word: Text,
  choices: readonly string[],
  remedy?: string,
): WithFix & Pick<Finding, "advice"> {
  const near = nearestName(word.text, choices);
  const isSure = near !== undefined && isOnlySlip(word.text, near, choices);
  const advice = nameAdvice(word.text, choices) ?? remedy;
  return { advice, ...(isSure && renaming(document, word.node, near)) };
}

/** The finding with a fix that does what its advice says, where that is to write another name. */
export function withMeantFix(document: Document, finding: Finding): Finding {
  const { at, meant } = finding;
  if (meant === undefined || !(at instanceof Key || at instanceof ScalarNode)) return finding;
  return { ...finding, ...renaming(document, at, meant) };
}

function renaming(document: Document, name: Key | ScalarNode, meant: string): WithFix {
  if (name instanceof Key) return replacement(`"${name.text}"`, meant, renameKey(document, name, meant));
  const shown = typeof name.value === "string" ? `"${name.value}"` : String(name.value);
  return replacement(shown, meant, replaceText(document, name, meant));
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
    `"${text.slice(start, end)}"`,
    replacing,
    replaceWord(document, node, { start, end }, replacing),
  );
}

function replacement(shown: string, near: string, edits: Edits): WithFix {
  return unsafeFix(`Replace ${shown} with "${near}".`, edits);
}
