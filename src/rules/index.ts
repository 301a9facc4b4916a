import { agentEntryNotMember } from "./agent-entry-not-member.js";
import { agentModeType } from "./agent-mode-type.js";
import { agentSelfTool } from "./agent-self-tool.js";
import { agentStatePromptDiffers } from "./agent-state-prompt-differs.js";
import { agentStateWithoutWorkflow } from "./agent-state-without-workflow.js";
import { agentToolNotMember } from "./agent-tool-not-member.js";
import { agentTurnLoop } from "./agent-turn-loop.js";
import { ambiguousTerminal } from "./ambiguous-terminal.js";
import { armRunsOn } from "./arm-runs-on.js";
import { artifactConflict } from "./artifact-conflict.js";
import { artifactNeverSet } from "./artifact-never-set.js";
import { artifactNotInState } from "./artifact-not-in-state.js";
import { artifactOutsideWorkflow } from "./artifact-outside-workflow.js";
import { artifactType } from "./artifact-type.js";
import { budgetCoherence } from "./budget-coherence.js";
import { budgetTooSmall } from "./budget-too-small.js";
import { compositionExit } from "./composition-exit.js";
import { compositionNotRun } from "./composition-not-run.js";
import { compositionOutputSkipped } from "./composition-output-skipped.js";
import { compositionWithoutOutput } from "./composition-without-output.js";
import { deadGuard } from "./dead-guard.js";
import { deprecatedField } from "./deprecated-field.js";
import { controlOnTerminal } from "./control-on-terminal.js";
import { disabledControl } from "./disabled-control.js";
import { duplicateEval } from "./duplicate-eval.js";
import { duplicateKey } from "./duplicate-key.js";
import { duplicateObligation } from "./duplicate-obligation.js";
import { duplicateProvider } from "./duplicate-provider.js";
import { duplicateSkill } from "./duplicate-skill.js";
import { duplicateStep } from "./duplicate-step.js";
import { duplicateValidatorId } from "./duplicate-validator-id.js";
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
import { governancePrefix } from "./governance-prefix.js";
import { loopHeldByBudgetOnly } from "./loop-held-by-budget-only.js";
import { loopWithoutBudget } from "./loop-without-budget.js";
import { maxVisitsTargetUnused } from "./max-visits-target-unused.js";
import { nestedStep } from "./nested-step.js";
import { neverCompletes } from "./never-completes.js";
import { newerField } from "./newer-field.js";
import { noTerminalState } from "./no-terminal-state.js";
import { notAPack } from "./not-a-pack.js";
import { optionalProvider } from "./optional-provider.js";
import { parseError } from "./parse-error.js";
import { predicateConstant } from "./predicate-constant.js";
import { predicatePath } from "./predicate-path.js";
import { predicateValue } from "./predicate-value.js";
import { promptIdDiffers } from "./prompt-id-differs.js";
import { reservedCompositionName } from "./reserved-composition-name.js";
import { providerRole } from "./provider-role.js";
import { referenceBeforeStep } from "./reference-before-step.js";
import { referenceMayBeSkipped } from "./reference-may-be-skipped.js";
import { referenceSyntax } from "./reference-syntax.js";
import { schema } from "./schema.js";
import { schemaFile } from "./schema-file.js";
import { skillPath } from "./skill-path.js";
import { specVersion } from "./spec-version.js";
import { logContentRules } from "./tables/log-content-rules.js";
import { pluginStateRules } from "./tables/plugin-state-rules.js";
import { logProtocolRules } from "./tables/log-protocol-rules.js";
import { routeRules } from "./tables/route-rules.js";
import { runRules } from "./tables/run-rules.js";
import { stepOrder } from "./step-order.js";
import { stepToolNotInPrompt } from "./step-tool-not-in-prompt.js";
import { templateEngine } from "./template-engine.js";
import { templateSyntax } from "./template-syntax.js";
import { terminalWithTransitions } from "./terminal-with-transitions.js";
import { terminationTool } from "./termination-tool.js";
import { toolNameDiffers } from "./tool-name-differs.js";
import { toolNotListed } from "./tool-not-listed.js";
import { toolParameters } from "./tool-parameters.js";
import { toolPolicy } from "./tool-policy.js";
import { toolStepArgs } from "./tool-step-args.js";
import { trappedStates } from "./trapped-states.js";
import { unboundedLoop } from "./unbounded-loop.js";
import { undeclaredArtifact } from "./undeclared-artifact.js";
import { undeclaredVariable } from "./undeclared-variable.js";
import { unguardedReentry } from "./unguarded-reentry.js";
import { unknownAgentEntry } from "./unknown-agent-entry.js";
import { unknownAgentMember } from "./unknown-agent-member.js";
import { unknownAgentState } from "./unknown-agent-state.js";
import { unknownComposition } from "./unknown-composition.js";
import { unknownControl } from "./unknown-control.js";
import { unknownEngineKey } from "./unknown-engine-key.js";
import { unknownEntry } from "./unknown-entry.js";
import { unknownEventTarget } from "./unknown-event-target.js";
import { unknownFragment } from "./unknown-fragment.js";
import { unknownMaxVisitsTarget } from "./unknown-max-visits-target.js";
import { unknownOrchestration } from "./unknown-orchestration.js";
import { unknownOutputField } from "./unknown-output-field.js";
import { unknownPersistence } from "./unknown-persistence.js";
import { unknownPromptTask } from "./unknown-prompt-task.js";
import { unknownReducer } from "./unknown-reducer.js";
import { unknownProvider } from "./unknown-provider.js";
import { unknownReference } from "./unknown-reference.js";
import { unknownStateSkills } from "./unknown-state-skills.js";
import { unknownStepEval } from "./unknown-step-eval.js";
import { unknownStepField } from "./unknown-step-field.js";
import { unknownStepPrompt } from "./unknown-step-prompt.js";
import { unknownStepTool } from "./unknown-step-tool.js";
import { unknownStep } from "./unknown-step.js";
import { unknownTool } from "./unknown-tool.js";
import { unreachableState } from "./unreachable-state.js";
import { unreachableStep } from "./unreachable-step.js";
import { unstructuredOutput } from "./unstructured-output.js";
import { unusedArtifact } from "./unused-artifact.js";
import { unusedComposition } from "./unused-composition.js";
import { unusedFragment } from "./unused-fragment.js";
import { unusedProvider } from "./unused-provider.js";
import { unusedStepOutput } from "./unused-step-output.js";
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
    title: "Compositions",
    rules: [
      unknownComposition,
      compositionNotRun,
      unusedComposition,
      reservedCompositionName,
      compositionExit,
      duplicateStep,
      unknownStepPrompt,
      unknownStepTool,
      unknownStepEval,
      unknownStep,
      stepOrder,
      nestedStep,
      unknownReducer,
      terminationTool,
      stepToolNotInPrompt,
      toolStepArgs,
      unknownStepField,
      referenceSyntax,
      unknownReference,
      referenceBeforeStep,
      referenceMayBeSkipped,
      unstructuredOutput,
      unknownOutputField,
      schemaFile,
      unreachableStep,
      armRunsOn,
      compositionOutputSkipped,
      compositionWithoutOutput,
      unusedStepOutput,
      predicatePath,
      predicateValue,
      predicateConstant,
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
      deprecatedField,
      duplicateEval,
      evalTrigger,
      evalMetric,
      duplicateSkill,
      skillPath,
      unknownStateSkills,
    ],
  },
  {
    title: "Providers, governance and turns",
    rules: [
      duplicateProvider,
      unknownProvider,
      optionalProvider,
      providerRole,
      unusedProvider,
      governancePrefix,
      duplicateObligation,
      duplicateValidatorId,
      unknownControl,
      disabledControl,
      controlOnTerminal,
      agentTurnLoop,
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
