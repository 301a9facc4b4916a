import type { Finding } from "../../diagnostic.js";
import type { Key, LocatedString } from "../../document/node.js";
import type { Pack } from "../../pack/pack.js";
import type { Prompt, Reading } from "../../pack/prompt.js";
import type { Workflow } from "../../pack/workflow.js";
import type { Reference } from "../../template/read-template.js";
import {
  createGuesser,
  lookAlikeNote,
  nameAdvice,
  type NameGuess,
  uniqueNearestName,
} from "../../text/names.js";
import { nearestNameFix, replacePartFix, type WithFix } from "./fixes.js";

/** Advice and fix for a name that does not exist: the nearest one that does, other than `except`. */
type CorrectName = (name: LocatedString | Key, except?: string) => WithFix & Pick<Finding, "advice">;

export function stateCorrector({ document }: Pack, { stateNames }: Workflow): CorrectName {
  return createCorrector(document, stateNames, createGuesser());
}

export function promptCorrector({ document, prompts }: Pack): CorrectName {
  return createCorrector(document, () => prompts.keys(), createGuesser());
}

function createCorrector(
  document: Pack["document"],
  names: () => Iterable<string>,
  guess: NameGuess,
): CorrectName {
  return (name, except) => {
    const candidates = [...names()].filter((candidate) => candidate !== except);
    return {
      advice: nameAdvice(name.text, candidates, guess),
      ...nearestNameFix(document, name, candidates),
    };
  };
}

type ReferenceKind = Reference["kind"];

/** All that a template may name. */
export type KnownNames = Readonly<Record<ReferenceKind, Pick<ReadonlyMap<string, unknown>, "has" | "keys">>>;

export interface Suggestion extends WithFix {
  /** `Did you mean "fragments.greeting"?` */
  readonly advice: string;
}

/** The order in which the kinds are asked, by the kind of the reference. */
const kindsByPreference: Readonly<Record<ReferenceKind, readonly ReferenceKind[]>> = {
  name: ["name", "fragment", "artifact"],
  fragment: ["fragment", "name", "artifact"],
  artifact: ["artifact", "name", "fragment"],
};

export const noNames: ReadonlyMap<string, unknown> = new Map();

/** What the templates of a prompt may name; of a fragment it is not known whose variables it reads. */
export function namesKnownTo(prompt: Prompt | undefined, { fragments, artifacts }: Pack): KnownNames {
  return { name: prompt?.declared ?? noNames, fragment: fragments, artifact: artifacts.declared };
}

type SuggestReference = (
  read: Pick<Reading, "source" | "reference">,
  known: KnownNames,
) => Suggestion | undefined;

/** What was meant by a reference to nothing: what has its name and is of another kind, else what is near by name. */
export function createReferenceSuggester(pack: Pack, mostGuesses?: number): SuggestReference {
  const { document } = pack;
  const guess = createGuesser(mostGuesses);
  return ({ source, reference }, known) => {
    const { kind, name, start, nameStart, nameEnd } = reference;
    const all = kindsByPreference[kind];
    const other = all.find((each) => known[each].has(name));
    const found = other === undefined ? guess(name, namesOfKinds(known, all)) : name;
    const foundKind = found === undefined ? undefined : all.find((each) => known[each].has(found));
    if (found === undefined || foundKind === undefined) return undefined;
    const isOnlyOne = other !== undefined || uniqueNearestName(name, namesOfKinds(known, all)) !== undefined;
    // The name of a fragment will do by itself, where a variable could stand.
    if (foundKind === kind || (kind === "name" && foundKind === "fragment")) {
      const part = { start: nameStart, end: nameEnd };
      return {
        advice: `Did you mean "${found}"?${lookAlikeNote(name, found)}`,
        ...(isOnlyOne && replacePartFix(document, source, part, found)),
      };
    }
    // Nothing but a fragment can stand behind the `>` of `{{> x}}`.
    const isPartial = kind === "fragment" && start === nameStart;
    return {
      advice:
        foundKind === "name"
          ? `Did you mean the variable "${found}"?`
          : `Did you mean "${foundKind}s.${found}"?`,
      ...(isOnlyOne &&
        !isPartial &&
        replacePartFix(document, source, reference, referencePath(foundKind, found))),
    };
  };
}

function referencePath(kind: ReferenceKind, name: string): string {
  return kind === "name" ? name : `${kind}s.${name}`;
}

function* namesOfKinds(known: KnownNames, all: readonly ReferenceKind[]): Iterable<string> {
  for (const kind of all) yield* known[kind].keys();
}
