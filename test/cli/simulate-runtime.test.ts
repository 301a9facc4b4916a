import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";

const pack = `id: newsroom
name: Newsroom
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  plan:
    id: plan
    name: Plan
    version: 1.0.0
    system_template: Plan {{topic}}.
    variables: [{ name: topic, type: string, required: true }]
  write:
    id: write
    name: Write
    version: 1.0.0
    system_template: "{{tone}}, {{artifacts.outline}}, {{reader}}"
    variables:
      - { name: tone, type: string, required: false, default: kindly }
      - { name: reader, type: string, required: false }
workflow:
  version: 2
  entry: plan
  states:
    plan:
      prompt_task: plan
      max_visits: 2
      on_event: { Planned: write, Again: plan }
      artifacts: { outline: { type: text/plain } }
    write: { prompt_task: write, on_event: { Back: plan, Done: end } }
    end: { prompt_task: write, orchestration: external, terminal: true }
`;
const open = () => ({ cwd: folderOf({ "a.pack.yaml": pack }) });

const simulate = (args: readonly string[], stdin?: string) =>
  promptpack(["simulate", "a.pack.yaml", "--runtime", "promptkit", ...args], {
    ...open(),
    ...(stdin && { stdin }),
  });
const rendered = async (events: string, ...args: string[]) => {
  const { stdout } = await simulate(["--events", events, "--render", ...args]);
  return stdout.slice(stdout.indexOf("The prompt ")).split("\n").slice(1, -1);
};

describe("simulate --runtime", () => {
  it("goes on after an event that is refused", async () => {
    const { stdout, code } = await simulate(["--events", "Again,Again,Planned[outline=x],Done"]);
    expect(code).toBe(0);
    expect(stdout).toContain("✗ plan (refused) │ Again ");
    expect(stdout).toContain(
      'PromptKit refuses "Again": it leads to "plan", which is spent and has no on_max_visits. The run stays in "plan".',
    );
    const byRfc = await promptpack(["simulate", "a.pack.yaml", "--events", "Again,Again"], open());
    expect(byRfc.stdout).toContain("Budget exhausted");
  });

  it("records a refused event as a step", async () => {
    const { stdout } = await simulate(["--events", "Again,Again", "-f", "jsonl"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    const step = {
      from: "plan",
      event: "Again",
      to: null,
      end: "refused",
      forced: ["plan"],
      visit: 2,
      total: 2,
    };
    expect(lines[2]).toEqual({ record: "transition", step: 2, ...step, artifacts: {} });
    expect(lines.at(-1)).toMatchObject({ status: "running", state: "plan" });
    const json = await simulate(["--events", "Again,Again", "-f", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ transitions: [{}, step] });
  });

  it("says so in a conversation", async () => {
    const { stdout } = await simulate([], "Again\nAgain\nquit\n");
    expect(stdout).toContain("2  Again    → plan (spent) ✗ refused: there is no on_max_visits");
    expect(stdout).toContain('The run stays in "plan".');
  });

  it("renders what is sent where a conversation is opened", async () => {
    expect(await rendered("", "--var", "topic=cats")).toEqual(["  Plan cats."]);
    expect(await rendered("")).toEqual([
      "  You are a helpful AI assistant.",
      'PromptKit replaces the prompt, and drops its tools and validators: nothing binds the required variable "topic".',
    ]);
    expect(await rendered("Planned[outline=x],Done", "--var", "reader=Ada")).toEqual(["  kindly, x, Ada"]);
  });

  it("renders what is sent after a handover, where no caller binds anything", async () => {
    expect(await rendered("Planned[outline=x]", "--var", "reader=Ada")).toEqual([
      "  {{tone}}, {{artifacts.outline}}, {{reader}}",
      'PromptKit sends the whole prompt unfilled: nothing fills "{{reader}}".',
    ]);
    expect(await rendered("Planned,Back", "--var", "topic=cats")).toEqual([
      'In PromptKit the turn fails: nothing binds the required variable "topic".',
    ]);
  });

  it("is only for runtimes that run workflows", async () => {
    const run = (name: string) =>
      promptpack(["simulate", "a.pack.yaml", "--runtime", name, "--events", "Planned"], open());
    expect(await run("langchain-js")).toMatchObject({
      code: 2,
      stderr:
        'promptpack: LangChain.js runs no workflows: with this command, "--runtime" can be "promptkit".\n',
    });
    expect((await run("prompkit")).code).toBe(2);
  });
});
