import { defaultLimits } from "../../src/document/file-format.js";
import { expect, it } from "vitest";
import { AgenticLog } from "../../src/agentic/agentic-log.js";
import { readPluginState } from "../../src/agentic/loop-files.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { readDocument } from "../../src/document/read.js";
import { checkLog, checkState } from "../../src/lint/check-record.js";

const event = (type: string, payload: object): string => JSON.stringify({ type, payload });
const request = (run: string, step: number, tool = "fetch"): string =>
  JSON.stringify({
    type: `agentic.tool_request.${tool}`,
    payload: { run_id: run, step, tool },
    dedupe_key: `agentic:run:${run}:step:${step}:request`,
  });
const result = (run: string, step: number, tool = "fetch"): string =>
  JSON.stringify({
    type: "agentic.tool_result",
    payload: { run_id: run, step, tool, status: "ok" },
    dedupe_key: `agentic:run:${run}:step:${step}:result`,
  });
const completed = (run: string): string => event("agent.completed", { run_id: run, goal: "g" });

/** `pointer rule` of what is found in the log and the state. */
function found(log: readonly string[], runs: object, lastRunId?: string): readonly string[] {
  const state = readPluginState(readDocument(JSON.stringify({ runs, last_run_id: lastRunId }), "json"));
  const read = new AgenticLog(readJsonLines(log.join("\n"), defaultLimits), { state });
  return [...checkLog(read, {}), ...checkState(state, read, {})]
    .filter(({ severity }) => severity !== "info")
    .map(({ pointer, rule }) => `${pointer} ${rule}`);
}

const waiting = { status: "running", step: 1, pending_step: 1, pending_tool: "fetch" };
const cleared = { status: "running", step: 1 };

it("compares what each run waits for", () => {
  const log = [request("R1", 1), request("R2", 1), result("R2", 1)];
  expect(found(log, { R1: waiting, R2: cleared })).toEqual([]);
  expect(found(log, { R1: cleared, R2: waiting })).toEqual([
    "/runs/R1 agentic-state-log",
    "/runs/R2/pending_step agentic-state-log",
  ]);
});

it("leaves open whether a foreign event was accepted as the result", () => {
  const ready = event("content_ready", { run_id: "R1", step: 1, tool: "fetch", status: "ok" });
  const log = [request("R1", 1), ready];
  expect(found(log, { R1: waiting })).toEqual([]);
  expect(found(log, { R1: cleared })).toEqual([]);
});

it("leaves to other rules what they report", () => {
  const escalated = { status: "escalated", step: 1 };
  expect(found([request("R1", 1), result("R1", 1, "fabric")], { R1: escalated })).toEqual([
    "/1/payload/tool agentic-not-escalated",
  ]);
  expect(found([result("R1", 1)], { R1: waiting })).toEqual(["/0/payload/run_id agentic-unknown-run"]);
  expect(found([request("R1", 1)], { R1: { ...waiting, pending_step: 1.5 } })).toEqual([
    "/runs/R1/pending_step agentic-state-shape",
  ]);
  expect(found([request("R1", 1)], { R1: { ...waiting, step: -1 } })).toEqual([
    "/runs/R1/step agentic-state-shape",
  ]);
  expect(found([request("R1", 1)], { R1: [] })).toEqual(["/runs/R1 agentic-state-shape"]);
});

it("compares no log that cannot be read to its end", () => {
  expect(found([request("R1", 1), "{"], {})).toEqual([" parse-error"]);
  const withoutRun = result("R1", 1).replace('"run_id":"R1",', "");
  expect(found([withoutRun], { R1: waiting })).toEqual(["/0/payload agentic-event"]);
});

it("takes as the last run the one that began last or was active last", () => {
  const log = [request("R1", 1), request("R2", 1), request("R3", 1), result("R1", 1), completed("R1")];
  const runs = { R1: { status: "done", step: 1 }, R2: waiting, R3: waiting };
  for (const last of ["R1", "R3", "", undefined]) expect(found(log, runs, last)).toEqual([]);
  expect(found(log, runs, "R2")).toEqual(["/last_run_id agentic-state-log"]);
  expect(found(log, { ...runs, R4: waiting }, "R4")).toEqual(["/runs/R4 agentic-state-log"]);
});

it("reports a run that the state lost once", () => {
  expect(found([request("R1", 1)], {}, "R1")).toEqual(["/runs agentic-state-log"]);
});

it("compares times by the second, since not all are written with fractions", () => {
  const at = (text: string) => `2026-01-01T00:00:${text}Z`;
  const timed = (line: string, field: string, text: string) =>
    line.replace('"tool"', `"${field}":"${at(text)}","tool"`);
  const log = [
    timed(request("R1", 1), "requested_at", "01"),
    timed(result("R1", 1), "completed_at", "05.300"),
  ];
  const state = (created: string, updated: string) => ({
    R1: { ...cleared, completed_steps: [1], created_at: at(created), updated_at: at(updated) },
  });
  expect(found(log, state("01.900", "05"))).toEqual([]);
  expect(found(log, state("02", "04.999"))).toEqual([
    "/runs/R1/created_at agentic-state-log",
    "/runs/R1/updated_at agentic-state-log",
  ]);
});

it("knows which attempts, completed steps and limits RFC-103 leaves open", () => {
  const twice = [request("R1", 1), result("R1", 1).replace('"ok"', '"error"'), request("R1", 1)];
  for (const [attempt, isOpen] of [
    [0, false],
    [1, true],
    [2, true],
    [3, false],
  ] as const)
    expect(found(twice, { R1: { ...waiting, attempt } })).toEqual(
      isOpen ? [] : ["/runs/R1/attempt agentic-state-log"],
    );
  const counted = twice.with(2, request("R1", 1).replace('"tool"', '"attempt":2,"tool"'));
  expect(found(counted, { R1: { ...waiting, attempt: 1 } })).toEqual(["/runs/R1/attempt agentic-state-log"]);
  const failed = [...twice.slice(0, 2), event("agent.escalated", { run_id: "R1" })];
  for (const completed_steps of [[], [1]])
    expect(found(failed, { R1: { status: "escalated", step: 1, completed_steps } })).toEqual([]);
});
