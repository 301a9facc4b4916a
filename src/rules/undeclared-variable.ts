import { nearestName, onlyNearName } from "../nearest-name.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt, Reading } from "../pack/prompt.js";
import type { UndeclaredVariable } from "../pack/template-use.js";
import { listNames } from "../wording.js";
import { referenceFix } from "./near-name-fix.js";
import type { PackRule } from "./rule.js";

/** Looking for the nearest name costs most of the time, and nobody reads so many suggestions. */
const mostSuggestions = 200;
const longestInside = 100;

export const undeclaredVariable: PackRule = {
  id: "undeclared-variable",
  subject: "pack",
  summary: "Every variable that a prompt reads is declared by the prompt.",
  severity: "warning",
  source: "RFC 0003, variable definitions",
  heldBackBy: ["template-engine", "template-syntax", "unknown-fragment"],
  *check(pack) {
    for (const [index, undeclared] of pack.templates.undeclared.entries()) {
      const { reading, prompts } = undeclared;
      const meant = index < mostSuggestions ? suggestion(reading, prompts[0], pack) : undefined;
      const advice = meant === undefined ? ` Add it to "variables".` : ` Did you mean "${meant.text}"?`;
      yield {
        at: reading.source.placeOf(reading.reference),
        message: sentence(undeclared) + advice,
        ...(meant?.isOnlyOne === true &&
          referenceFix(pack.document, reading.source, reading.reference, meant.name)),
      };
    }
  },
};

function sentence({ reading, prompts }: UndeclaredVariable): string {
  const names = listNames(
    prompts.map(({ key }) => key.text),
    4,
  );
  const variable = `the variable "${reading.reference.name}"`;
  const through =
    reading.fragment === undefined ? "" : ` through the fragment "${reading.fragment.name.text}"`;
  return prompts.length === 1
    ? `Prompt ${names} reads ${variable}${through}, and does not declare it.`
    : `Prompts ${names} read ${variable}${through}, and do not declare it.`;
}

interface Suggestion {
  /** As it would have to be written. */
  readonly text: string;
  /** What stands in the place of the name that was read. */
  readonly name: string;
  readonly isOnlyOne: boolean;
}

function suggestion(reading: Reading, prompt: Prompt, pack: Pack): Suggestion | undefined {
  return meantNamespace(reading, pack) ?? nearestOfAll(reading.reference.name, prompt, pack);
}

/** `artifacts.plan` for `{{artifact.plan}}`, where there is one of that name. */
function meantNamespace({ reference, source }: Reading, pack: Pack): Suggestion | undefined {
  const behind = source.text.text.slice(reference.nameEnd, reference.nameEnd + longestInside);
  const inside = /^\.([^\s.{}()[\]|]+)/.exec(behind)?.[1];
  const name = inside === undefined ? undefined : nearestName(reference.name, ["artifacts", "fragments"]);
  if (inside === undefined || name === undefined) return undefined;
  const known = name === "artifacts" ? pack.artifacts.declared : pack.fragments;
  return known.has(inside) ? { text: `${name}.${inside}`, name, isOnlyOne: true } : undefined;
}

/** The nearest among all that a template can name. */
function nearestOfAll(name: string, prompt: Prompt, { fragments, artifacts }: Pack): Suggestion | undefined {
  const artifact = (found: string, isOnlyOne: boolean): Suggestion => {
    const text = `artifacts.${found}`;
    return { text, name: text, isOnlyOne };
  };
  if (artifacts.declared.has(name)) return artifact(name, true);
  const all = () => candidates(prompt.declared, fragments, artifacts.declared);
  const nearest = nearestName(name, all());
  if (nearest === undefined) return undefined;
  const isOnlyOne = onlyNearName(name, all()) !== undefined;
  if (!prompt.declared.has(nearest) && !fragments.has(nearest)) return artifact(nearest, isOnlyOne);
  return { text: nearest, name: nearest, isOnlyOne };
}

function* candidates(...maps: readonly ReadonlyMap<string, unknown>[]): Iterable<string> {
  for (const map of maps) yield* map.keys();
}
