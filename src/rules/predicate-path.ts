import type { Composition } from "../composition/composition.js";
import { atomsOf, type PredicatePath } from "../composition/predicate.js";
import { replaceText } from "../document/edit.js";
import type { Document } from "../document/document.js";
import { quoteValue } from "../schema/show-value.js";
import type { PackRule } from "./rule.js";
import { unsafeFix } from "./shared/fixes.js";

export const predicatePath: PackRule = {
  id: "predicate-path",
  subject: "pack",
  summary: "The path of a predicate is exactly one reference.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  fix: "unsafe",
  source: "RFC 0010, predicates",
  *check({ compositions, document }) {
    for (const composition of compositions.values())
      for (const { predicate, isUnclear } of composition.allSteps) {
        if (predicate === undefined || isUnclear) continue;
        for (const { path } of atomsOf(predicate)) {
          if (path.reference !== undefined) continue;
          const { text } = path;
          yield {
            at: text,
            wants: "a reference",
            message: `The path ${quoteValue(text.text)} is not exactly one reference, so it never has a value.`,
            ...correct(path, composition, document),
          };
        }
      }
  },
};

/** A path whose braces are missing. */
function correct({ text }: PredicatePath, { stepNamed }: Composition, document: Document) {
  const [root = "", second] = text.text.split(".");
  const isInput = root === "input" && second !== undefined;
  const isOutput = second === "output" && stepNamed(root) !== undefined;
  if (!/^[\w.]+$/.test(text.text) || !(isInput || isOutput))
    return { advice: 'Write one, such as "${classify.output.intent}".' };
  const right = `\${${text.text}}`;
  return {
    advice: `Did you mean "${right}"?`,
    ...unsafeFix(`Replace "${text.text}" with "${right}".`, replaceText(document, text.node, right)),
  };
}
