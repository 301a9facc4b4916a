import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { checkRun } from "../../src/lint/check-record.js";
import { defaultLimits } from "../../src/document/file-format.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { buildMachine, type Reading, rfcReading } from "../../src/machine/machine.js";
import { workflowRuntimes } from "../../src/runtimes/index.js";
import { readingOf } from "../../src/runtimes/runtime.js";
import { randomScenes } from "../../src/vectors/random-scenes.js";
import { sentenceScenes } from "../../src/vectors/sentences.js";
import { openPack, type Played, type VectorEvent } from "../../src/vectors/vector.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { runs } from "../runs.js";

interface Line {
  readonly name: string;
  readonly record: readonly object[];
  readonly agent?: string;
  readonly output?: Readonly<Record<string, string>>;
  readonly pack: object;
  readonly events: readonly VectorEvent[];
  readonly runtimes?: Readonly<Record<string, Played>>;
}

async function linesOf(...args: readonly string[]): Promise<readonly Line[]> {
  const { code, stdout, stderr } = await promptpack(["vectors", ...args], { cwd: "/" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const texts = stdout.split("\n");
  expect(texts.pop()).toBe("");
  return texts.map((text) => JSON.parse(text) as Line);
}

const lines = await linesOf("--count", String(runs(2000)), "--seed", "5", "--runtime", "promptkit");

it("writes those for sentences first, and then as many random ones as it should", async () => {
  const names = sentenceScenes.map(({ name }) => name);
  expect((await linesOf("--count", "0")).map(({ name }) => name)).toEqual(names);
  const all = (await linesOf()).map(({ name }) => name);
  expect(all.slice(0, names.length)).toEqual(names);
  expect(all).toHaveLength(names.length + 200);
  expect(new Set(all).size).toBe(all.length);
});

it("fits the schema, line by line", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const read = (kind: string): object =>
    JSON.parse(readFileSync(`schema/${kind}.schema.json`, "utf8")) as object;
  ajv.addSchema(read("run-record"), "run-record.schema.json");
  const validate = ajv.compile(read("vector"));
  for (const line of lines)
    expect([line.name, validate({ ...line }), validate.errors]).toEqual([line.name, true, null]);
});

it("has packs that the schema of packs accepts", () => {
  for (const { name, pack } of lines) {
    const { diagnostics } = lint(JSON.stringify(pack), { format: "json" });
    const rules = diagnostics.filter(({ severity }) => severity === "error").map(({ rule }) => rule);
    expect([name, rules.filter((rule) => rule !== "forced-exit-cycle")]).toEqual([name, []]);
  }
});

/** What replay finds in a record, by the machine of a reading. */
function replayed(pack: object, record: readonly object[], reading: Reading): readonly string[] {
  const opened = openPack(pack);
  const text = record.map((line) => JSON.stringify(line)).join("\n");
  const target = {
    ...opened,
    kind: "transitions",
    document: readJsonLines(text, defaultLimits),
    machine: buildMachine(opened.workflow, reading),
    checksBudget: true,
  } as const;
  // An info says that a record counts no tool calls, which "run-record" has no place for.
  const found = checkRun(target, {}).diagnostics.filter(({ severity }) => severity !== "info");
  return found.map(({ message }) => message);
}

it("replays without a finding, by the reading that each record was made with", () => {
  for (const { name, pack, record, runtimes = {} } of lines) {
    expect([name, replayed(pack, record, rfcReading)]).toEqual([name, []]);
    for (const runtime of workflowRuntimes) {
      const { record: own = [] } = runtimes[runtime.name] ?? {};
      const findings = replayed(pack, own, readingOf(runtime) ?? rfcReading);
      expect([name, runtime.name, findings]).toEqual([name, runtime.name, []]);
    }
  }
});

it("is what simulate makes of the same events", async () => {
  for (const line of (await linesOf("--count", "20", "--seed", "3")).filter((_, index) => index % 3 === 0)) {
    const { agent, events, output } = line;
    // A value for the end of a run may be written where an earlier state declares the artifact.
    if (events.length === 0 || output !== undefined) continue;
    const escaped = (text: string) => text.replace(/[\\[\],=]/g, "\\$&");
    const list = events.map(({ event, artifacts = {}, toolCalls = 0, seconds = 0 }) =>
      [
        event,
        ...Object.entries(artifacts).map(([name, value]) => `[${name}=${escaped(value)}]`),
        `[tools ${toolCalls}][seconds ${seconds}]`,
      ].join(""),
    );
    const args = ["simulate", "-", "-f", "jsonl", "--events", list.join(",")];
    const all = [...args, ...(agent === undefined ? [] : ["--agent", agent])];
    const { stdout } = await promptpack(all, { stdin: JSON.stringify(line.pack), cwd: folderOf({}) });
    const record = stdout
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text) as object);
    expect([line.name, record]).toEqual([line.name, line.record]);
  }
});

