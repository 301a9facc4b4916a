import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { heldAgainst } from "./held-against.js";

const folder = "fixtures/rules/run-guard";
const pack = readFileSync(`${folder}/pack.yaml`, "utf8");
const spent = readFileSync(`${folder}/bad-spent.jsonl`, "utf8");

/** `line rule` for each error. */
const said = (record: string): readonly string[] =>
  heldAgainst(pack, record)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ range, rule }) => `${range.start.line} ${rule}`);

describe("a line that cannot be read", () => {
  const lines = spent.trimEnd().split("\n");
  const misspelt = (line: number) =>
    lines.with(line - 1, (lines[line - 1] ?? "").replace('"transition"', '"transiton"')).join("\n");

  it("hides nothing that comes before it", () => {
    expect(said(spent)).toEqual(["5 run-guard"]);
    expect(said(misspelt(6))).toEqual(["5 run-guard", "6 run-record"]);
  });

  it("leaves open what rests on counts after it", () => {
    expect(said(misspelt(4))).toEqual(["4 run-record"]);
  });

  it("has its row in the table", () => {
    const { text } = heldAgainst(pack, misspelt(4));
    expect(text).toMatch(/^✗ \? .*\n {2}└ "transiton" is not a kind of record\./m);
  });
});

describe("a line that is no JSON", () => {
  const lines = spent.trimEnd().split("\n");
  const broken = (line: number) => lines.toSpliced(line - 1, 1, "{").join("\n");

  it("hides nothing that comes before it, and leaves open how the run ends", () => {
    expect(said(broken(6))).toEqual(["5 run-guard", "6 parse-error"]);
    expect(said(broken(5))).toEqual(["5 parse-error"]);
    expect(said(`${spent}garbage\n`)).toEqual(["5 run-guard", `${lines.length + 1} parse-error`]);
  });
});

describe("a history that cannot be read", () => {
  const context = {
    current_state: "review",
    visit_counts: { draft: 1, review: 1 },
    artifacts: { notes: "v1" },
    artifact_history: [
      { from_state: "draft", to_state: "review", event: "Drafted", values: { notes: "v1" } },
    ],
  };

  it.each([undefined, "none", { from: "draft" }])("is all that is reported: %j", (history) => {
    expect(said(JSON.stringify({ ...context, history }, null, 1))).toEqual([
      expect.stringMatching(/ run-record$/),
    ]);
  });
});

describe("forced exits that cannot be read", () => {
  const pack = `
id: notes
workflow:
  version: 2
  entry: a
  states:
    a: { prompt_task: a, max_visits: 2, on_max_visits: done, on_event: { Go: a } }
    done: { prompt_task: a, terminal: true }
`;
  const start = { record: "start", schemaVersion: 1, pack: { id: "notes", version: "1.0.0" }, state: "a" };
  const again = { record: "transition", step: 1, from: "a", event: "Go", to: "a", visit: 2, total: 2 };
  const last = { record: "transition", step: 2, from: "a", event: "Go", to: "done", visit: 1, total: 3 };
  const end = { record: "end", status: "complete", state: "done", steps: 2, total: 3, artifacts: {} };
  const held = (forced: unknown) => {
    const lines = [start, { ...again, artifacts: {} }, { ...last, forced, artifacts: {} }, end];
    return heldAgainst(pack, lines.map((line) => JSON.stringify(line)).join("\n"));
  };
  const errors = (forced: unknown): readonly string[] =>
    held(forced)
      .diagnostics.filter(({ severity }) => severity === "error")
      .map(({ pointer, rule }) => `${pointer} ${rule}`);

  it("are told of once", () => {
    expect(errors(["a"])).toEqual([]);
    expect(errors(undefined)).toEqual(["/2/to run-wrong-state"]);
    expect(errors(["done"])).toEqual(["/2/forced run-wrong-state"]);
    expect(errors([])).toEqual(["/2/forced run-record"]);
    expect(errors("a")).toEqual(["/2/forced run-record"]);
    expect(errors([7])).toEqual(["/2/forced/0 run-record"]);
  });

  it("are not shown as if the record told them", () => {
    expect(held(["a"]).text).toContain("→ a ⇒ done");
    expect(held([7]).text).toContain("✗ done");
  });
});
