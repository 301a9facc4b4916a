import type { AgenticLog } from "../../agentic/agentic-log.js";
import type { LoggedRun, LoggedStep } from "../../agentic/run-trail.js";
import { ruledTable } from "../../text/table.js";
import { escapeInvisible } from "../../text/visible-text.js";
import { pluralize } from "../../words/wording.js";

/** More tables than this nobody reads. */
const maxRuns = 20;
const maxTableSteps = 200;

/** What each run of a log did, a table for each. */
export function runTables(log: AgenticLog): string {
  const shown = log.runs.slice(0, maxRuns).map((run) => runTable(run, log.isTruncated));
  const left = log.runs.length - shown.length;
  return [...shown, ...(left > 0 ? [`(${pluralize(left, "more run")} not shown.)\n`] : [])]
    .map((text) => `${text}\n`)
    .join("");
}

function runTable(run: LoggedRun, isCutOff: boolean): string {
  const rows = run.steps.slice(0, maxTableSteps).map(stepRow);
  const left = run.steps.length - rows.length;
  const table = ruledTable([["Step", "Tool", "Plugin", "Tries", "Status"], ...rows]);
  const more = left > 0 ? `(${pluralize(left, "more step")} not shown.)\n` : "";
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
  const text = end?.outcome?.text ?? (reason?.kind === "scalar" ? String(reason.value ?? "") : "");
  return text === "" ? "" : `Outcome: ${escapeInvisible(text)}\n`;
}
