import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Editor } from "../editor/editor.js";
import { folderOf, promptpack } from "./harness.js";

/** By RFC 0009 two guards bound the loop; PromptKit enters "research" whatever its guard says. */
const pack = `id: helpdesk
name: Helpdesk
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  write:
    id: write
    name: Write
    version: 1.0.0
    system_template: Emit Again, Sent or Found.
    validators: [{ type: length, enabled: true, params: { max: 9 } }, { type: own_words, enabled: true }]
    evals: [{ id: own, type: own_eval, trigger: every_turn }]
workflow:
  version: 2
  entry: write
  states:
    write:
      prompt_task: write
      max_visits: 1
      on_max_visits: research
      on_event: { Again: write, Sent: sent }
    research:
      prompt_task: write
      max_visits: 1
      on_max_visits: human
      on_event: { Found: write }
    sent: { prompt_task: write, terminal: true }
    human: { prompt_task: write, terminal: true }
`;
const file = "a.pack.yaml";
const configFile = "promptpack.config.yaml";
const open = (config?: string, more: Readonly<Record<string, string>> = {}) =>
  folderOf({ [file]: pack, ...(config !== undefined && { [configFile]: config }), ...more });

const aboutRuntimes = ["forced-exit-unchecked", "unknown-validator-type", "unknown-eval-type"];
const byDefault = ["unknown-validator-type", "unknown-eval-type", "forced-exit-unchecked"];
const inLangChain = ["unknown-validator-type", "unknown-validator-type"];

const ofRuntimes = (output: string): readonly string[] =>
  Array.from(output.matchAll(/\[([\w-]+)\]$/gm), ([, rule = ""]) => rule).filter((rule) =>
    aboutRuntimes.includes(rule),
  );

async function lint(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await promptpack(["lint", "-f", "compact", ...args], { cwd });
  return { code, stderr, found: ofRuntimes(stdout), stdout };
}

const refused = (message: string) => ({ code: 2, stdout: "", stderr: `promptpack: ${message}\n` });
const runsNone = 'LangChain.js runs no workflows: with this command, "--runtime" can be "promptkit".';

describe("lint --runtime", () => {
  it.each([
    [[], byDefault],
    [["none"], []],
    [["promptkit"], byDefault],
    [["langchain-js"], inLangChain],
    [
      ["promptkit", "langchain-js"],
      ["unknown-validator-type", ...byDefault],
    ],
  ])("%j", async (names, expected) => {
    const flags = names.flatMap((name) => ["--runtime", name]);
    expect((await lint(open(), ...flags)).found).toEqual(expected);
    // Whatever the config says.
    if (names.length === 0) return;
    expect((await lint(open("runtimes: [langchain-python]"), ...flags)).found).toEqual(expected);
  });

  it("names the runtimes in messages", async () => {
    const { stdout } = await lint(open(), "--runtime", "promptkit", "--runtime", "langchain-js");
    expect(stdout).toContain(
      "in PromptKit, the pack is refused when it is opened; in LangChain.js, the validator lets everything pass",
    );
  });

  it("refuses other names, and none beside a name", async () => {
    const cwd = open();
    expect(await promptpack(["lint", "--runtime", "promtkit"], { cwd })).toEqual(
      refused('"--runtime" cannot be "promtkit". Did you mean "promptkit"?'),
    );
    expect(await promptpack(["lint", "--runtime", "none", "--runtime", "promptkit"], { cwd })).toEqual(
      refused('"--runtime none" and "--runtime promptkit" cannot be used together: choose one.'),
    );
  });
});

it("lint --fix mends a reference, although it then reads what may be unset", async () => {
  const broken = `id: planner
name: Planner
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  plan: { id: plan, name: Plan, version: 1.0.0, system_template: "Emit Done. {{artifact.plan}}" }
workflow:
  version: 2
  entry: plan
  states:
    plan: { prompt_task: plan, on_event: { Done: done }, artifacts: { plan: { type: text/plain } } }
    done: { prompt_task: plan, terminal: true, artifacts: { plan: { type: text/plain } } }
`;
  const cwd = folderOf({ [file]: broken });
  const { stdout } = await lint(cwd, "--fix", "--unsafe-fixes");
  expect(stdout).toContain("[reading-unset]");
  expect(readFileSync(join(cwd, file), "utf8")).toContain("{{artifacts.plan}}");
});

