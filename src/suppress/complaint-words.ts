import type { Words } from "../diagnostic.js";
import { quoteSource } from "../document/shown.js";
import { listNames } from "../words/wording.js";
import type { Directive, MisspelledDirective } from "./directives.js";

const nameRulesAdvice = 'Name the rules to silence: "promptpack rules" lists all rules.';

export const emptyDirectiveMessage: Words = {
  message: "This comment names no rule, so it silences nothing.",
  advice: nameRulesAdvice,
};

export function misspelledDirectiveMessage({ word, correctName }: MisspelledDirective): Words {
  if (correctName !== undefined)
    return { message: `"${word}" silences nothing.`, advice: `Did you mean "${correctName}"?` };
  return {
    message: `"${word}" does nothing: a comment cannot turn a rule back on.`,
    advice:
      'To silence a rule in one part of the file only, put "promptpack-disable-next-line" above that part.',
  };
}

export function misspelledRuleMessage(name: string, meant: string): Words {
  return { message: `No rule is called "${name}".`, advice: `Did you mean "${meant}"?` };
}

/** Where a reason is given already, the words are no second one: only names can be meant. */
export function unknownWordsMessage({ unknownWords, reason }: Directive): Words {
  const names = quoteSource(unknownWords.join(", "));
  // All quote the same, so that a baseline knows the one by the other.
  if (reason !== undefined)
    return { message: `${names} before "--" is not a rule.`, advice: '"promptpack rules" lists all rules.' };
  const isGlued = unknownWords.some((stray) => /^[^\s-]\S*--/.test(stray));
  const claim = `${names} is not a rule; put ${isGlued ? 'a space before "--"' : '"--" before a reason'}.`;
  // Other linters have a word for all of them, which is no reason.
  const isAll = unknownWords.every((stray) => stray === "all" || stray === "*");
  return isAll ? { message: `${names} is not a rule.`, claim, advice: nameRulesAdvice } : { message: claim };
}

export function staleRulesMessage({ scope }: Directive, stale: readonly string[], areAll: boolean): Words {
  const where = scope === "file" ? "in this file" : "here";
  const part = stale.length === 1 ? "the name" : "these names";
  const remedy = areAll ? "remove the comment" : `remove ${part} from the comment`;
  return {
    message: `${listNames(stale)} ${stale.length === 1 ? "reports" : "report"} nothing ${where}: ${remedy}.`,
  };
}
