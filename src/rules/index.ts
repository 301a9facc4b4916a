import { duplicateKey, notAPack, parseError } from "./file-rules.js";
import { propertyUnknownName, unusedSuppression } from "./linting-rules.js";
import type { Rule } from "./rule.js";
import { agentRules } from "./tables/agent-rules.js";
import { artifactRules } from "./tables/artifact-rules.js";
import { budgetRules } from "./tables/budget-rules.js";
import { compositionRules, outcomeRules } from "./tables/composition-rules.js";
import { governanceRules } from "./tables/governance-rules.js";
import { guardRules } from "./tables/guard-rules.js";
import { logRules } from "./tables/log-rules.js";
import { pluginStateRules } from "./tables/plugin-state-rules.js";
import { promptRules } from "./tables/prompt-rules.js";
import { propertyRules } from "./tables/property-rules.js";
import { providerRules } from "./tables/provider-rules.js";
import { referenceRules } from "./tables/reference-rules.js";
import { routeRules } from "./tables/route-rules.js";
import { runFaultRules, turnRules } from "./tables/run-fault-rules.js";
import { runRules } from "./tables/run-rules.js";
import { schema, versionRules } from "./tables/schema-rules.js";
import { skillRules } from "./tables/skill-rules.js";
import { stepRules } from "./tables/step-rules.js";
import { templateRules } from "./tables/template-rules.js";
import { eventMentionRules, workflowFieldRules, workflowNameRules } from "./tables/workflow-rules.js";

export interface RuleGroup {
  readonly title: string;
  readonly rules: readonly Rule[];
}

/** All rules, in the order of the documentation. */
export const ruleGroups: readonly RuleGroup[] = [
  { title: "The file", rules: [parseError, duplicateKey, schema, notAPack, ...versionRules] },
  {
    title: "The workflow",
    rules: [...workflowNameRules, ...runFaultRules, ...workflowFieldRules],
  },
  {
    title: "Loops, budgets and artifacts",
    rules: [...guardRules, ...budgetRules, ...artifactRules, ...eventMentionRules],
  },
  { title: "Agents", rules: agentRules },
  {
    title: "Compositions",
    rules: [...compositionRules, ...stepRules, ...referenceRules, ...outcomeRules],
  },
  {
    title: "Prompts, tools, evals and skills",
    rules: [...templateRules, ...promptRules, ...skillRules],
  },
  {
    title: "Providers, governance and turns",
    rules: [...providerRules, ...governanceRules, ...turnRules],
  },
  {
    title: "Properties of your own",
    rules: [...propertyRules, propertyUnknownName],
  },
  { title: "Routes of a resumable loop (RFC-103)", rules: routeRules },
  {
    title: "Logs of a resumable loop (RFC-103)",
    rules: [...logRules, ...pluginStateRules],
  },
  { title: "Recorded runs of a workflow", rules: runRules },
  { title: "Suppressions", rules: [unusedSuppression] },
];

export const rules: readonly Rule[] = ruleGroups.flatMap((group) => group.rules);
export const ruleIds: readonly string[] = rules.map(({ id }) => id);
