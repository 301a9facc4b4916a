import type { TraceStep } from "../diagnostic.js";
import type { Workflow } from "../pack/workflow.js";
import { formatJson } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import type { ListedPaths } from "./listed-path.js";

/** Scenarios of PromptArena. What a user would say is left to the author. */
export function pathsArena({ paths }: ListedPaths, id: string, workflow: Workflow): string {
  const keepsTurn = new Set(workflow.states.flatMap((state) => (state.keepsTurn ? state.name.text : [])));
  const scenarios = paths.map(({ root, agent, trace, end, isOverBudget }, index) => {
    const turns: TraceStep[][] = [];
    for (const step of trace.steps) {
      const last = turns.at(-1);
      // Without a turn of the user in between.
      if (last !== undefined && keepsTurn.has(step.from)) last.push(step);
      else turns.push([step]);
    }
    const start = agent === undefined ? "" : `agent "${agent}": `;
    const budget = isOverBudget ? " (past the budget)" : "";
    const name = quote(`${id}-path-${index + 1}`);
    const entered = trace.steps.flatMap(({ to }) => to ?? []);
    return [
      "apiVersion: promptkit.altairalabs.ai/v1alpha1",
      "kind: Scenario",
      `metadata: { name: ${name} }`,
      "spec:",
      `  id: ${name}`,
      `  task_type: ${quote(workflow.stateNamed(root)?.promptTask?.text ?? root)}`,
      `  description: ${quote(start + traceLines(trace).join(" ") + budget)}`,
      "  turns:",
      ...(turns.length === 0 ? [[]] : turns).flatMap((steps) => turnLines(steps, root)),
      ...(end === "complete" ? ["        - type: workflow_complete", "          params: {}"] : []),
      ...(entered.length === 0
        ? []
        : [
            "  conversation_assertions:",
            "    - type: workflow_transition_order",
            `      params: { sequence: [${entered.map(quote).join(", ")}] }`,
          ]),
      "",
    ].join("\n");
  });
  return scenarios.join("---\n");
}

function turnLines(steps: readonly TraceStep[], root: string): readonly string[] {
  const last = steps.at(-1);
  const state = last === undefined ? root : (last.to ?? last.from);
  const events = steps.map(({ event }) => `"${event}"`).join(", then ");
  const content = events === "" ? "Begin." : `Say something that leads to ${events}.`;
  return [
    "    - role: user",
    `      content: ${quote(content)}`,
    "      assertions:",
    "        - type: state_is",
    `          params: { state: ${quote(state)} }`,
  ];
}

/** A string of JSON is one of YAML, too. */
function quote(text: string): string {
  return formatJson(text, 0).trimEnd();
}
