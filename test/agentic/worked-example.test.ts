import { defaultLimits } from "../../src/document/file-format.js";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AgenticLog, type LogSurroundings } from "../../src/agentic/agentic-log.js";
import { checkLog } from "../../src/lint/check-record.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { readDocument } from "../../src/document/read.js";
import { lint } from "../../src/index.js";
import { joinRoutes, readRoutes, type Routes } from "../../src/routes/routes.js";

const folder = "fixtures/agentic/worked-example";
const read = (name: string): string => readFileSync(`${folder}/${name}`, "utf8");
const routesOf = (text: string): Routes =>
  joinRoutes([readRoutes("routes.yaml", readDocument(text, "yaml"))]);

/** What is said of a log: `line rule`. */
function said(text: string, surroundings: LogSurroundings = {}): readonly string[] {
  const log = new AgenticLog(readJsonLines(text, defaultLimits), surroundings);
  return checkLog(log, {}).map(({ range, rule }) => `${range.start.line} ${rule}`);
}

function saidOfRoutes(text: string): readonly string[] {
  return lint(text, { file: "routes.yaml" }).diagnostics.map(
    ({ range, rule }) => `${range.start.line} ${rule}`,
  );
}

const mended = read("mended.jsonl");
const mendedRoutes = read("mended.routes.yaml");

describe("the worked example of RFC-103", () => {
  it("as printed: the dedupe keys are unlike the run id", () => {
    const routes = routesOf(read("as-printed.routes.yaml"));
    expect(said(read("as-printed.jsonl"), { routes })).toEqual([
      "2 agentic-dedupe-key",
      "3 agentic-dedupe-key",
      "4 agentic-dedupe-key",
      "5 agentic-dedupe-key",
    ]);
  });

  it("as printed: a tool is allowed by the name of its pipeline, not of its plugin", () => {
    const { diagnostics } = lint(read("as-printed.routes.yaml"), { file: "routes.yaml" });
    expect(diagnostics.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      "route-tool-name /plugins/agentic-loop/config/allowed_plugins/0",
    ]);
  });

  it("is clean when mended", () => {
    expect(said(mended, { routes: routesOf(mendedRoutes) })).toEqual([]);
    expect(saidOfRoutes(mendedRoutes)).toEqual([]);
  });
});

/** The mended log with its lines rearranged or rewritten. */
function changed(change: (lines: string[]) => readonly string[]): string {
  return change(mended.trimEnd().split("\n")).join("\n");
}

const on = (line: number, from: string | RegExp, to: string): string =>
  changed((lines) => lines.map((text, index) => (index + 1 === line ? text.replace(from, to) : text)));

describe("a line that cannot be read", () => {
  it("hides nothing that comes before it", () => {
    const broken = read("as-printed.jsonl").split("\n").with(4, "{{");
    expect(said(broken.join("\n"))).toEqual([
      "2 agentic-dedupe-key",
      "3 agentic-dedupe-key",
      "4 agentic-dedupe-key",
      "5 parse-error",
    ]);
  });

  it("leaves open what follows", () => {
    expect(said(changed((lines) => lines.with(1, "{")))).toEqual(["2 parse-error"]);
    expect(said(changed((lines) => lines.with(3, "{")))).toEqual(["4 parse-error"]);
    const wrongTool = on(3, '"tool": "fetch"', '"tool": "other"').split("\n");
    expect(said(wrongTool.slice(0, 3).join("\n"))).toEqual(["3 agentic-not-escalated"]);
    expect(said(wrongTool.with(3, "{").join("\n"))).toEqual(["4 parse-error"]);
  });
});

it("an event of something else takes nothing from the order of the runs", () => {
  const foreign = '{"type": "content_ready", "payload": {"run_id": "01JABC", "url": "http://mattjoyce.ai"}}';
  const twice = changed((lines) => [foreign, ...lines, lines[5] ?? ""]);
  expect(said(twice)).toEqual(["1 agentic-event", "8 agentic-after-end"]);
});

