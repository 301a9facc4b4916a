import type { Key } from "../../document/node.js";
import { Text } from "../../document/spelled-values.js";
import { getOrMake } from "../../maps/get-or-make.js";
import type { Pack } from "../../pack/pack.js";
import { promptsNamed, statesNamed } from "../../pack/referrers.js";
import type { Reference } from "../../template/read-template.js";
import { lookAlikeNote } from "../../words/look-alike.js";
import { foldName, isOnlySlip, nearestName } from "../../words/nearest-name.js";

/** Whether it is the thing itself whose name is misspelt, and not what names it. */
export type IsMisspelt = (defined: string, name: string) => boolean;

/** A name, and where it is written. */
type Named = Text | Pick<Key, "text" | "start">;

/** It is where nothing names the thing as it is called, and several places agree on another name that is near. */
export function isMisspeltAmong(references: () => Iterable<Named>): IsMisspelt {
  let places: Map<string, Set<number>> | undefined;
  return (defined, name) => {
    places ??= placesByName(references());
    const isAgreed = (places.get(name)?.size ?? 0) > 1 && !places.has(defined);
    return isAgreed && nearestName(name, [defined]) !== undefined;
  };
}

/** Advice to whoever wrote another name than the near one. */
export function nearAdvice(name: string, near: string, isMisspelt: boolean): string {
  const question = isMisspelt
    ? `Did you mean "${near}", or is that name misspelt?`
    : `Did you mean "${near}"?`;
  return question + lookAlikeNote(name, near);
}

export function misspeltStates(pack: Pack): IsMisspelt {
  return isMisspeltAmong(() => statesNamed(pack));
}

export function misspeltPrompts(pack: Pack): IsMisspelt {
  return isMisspeltAmong(() => [
    ...promptsNamed(pack),
    ...pack.toolUse.listed.map(({ name }) => name),
    ...idsBesideKeys(pack),
  ]);
}

/** The ids that have the same name as the key of their prompt, but for a slip in one of the two. */
function idsBesideKeys({ prompts }: Pack): readonly Text[] {
  return [...prompts.values()].flatMap(({ id, key }) => {
    if (id === undefined || foldName(id.text) === foldName(key.text)) return [];
    return isOnlySlip(id.text, key.text, []) ? id : [];
  });
}

/** By what the thing is. A fragment may be included by its name alone, as if it were a variable. */
export function misspeltInTemplates({ templates }: Pack): Readonly<Record<Reference["kind"], IsMisspelt>> {
  const among = (...kinds: readonly Reference["kind"][]) =>
    isMisspeltAmong(() =>
      templates.all.flatMap(({ text }) =>
        text.template.references
          .filter(({ kind }) => kinds.includes(kind))
          .map(({ name, start }) => ({ text: name, start: text.origin + start })),
      ),
    );
  return { name: among("name"), fragment: among("fragment", "name"), artifact: among("artifact") };
}

/** An alias repeats a name that is written once. */
function placesByName(references: Iterable<Named>): Map<string, Set<number>> {
  const places = new Map<string, Set<number>>();
  for (const reference of references) {
    const place = reference instanceof Text ? reference.node.source.start : reference.start;
    getOrMake(places, reference.text, () => new Set()).add(place);
  }
  return places;
}
