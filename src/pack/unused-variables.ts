import type { Place } from "../diagnostic.js";
import { placeOf } from "../document/node.js";
import { type NameSet, referencedNames } from "./template-text.js";
import type { Pack } from "./pack.js";
import type { Prompt, Readings } from "./prompt.js";

/**
 * Declarations that no prompt uses. Prompts may share a declaration through a YAML alias: it is used if one of them may
 * use it.
 */
export function findUnusedVariables(pack: Pack) {
  const unused = new Map<number, { at: Place; name: string; prompts: Prompt[] }>();
  const used = new Set<number>();
  const elsewhere = namedInPackSections(pack);
  for (const prompt of pack.clearPrompts) {
    if (prompt.declared.size === 0) continue;
    const isUsed = usageTest(pack, prompt, elsewhere);
    for (const [name, { node, isBound }] of prompt.declared) {
      const at = placeOf(node);
      const known = unused.get(at.start);
      if (isBound || isUsed(name)) used.add(at.start);
      else if (known === undefined) unused.set(at.start, { at, name, prompts: [prompt] });
      else known.prompts.push(prompt);
    }
  }
  return [...unused.values()].filter(({ at }) => !used.has(at.start));
}

type IsNamed = (name: string) => boolean;

/** Everything counts as used while the prompt reads an unknown name: it may be a misspelled variable. */
function usageTest(pack: Pack, prompt: Prompt, elsewhere: IsNamed): IsNamed {
  const { delimiters, hasAllFragments, readings, templates, artifacts } = pack;
  const { node } = prompt;
  const dangles =
    templates.promptsWithUndeclaredReads.has(prompt) || artifacts.promptsWithUndeclaredReads.has(prompt);
  const isKnown = hasAllFragments && !dangles && readings.isComplete(prompt);
  if (delimiters === undefined || node === undefined || !isKnown) return () => true;
  const read = variablesReadBy(prompt, readings);
  let named: NameSet | undefined;
  return (name) =>
    read.has(name) || (named ??= referencedNames(node, delimiters, ["name"])).has(name) || elsewhere(name);
}

function variablesReadBy(prompt: Prompt, readings: Readings): ReadonlySet<string> {
  const read = new Set<string>();
  for (const { reference } of readings.of(prompt)) {
    if (reference.kind === "name") read.add(reference.name);
    // The prompt may declare a variable of that name.
    else if (reference.kind === "artifact") read.add("artifacts");
  }
  return read;
}

/** Evals and skills of the pack apply to every prompt. */
function namedInPackSections({ root, delimiters }: Pack): IsNamed {
  if (delimiters === undefined) return () => true;
  let found: readonly NameSet[] | undefined;
  const find = () =>
    [root.get("evals"), root.get("skills")].flatMap((section) =>
      section === undefined ? [] : referencedNames(section, delimiters, ["name"]),
    );
  return (name) => (found ??= find()).some((names) => names.has(name));
}
