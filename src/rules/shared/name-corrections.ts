import type { Finding, Place } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { Key, type LocatedString } from "../../document/node.js";
import type { Pack } from "../../pack/pack.js";
import type { Prompt, Reading } from "../../pack/prompt.js";
import type { Workflow } from "../../pack/workflow.js";
import type { Reference } from "../../template/read-template.js";
import {
  createGuesser,
  lookAlikeNote,
  nameAdvice,
  suggestName,
  uniqueNearestName,
} from "../../text/names.js";
import { listNamesOf } from "../../text/wording.js";
import { nearestNameFix, renameFix, replaceWordFix, type WithFix } from "./fixes.js";

type Name = LocatedString | Key;

/** A finding if the name does not exist, with the nearest one that does, other than `except`. */
type CheckName = (
  name: Name | undefined,
  messageFor: (name: string) => string,
  except?: string,
) => readonly Finding[];

export function stateCheck({ document }: Pack, { isUnknownState, stateNames }: Workflow): CheckName {
  return createNameCheck(document, isUnknownState, stateNames);
}

export function promptCheck({ document, isUnknownPrompt, prompts }: Pack): CheckName {
  const check = createNameCheck(document, isUnknownPrompt, () => prompts.keys());
  return (name, messageFor, except) => {
    const found = check(name, messageFor, except);
    if (name === undefined) return found;
    const meant = document.otherNames?.get(name.text);
    if (meant === undefined) return found;
    const advice = `Write "${meant}": "${name.text}" is only the id of its file in the head.`;
    const fix = renameFix(document, name instanceof Key ? name : name.node, meant);
    return found.map((each) => ({ ...each, advice, ...fix }));
  };
}

export function createNameCheck(
  document: Document,
  isUnknown: (name: string) => boolean,
  names: (wrong: string) => Iterable<string>,
): CheckName {
  const correct = createCorrector(document);
  return (name, messageFor, except) => {
    if (name === undefined || !isUnknown(name.text)) return [];
    // No alias repeats a key.
    const wants = name instanceof Key ? undefined : "a name that exists";
    const correction = correct(name, () => without(except, names(name.text)));
    return [{ at: name, wants, message: messageFor(name.text), ...correction }];
  };
}

export function createCorrector(document: Document) {
  const guess = createGuesser();
  return (name: Name, names: () => Iterable<string>): WithFix & Pick<Finding, "advice"> => {
    const advice = nameAdvice(name.text, names(), guess);
    return advice === undefined ? {} : { advice, ...nearestNameFix(document, name, names()) };
  };
}

/** Lazily: only the first thousands of names are compared. */
function* without(except: string | undefined, names: Iterable<string>): Iterable<string> {
  for (const name of names) if (name !== except) yield name;
}

type ReferenceKind = Reference["kind"];

export type KnownNames = Readonly<Record<ReferenceKind, Pick<ReadonlyMap<string, unknown>, "has" | "keys">>>;

export interface Suggestion extends WithFix {
  /** `Did you mean "fragments.greeting"?` */
  readonly advice: string;
}

/** The kinds to search, by the kind of the reference. */
const kindsByPreference: Readonly<Record<ReferenceKind, readonly ReferenceKind[]>> = {
  name: ["name", "fragment", "artifact"],
  fragment: ["fragment", "name", "artifact"],
  artifact: ["artifact", "name", "fragment"],
};

export const noNames: ReadonlyMap<string, unknown> = new Map();

/** The names that the templates of a prompt may use; which variables a fragment may read is unknown. */
export function namesKnownTo(prompt: Prompt | undefined, { fragments, artifacts }: Pack): KnownNames {
  return { name: prompt?.declared ?? noNames, fragment: fragments, artifact: artifacts.declared };
}

/** For a dangling reference, suggests the same name of another kind, or else the nearest name. */
export function createReferenceSuggester({ document }: Pack, maxGuesses?: number) {
  const guess = createGuesser(maxGuesses);
  return (
    { source, reference }: Pick<Reading, "source" | "reference">,
    known: KnownNames,
  ): Suggestion | undefined => {
    const { kind, name, start, nameStart, nameEnd } = reference;
    const all = kindsByPreference[kind];
    const other = all.find((each) => known[each].has(name));
    const found = other === undefined ? guess(name, namesOfKinds(known, all)) : name;
    const foundKind = found === undefined ? undefined : all.find((each) => known[each].has(found));
    if (found === undefined || foundKind === undefined) return undefined;
    const isOnlyOne = other !== undefined || uniqueNearestName(name, namesOfKinds(known, all)) !== undefined;
    // A fragment can be included by its bare name.
    if (foundKind === kind || (kind === "name" && foundKind === "fragment")) {
      const part = { start: nameStart, end: nameEnd };
      return {
        advice: suggestName(name, found),
        ...(isOnlyOne && replaceWordFix(document, source.text, part, found)),
      };
    }
    // Only a fragment can follow the `>` of `{{> x}}`.
    const isPartial = kind === "fragment" && start === nameStart;
    const path = foundKind === "name" ? found : `${foundKind}s.${found}`;
    return {
      advice: `Did you mean ${foundKind === "name" ? "the variable " : ""}"${path}"?${lookAlikeNote(name, found)}`,
      ...(isOnlyOne && !isPartial && replaceWordFix(document, source.text, reference, path)),
    };
  };
}

function* namesOfKinds(known: KnownNames, all: readonly ReferenceKind[]): Iterable<string> {
  for (const kind of all) yield* known[kind].keys();
}

/** ` through the fragment "c"` for a place that is not in the prompt's own text. */
export function throughFragment({ fragment }: Pick<Reading, "fragment">): string {
  return fragment === undefined ? "" : ` through the fragment "${fragment.name.text}"`;
}

/** `prompt "a"`, `prompts "a" and "b"`. */
export function listPrompts(prompts: readonly Prompt[]): string {
  return `${prompts.length === 1 ? "prompt" : "prompts"} ${listNamesOf(prompts, ({ key }) => key.text, 4)}`;
}

/** A finding for each item whose name an earlier one has. */
export function* repeatedNames(
  items: Iterable<{ readonly at: Place; readonly name: string }>,
  messageFor: (name: string) => string,
  advice = "Give each its own id.",
): Iterable<Finding> {
  const firsts = new Map<string, Place>();
  for (const { at, name } of items) {
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, at);
    else
      yield { at, message: messageFor(name), advice, related: [{ at: first, message: "the first is here" }] };
  }
}
