import type { Finding } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import type { Edits } from "../../document/edit/edit-ground.js";
import { renameKey, replaceText, replaceWord } from "../../document/edit/edit.js";
import { Key, ScalarNode, type Span } from "../../document/node.js";
import type { LocatedString } from "../../document/spelled-values.js";
import type { TemplateText } from "../../pack/template-text.js";
import { isUniqueTypo, nameAdvice, nearestName, uniqueNearestName } from "../../words/nearest-name.js";
import { unsafeFix, type WithFix } from "./with-fix.js";

/** The fix of a string or a key that names nothing: the name that is near, where there is just one. */
export function nearestNameFix(document: Document, name: LocatedString | Key, candidates: Iterable<string>): WithFix {
  const near = uniqueNearestName(name.text, candidates);
  return near === undefined ? {} : renameFix(document, name instanceof Key ? name : name.node, near);
}

/** What to do about a word that is none of these: to write the one that is near, or else the remedy. */
export function nearestChoice(
  document: Document,
  word: LocatedString,
  choices: readonly string[],
  remedy?: string,
): WithFix & Pick<Finding, "advice"> {
  const near = nearestName(word.text, choices);
  const isSure = near !== undefined && isUniqueTypo(word.text, near, choices);
  const advice = nameAdvice(word.text, choices) ?? remedy;
  return { advice, ...(isSure && renameFix(document, word.node, near)) };
}

/** The finding with a fix that does what its advice says, where that is to write another name. */
export function withRenameFix(document: Document, finding: Finding): Finding {
  const { at, meant } = finding;
  if (meant === undefined || !(at instanceof Key || at instanceof ScalarNode)) return finding;
  return { ...finding, ...renameFix(document, at, meant) };
}

function renameFix(document: Document, name: Key | ScalarNode, meant: string): WithFix {
  if (name instanceof Key) return replacementFix(`"${name.text}"`, meant, renameKey(document, name, meant));
  const shown = typeof name.value === "string" ? `"${name.value}"` : String(name.value);
  return replacementFix(shown, meant, replaceText(document, name, meant));
}

/** Another text in place of a part of a template. */
export function replacePartFix(
  document: Document,
  source: TemplateText,
  { start, end }: Span,
  replacing: string,
): WithFix {
  const { text, node } = source.text;
  return replacementFix(
    `"${text.slice(start, end)}"`,
    replacing,
    replaceWord(document, node, { start, end }, replacing),
  );
}

function replacementFix(shown: string, near: string, edits: Edits): WithFix {
  return unsafeFix(`Replace ${shown} with "${near}".`, edits);
}
