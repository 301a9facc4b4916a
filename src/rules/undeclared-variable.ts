import { nearestName, onlyNearName } from "../nearest-name.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt, Reading } from "../pack/prompt.js";
import type { UndeclaredVariable } from "../pack/template-use.js";
import { listNames } from "../wording.js";
import { referenceFix } from "./near-name-fix.js";
import type { PackRule } from "./rule.js";

/** Looking for the nearest name costs most of the time, and nobody reads so many suggestions. */
const mostSuggestions = 200;

export const undeclaredVariable: PackRule = {
  id: "undeclared-variable",
  subject: "pack",
  summary: "Every variable that a prompt reads is declared by the prompt.",
  severity: "warning",
  source: "RFC 0003, variable definitions",
  *check(pack) {
    for (const [index, undeclared] of pack.templates.undeclared.entries()) {
      const { reading, prompts } = undeclared;
      const { name } = reading.reference;
      const isEarly = index < mostSuggestions;
      const space = isEarly ? meantNamespace(reading, pack) : undefined;
      const hint = space ?? (isEarly ? suggestion(name, prompts[0], pack) : undefined);
      const advice = hint === undefined ? ` Add it to "variables".` : ` Did you mean "${hint}"?`;
      const isSure = space !== undefined || isOnlyOne(name, prompts[0], pack);
      yield {
        at: reading.source.placeOf(reading.reference),
        message: sentence(undeclared) + advice,
        ...(hint !== undefined && isSure && repair(pack, reading, hint, space)),
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

/** The nearest among all that a template can name, as it would have to be written. */
function suggestion(name: string, prompt: Prompt, { fragments, artifacts }: Pack): string | undefined {
  const artifact = (artifactName: string): string => `artifacts.${artifactName}`;
  if (artifacts.declared.has(name)) return artifact(name);
  const nearest = nearestName(name, candidates(prompt.declared, fragments, artifacts.declared));
  if (nearest === undefined || prompt.declared.has(nearest) || fragments.has(nearest)) return nearest;
  return artifact(nearest);
}

/** `artifacts.plan` for `{{artifact.plan}}`, where there is one of that name. */
function meantNamespace({ reference, source }: Reading, { artifacts, fragments }: Pack): string | undefined {
  const inside = /^\.([^\s.{}()[\]|]+)/.exec(
    source.text.text.slice(reference.nameEnd, reference.nameEnd + 100),
  )?.[1];
  if (inside === undefined) return undefined;
  const near = nearestName(reference.name, ["artifacts", "fragments"]);
  const isThere = near === "artifacts" ? artifacts.declared.has(inside) : fragments.has(inside);
  return near !== undefined && isThere ? `${near}.${inside}` : undefined;
}

function repair({ document }: Pack, { source, reference }: Reading, hint: string, space: string | undefined) {
  return referenceFix(document, source, reference, space?.replace(/\..*$/su, "") ?? hint);
}

function isOnlyOne(name: string, prompt: Prompt, { fragments, artifacts }: Pack): boolean {
  if (artifacts.declared.has(name)) return true;
  return onlyNearName(name, candidates(prompt.declared, fragments, artifacts.declared)) !== undefined;
}

function* candidates(...maps: readonly ReadonlyMap<string, unknown>[]): Iterable<string> {
  for (const map of maps) yield* map.keys();
}
