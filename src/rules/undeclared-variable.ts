import type { Fix, Place } from "../diagnostic.js";
import type { Pack } from "../pack/pack.js";
import { nameAfter, type Reading } from "../pack/prompt.js";
import type { UndeclaredVariable } from "../pack/template-use.js";
import { isValidVariableName } from "../pack/variable.js";
import { appendTo } from "../text/collections.js";
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
    const suggestionFor = ({ reading, prompts }: UndeclaredVariable): Suggestion | undefined => {
      const known = namesKnownTo(prompts[0], pack);
      return suggestNamespace(reading, known, pack) ?? suggest(reading, known);
    };
    const byName = new Map<string, UndeclaredVariable[]>();
    for (const use of pack.templates.undeclared) appendTo(byName, use.reading.reference.name, use);
    for (const [name, uses] of byName) {
      const [first, ...others] = uses;
      if (first === undefined) continue;
      const suggestions = [first, ...others].map(suggestionFor);
      yield {
        at: placeOf(first),
        message: messageFor(first),
        ...(suggestions[0] ?? { advice: declareAdvice(name) }),
        related: others.map((use) => ({ at: placeOf(use), message: relatedText(use) })),
        fix: mergeFixes(suggestions),
      };
    }
  },
};

function placeOf({ reading: { source, reference } }: UndeclaredVariable): Place {
  return source.placeOf(reference);
}

/** One fix for every use, if all of them would be fixed alike. */
function mergeFixes(suggestions: readonly (Suggestion | undefined)[]): Fix | undefined {
  const fixes = suggestions.flatMap((suggestion) => suggestion?.fix ?? []);
  const [first] = fixes;
  const isAlike =
    fixes.length === suggestions.length && fixes.every((fix) => fix.description === first?.description);
  return first && isAlike ? { ...first, edits: fixes.flatMap(({ edits }) => edits) } : undefined;
}

function messageFor(use: UndeclaredVariable): string {
  const [reads, doesNot] = use.prompts.length === 1 ? ["reads", "does not"] : ["read", "do not"];
  const variable = `the variable "${use.reading.reference.name}"`;
  return `${subjectOf(use)} ${reads} ${variable}${throughFragment(use.reading)}, but ${doesNot} declare it.`;
}

function relatedText(use: UndeclaredVariable): string {
  const reads = use.prompts.length === 1 ? "reads" : "read";
  return `${subjectOf(use)} ${reads} it here${throughFragment(use.reading)}`;
}

function subjectOf({ prompts }: UndeclaredVariable): string {
  const names = listNamesOf(prompts, ({ key }) => key.text, 4);
  return `${prompts.length === 1 ? "Prompt" : "Prompts"} ${names}`;
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
