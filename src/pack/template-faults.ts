import type { Place } from "../diagnostic.js";
import { placeOf } from "../document/node.js";
import type { Reference } from "../template/read-template.js";
import { getOrCreate, lazy } from "../text/collections.js";
import type { Pack } from "./pack.js";
import { type Fragment, type Prompt, referencedNames } from "./prompt.js";

/** Inclusions shown per cycle; generated packs may have cycles of thousands. */
const maxShown = 8;

export type FragmentCycle = Readonly<ReturnType<typeof cycleFrom>>;

export interface Inclusion {
  readonly fragment: Fragment;
  readonly reference: Reference;
}

interface PathEntry {
  readonly fragment: Fragment;
  readonly references: readonly Reference[];
  next: number;
  /** Fragments it closed a cycle with, each reported once. */
  readonly closedCycles: Set<Fragment>;
}

/**
 * Depth first in file order, with an explicit stack: each reference back to an open fragment closes a cycle. A fragment that
 * is nothing but its own reference is what PromptKit's compiler writes in place of a text.
 */
export function* findFragmentCycles(pack: Pack): Iterable<FragmentCycle> {
  const { fragments } = pack;
  if (fragments.size === 0) return;
  const isVariable = variableTest(pack);
  const depths = new Map<Fragment, number>();
  const path: PathEntry[] = [];
  const enter = (fragment: Fragment): void => {
    depths.set(fragment, path.length);
    const isPlaceholder = fragment.template?.text.text === `{{${fragment.name.text}}}`;
    const references = isPlaceholder ? [] : (fragment.template?.template.references ?? []);
    path.push({ fragment, references, next: 0, closedCycles: new Set() });
  };
  for (const start of fragments.values()) {
    if (depths.has(start)) continue;
    enter(start);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const reference = visit.references[visit.next++];
      if (reference === undefined) {
        // Finished: it stays in `depths` at a depth that no open path has.
        depths.set(visit.fragment, Infinity);
        path.pop();
        continue;
      }
      const target = includedBy(reference, visit.fragment);
      if (target === undefined) continue;
      const depth = depths.get(target);
      if (depth === undefined) enter(target);
      else if (depth !== Infinity && !visit.closedCycles.has(target)) {
        visit.closedCycles.add(target);
        yield cycleFrom(path, depth, { fragment: visit.fragment, reference });
      }
    }
  }

  function includedBy(reference: Reference, within: Fragment): Fragment | undefined {
    const { kind, name, local } = reference;
    const target = kind === "artifact" || local === true ? undefined : fragments.get(name);
    return target !== undefined && kind === "name" && isVariable(reference, within) ? undefined : target;
  }
}

/** Whether a bare name in a fragment is a variable of every prompt that includes it, or of any if none does. */
function variableTest({ prompts, readings }: Pack): (reference: Reference, within: Fragment) => boolean {
  const all = [...prompts.values()];
  const declared = new Set(all.flatMap((prompt) => [...prompt.declared.keys()]));
  const included = lazy(() => {
    const [reached, undeclared] = [new Set<Fragment>(), new Set<Reference>()];
    for (const prompt of all) {
      for (const { reference, fragment } of readings.of(prompt)) {
        if (fragment === undefined) continue;
        reached.add(fragment);
        if (prompt.hasAllVariables && !prompt.declared.has(reference.name)) undeclared.add(reference);
      }
    }
    return { reached, undeclared };
  });
  return (reference, within) =>
    declared.has(reference.name) &&
    (!included().reached.has(within) || !included().undeclared.has(reference));
}

/** `closing` is the reference that includes the first fragment again. */
function cycleFrom(path: readonly PathEntry[], depth: number, closing: Inclusion) {
  const end = Math.min(path.length - 1, depth + maxShown);
  // In the order of inclusion, from the fragment that comes first; truncated if long.
  const inclusions = path.slice(depth, end).flatMap(({ fragment, references, next }) => {
    const reference = references[next - 1];
    return reference === undefined ? [] : [{ fragment, reference }];
  });
  return { size: path.length - depth, inclusions, closing };
}

/** A declaration that prompts share through a YAML alias is used if one of them may use it. */
export function findUnusedVariables(pack: Pack) {
  const unused = new Map<number, { at: Place; name: string; prompts: Prompt[] }>();
  const used = new Set<number>();
  const elsewhere = namedInPackSections(pack);
  for (const prompt of pack.clearPrompts) {
    if (prompt.declared.size === 0) continue;
    const isUsed = usageTest(pack, prompt, elsewhere);
    for (const [name, { node, isBound }] of prompt.declared) {
      const at = placeOf(node);
      if (isBound || isUsed(name)) used.add(at.start);
      else getOrCreate(unused, at.start, () => ({ at, name, prompts: [] })).prompts.push(prompt);
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
  const isKnown =
    hasAllFragments && !dangles && prompt.isClear("evals", "validators") && readings.isComplete(prompt);
  if (delimiters === undefined || node === undefined || !isKnown) return () => true;
  // The prompt may declare a variable called `artifacts`.
  const read = new Set(
    readings.of(prompt).flatMap(({ reference: { kind, name } }) => {
      return kind === "name" ? name : kind === "artifact" ? "artifacts" : [];
    }),
  );
  const named = lazy(() => referencedNames(node, delimiters, ["name"]));
  return (name) => read.has(name) || named().has(name) || elsewhere(name);
}

/** Evals and skills of the pack apply to every prompt. */
function namedInPackSections({ root, delimiters }: Pack): IsNamed {
  if (delimiters === undefined) return () => true;
  const sections = [root.get("evals"), root.get("skills")].filter((section) => section !== undefined);
  const found = lazy(() => sections.map((section) => referencedNames(section, delimiters, ["name"])));
  return (name) => found().some((names) => names.has(name));
}
