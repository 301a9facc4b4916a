import type { Finding, Fix } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import {
  addEntries,
  type Edits,
  removeEntry,
  renameKey,
  replaceText,
  replaceWord,
} from "../../document/edit.js";
import type { NewEntry } from "../../document/new-entry.js";
import { asMapping, Key, LocatedString, ScalarNode, type Span } from "../../document/node.js";
import { type Facts, verdictsOf } from "../../machine/facts.js";
import type { ArtifactUse, LackingState } from "../../pack/artifact-use.js";
import type { State, Workflow } from "../../pack/workflow.js";
import { isUniqueTypo, nameAdvice, nearestName, uniqueNearestName } from "../../text/names.js";
import { listChoices, listNames } from "../../text/wording.js";

export interface WithFix {
  readonly fix?: Fix;
}

export function safeFix(description: string, edits: Edits): WithFix {
  return edits === undefined ? {} : { fix: { description, edits } };
}

export function unsafeFix(description: string, edits: Edits): WithFix {
  return edits === undefined ? {} : { fix: { description, unsafe: true, edits } };
}

/** Replaces an unknown name with the nearest one, if no other is as near. */
export function nearestNameFix(
  document: Document,
  name: LocatedString | Key,
  candidates: Iterable<string>,
): WithFix {
  const near = uniqueNearestName(name.text, candidates);
  return near === undefined ? {} : renameFix(document, name instanceof Key ? name : name.node, near);
}

/** Suggests the nearest choice for an unknown word, or else the remedy. */
export function nearestChoice(
  document: Document,
  word: LocatedString,
  choices: readonly string[],
  remedy?: string,
): WithFix & Pick<Finding, "advice"> {
  const near = nearestName(word.text, choices);
  const isSure = near !== undefined && isUniqueTypo(word.text, near, choices);
  return {
    advice: nameAdvice(word.text, choices) ?? remedy,
    ...(isSure && renameFix(document, word.node, near)),
  };
}

export function checkChoice(
  document: Document,
  word: LocatedString | undefined,
  choices: readonly string[],
  { owner, what, remedy = `Use ${listChoices(choices)}.` }: ChoiceWords,
): readonly Finding[] {
  if (word === undefined || choices.includes(word.text)) return [];
  const message = `${owner} has an unknown ${what}, "${word.text}".`;
  return [{ at: word, wants: what, message, ...nearestChoice(document, word, choices, remedy) }];
}

interface ChoiceWords {
  readonly owner: string;
  readonly what: string;
  readonly remedy?: string;
}

export function withRenameFix(document: Document, finding: Finding): Finding {
  const { replacement, replaced: at = finding.at } = finding;
  if (replacement === undefined || !(at instanceof Key || at instanceof ScalarNode)) return finding;
  return { ...finding, ...renameFix(document, at, replacement) };
}

export function replaceNameFix(document: Document, { node }: LocatedString, newName: string): WithFix {
  return renameFix(document, node, newName);
}

export function renameFix(document: Document, name: Key | ScalarNode, newName: string): WithFix {
  if (name instanceof Key)
    return replacementFix(`"${name.text}"`, newName, renameKey(document, name, newName));
  const shown = typeof name.value === "string" ? `"${name.value}"` : String(name.value);
  return replacementFix(shown, newName, replaceText(document, name, newName));
}

export function replaceWordFix(
  document: Document,
  { text, node }: LocatedString,
  { start, end }: Span,
  replacement: string,
): WithFix {
  return replacementFix(
    `"${text.slice(start, end)}"`,
    replacement,
    replaceWord(document, node, { start, end }, replacement),
  );
}

function replacementFix(shown: string, replacement: string, edits: Edits): WithFix {
  return unsafeFix(`Replace ${shown} with "${replacement}".`, edits);
}

/** Removes a part that has no effect, unless it names an unreachable state, which it may be needed for. */
export function removePartFix(
  document: Document,
  { node, transitions, onMaxVisits }: State,
  name: "on_event" | "on_max_visits",
  workflow: Workflow,
  facts: Facts,
): WithFix {
  if (node === undefined) return {};
  const targets = name === "on_event" ? transitions.map(({ target }) => target) : [onMaxVisits];
  const named = new Set(targets.map((target) => target?.text));
  if (verdictsOf(workflow, facts).unreachable.some(({ name: { text } }) => named.has(text))) return {};
  return safeFix(`Remove ${name}.`, removeEntry(document, node, name));
}

/** Copies the first declaration of each artifact into the state that lacks it. */
export function declareArtifactsFix(
  document: Document,
  { state: { name, node }, missing }: LackingState,
  { declared }: ArtifactUse,
): WithFix {
  const names = [...missing.keys()];
  const entries = names.flatMap((each) => copyDeclaration(each, declared) ?? []);
  if (node === undefined || entries.length < names.length) return {};
  const existing = asMapping(node.get("artifacts"));
  const edits =
    existing === undefined
      ? addEntries(document, node, [{ name: "artifacts", value: entries }])
      : addEntries(document, existing, entries);
  return unsafeFix(`Declare ${listNames(names)} in "${name.text}".`, edits);
}

const copiedFields = new Set(["type", "description", "mode"]);
/** Limits each name and field: a hostile file could have them copied into thousands of states. */
const maxCopiedLength = 2_000;

function copyDeclaration(name: string, declared: ArtifactUse["declared"]): NewEntry | undefined {
  const artifact = declared.get(name)?.[0]?.artifact;
  if (artifact?.type === undefined || artifact.node === undefined) return undefined;
  const value = artifact.node.entries.flatMap(({ key, value: node }) => {
    const text = copiedFields.has(key.text) ? LocatedString.of(node) : undefined;
    return text === undefined ? [] : [{ name: key.text, value: text.text }];
  });
  return [name, ...value.map((field) => field.value)].every(({ length }) => length <= maxCopiedLength)
    ? { name, value }
    : undefined;
}
