import type { CheckParameter, CheckTypes, Fact, Runtime } from "./runtime.js";

/** The types of evals, which are those of validators, too. */
const registry = `
  assertion guardrail a2a_eval a2a_eval_session agent_invoked agent_not_invoked agent_response_contains
  answer_relevancy audio_duration audio_emotion audio_format bias composition_branch_taken
  composition_output composition_parallel_complete composition_step_output contains contains_any
  content_excludes contextual_precision contextual_recall contextual_relevancy cosine_similarity
  cost_budget directional faithfulness field_presence guardrail_triggered hallucination image_dimensions
  image_format image_moderation invariant_fields_preserved json_path json_schema json_valid latency_budget
  llm_judge llm_judge_session llm_judge_tool_calls max_length min_length no_tool_errors outcome_equivalent
  pii_leakage regex rest_eval rest_eval_session role_violation sentence_count skill_activated
  skill_activation_order skill_not_activated spoke_in_state state_is text_sentiment text_toxicity
  tool_anti_pattern tool_args tool_args_excluded_session tool_args_session tool_call_chain tool_call_count
  tool_call_sequence tool_calls_with_args tool_efficiency tool_exec tool_no_repeat tool_result_has_media
  tool_result_includes tool_result_matches tool_result_media_type tools_called tools_called_session
  tools_not_called tools_not_called_session toxicity transitioned_to video_duration video_resolution
  workflow_complete workflow_tool_access workflow_transition_order
`;

const aliases = `
  banned_words content_includes content_includes_any content_matches content_not_includes is_valid_json
  length llm_judge_conversation max_sentences required_fields tool_called tools_not_called_with_args
  valid_json
`;

const typesIn = (list: string): readonly string[] => list.trim().split(/\s+/u);

const types: Omit<CheckTypes, "unknown"> = {
  known: new Set([...typesIn(registry), ...typesIn(aliases)]),
  ownNames: new Map([
    ["regex_match", "regex"],
    ["sentiment", "text_sentiment"],
    ["pii_detection", "pii_leakage"],
  ]),
};

const [fails, passes] = ["the eval always fails", "the eval always passes"];
const atMost: CheckParameter = {
  names: ["max", "max_characters", "max_chars"],
  is: "positive number",
  without: fails,
};
const atLeast: CheckParameter = {
  names: ["min", "min_characters", "min_chars"],
  is: "positive number",
  without: passes,
};
const forbidden: CheckParameter = { names: ["patterns", "words"], is: "list", without: passes };
const expected: CheckParameter = { names: ["patterns"], is: "list", without: fails };
/** As an eval, it measures. */
const sentences: CheckParameter = { names: ["max", "max_sentences"], is: "positive number" };
const fields: CheckParameter = { names: ["fields", "required_fields"], is: "list", without: passes };
const pattern: CheckParameter = { names: ["pattern"], is: "RE2 pattern", without: fails };
const state: CheckParameter = { names: ["state"], is: "text", namesOf: "state", without: fails };
const tools: CheckParameter = {
  names: ["tool_names", "tools"],
  is: "list",
  namesOf: "tool",
  without: fails,
};
const sequenceOf = (namesOf: CheckParameter["namesOf"], without = fails): CheckParameter => {
  return { names: ["sequence"], is: "list", namesOf, without };
};
const criteria: CheckParameter = {
  names: ["criteria", "rubric", "system_prompt"],
  is: "text",
  without: "the judge has nothing to go by",
};
const agents: CheckParameter = { names: ["agents"], is: "list", namesOf: "agent", without: fails };
const skills: CheckParameter = {
  names: ["skill_names"],
  is: "list",
  namesOf: "skill",
  without: "the eval checks nothing",
};
const step = (name: string): CheckParameter => {
  return { names: [name], is: "text", namesOf: "step", without: fails };
};
const isNegative = true;