describe("runtimes in the config", () => {
  it.each([
    ["extends: recommended", byDefault],
    ["runtimes: []", []],
    ["runtimes: [langchain-js]", inLangChain],
    ["validatorTypes: [own_words]", ["unknown-eval-type", "forced-exit-unchecked"]],
    ["evalTypes: [own_eval]", ["unknown-validator-type", "forced-exit-unchecked"]],
  ])("%s", async (config, expected) => {
    const { found, stderr } = await lint(open(config));
    expect({ found, stderr }).toEqual({ found: expected, stderr: "" });
  });

  it.each([
    ["runtimes: [promtkit]", '1:12: "promtkit" is not a runtime. Did you mean "promptkit"?'],
    ["runtimes: promptkit", '1:11: "runtimes" must be a list.'],
    ["runtimes: { promptkit: true }", '1:1: "runtimes" must be a list.'],
    ["evalTypes: own_eval", '1:12: "evalTypes" must be a list.'],
  ])("is refused where it is wrong: %s", async (config, message) => {
    const { code, stderr } = await lint(open(config));
    expect({ code, stderr }).toEqual({ code: 2, stderr: `promptpack: ${configFile}:${message}\n` });
  });

  it("is in what --print-config shows", async () => {
    const shown = async (cwd: string, ...flags: string[]) => {
      const { stdout } = await promptpack(["lint", "--print-config", file, ...flags], { cwd });
      return (JSON.parse(stdout) as { runtimes: unknown }).runtimes;
    };
    expect(await shown(open())).toEqual(["promptkit"]);
    expect(await shown(open("runtimes: []"))).toEqual([]);
    expect(await shown(open("runtimes: []"), "--runtime", "langchain-js")).toEqual(["langchain-js"]);
  });
});

it("lsp --runtime goes before the config, which the editor reads otherwise", async () => {
  const found = async (config: string, flags: readonly string[]) => {
    const cwd = open(config);
    const editor = await Editor.in(cwd, { flags });
    await editor.open(file, pack);
    const { diagnostics } = await editor.next();
    return diagnostics.flatMap(({ code }) => (aboutRuntimes.includes(String(code)) ? [code] : []));
  };
  expect(await found("runtimes: [promptkit]", [])).toEqual(byDefault);
  expect(await found("runtimes: []", [])).toEqual([]);
  expect(await found("runtimes: [promptkit]", ["--runtime", "none"])).toEqual([]);
});

describe("inspect --runtime", () => {
  const inspect = async (cwd: string, ...flags: string[]) =>
    (await promptpack(["inspect", file, ...flags], { cwd })).stdout;
  const differs = "most visits       3 (RFC 0009), unbounded (PromptKit)\n";
  const same = "most visits       3\n";

  it("shows bounds by the RFC and by each runtime where they differ", async () => {
    expect(await inspect(open())).toContain(differs);
    expect(await inspect(open())).toMatch(/^research {2}write {3}1 ⇒ human {5}1, unbounded \(PromptKit\)$/m);
    expect(await inspect(open("runtimes: []"))).toContain(same);
    expect(await inspect(open("runtimes: [langchain-js]"))).toContain(same);
    expect(await inspect(open("runtimes: []"), "--runtime", "promptkit")).toContain(differs);
    expect(await inspect(open(), "--runtime", "none")).toContain(same);
  });

  it("lists what differs in JSON", async () => {
    const runtimes = async (...flags: string[]) =>
      (JSON.parse(await inspect(open(), "-f", "json", ...flags)) as { workflow: { runtimes: unknown } })
        .workflow.runtimes;
    expect(await runtimes()).toEqual([
      {
        name: "promptkit",
        title: "PromptKit",
        exact: true,
        worstCaseVisits: "unbounded",
        states: [
          { name: "research", worstCaseVisits: "unbounded" },
          { name: "human", worstCaseVisits: 0 },
        ],
      },
    ]);
    expect(await runtimes("--runtime", "none")).toEqual([]);
  });
});