describe("an event of something else that carries what a run waits for", () => {
  /** The mended log with the result in this line emitted as another event, or with that event before the line. */
  const emitted = (line: number, keep: 0 | 1 = 0, from = "", to = ""): string =>
    changed((lines) => {
      const result = lines[line - 1] ?? "";
      const event = result.replace("agentic.tool_result", "content_ready").replace(from, to);
      return lines.toSpliced(line - 1, 1, event, ...(keep === 1 ? [result] : []));
    });

  it("stands in for the result if the run goes on without one", () => {
    expect(said(emitted(3))).toEqual(["3 agentic-event"]);
    expect(said(emitted(3, 0, '"status": "ok", ', ""))).toEqual(["3 agentic-event"]);
    // Line 6 lists an artifact that only line 5 gives.
    expect(said(emitted(5))).toEqual(["5 agentic-event"]);
    expect(said(emitted(3, 0, '"status": "ok"', '"status": "error"'))).toEqual([
      "3 agentic-event",
      "4 agentic-after-error",
    ]);
  });

  it("takes nothing from a result that follows, nor from a request that is sent again", () => {
    expect(said(emitted(3, 1))).toEqual(["3 agentic-event"]);
    const again = changed(([start = "", request = "", result = "", ...rest]) => [
      start,
      request,
      result.replace("agentic.tool_result", "content_ready"),
      request.replace("12:00:00Z", "12:00:01Z"),
      result,
      ...rest,
    ]);
    expect(said(again)).toEqual(["3 agentic-event", "4 agentic-duplicate"]);
  });

  it("must be for the step and from the tool", () => {
    expect(said(emitted(3, 0, '"step": 1', '"step": 2'))).toEqual(["3 agentic-event", "4 agentic-pending"]);
    expect(said(emitted(3, 0, '"tool": "fetch"', '"tool": "other"'))).toEqual([
      "3 agentic-event",
      "4 agentic-pending",
    ]);
    expect(said(emitted(3, 0, '"tool": "fetch", ', ""))).toEqual(["3 agentic-event", "4 agentic-pending"]);
  });

  it("must say how the tool did, or what it gave", () => {
    const at =
      '{"type": "started", "payload": {"run_id": "01JABC", "step": 1, "tool": "fetch", "percent": 40}}';
    const started = changed((lines) => lines.with(2, at));
    expect(said(started)).toEqual(["3 agentic-event", "4 agentic-pending"]);
    expect(said(emitted(3, 0, '"status": "ok"', '"status": "failed"'))).toEqual([
      "3 agentic-event",
      "4 agentic-pending",
    ]);
  });

  it("is the first of several", () => {
    const later =
      '{"type": "metrics", "payload": {"run_id": "01JABC", "step": 2, "tool": "fabric", "status": "ok"}}';
    const two = emitted(5).split("\n").toSpliced(5, 0, later).join("\n");
    expect(said(two)).toEqual(["5 agentic-event", "6 agentic-event"]);
  });

  it("makes the same request a retry if it tells of an error", () => {
    const again = changed(([start = "", request = "", result = "", ...rest]) => [
      start,
      request,
      result.replace("agentic.tool_result", "content_failed").replace('"status": "ok"', '"status": "error"'),
      request.replace("12:00:00Z", "12:00:01Z"),
      result,
      ...rest,
    ]);
    expect(said(again)).toEqual(["3 agentic-event"]);
  });

  it("leaves a run open that does not go on", () => {
    const open = emitted(5).split("\n").slice(0, 5).join("\n");
    expect(said(open)).toEqual(["4 agentic-run-open", "5 agentic-event"]);
  });
});

it("a loop that requests itself is known without routes", () => {
  expect(said(on(4, "tool_request.fabric", "tool_request.agentic-loop"))).toEqual(["4 agentic-route"]);
});

