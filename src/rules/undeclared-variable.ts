import type { Pack } from "../pack/pack.js";
import { nameAfter, type Reading } from "../pack/prompt.js";
import type { UndeclaredVariable } from "../pack/template-use.js";
import { isValidVariableName } from "../pack/variable.js";
import { nearestName } from "../text/names.js";
import { listNamesOf } from "../text/wording.js";
import type { PackRule } from "./rule.js";
import {
  createReferenceSuggester,
  type KnownNames,
  namesKnownTo,
  type Suggestion,
} from "./shared/name-corrections.js";
import { replacePartFix } from "./shared/fixes.js";
import { throughFragment } from "./shared/template-messages.js";

/** The search for the nearest name dominates the time, and nobody reads more suggestions. */
const maxSuggestions = 200;

export const undeclaredVariable: PackRule = {
  id: "undeclared-variable",
  subject: "pack",
  summary: "Every variable that a prompt reads is declared by the prompt.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0003, variable definitions",
  *check(pack) {
    const suggest = createReferenceSuggester(pack, maxSuggestions);
    for (const undeclared of pack.templates.undeclared) {
      const { reading, prompts } = undeclared;
      const known = namesKnownTo(prompts[0], pack);
      const suggestion = suggestNamespace(reading, known, pack) ?? suggest(reading, known);
      yield {
        at: reading.source.placeOf(reading.reference),
        message: messageFor(undeclared),
        ...(suggestion ?? { advice: declareAdvice(reading.reference.name) }),
      };
    }
  },
};

function messageFor({ reading, prompts }: UndeclaredVariable): string {
  const names = listNamesOf(prompts, ({ key }) => key.text, 4);
  const variable = `the variable "${reading.reference.name}"`;
  const through = throughFragment(reading);
  return prompts.length === 1
    ? `Prompt ${names} reads ${variable}${through}, but does not declare it.`
    : `Prompts ${names} read ${variable}${through}, but do not declare it.`;
}

/** A template may read names that the schema does not allow. */
function declareAdvice(name: string): string {
  if (name === "artifacts" || name === "fragments") return `Say which one you mean: "${name}.<name>".`;
  return isValidVariableName(name)
    ? 'Add it to "variables".'
    : "Rename it and declare it: the name of a variable can only contain the letters A to Z, digits and underscores.";
}

const namespaces = ["artifacts", "fragments"];

/** `artifacts.plan` for `{{artifact.plan}}` and `{{artifacts:plan}}`, if there is an artifact of that name. */
function suggestNamespace(reading: Reading, known: KnownNames, { document }: Pack): Suggestion | undefined {
  const { reference, source } = reading;
  const name = nameAfter(reading) ?? nameAfter(reading, ":");
  if (name === undefined) return undefined;
  const space = namespaces.find((each) => each === reference.name) ?? nearestName(reference.name, namespaces);
  if (space === undefined || !known[space === "artifacts" ? "artifact" : "fragment"].has(name))
    return undefined;
  const { text } = source.text;
  const path = { start: reference.start, end: text.indexOf(name, reference.end) + name.length };
  const right = `${space}.${name}`;
  // The finding is shown at the first name alone, so the advice quotes the whole path.
  return {
    advice: `Write "${right}" instead of "${text.slice(path.start, path.end)}".`,
    ...replacePartFix(document, source, path, right),
  };
}
