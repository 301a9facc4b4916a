import type { Finding, Fix } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import type { Edits } from "../../document/edit-context.js";
import { addEntries, removeEntry, renameKey, replaceText, replaceWord } from "../../document/edit.js";
import type { NewEntry } from "../../document/new-entry.js";
import { asMapping, Key, LocatedString, ScalarNode, type Span } from "../../document/node.js";
import type { Facts } from "../../machine/facts.js";
import { verdictsOf } from "../../machine/verdicts.js";
import type { ArtifactUse } from "../../pack/artifacts.js";
import type { TemplateText } from "../../pack/template-text.js";
import type { State, Workflow } from "../../pack/workflow.js";
import { isUniqueTypo, nameAdvice, nearestName, uniqueNearestName } from "../../text/names.js";
import { listNames } from "../../text/wording.js";

/** The part of a finding that holds its fix, where there is one. */
export interface WithFix {
  readonly fix?: Fix;
}

/** A fix that is certain to be meant. */
export function safeFix(description: string, edits: Edits): WithFix {
  return edits === undefined ? {} : { fix: { description, edits } };
}

/** A fix that is likely to be meant. */
function unsafeFix(description: string, edits: Edits): WithFix {
  return edits === undefined ? {} : { fix: { description, unsafe: true, edits } };
}

/** The fix of a string or a key that names nothing: the name that is near, where there is just one. */
export function nearestNameFix(
  document: Document,
  name: LocatedString | Key,
  candidates: Iterable<string>,
): WithFix {
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

/** A part of a state that has no effect as it stands. */
interface UnusedPart {
  readonly name: "on_event" | "on_max_visits";
  readonly targets: readonly (LocatedString | undefined)[];
}

/** Removes a part that has no effect, unless it names a state that no run enters: it may then be wanted. */
export function removePartFix(
  document: Document,
  { node }: State,
  { name, targets }: UnusedPart,
  workflow: Workflow,
  facts: Facts,
): WithFix {
  if (node === undefined) return {};
  const named = new Set(targets.map((target) => target?.text));
  if (verdictsOf(workflow, facts).unreachable.some(({ name: { text } }) => named.has(text))) return {};
  return safeFix(`Remove ${name}.`, removeEntry(document, node, name));
}

/** Declares artifacts in a state as the first state that has them does. */
export function declareArtifactsFix(
  document: Document,
  state: State,
  names: readonly string[],
  { declared }: ArtifactUse,
): WithFix {
  const entries = names.flatMap((name) => copyDeclaration(name, declared) ?? []);
  if (state.node === undefined || entries.length < names.length) return {};
  const present = asMapping(state.node.get("artifacts"));
  const edits =
    present === undefined
      ? addEntries(document, state.node, [{ name: "artifacts", value: entries }])
      : addEntries(document, present, entries);
  return unsafeFix(`Declare ${listNames(names)} in "${state.name.text}".`, edits);
}

const copiedFields = new Set(["type", "description", "mode"]);
/** Of a name and of each field: a hostile file could have them written into thousands of states. */
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
