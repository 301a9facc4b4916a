import type { AgenticLog } from "../agentic/agentic-log.js";
import type { LoggedRun, LoggedStep } from "../agentic/run-tracker.js";
import { escapeInvisible } from "../text/escape.js";
import { ruledTable } from "../text/terminal-text.js";
import { pluralize } from "../text/wording.js";

const maxRuns = 20;
const maxTableSteps = 200;

/** The runs of a log of RFC-103 events, a table of steps each. */
export function logText(log: AgenticLog): string {
  const shown = log.runs.slice(0, maxRuns).map((run) => runTable(run, log.isTruncated));
  const hidden = log.runs.length - shown.length;
  const more = hidden > 0 ? [`(${pluralize(hidden, "more run")} not shown.)\n`] : [];
  return [...shown, ...more].map((text) => `${text}\n`).join("");
}

function runTable(run: LoggedRun, isCutOff: boolean): string {
  const rows = run.steps.slice(0, maxTableSteps).map(stepRow);
  const hidden = run.steps.length - rows.length;
  const table = ruledTable([["Step", "Tool", "Plugin", "Tries", "Status"], ...rows]);
  const more = hidden > 0 ? `(${pluralize(hidden, "more step")} not shown.)\n` : "";
  return `Run ${escapeInvisible(run.id)}: ${statusText(run, isCutOff)}\n${rows.length === 0 ? "" : `${table.join("\n")}\n`}${more}${outcomeText(run)}`;
}

function stepRow({ step, requests, results }: LoggedStep): readonly string[] {
  const last = requests.at(-1);
  const result = results.at(-1);
  const isAnswered = results.length >= requests.length;
  const status = result === undefined || !isAnswered ? "pending" : result.isOk ? "ok" : "error";
  return [
    String(step),
    escapeInvisible(last?.tool.text ?? ""),
    escapeInvisible(last?.plugin ?? ""),
    String(requests.length),
    status,
  ];
}

function statusText({ end, steps }: LoggedRun, isCutOff: boolean): string {
  const open = isCutOff ? "cut off" : "running";
  const status = end === undefined ? open : end.kind === "completed" ? "done" : "escalated";
  return `${status}, ${pluralize(steps.length, "step")}`;
}

function outcomeText({ end }: LoggedRun): string {
  const reason = end?.field("reason");
  const text = end?.text("outcome")?.text ?? (reason?.kind === "scalar" ? String(reason.value ?? "") : "");
  return text === "" ? "" : `Outcome: ${escapeInvisible(text)}\n`;
}
