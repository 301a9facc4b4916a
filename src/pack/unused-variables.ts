import type { Place } from "../diagnostic.js";
import { placeOf } from "../document/node.js";
import { respelled } from "../template/jinja-blocks.js";
import { type Names, namesWithin } from "./names-within.js";
import type { Pack } from "./pack.js";
import type { Prompt, Readings } from "./prompt.js";
import { type SeemingUse, seemingUsesByPrompt } from "./seeming-uses.js";
import { isSoundName } from "./variable.js";

export interface UnusedVariable {
  readonly at: Place;
  readonly name: string;
  readonly prompts: readonly Prompt[];
  readonly seemingUse?: SeemingUse | undefined;
}

/**
 * Declarations that no prompt with them uses. Prompts may share one declaration through a YAML alias: it is used when
 * one of them uses it, or may.
 */
export function unusedVariables(pack: Pack): readonly UnusedVariable[] {
  const unused = new Map<number, { at: Place; name: string; prompts: Prompt[] }>();
  const used = new Set<number>();
  const elsewhere = namesElsewhere(pack);
  for (const prompt of pack.prompts.values()) {
    if (prompt.declared.size === 0) continue;
    const isUsed = usage(pack, prompt, elsewhere);
    for (const [name, { node, isBound, name: written }] of prompt.declared) {
      const at = placeOf(node);
      const known = unused.get(at.start);
      // How templates read a name that the schema reports is not known.
      const isUnclear = written === undefined || !isSoundName(written.text);
      if (isBound || isUnclear || isUsed(name)) used.add(at.start);
      else if (known === undefined) unused.set(at.start, { at, name, prompts: [prompt] });
      else known.prompts.push(prompt);
    }
  }
  const search = seemingUses(pack);
  return [...unused.values()]
    .filter(({ at }) => !used.has(at.start))
    .map((variable) => ({ ...variable, seemingUse: search(variable) }));
}

/** Bounds the search, in templates. */
const mostSearched = 200_000;

function seemingUses(pack: Pack): (variable: UnusedVariable) => SeemingUse | undefined {
  let searched = 0;
  const usesOf = seemingUsesByPrompt(pack);
  return ({ name, prompts }) => {
    for (const prompt of prompts) {
      const use = usesOf(prompt)(name);
      if (use !== undefined) return use;
      for (const template of prompt.templates) {
        if (++searched > mostSearched) return undefined;
        const block = template.jinjaBlocks.find((each) => each.name === name);
        if (block !== undefined) return respelled(block);
      }
    }
    return undefined;
  };
}

type IsNamed = (name: string) => boolean;

/** Says yes to everything while the prompt reads something that is not there: it may be a misspelt name. */
function usage(pack: Pack, prompt: Prompt, elsewhere: IsNamed): IsNamed {
  const { delimiters, hasAllFragments, readings, templates, artifacts } = pack;
  const { node } = prompt;
  const dangles = templates.dangling.has(prompt) || artifacts.dangling.has(prompt);
  const isKnown = hasAllFragments && prompt.hasAllVariables && !dangles && readings.isWhole(prompt);
  if (delimiters === undefined || node === undefined || !isKnown) return () => true;
  const read = readBy(prompt, readings);
  let named: Names | undefined;
  return (name) =>
    read.has(name) || (named ??= namesWithin(node, delimiters, ["name"])).has(name) || elsewhere(name);
}

function readBy(prompt: Prompt, readings: Readings): ReadonlySet<string> {
  const read = new Set<string>();
  for (const { reference } of readings.of(prompt)) {
    if (reference.kind === "name") read.add(reference.name);
    // Of a prompt with a variable of that name it is the variable that is read.
    else if (reference.kind === "artifact") read.add("artifacts");
  }
  return read;
}

/** The variables of a prompt that no template of it reads. */
export function unreadVariables(prompt: Prompt, { readings }: Pack): readonly string[] {
  const read = readBy(prompt, readings);
  return [...prompt.declared.keys()].filter((name) => !read.has(name));
}

/** The pack's own evals and skills are there for every prompt. */
function namesElsewhere({ root, delimiters }: Pack): IsNamed {
  if (delimiters === undefined) return () => true;
  let found: readonly Names[] | undefined;
  const find = () =>
    [root.get("evals"), root.get("skills")].flatMap((section) =>
      section === undefined ? [] : namesWithin(section, delimiters, ["name"]),
    );
  return (name) => (found ??= find()).some((names) => names.has(name));
}
