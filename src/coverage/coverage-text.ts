import type { TraceStep } from "../diagnostic.js";
import type { RunStatus } from "../machine/run.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";
import { escapeInvisible, fenced, formatJson } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import { alignColumns, ruledTable } from "../text/terminal-text.js";
import { capitalize, joinWords, pluralize, quoteForTrace } from "../text/wording.js";
import { type Coverage, type Item, type Part, parts, type Paths, Tried } from "./items.js";

const partNames: Readonly<Record<Part, string>> = {
  states: "state",
  transitions: "transition",
  forcedExits: "forced exit",
  ends: "end",
};

/** `3 states and 1 end`; leaves out zero counts. */
function countsText(count: (part: Part) => number): string {
  const words = parts.flatMap((part) => (count(part) === 0 ? [] : pluralize(count(part), partNames[part])));
  return joinWords(words, "and");
}

export function countOf({ seen, missing }: Coverage, part: Part) {
  return { seen: seen[part].length, total: seen[part].length + missing[part].length };
}

function undecidedNotes({ undecided }: Coverage): readonly string[] {
  const text = countsText((part) => undecided[part].length);
  return text === "" ? [] : [`Runs may be able to do more, ${text}: there are too many of them to find out.`];
}

export function pathNotes(coverage: Coverage): readonly string[] {
  const text = countsText((part) => coverage.missing[part].length);
  const leftOut = text === "" ? [] : [`Left out, because the runs would be too long to list: ${text}.`];
  return [...leftOut, ...undecidedNotes(coverage)];
}

/** In per cent, rounded down, so that 100 means everything. */
export function shareText(seen: number, total: number): string {
  return `${total === 0 ? 100 : Math.floor((seen * 100) / total)} %`;
}

export function coverageJson(coverage: Coverage, runs: number): string {
  const { missing, undecided } = coverage;
  const counts = parts.map((part) => [part, { ...countOf(coverage, part), missing: missing[part] }]);
  const isDecided = parts.every((part) => undecided[part].length === 0);
  return formatJson({
    runs,
    ...Object.fromEntries(counts),
    undecided: isDecided ? undefined : undecided,
  });
}

function coverageRows(coverage: Coverage): readonly (readonly string[])[] {
  const rows = parts.map((part) => {
    const { seen, total } = countOf(coverage, part);
    return [`${capitalize(partNames[part])}s`, String(seen), String(total), shareText(seen, total)];
  });
  return [["", "Tried", "Of", "Share"], ...rows];
}

export function coverageTable(coverage: Coverage, runs: number): string {
  const missing = missingLines(coverage);
  const lines = [
    ...ruledTable(coverageRows(coverage)),
    "",
    `${pluralize(runs, "run")}. Never tried: ${missing.length === 0 ? "nothing." : ""}`.trimEnd(),
    ...missing.map((line) => `  ${line}`),
    ...undecidedNotes(coverage),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function coverageMarkdown(coverage: Coverage, runs: number): string {
  const [head = "", ...body] = coverageRows(coverage).map((row) => `| ${row.join(" | ")} |`);
  const missing = missingLines(coverage);
  const lines = [
    `## Coverage of ${pluralize(runs, "recorded run")}`,
    "",
    head,
    "| --- | ---: | ---: | ---: |",
    ...body,
    ...(missing.length === 0 ? [] : ["", "Never tried:", "", ...fenced("text", missing)]),
    ...undecidedNotes(coverage).flatMap((note) => ["", note]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const maxMissing = 100;

function missingLines({ missing }: Coverage): readonly string[] {
  const rows = parts.flatMap((part) =>
    missing[part].slice(0, maxMissing).map((item) => [partNames[part], itemText(item)]),
  );
  const total = parts.reduce((sum, part) => sum + missing[part].length, 0);
  const shown = alignColumns(rows.slice(0, maxMissing), Infinity);
  return total > shown.length ? [...shown, `and ${total - shown.length} more`] : shown;
}

function itemText(item: Item): string {
  const shown = (name: string): string => escapeInvisible(quoteForTrace(name));
  if (typeof item === "string") return shown(item);
  const state = shown(item.state);
  if ("event" in item) return `${state} ─${shown(item.event)}→`;
  if ("to" in item) return `${state} ⇒ ${shown(item.to)}`;
  return item.end === "complete" ? `complete in ${state}` : `stopped at ${state}`;
}

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
  const counts = parts.map((part) => {
    const { seen, total } = countOf(coverage, part);
    return `${seen} of ${pluralize(total, partNames[part])}`;
  });
  const runs = `${pluralize(paths.length, "run")}, ${pluralize(events, "event")}`;
  return `${blocks.join("")}${runs}: ${counts.join(", ")}.\n`;
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
      ...(entered.length === 0 ? [] : orderLines(entered)),
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

function orderLines(entered: readonly string[]): readonly string[] {
  return [
    "  conversation_assertions:",
    "    - type: workflow_transition_order",
    `      params: { sequence: [${entered.map(quote).join(", ")}] }`,
  ];
}

/** A string of JSON is one of YAML, too. */
function quote(text: string): string {
  return formatJson(text, 0).trimEnd();
}
