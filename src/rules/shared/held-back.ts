/** Names of states that lead nowhere: which runs there are is not known. */
export const lostStateRules = [
  "unknown-entry",
  "unknown-event-target",
  "unknown-max-visits-target",
  "unknown-agent-state",
] as const;

/** Names of prompts that lead nowhere: what such a prompt would use is not known. */
export const lostPromptRules = [
  "unknown-prompt-task",
  "unknown-agent-entry",
  "unknown-agent-member",
] as const;

/** Artifacts that are read and never there: another name may be meant. */
export const lostArtifactRules = ["undeclared-artifact", "artifact-outside-workflow"] as const;

/** What keeps rules from knowing all that a prompt says and reads. */
export const unclearTextRules = [
  "template-engine",
  "template-syntax",
  "undeclared-variable",
  "unknown-fragment",
  "unknown-prompt-task",
] as const;