const parameters = new Map<string, CheckParameter>([
  ["max_length", atMost],
  ["length", atMost],
  ["min_length", atLeast],
  ["content_excludes", forbidden],
  ["banned_words", forbidden],
  ["sentence_count", sentences],
  ["max_sentences", sentences],
  ["field_presence", fields],
  ["required_fields", fields],
  ["regex", pattern],
  ["content_matches", pattern],
  ["contains", expected],
  ["contains_any", expected],
  ["state_is", state],
  ["transitioned_to", state],
  ["spoke_in_state", state],
  ["workflow_transition_order", sequenceOf("state")],
  ["skill_activation_order", sequenceOf("skill")],
  ["tool_call_sequence", sequenceOf("tool", passes)],
  ["tools_called", tools],
  ["tool_called", tools],
  ["tools_called_session", tools],
  ["tools_not_called", { ...tools, isNegative }],
  ["tools_not_called_session", { ...tools, isNegative }],
  ["llm_judge", criteria],
  ["llm_judge_session", criteria],
  ["llm_judge_tool_calls", criteria],
  ["llm_judge_conversation", criteria],
  ["agent_invoked", agents],
  ["agent_not_invoked", { ...agents, without: passes, isNegative }],
  ["skill_activated", skills],
  ["skill_not_activated", { ...skills, without: passes, isNegative }],
  ["composition_step_output", step("step")],
  ["composition_branch_taken", step("branch")],
  ["composition_parallel_complete", step("parallel")],
]);

const run = <const T>(value: T, says: string): Fact<T> => ({ value, says, learned: "run" });
const read = <const T>(value: T, says: string): Fact<T> => ({ value, says, learned: "read" });

/** The reference runtime, in Go. */
export const promptkit: Runtime = {
  name: "promptkit",
  title: "PromptKit",
  version: "August 2026",
  readIn: "November 2026",
  facts: {
    forcedExit: run(
      "entered",
      "The target of `on_max_visits` is entered whatever its own guard says, so a chain of forced exits has one link.",
    ),
    spent: read(
      "event refused",
      "A spent state without `on_max_visits` refuses the event, and the run stays where it is: a turn of the SDK fails, one of Arena goes on. Other events are taken.",
    ),
    budget: read("before an event", "Checked before an event. Tool calls have been counted since 2026."),
    placeholders: read(
      { forms: ["variable", "artifact"], delimiters: "{{ and }}", passes: 10 },
      "Exactly `{{name}}`, without blanks, where the name is bound, and `{{artifacts.name}}` once it is set; in up to ten passes.",
    ),
    leftover: run(
      "all unfilled",
      "If one placeholder is left, in whatever form, the whole prompt is sent unfilled, with every `{{…}}` of it.",
    ),
    binds: read(
      "no caller after a handover",
      "Callers and any default where a conversation is opened. In a state that a turn is handed over to, only string defaults of optional variables, `workflow_context`, and every artifact that was set, as `artifacts.<name>`.",
    ),
    requiredUnbound: read(
      "replaced",
      'At opening, the prompt is replaced by "You are a helpful AI assistant.", without tools and validators; at a handover, the turn fails.',
    ),
    fragments: read(
      "never",
      "The fragments of a pack are never bound, so any reference to one leaves the whole prompt unfilled.",
    ),
    modelOverrides: read("ignored", "Ignored."),
    enabledByDefault: read(
      "the pack is refused",
      "The SDK refuses a pack in which a validator has no `enabled`, whatever `$schema` says; where that check is skipped, the validator is off. In sources it is on: `packc` writes it.",
    ),
    failOnViolation: read("ignored", "Ignored: a validator always enforces."),
    validatorTypes: read(
      { ...types, unknown: "the pack is refused when it is opened" },
      "Any type of an eval, and the aliases. A pack with another type is refused when it is opened.",
    ),
    validatorParameters: read(
      parameters,
      "A validator whose parameters cannot be used is skipped, with a line in the log.",
    ),
    uselessCheck: read(
      "the guardrail is skipped, with a line in the log",
      "A guardrail is skipped, with a line in the log.",
    ),
    evalTypes: read(
      { ...types, unknown: "the SDK drops the eval, and Arena stops" },
      "The types of its registry. The SDK drops an eval of another type, Arena stops.",
    ),
    evalParameters: read(
      parameters,
      "An eval whose parameters cannot be used fails or passes whatever the model says.",
    ),
    compositionInput: read(
      "no variable",
      "The `input` of a prompt step is the text of the user's message (as JSON, unless it is a string). It binds no variable.",
    ),
    sections: read("read", "`workflow`, `agents`, `evals`, `skills` and `compositions` are read."),
    toolNames: read(
      "trailing star",
      "A trailing `*` in a name of `tools` matches every tool whose name begins with what is before it.",
    ),
    refuses: read(
      ["an `agents.entry` that is no member", "a mode that is no MIME type", "a `workflow.version` above 2"],
      "Refuses a pack with an `agents.entry` that is no member, a mode that is no MIME type, or a `workflow.version` above 2.",
    ),
  },
};
