import type { TraceStep } from "../diagnostic.js";
import type { RunStatus } from "../machine/run.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";
import { escapeInvisible, formatJson } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import { pluralize } from "../text/wording.js";
import { countsText, summaryText } from "./coverage-text.js";
import { type Paths, Tried } from "./items.js";

/** Runs to try, in words. */
export type ListedPaths = ReturnType<typeof listPaths>;

export function listPaths(found: Paths, { agents }: Pack, workflow: Workflow) {
  const { items } = found;
  const tried = new Tried(items);
  const agentOf = new Map(
    agents.members.map(({ name, state }) => [state?.text, name.text] as const).reverse(),
  );
  const budget = workflow.budget?.maxTotalVisits?.value ?? Infinity;
  const paths = found.paths.map((path) => {
    const { trace, status, news } = tried.walkPath(path);
    const root = trace.root ?? "";
    return {
      root,
      /** The agent that starts there, unless it is the entry. */
      agent: root === workflow.entry?.text ? undefined : agentOf.get(root),
      trace,
      end: status,
      /** Whether the budget ends the run before its last event: every other one enters a state, and so does the start. */
      isOverBudget: path.events.length >= budget,
      /** The items that no earlier run covers. */
      news: countsText((part) => news.filter((item) => items.partOf(item) === part).length),
    };
  });
  return { paths, coverage: tried.measure(found) };
}

export function pathsJsonLines({ paths }: ListedPaths): string {
  const lines = paths.map(({ root, agent, trace, isOverBudget }) => {
    const events = trace.steps.map(({ event }) => event);
    return formatJson({ root, agent, events, overBudget: isOverBudget || undefined }, 0);
  });
  return lines.join("");
}

export function pathsText({ paths, coverage }: ListedPaths, width: number): string {
  const blocks = paths.map(({ agent, trace, end, isOverBudget, news }, index) => {
    const facts = [
      ...(agent === undefined ? [] : [`agent "${escapeInvisible(agent)}"`]),
      pluralize(trace.steps.length, "event"),
      endTexts[end],
      ...(isOverBudget ? ["past the budget"] : []),
    ];
    const lines = traceLines(trace, width - 2).map((line) => `  ${line}\n`);
    return `Run ${index + 1}: ${facts.join(", ")}. New: ${news || "nothing"}.\n${lines.join("")}\n`;
  });
  const events = paths.reduce((sum, { trace }) => sum + trace.steps.length, 0);
  const summary = `${pluralize(paths.length, "run")}, ${pluralize(events, "event")}: ${summaryText(coverage)}.\n`;
  return `${blocks.join("")}${summary}`;
}

const endTexts: Readonly<Record<RunStatus, string>> = {
  complete: "complete",
  "budget-exhausted": "stopped by a guard",
  stuck: "stuck",
  running: "still running",
  lost: "broken off",
};

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
