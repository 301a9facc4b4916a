import { defaultLimits } from "../../src/document/file-format.js";
import { expect, it } from "vitest";
import { AgenticLog } from "../../src/agentic/agentic-log.js";
import { checkLog } from "../../src/lint/check-record.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { readDocument } from "../../src/document/read.js";
import { joinRoutes, readRoutes } from "../../src/routes/routes.js";

const start = (goal: string, context: object = {}): string =>
  JSON.stringify({ type: "agentic.start", payload: { goal, context } });

/** A run from its first request to its end. */
function run(id: string, goal: string, steps = 1): readonly string[] {
  const lines = Array.from({ length: steps }, (_, index) => {
    const payload = { run_id: id, step: index + 1, tool: "a" };
    const key = `agentic:run:${id}:step:${index + 1}`;
    return [
      { type: "agentic.tool_request.a", payload, dedupe_key: `${key}:request` },
      { type: "agentic.tool_result", payload: { ...payload, status: "ok" }, dedupe_key: `${key}:result` },
    ];
  });
  const end = { type: "agent.completed", payload: { run_id: id, goal } };
  return [...lines.flat(), end].map((line) => JSON.stringify(line));
}

/** `line rule` of what is said of a log, with routes that allow so many steps. */
function said(lines: readonly string[], maxSteps?: number): readonly string[] {
  const text = `plugins: { agentic-loop: { config: { max_steps: ${maxSteps ?? "null"} } } }`;
  const routes = joinRoutes([readRoutes("routes.yaml", readDocument(text, "yaml"))]);
  const log = new AgenticLog(readJsonLines(lines.join("\n"), defaultLimits), { routes });
  return checkLog(log, {})
    .filter(({ rule }) => rule !== "agentic-route")
    .map(({ range, rule }) => `${range.start.line} ${rule}`);
}

it("a run may answer any start that waits, whichever an earlier one may have answered", () => {
  const starts = [start("g"), start("h")];
  expect(said([...starts, ...run("R2", "h"), ...run("R1", "g")])).toEqual([]);
  expect(said([...starts, ...run("R1", "g"), ...run("R2", "h")])).toEqual([]);
  expect(said([...starts, ...run("R1", "g"), start("i"), ...run("R2", "i"), ...run("R3", "h")])).toEqual([]);
  expect(said([...starts, ...run("R1", "g"), ...run("R2", "k")])).toEqual(["8 agentic-completion"]);
});

it("as many runs as starts have answered them all", () => {
  const both = [start("g"), start("h"), ...run("R1", "g"), ...run("R2", "h")];
  expect(said([...both, start("i"), ...run("R3", "g")])).toEqual(["12 agentic-completion"]);
  expect(said([...both, ...run("R3", "g"), start("i")])).toEqual(["12 agentic-run-open"]);
});

it("the largest budget that may be a run's counts", () => {
  const starts = [start("g", { max_steps: 10 }), start("g", { max_steps: 3 })];
  expect(said([...starts, ...run("R1", "g", 3), ...run("R2", "g", 3)], 2)).toEqual([]);
  expect(said([...starts, ...run("R1", "g", 10), ...run("R2", "g", 3)], 2)).toEqual(["21 agentic-max-steps"]);
  expect(
    said([start("g"), start("g", { max_steps: 3 }), ...run("R1", "g", 2), ...run("R2", "g", 3)]),
  ).toEqual([]);
  expect(said([start("g"), ...run("R1", "g", 2)], 2)).toEqual(["4 agentic-max-steps"]);
});

it("claims nothing where any start may be meant, and goes on after one that nobody answers", () => {
  const many = Array.from({ length: 17 }, (_, index) => start(`g${index}`, { max_steps: 9 }));
  expect(said([...many, ...run("R1", "k", 2)], 2).filter((line) => !line.includes("run-open"))).toEqual([]);
  const each = Array.from({ length: 40 }, (_, index) => [
    start(`g${index}`),
    ...run(`R${index}`, `g${index}`),
  ]);
  expect(said([start("lost"), ...each.flat()])).toEqual(["158 agentic-run-open"]);
  expect(said([start("lost"), ...each.flat(), start("last"), ...run("R", "lost")])).toContainEqual(
    expect.stringContaining("agentic-completion"),
  );
});
