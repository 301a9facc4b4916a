import { evalScopes } from "../pack/pack.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";
import { nearestChoice } from "./shared/fixes.js";

const samplingTriggers = ["sample_turns", "sample_sessions"];

/** The triggers that do not sample, each with its sampling counterpart. */
const samplingAlternatives: ReadonlyMap<string, string | undefined> = new Map([
  ["every_turn", "sample_turns"],
  ["on_session_complete", "sample_sessions"],
  ["on_conversation_complete", "sample_sessions"],
  ["on_workflow_step", undefined],
]);

const knownTriggers = [...samplingAlternatives.keys(), ...samplingTriggers];
const triggerListAdvice = `The known triggers are ${listNames(knownTriggers)}.`;

export const evalTrigger: PackRule = {
  id: "eval-trigger",
  subject: "pack",
  summary:
    "The trigger of an eval is one that the spec defines, and samples if a `sample_percentage` is set.",
  severity: "warning",
  fix: "unsafe",
  source: "RFC 0006, triggers",
  *check(pack) {
    for (const { evals } of evalScopes(pack)) {
      for (const { id, trigger, samplePercentage } of evals) {
        if (trigger === undefined || samplingTriggers.includes(trigger.text)) continue;
        const who = id === undefined ? "An eval" : `Eval "${id.text}"`;
        if (!samplingAlternatives.has(trigger.text)) {
          yield {
            at: trigger,
            wants: "a trigger",
            message: `${who} has an unknown trigger, "${trigger.text}".`,
            ...nearestChoice(pack.document, trigger, knownTriggers, triggerListAdvice),
          };
        } else if (samplePercentage !== undefined) {
          const sampled = samplingAlternatives.get(trigger.text);
          yield {
            at: trigger,
            message: `${who} has a "sample_percentage", but its trigger "${trigger.text}" does not sample.`,
            advice:
              sampled === undefined
                ? 'Remove "sample_percentage".'
                : `Use "${sampled}", or remove "sample_percentage".`,
          };
        }
      }
    }
  },
};
