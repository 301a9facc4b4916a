import type { ArtifactUse } from "../pack/artifacts.js";
import { namesLostPrompts } from "../pack/referrers.js";
import { namesWithin } from "../pack/names-within.js";
import { seemingUsesIn, seemingUsesInPrompts } from "../pack/seeming-uses.js";
import type { TemplateText } from "../pack/template-text.js";
import { readsAllFragments } from "../pack/readings.js";
import { type OwnedTemplate, readsVariableFragments } from "../pack/template-use.js";
import { guesser } from "../words/nearest-name.js";
import type { PackRule } from "./rule.js";
import { lostArtifactRules, lostPromptRules } from "./shared/held-back.js";
import { seemingUseAdvice } from "./shared/seeming-use-advice.js";

export const unusedFragment: PackRule = {
  id: "unused-fragment",
  subject: "pack",
  summary: "Every fragment is included by some template.",
  severity: "info",
  source: "RFC 0001, fragments",
  heldBackBy: [...lostPromptRules, ...lostArtifactRules],
  *check(pack) {
    const { fragments, prompts, delimiters, root } = pack;
    if (fragments.size === 0 || delimiters === undefined || prompts.size === 0) return;
    const { artifacts, templates } = pack;
    if (!templates.areClear || namesLostPrompts(pack) || templates.all.some(mayIncludeAny)) return;
    const references = templates.all.flatMap(({ text }) => text.template.references);
    const included = new Set(references.flatMap(({ kind, name }) => (kind === "artifact" ? [] : name)));
    const unnamed = [...fragments.values()].filter(
      ({ name, template }) => template !== undefined && !included.has(name.text),
    );
    if (unnamed.length === 0) return;
    const namedElsewhere = namesWithin(root, delimiters, ["name", "fragment"]);
    const meant = meantBy(artifacts, fragments.keys());
    const [inAny, inPrompts] = [seemingUsesIn(pack), seemingUsesInPrompts(pack)];
    const isVariable = (name: string) => [...prompts.values()].some(({ declared }) => declared.has(name));
    for (const { name, template } of unnamed) {
      // What is a prompt is read as one.
      const isPrompt = prompts.get(name.text)?.key === name;
      if (isPrompt || namedElsewhere.has(name.text) || meant.has(name.text)) continue;
      const path = `fragments.${name.text}`;
      // What names others may be named by them: to include it there as well could close a ring.
      const uses = template !== undefined && namesNothing(template) ? inAny : inPrompts;
      const use = uses(path) ?? (isVariable(name.text) ? undefined : uses(name.text));
      const advice = /^[\w-]+$/u.test(name.text)
        ? `Include it as ${delimiters.open}${path}${delimiters.close}, or remove it.`
        : undefined;
      yield {
        at: name,
        message: `No template includes the fragment "${name.text}".`,
        advice: use === undefined ? advice : seemingUseAdvice(use),
      };
    }
  },
};

function namesNothing({ template, foreign, referencesInComment }: TemplateText): boolean {
  return template.references.length === 0 && foreign.size === 0 && referencesInComment.length === 0;
}

function mayIncludeAny(owned: OwnedTemplate): boolean {
  return !readsVariableFragments(owned) && owned.text.template.references.some(readsAllFragments);
}

/** The fragments that may be meant where an artifact is read that no state declares. */
function meantBy({ reads, declared }: ArtifactUse, fragments: Iterable<string>): ReadonlySet<string> {
  const lost = new Set(reads.flatMap(({ name, certain }) => (certain && !declared.has(name) ? name : [])));
  const names = [...fragments];
  const guess = guesser();
  return new Set([...lost].flatMap((name) => [name, guess(name, names) ?? name]));
}