/** In PromptKit, "research" is entered three times. */
const recorded = async (cwd: string) =>
  (
    await promptpack(["simulate", file, "--runtime", "promptkit", "-e", "Again,Found,Found", "-f", "jsonl"], {
      cwd,
    })
  ).stdout;

describe("graph and paths --runtime", () => {
  it("paths lists the runs of the runtime, whatever the config says", async () => {
    const paths = async (...flags: string[]) =>
      (await promptpack(["paths", file, ...flags], { cwd: open("runtimes: [promptkit]") })).stdout;
    expect(await paths()).toContain("write ─Again→ write ⇒ research ─Found→ write ⇒ research ⇒ human\n");
    expect(await paths("--runtime", "promptkit")).toContain(
      "write ─Again→ write ⇒ research ─Found→ write ⇒ research\n",
    );
  });

  it("graph --coverage leaves out what no run of the runtime tries", async () => {
    const cwd = open();
    const record = { cwd: open(undefined, { "r.jsonl": await recorded(cwd) }) };
    const untried = async (...flags: string[]) => {
      const { stdout } = await promptpack(["graph", file, "--coverage", "r.jsonl", ...flags], record);
      return /class (\S+) untried/.exec(stdout)?.[1];
    };
    expect(await untried()).toBe("s2,s3");
    expect(await untried("--runtime", "promptkit")).toBe("s2");
  });

  it.each([["graph"], ["paths"], ["simulate"]])("%s refuses a runtime without workflows", async (command) => {
    const flags = ["--runtime", "langchain-js"];
    expect(await promptpack([command, file, ...flags], { cwd: open() })).toEqual(refused(runsNone));
  });
});

describe("replay --runtime", () => {
  it("follows a forced exit into a spent state", async () => {
    const cwd = open(undefined, { "r.jsonl": await recorded(open()) });
    const replay = (...flags: string[]) =>
      promptpack(["replay", "r.jsonl", "--pack", file, "-f", "compact", ...flags], { cwd });
    expect(await replay("--runtime", "promptkit")).toEqual({ code: 0, stdout: "", stderr: "" });
    const byRfc = await replay();
    expect(byRfc.code).toBe(1);
    expect(byRfc.stdout.split("\n")[0]).toBe(
      'r.jsonl:3:72: error: The forced exit of "write" enters "research" without checking its guard: this is visit 2, but max_visits allows 1 (line 24 of the pack). The run should have gone on to "human". PromptKit runs so: check its records with --runtime promptkit. [run-guard]',
    );
    expect(await replay("--runtime", "langchain-js")).toEqual(refused(runsNone));
  });

  it("needs a pack for a log of events", async () => {
    const log = readFileSync("fixtures/agentic/worked-example/mended.jsonl", "utf8");
    const cwd = folderOf({ "events.jsonl": log });
    expect(await promptpack(["replay", "events.jsonl", "--runtime", "promptkit"], { cwd })).toEqual(
      refused(
        '"events.jsonl" is a log of RFC-103 events: "--runtime" can only be used with a workflow, which "--pack" names.',
      ),
    );
  });
});

describe("the runtime of a property", () => {
  const property = (rest: string) => `runtimes: []
properties:
  - name: one research
    at-most: 1
    of: research
${rest}`;

  it("says whose runs are meant", async () => {
    const broken = async (rest: string) =>
      (await lint(open(property(rest)))).stdout.includes('The property "one research" is broken');
    expect(await broken("")).toBe(false);
    expect(await broken("    runtime: promptkit")).toBe(true);
  });

  it("must run workflows", async () => {
    const { code, stderr } = await lint(open(property("    runtime: langchain-js")));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `promptpack: ${configFile}:6:14: "langchain-js" is not a runtime that runs workflows. Choose "promptkit".\n`,
    });
  });
});
