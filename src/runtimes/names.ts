export const runtimeNames = ["promptkit", "langchain-js", "langchain-python"] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** Those that run workflows. Kept apart from the facts, which few commands need. */
export const workflowRuntimeNames: readonly RuntimeName[] = ["promptkit"];
