import { duplicateKey, notAPack, parseError } from "./file-rules.js";
import { propertyUnknownName, sourceUnused, unusedSuppression } from "./linting-rules.js";
import type { Rule } from "./rule.js";
import { agentRules } from "./tables/agent-rules.js";
import { artifactRules } from "./tables/artifact-rules.js";
import { budgetRules } from "./tables/budget-rules.js";
import { checkRules } from "./tables/check-rules.js";
import { compositionRules, outcomeRules } from "./tables/composition-rules.js";
import { fillingRules } from "./tables/filling-rules.js";
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
import { scenarioRules } from "./tables/scenario-rules.js";
import { sourceRules } from "./tables/source-rules.js";
import { stepRules } from "./tables/step-rules.js";
import { templateRules } from "./tables/template-rules.js";
import { eventMentionRules, workflowFieldRules, workflowNameRules } from "./tables/workflow-rules.js";

export interface RuleGroup {
  readonly title: string;
  readonly rules: readonly Rule[];
}

/** All rules by the titles of their groups, in the order of the documentation. */
const rulesByTitle: Readonly<Record<string, readonly Rule[]>> = {
  "The file": [parseError, duplicateKey, schema, notAPack, ...versionRules],
  "The workflow": [...workflowNameRules, ...runFaultRules, ...workflowFieldRules],
  "Loops, budgets and artifacts": [...guardRules, ...budgetRules, ...artifactRules, ...eventMentionRules],
  Agents: agentRules,
  Compositions: [...compositionRules, ...stepRules, ...referenceRules, ...outcomeRules],
  "Prompts, tools, evals and skills": [
    ...templateRules,
    ...fillingRules,
    ...promptRules,
    ...checkRules,
    ...skillRules,
  ],
  "Providers, governance and turns": [...providerRules, ...governanceRules, ...turnRules],
  "Projects of sources": [...sourceRules, sourceUnused, ...scenarioRules],
  "Properties of your own": [...propertyRules, propertyUnknownName],
  "Routes of a resumable loop (RFC-103)": routeRules,
  "Logs of a resumable loop (RFC-103)": [...logRules, ...pluginStateRules],
  "Recorded runs of a workflow": runRules,
  Suppressions: [unusedSuppression],
};

export const ruleGroups: readonly RuleGroup[] = Object.entries(rulesByTitle).map(([title, rules]) => ({
  title,
  rules,
}));

export const rules: readonly Rule[] = ruleGroups.flatMap((group) => group.rules);
export const ruleIds: readonly string[] = rules.map(({ id }) => id);

/** Rules that judge a prompt or tool of a project without the rest of it. */
const aboutFileAlone = new Set([
  ...["schema", "template-syntax", "undeclared-variable", "unused-variable", "duplicate-variable"],
  ...["unknown-fragment", "fragment-cycle", "variable-default", "variable-validation"],
  ...["tool-parameters", "tool-schema-impossible", "duplicate-prompt-tool", "secret-in-pack"],
  ...["deprecated-field", "duplicate-eval", "metric-conflict"],
  ...["unknown-validator-type", "unknown-eval-type", "check-params"],
]);

export const isAboutFileAlone = (id: string): boolean => aboutFileAlone.has(id);

const rulesById = new Map(rules.map((rule) => [rule.id, rule]));

export const ruleNamed = (id: string): Rule | undefined => rulesById.get(id);
