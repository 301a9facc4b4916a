import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { lintGenerated } from "./child.js";

/** Roomier than the rest: a hundred thousand states are ten megabytes of text and a million values. */
const megabytes = 1024;

describe("workflows that are large", () => {
  it.each([
    ["dangling-targets.pack.json", 1, { "unknown-event-target": 120_000, "unbounded-loop": 1 }],
    ["dangling-prompts.pack.json", 1, { "unknown-prompt-task": 20_000, "unknown-event-target": 1 }],
    ["loops-behind-a-chain.pack.json", 0, { "unbounded-loop": 10_000 }],
    ["forced-exits.pack.json", 0, { "forced-exit-unchecked": 1, "forced-exit-chain": 99_998 }],
    ["forced-exit-ring.pack.json", 1, { "forced-exit-cycle": 1, "no-terminal-state": 1 }],
    ["guarded-ring.pack.json", 0, { "budget-coherence": 1 }],
    ["100-000-states.pack.json", 0, { "unbounded-loop": 1 }],
    ["states-without-end.pack.json", 0, { "no-terminal-state": 1, "unreachable-state": 19_998 }],
    ["one-odd-event.pack.json", 0, { "event-name-case": 1 }],
    ["odd-events.pack.json", 0, { "event-name-case": 1 }],
    ["agents.pack.json", 0, { "unknown-tool": 20_000, "unbounded-loop": 1 }],
  ])("%s", (name, status, rules) => {
    expect(lintGenerated(name, ["--rule", "event-not-in-prompt:off"], megabytes)).toMatchObject({
      status,
      stderr: "",
      rules,
    });
  });
});

it("a pack with more agents than a function takes arguments is inspected", () => {
  const indices = Array.from({ length: 150_000 }, (_, index) => index);
  const prompt = { id: "p", name: "P", version: "1.0.0", system_template: "Emit Go." };
  const perAgent = (value: (index: number) => object) =>
    Object.fromEntries(indices.map((index) => [`a${index}`, value(index)]));
  const pack = {
    id: "a",
    name: "A",
    version: "1.0.0",
    template_engine: { version: "v1", syntax: "{{variable}}" },
    prompts: { p: prompt, ...perAgent((index) => ({ ...prompt, id: `a${index}` })) },
    agents: { entry: "a0", members: perAgent((index) => ({ state: `a${index}` })) },
    workflow: {
      version: 2,
      entry: "a0",
      states: {
        ...perAgent(() => ({ prompt_task: "p", on_event: { Go: "work" } })),
        work: { prompt_task: "p", max_visits: 2, on_event: { Again: "work", Done: "end" } },
        end: { prompt_task: "p", terminal: true },
      },
    },
  };
  const cwd = folderOf({ "a.pack.json": JSON.stringify(pack) });
  const args = [resolve("bin/promptpack.js"), "inspect", "a.pack.json"];
  const options = { cwd, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  const { status, stderr } = spawnSync(process.execPath, args, options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

describe("templates that are large", () => {
  it.each([
    ["artifact-reads.pack.json", 0, { "undeclared-artifact": 16_000, "artifact-not-in-state": 1 }],
    ["variable-reads.pack.json", 0, { "undeclared-variable": 100_000 }],
    ["fragment-reads.pack.json", 1, { "unknown-fragment": 22_000, "fragment-cycle": 1 }],
    ["fragments-under-prompts.pack.json", 0, { "undeclared-variable": 3_000 }],
    ["braces-open.pack.json", 1, { "template-syntax": 1 }],
    ["braces-pairs.pack.json", 1, { "template-syntax": 1_000 }],
    ["braces-empty.pack.json", 1, { "template-syntax": 1_000 }],
    ["braces-blocks.pack.json", 1, { "template-syntax": 1_000 }],
    ["braces-closings.pack.json", 1, { "template-syntax": 1_000 }],
  ])("%s", (name, status, rules) => {
    expect(lintGenerated(name)).toMatchObject({ status, stderr: "", rules });
  });
});

describe("packs with mistakes without end", () => {
  it.each([
    ["strangers.pack.json", 1, { schema: 20_000 }],
    ["same-key.pack.json", 1, { "duplicate-key": 20_000 }],
    ["tools.pack.json", 1, { "unknown-tool": 10_000 }],
    ["variables.pack.json", 1, { "duplicate-variable": 5_000, "variable-default": 20_000 }],
    ["evals-and-skills.pack.json", 1, { "duplicate-eval": 9_999, "duplicate-skill": 9_999 }],
    ["wrong-types.pack.json", 1, { schema: 30_000 }],
    ["comments.pack.yaml", 1, { "unused-suppression": 10_000, schema: 1 }],
  ])("%s", (name, status, rules) => {
    expect(lintGenerated(name, [], megabytes)).toMatchObject({ status, stderr: "", rules });
  });

  it.each(["pretty", "json", "sarif", "github", "gitlab", "junit", "markdown"])(
    "are printed as %s",
    (format) => {
      const { status, stderr } = lintGenerated("odd-events.pack.json", [], megabytes, format);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    },
  );
});