it("gives the same bytes for the same seed, and other packs for another", async () => {
  const bytes = async (seed: string) =>
    (await promptpack(["vectors", "--count", "30", "--seed", seed], { cwd: "/" })).stdout;
  expect(await bytes("7")).toBe(await bytes("7"));
  const packs = (seed: number) =>
    [...randomScenes(30, seed)].map(({ pack }) => JSON.stringify(pack).replaceAll(`random-${seed}`, ""));
  expect(packs(7).filter((pack) => packs(8).includes(pack))).toEqual([]);
  const [few, more] = [[...randomScenes(5, 7)], [...randomScenes(9, 7)]];
  expect(more.slice(0, 5)).toEqual(few);
});

it("ends runs in every way, and by every reading", () => {
  const endingOf = ({ record }: Line): string => {
    const { status, limit } = record.at(-1) as { status: string; limit?: string };
    return limit ?? status;
  };
  const random = lines.filter(({ name }) => name.startsWith("random-"));
  expect([...new Set(random.map(endingOf))].sort()).toEqual([
    "complete",
    "max_tool_calls",
    "max_total_visits",
    "max_visits",
    "max_wall_time_sec",
    "running",
    "stuck",
  ]);
  const played = random.flatMap(({ runtimes = {} }) => Object.values(runtimes));
  expect(JSON.stringify(played)).toContain('"end":"refused"');
  const differs = random.filter(
    ({ record, runtimes }) => JSON.stringify(runtimes?.["promptkit"]?.record) !== JSON.stringify(record),
  );
  expect(differs.length / random.length).toBeGreaterThan(0.05);
});

it("shows refused events, which enter no state", () => {
  const { events, record, runtimes } = lines.find(({ name }) => name === "spent-stops") ?? expect.fail();
  expect(events).toEqual([{ event: "Again" }]);
  expect(record.at(-1)).toMatchObject({ status: "budget-exhausted", limit: "max_visits" });
  expect(runtimes?.["promptkit"]).toEqual({
    sent: 1,
    record: [
      record[0],
      {
        ...{ record: "transition", step: 1, from: "work", event: "Again", to: null, end: "refused" },
        ...{ forced: ["work"], visit: 1, total: 1, artifacts: {} },
      },
      { record: "end", status: "running", state: "work", steps: 1, total: 1, artifacts: {} },
    ],
  });
});

describe("promptpack vectors", () => {
  it("writes to a file", async () => {
    const cwd = folderOf({});
    const args = ["vectors", "--count", "1", "--output", "out/v.jsonl"];
    expect(await promptpack(args, { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(cwd, "out/v.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(
      sentenceScenes.length + 1,
    );
  });

  it.each([
    [["--count", "x"], '"--count" must be a whole number from 0 to 10000, not "x".'],
    [["--seed", "-1"], '"--seed" must be a whole number from 0 to 4294967295, not "-1".'],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await promptpack(["vectors", ...args], { cwd: "/" });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `promptpack: ${message}\n` });
  });
});
