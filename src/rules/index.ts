import { agentEntryNotMember } from "./agent-entry-not-member.js";
import { agentModeType } from "./agent-mode-type.js";
import { agentSelfTool } from "./agent-self-tool.js";
import { agentStatePromptDiffers } from "./agent-state-prompt-differs.js";
import { agentStateWithoutWorkflow } from "./agent-state-without-workflow.js";
import { agentToolNotMember } from "./agent-tool-not-member.js";
import { ambiguousTerminal } from "./ambiguous-terminal.js";
import { artifactConflict } from "./artifact-conflict.js";
import { artifactNeverSet } from "./artifact-never-set.js";
import { artifactNotInState } from "./artifact-not-in-state.js";
import { artifactOutsideWorkflow } from "./artifact-outside-workflow.js";
import { artifactType } from "./artifact-type.js";
import { budgetCoherence } from "./budget-coherence.js";
import { budgetTooSmall } from "./budget-too-small.js";
import { deadGuard } from "./dead-guard.js";
import { duplicateEval } from "./duplicate-eval.js";
import { duplicateKey } from "./duplicate-key.js";
import { duplicateSkill } from "./duplicate-skill.js";
import { duplicateVariable } from "./duplicate-variable.js";
import { emptyAgentTag } from "./empty-agent-tag.js";
import { evalMetric } from "./eval-metric.js";
import { evalTrigger } from "./eval-trigger.js";
import { eventLeftOut } from "./event-left-out.js";
import { eventNameCase } from "./event-name-case.js";
import { eventNotInPrompt } from "./event-not-in-prompt.js";
import { forcedExitChain } from "./forced-exit-chain.js";
import { forcedExitCycle } from "./forced-exit-cycle.js";
import { fragmentCycle } from "./fragment-cycle.js";
import { loopHeldByBudgetOnly } from "./loop-held-by-budget-only.js";
import { loopWithoutBudget } from "./loop-without-budget.js";
import { maxVisitsTargetUnused } from "./max-visits-target-unused.js";
import { neverCompletes } from "./never-completes.js";
import { newerField } from "./newer-field.js";
import { noTerminalState } from "./no-terminal-state.js";
import { notAPack } from "./not-a-pack.js";
import { parseError } from "./parse-error.js";
import { promptIdDiffers } from "./prompt-id-differs.js";
import { schema } from "./schema.js";
import { skillPath } from "./skill-path.js";
import { specVersion } from "./spec-version.js";
import { logContentRules } from "./tables/log-content-rules.js";
import { pluginStateRules } from "./tables/plugin-state-rules.js";
import { logProtocolRules } from "./tables/log-protocol-rules.js";
import { routeRules } from "./tables/route-rules.js";
import { runRules } from "./tables/run-rules.js";
import { templateEngine } from "./template-engine.js";
import { templateSyntax } from "./template-syntax.js";
import { terminalWithTransitions } from "./terminal-with-transitions.js";
import { toolNameDiffers } from "./tool-name-differs.js";
import { toolNotListed } from "./tool-not-listed.js";
import { toolParameters } from "./tool-parameters.js";
import { toolPolicy } from "./tool-policy.js";
import { trappedStates } from "./trapped-states.js";
import { unboundedLoop } from "./unbounded-loop.js";
import { undeclaredArtifact } from "./undeclared-artifact.js";
import { undeclaredVariable } from "./undeclared-variable.js";
import { unguardedReentry } from "./unguarded-reentry.js";
import { unknownAgentEntry } from "./unknown-agent-entry.js";
import { unknownAgentMember } from "./unknown-agent-member.js";
import { unknownAgentState } from "./unknown-agent-state.js";
import { unknownEngineKey } from "./unknown-engine-key.js";
import { unknownEntry } from "./unknown-entry.js";
import { unknownEventTarget } from "./unknown-event-target.js";
import { unknownFragment } from "./unknown-fragment.js";
import { unknownMaxVisitsTarget } from "./unknown-max-visits-target.js";
import { unknownOrchestration } from "./unknown-orchestration.js";
import { unknownPersistence } from "./unknown-persistence.js";
import { unknownPromptTask } from "./unknown-prompt-task.js";
import { unknownStateSkills } from "./unknown-state-skills.js";
import { unknownTool } from "./unknown-tool.js";
import { unreachableState } from "./unreachable-state.js";
import { unusedArtifact } from "./unused-artifact.js";
import { unusedFragment } from "./unused-fragment.js";
import { unusedSuppression } from "./unused-suppression.js";
import { unusedTool } from "./unused-tool.js";
import { unusedVariable } from "./unused-variable.js";
import { variableDefault } from "./variable-default.js";
import { variableValidation } from "./variable-validation.js";
import { workflowVersion } from "./workflow-version.js";
import type { Rule } from "./rule.js";

export interface RuleGroup {
  readonly title: string;
  readonly rules: readonly Rule[];
}

/** All rules, in the order of the documentation. */
export const ruleGroups: readonly RuleGroup[] = [
  {
    title: "The file",
    rules: [parseError, duplicateKey, schema, notAPack, specVersion, newerField],
  },
  {
    title: "The workflow",
    rules: [
      unknownEntry,
      unknownPromptTask,
      unknownEventTarget,
      eventNameCase,
      unreachableState,
      unboundedLoop,
      noTerminalState,
      trappedStates,
      neverCompletes,
      unknownEngineKey,
      unknownPersistence,
      unknownOrchestration,
      workflowVersion,
    ],
  },
  {
    title: "Loops, budgets and artifacts",
    rules: [
      terminalWithTransitions,
      ambiguousTerminal,
      unknownMaxVisitsTarget,
      maxVisitsTargetUnused,
      forcedExitCycle,
      forcedExitChain,
      deadGuard,
      budgetCoherence,
      budgetTooSmall,
      loopWithoutBudget,
      loopHeldByBudgetOnly,
      unguardedReentry,
      undeclaredArtifact,
      artifactNotInState,
      artifactNeverSet,
      artifactOutsideWorkflow,
      artifactConflict,
      artifactType,
      unusedArtifact,
      eventNotInPrompt,
      eventLeftOut,
    ],
  },
  {
    title: "Agents",
    rules: [
      unknownAgentEntry,
      agentEntryNotMember,
      unknownAgentMember,
      unknownAgentState,
      agentStateWithoutWorkflow,
      agentStatePromptDiffers,
      agentModeType,
      emptyAgentTag,
      agentToolNotMember,
      agentSelfTool,
    ],
  },
  {
    title: "Prompts, tools, evals and skills",
    rules: [
      templateEngine,
      templateSyntax,
      undeclaredVariable,
      unusedVariable,
      duplicateVariable,
      unknownFragment,
      fragmentCycle,
      unusedFragment,
      variableDefault,
      variableValidation,
      unknownTool,
      unusedTool,
      toolNotListed,
      toolNameDiffers,
      toolParameters,
      toolPolicy,
      promptIdDiffers,
      duplicateEval,
      evalTrigger,
      evalMetric,
      duplicateSkill,
      skillPath,
      unknownStateSkills,
    ],
  },
  { title: "Routes of a resumable loop (RFC-103)", rules: routeRules },
  {
    title: "Logs of a resumable loop (RFC-103)",
    rules: [...logProtocolRules, ...logContentRules, ...pluginStateRules],
  },
  { title: "Recorded runs of a workflow", rules: runRules },
  {
    title: "Suppressions",
    rules: [unusedSuppression],
  },
];

export const rules: readonly Rule[] = ruleGroups.flatMap((group) => group.rules);
