import { allRuntimes } from "./index.js";
import type { Fact, RuntimeFacts } from "./runtime.js";

/** What a fact is about, and the rules that rest on it. */
export const topics: Readonly<Record<keyof RuntimeFacts, readonly [topic: string, ...rules: string[]]>> = {
  forcedExit: ["the target of a forced exit", "forced-exit-unchecked"],
  spent: ["a spent state without `on_max_visits`", "forced-exit-unchecked"],
  budget: ["the budget"],
  placeholders: ["which placeholders are filled", "template-not-filled"],
  leftover: ["any other placeholder", "template-not-filled", "reading-unset"],
  binds: ["what binds a variable", "variable-lost", "reading-unset"],
  requiredUnbound: ["a required variable without a value", "variable-lost"],
  fragments: ["fragments of the pack", "template-not-filled"],
  modelOverrides: ["`model_overrides`"],
  enabledByDefault: ["a validator without `enabled`", "guardrail-off"],
  failOnViolation: ["`fail_on_violation`", "deprecated-field"],
  validatorTypes: ["types of validators", "unknown-validator-type"],
  validatorParameters: ["parameters of validators", "check-params"],
  uselessCheck: ["a check without parameters that it needs", "check-params"],
  evalTypes: ["types of evals", "unknown-eval-type"],
  evalParameters: ["parameters of evals", "check-params", "eval-unknown-name"],
  compositionInput: ["the `input` of a step of a composition"],
  sections: ["sections beside the prompts"],
  toolNames: ["names in `tools`", "unknown-tool"],
  refuses: ["what is refused besides"],
};

/** What runtimes do where a rule rests on it, as Markdown; empty for other rules. */
export function factsBehind(rule: string): string {
  const parts = Object.entries(topics).flatMap(([name, [topic, ...rules]]) => {
    if (!rules.includes(rule)) return [];
    const lines = allRuntimes.flatMap(({ title, version, facts }) => {
      const fact: Fact<unknown> | undefined = facts[name as keyof RuntimeFacts];
      return fact === undefined ? [] : `- ${title}, ${version} (${fact.learned}): ${fact.says}`;
    });
    return [`${topic.charAt(0).toUpperCase()}${topic.slice(1)}:`, lines.join("\n")];
  });
  return parts.length === 0 ? "" : ["\n## What runtimes do", ...parts].join("\n\n");
}
