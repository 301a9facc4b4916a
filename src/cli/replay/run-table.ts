import type { AgenticLog } from "../../agentic/agentic-log.js";
import type { RunTrail, StepTrail } from "../../agentic/run-trail.js";
import { ruledLines } from "../../text/table.js";
import { visible } from "../../text/visible-text.js";
import { count } from "../../words/wording.js";

/** More tables than this nobody reads. */
const mostRuns = 20;
const mostSteps = 200;

/** What each run of a log did, a table for each. */
export function runTables(log: AgenticLog): string {
  const shown = log.runs.slice(0, mostRuns).map((run) => runTable(run, log.isCutOff));
  const left = log.runs.length - shown.length;
  return [...shown, ...(left > 0 ? [`(${count(left, "more run")} not shown.)\n`] : [])]
    .map((text) => `${text}\n`)
    .join("");
}

function runTable(run: RunTrail, isCutOff: boolean): string {
  const rows = run.steps.slice(0, mostSteps).map(stepRow);
  const left = run.steps.length - rows.length;
  const table = ruledLines([["Step", "Tool", "Plugin", "Tries", "Status"], ...rows]);
  const more = left > 0 ? `(${count(left, "more step")} not shown.)\n` : "";
  return `Run ${visible(run.id)}: ${statusText(run, isCutOff)}\n${rows.length === 0 ? "" : `${table.join("\n")}\n`}${more}${outcomeText(run)}`;
}

function stepRow({ step, requests, results }: StepTrail): readonly string[] {
  const last = requests.at(-1);
  const result = results.at(-1);
  const isAnswered = results.length >= requests.length;
  const status = result === undefined || !isAnswered ? "pending" : result.isOk ? "ok" : "error";
  return [
    String(step),
    visible(last?.tool.text ?? ""),
    visible(last?.plugin ?? ""),
    String(requests.length),
    status,
  ];
}

function statusText({ end, steps }: RunTrail, isCutOff: boolean): string {
  const open = isCutOff ? "cut off" : "running";
  const status = end === undefined ? open : end.kind === "completed" ? "done" : "escalated";
  return `${status}, ${count(steps.length, "step")}`;
}

function outcomeText({ end }: RunTrail): string {
  const reason = end?.field("reason");
  const text = end?.outcome?.text ?? (reason?.kind === "scalar" ? String(reason.value ?? "") : "");
  return text === "" ? "" : `Outcome: ${visible(text)}\n`;
}