describe("one defect gives one finding", () => {
  it.each<[string, string, string]>([
    [
      "a run that starts at step 2",
      changed(([start, , , ...rest]) => [start ?? "", ...rest]).replace(
        '"steps_taken": 2',
        '"steps_taken": 1',
      ),
      "2 agentic-step-order",
    ],
    ["a missing result", changed((lines) => lines.toSpliced(2, 1)), "3 agentic-pending"],
    [
      "a result before its request",
      changed(([a = "", b = "", c = "", ...rest]) => [a, c, b, ...rest]),
      "2 agentic-result-before-request",
    ],
    [
      "a result of the next step",
      changed(([a = "", b = "", c = "", d = "", e = "", ...rest]) => [a, b, e, c, d, ...rest]),
      "3 agentic-not-escalated",
    ],
    [
      "a result of an unknown run",
      changed((lines) => lines.toSpliced(3, 0, (lines[2] ?? "").replaceAll("01JABC", "02XYZ"))),
      "4 agentic-unknown-run",
    ],
    [
      "a result delivered twice",
      changed((lines) => lines.toSpliced(3, 0, lines[2] ?? "")),
      "4 agentic-stale-result",
    ],
    ["a result after the end", changed((lines) => [...lines, lines[4] ?? ""]), "7 agentic-late-result"],
    ["a result of the wrong tool", on(3, '"tool": "fetch"', '"tool": "fabric"'), "3 agentic-not-escalated"],
    ["an error that is passed over", on(3, '"status": "ok"', '"status": "error"'), "4 agentic-after-error"],
    ["two completions", changed((lines) => [...lines, lines[5] ?? ""]), "7 agentic-after-end"],
    ["a run left open", changed((lines) => lines.slice(0, -1)), "5 agentic-run-open"],
    ["a budget of two steps", on(1, '"max_steps": 6', '"max_steps": 2'), "4 agentic-max-steps"],
    ["steps miscounted", on(6, '"steps_taken": 2', '"steps_taken": 3'), "6 agentic-completion"],
    ["another goal", on(6, "critique", "summary"), "6 agentic-completion"],
    [
      "an artifact nobody made",
      on(6, '"artifacts/critique.md"]', '"artifacts/critique.pdf"]'),
      "6 agentic-unknown-artifact",
    ],
    [
      "an absolute artifact path",
      on(3, "artifacts/fetch-01.html", "/tmp/fetch-01.html"),
      "3 agentic-artifact-path",
    ],
    [
      "a large result",
      on(3, '"excerpt": "..."', `"excerpt": "${"x".repeat(5000)}"`),
      "3 agentic-inline-size",
    ],
    ["a result before its time", on(3, "12:00:05Z", "11:00:05Z"), "3 agentic-time-order"],
    ["a reserved key in the tool payload", on(2, '{"url"', '{"step": 9, "url"'), "2 agentic-reserved-key"],
    ["a plugin without a route", on(4, "tool_request.fabric", "tool_request.fabrik"), "4 agentic-route"],
    ["a misspelt type", on(6, "agent.completed", "agent.complete"), "6 agentic-event"],
    ["a result without a step", on(5, '"step": 2, ', ""), "5 agentic-event"],
    ["a line that is no JSON", on(5, /\}$/, ""), "5 parse-error"],
  ])("%s", (_, log, finding) => {
    expect(said(log, { routes: routesOf(mendedRoutes) })).toEqual([finding]);
  });

  it.each<[string, string, string]>([
    [
      "a pipeline that does not resume",
      mendedRoutes.replace("      - id: resume\n        uses: agentic-loop\n\n", "\n"),
      "6 route-no-resume",
    ],
    [
      "a pipeline that runs another plugin",
      mendedRoutes.replace("uses: fabric", "uses: shell"),
      "11 route-wrong-plugin",
    ],
    [
      "a loop that may use itself",
      mendedRoutes.replace("[fabric,", "[agentic-loop, fabric,"),
      "26 route-self",
    ],
    [
      "a token for everything",
      mendedRoutes.replace("max_steps: 20", 'max_steps: 20\n      token_scopes: ["admin:*"]'),
      "25 route-scope",
    ],
    ["no budget", mendedRoutes.replace("      max_steps: 20\n", ""), "19 route-limits"],
  ])("%s", (_, routes, finding) => {
    expect(saidOfRoutes(routes)).toEqual([finding]);
  });
});
