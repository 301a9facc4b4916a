import type { Pack } from "../../pack/pack.js";
import type { Prompt, Reading } from "../../pack/prompt.js";
import type { Reference } from "../../template/read-template.js";
import { guesser, onlyNearName } from "../../words/nearest-name.js";
import { lookAlikeNote } from "../../words/look-alike.js";
import { partFix } from "./near-name-fix.js";
import type { WithFix } from "./with-fix.js";

type Kind = Reference["kind"];

/** All that a template may name. */
export type Nameable = Readonly<Record<Kind, Pick<ReadonlyMap<string, unknown>, "has" | "keys">>>;

export interface Suggestion extends WithFix {
  /** `Did you mean "fragments.greeting"?` */
  readonly advice: string;
}

/** The order in which the kinds are asked, by the kind of the reference. */
const kinds: Readonly<Record<Kind, readonly Kind[]>> = {
  name: ["name", "fragment", "artifact"],
  fragment: ["fragment", "name", "artifact"],
  artifact: ["artifact", "name", "fragment"],
};

export const nothing: ReadonlyMap<string, unknown> = new Map();

/** What the templates of a prompt may name; of a fragment it is not known whose variables it reads. */
export function knownTo(prompt: Prompt | undefined, { fragments, artifacts }: Pack): Nameable {
  return { name: prompt?.declared ?? nothing, fragment: fragments, artifact: artifacts.declared };
}

type Suggest = (read: Pick<Reading, "source" | "reference">, known: Nameable) => Suggestion | undefined;

/** What was meant by a reference to nothing: what has its name and is of another kind, else what is near by name. */
export function suggester(pack: Pack, mostGuesses?: number): Suggest {
  const { document } = pack;
  const guess = guesser(mostGuesses);
  return ({ source, reference }, known) => {
    const { kind, name, start, nameStart, nameEnd } = reference;
    const all = kinds[kind];
    const other = all.find((each) => known[each].has(name));
    const found = other === undefined ? guess(name, namesOf(known, all)) : name;
    const foundKind = found === undefined ? undefined : all.find((each) => known[each].has(found));
    if (found === undefined || foundKind === undefined) return undefined;
    const isOnlyOne = other !== undefined || onlyNearName(name, namesOf(known, all)) !== undefined;
    // The name of a fragment will do by itself, where a variable could stand.
    if (foundKind === kind || (kind === "name" && foundKind === "fragment")) {
      const part = { start: nameStart, end: nameEnd };
      return {
        advice: `Did you mean "${found}"?${lookAlikeNote(name, found)}`,
        ...(isOnlyOne && partFix(document, source, part, found)),
      };
    }
    // Nothing but a fragment can stand behind the `>` of `{{> x}}`.
    const isPartial = kind === "fragment" && start === nameStart;
    return {
      advice:
        foundKind === "name"
          ? `Did you mean the variable "${found}"?`
          : `Did you mean "${foundKind}s.${found}"?`,
      ...(isOnlyOne && !isPartial && partFix(document, source, reference, written(foundKind, found))),
    };
  };
}

function written(kind: Kind, name: string): string {
  return kind === "name" ? name : `${kind}s.${name}`;
}

function* namesOf(known: Nameable, all: readonly Kind[]): Iterable<string> {
  for (const kind of all) yield* known[kind].keys();
}
