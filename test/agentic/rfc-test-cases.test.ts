import { defaultLimits } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { AgenticLog } from "../../src/agentic/agentic-log.js";
import { checkLog } from "../../src/lint/check-record.js";
import { readJsonLines } from "../../src/document/json/read-json.js";

const request = (step: number, tool: string): string =>
  JSON.stringify({
    type: `agentic.tool_request.${tool}`,
    payload: { run_id: "R1", step, tool },
    dedupe_key: `agentic:run:R1:step:${step}:request`,
  });
const result = (step: number, tool: string, status = "ok"): string =>
  JSON.stringify({
    type: "agentic.tool_result",
    payload: { run_id: "R1", step, tool, status },
    dedupe_key: `agentic:run:R1:step:${step}:result`,
  });
const start = (maxSteps = 6): string =>
  JSON.stringify({
    type: "agentic.start",
    payload: { goal: "g", context: { max_steps: maxSteps } },
    dedupe_key: "agentic:start:1",
  });
const completed = JSON.stringify({ type: "agent.completed", payload: { run_id: "R1", goal: "g" } });
const escalated = JSON.stringify({ type: "agent.escalated", payload: { run_id: "R1" } });

/** `severity line rule` of what is said of a log. */
function said(...lines: readonly string[]): readonly string[] {
  const log = new AgenticLog(readJsonLines(lines.join("\n"), defaultLimits));
  return checkLog(log, {}).map(({ severity, range, rule }) => `${severity} ${range.start.line} ${rule}`);
}

/** What is right, and what a loop without the property in question would have logged. */
const cases: Readonly<Record<string, () => void>> = {
  "Start event creates run and first tool request.": () => {
    expect(said(start(), request(1, "fetch"), result(1, "fetch"), completed)).toEqual([]);
    expect(said(start())).toEqual(["info 1 agentic-run-open"]);
    expect(said(start(), request(2, "fetch"), result(2, "fetch"), completed)).toEqual([
      "error 2 agentic-step-order",
    ]);
  },
  "Matching tool result resumes and advances to next step.": () => {
    const first = [start(), request(1, "fetch"), result(1, "fetch")];
    expect(said(...first, request(2, "fabric"), result(2, "fabric"), completed)).toEqual([]);
    expect(said(...first, request(3, "fabric"), result(3, "fabric"), completed)).toEqual([
      "warning 4 agentic-step-gap",
    ]);
  },
  "Duplicate tool result does not double-advance step.": () => {
    const first = [
      start(),
      request(1, "fetch"),
      result(1, "fetch"),
      request(2, "fabric"),
      result(1, "fetch"),
    ];
    expect(said(...first, result(2, "fabric"), completed)).toEqual(["info 5 agentic-stale-result"]);
    expect(said(...first, request(3, "lint"), result(3, "lint"), completed)).toEqual([
      "error 6 agentic-double-advance",
    ]);
  },
  "Stale step result is ignored.": () => {
    const first = [
      start(),
      request(1, "fetch"),
      result(1, "fetch"),
      request(2, "fabric"),
      result(2, "fabric"),
    ];
    const third = [request(3, "lint"), result(1, "shell"), result(3, "lint"), completed];
    expect(said(...first, ...third)).toEqual(["info 7 agentic-stale-result"]);
  },
  "Wrong tool for pending step escalates.": () => {
    const first = [start(), request(1, "fetch"), result(1, "fabric")];
    expect(said(...first, escalated)).toEqual([]);
    expect(said(...first, request(2, "fabric"), result(2, "fabric"), completed)).toEqual([
      "error 3 agentic-not-escalated",
    ]);
  },
  "`max_steps` cutoff escalates deterministically.": () => {
    const first = [start(2), request(1, "fetch"), result(1, "fetch")];
    expect(said(...first, escalated)).toEqual([]);
    expect(said(...first, request(2, "fabric"), result(2, "fabric"), escalated)).toEqual([]);
    expect(said(...first, request(2, "fabric"), result(2, "fabric"), completed)).toEqual([
      "error 4 agentic-max-steps",
    ]);
  },
  "Completion emits exactly one `agent.completed`.": () => {
    const first = [start(), request(1, "fetch"), result(1, "fetch"), completed];
    expect(said(...first)).toEqual([]);
    expect(said(...first, completed)).toEqual(["error 5 agentic-after-end"]);
    expect(said(...first, escalated)).toEqual(["error 5 agentic-after-end"]);
  },
};

describe("RFC-103, Test Cases (Must Pass)", () => {
  for (const [name, run] of Object.entries(cases)) it(name, run);
});
