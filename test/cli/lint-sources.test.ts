import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";

const version = "apiVersion: promptkit.altairalabs.ai/v1alpha1\n";

function prompt(taskType: string, more = ""): string {
  return `${version}kind: PromptConfig
metadata: { name: Any }
spec:
  task_type: ${taskType}
  version: v1.0.0
  description: Any.
  system_template: Any.
${more}`;
}

/** The lines of the findings, without the advice that follows from them. */
async function lint(cwd: string, ...args: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await promptpack(["lint", "-f", "compact", ...args], { cwd });
  return (stdout + stderr).trimEnd().split("\n");
}

describe("a source that no head lists", () => {
  it("is checked alone if it is a prompt", async () => {
    const text = `${version}kind: PromptConfig\nmetadata: { name: Plan }\nspec:\n  system_template: "{{#if a}}"\n`;
    expect(await lint(folderOf({ "9 lives/a.yaml": text }), "9 lives/a.yaml")).toEqual([
      '9 lives/a.yaml:4:1: error: The prompt has no "task_type", "version" or "description". [source-shape]',
      '9 lives/a.yaml:5:21: error: The block "if" is not closed: add "{{/if}}". [template-syntax]',
      '9 lives/a.yaml:5:27: warning: Prompt "Plan" reads the variable "a", but does not declare it. Add it to "variables". [undeclared-variable]',
    ]);
  });

  it("is checked alone if it is a tool", async () => {
    const text = `${version}kind: Tool\nmetadata: { name: find }\nspec: {}\n`;
    expect(await lint(folderOf({ "a.yaml": text }), "a.yaml")).toEqual([
      'a.yaml:4:1: error: The tool has no "description", "input_schema", "output_schema" or "mode". [source-shape]',
    ]);
  });

  it("is one info if it is a template", async () => {
    const text = `${version}kind: Tool\nmetadata: { name: {{ .name }} }\nspec: {}\n`;
    const cwd = folderOf({ "template.yaml": "kind: Template\n", "tools/a.yaml": text });
    expect(await lint(cwd, "tools/a.yaml")).toEqual([
      "tools/a.yaml:1:1: info: This is a template for sources, which cannot be checked before it is filled in. [source-template]",
    ]);
  });

  it("is not a pack if it is a scenario", async () => {
    const text = `${version}kind: Scenario\nspec: { task_type: nothing }\n`;
    expect(await lint(folderOf({ "a.yaml": text }), "a.yaml")).toEqual([
      'a.yaml:2:7: error: This is a source file of kind "Scenario" of a PromptKit project, not a pack. Lint the head (kind: Arena) of a project that lists it. [not-a-pack]',
    ]);
  });
});

const head = (spec: string): string => `${version}kind: Arena\nspec:\n${spec}`;

describe("a file that a head names", () => {
  const list = "  prompt_configs:\n    - { id: plan, file: plan.yaml }\n";

  it("has its errors itself, and may suppress them", async () => {
    const cwd = folderOf({ "arena.yaml": head(list), "plan.yaml": `${prompt("plan")}  version: v1.0.0\n` });
    const found =
      'plan.yaml:9:3: error: The key "version" is already used in this object; only one of them counts.';
    expect(await lint(cwd)).toEqual([`${found} Rename or remove the others. [duplicate-key]`]);
    const silent = prompt("plan", "  # promptpack-disable-next-line duplicate-key\n  version: v1.0.0\n");
    expect(await lint(folderOf({ "arena.yaml": head(list), "plan.yaml": silent }))).toEqual([""]);
  });

  it("may have a path that no disk takes", async () => {
    const cwd = folderOf({ "arena.yaml": head(list.replace("plan.yaml", `${"a/".repeat(100_000)}a.yaml`)) });
    const [line = ""] = await lint(cwd);
    expect(line.replace(/(?:a\/)+/u, "…/")).toMatch(
      /^arena.yaml:5:25: error: "…\/a.yaml" .*\[source-file\]$/u,
    );
  });

  it("is in the folder of the head where there is no repository", async () => {
    const cwd = folderOf({
      "a/arena.yaml": head(list.replace("plan.yaml", "../plan.yaml")),
      "plan.yaml": "",
    });
    rmSync(join(cwd, ".git"), { recursive: true });
    expect(await lint(cwd, "a/arena.yaml")).toEqual([
      'a/arena.yaml:5:25: error: "../plan.yaml" is outside of the folder of the project. [source-file]',
    ]);
  });
});

describe("the id of a prompt", () => {
  const files = (use: string) => ({
    "arena.yaml": head(`  prompt_configs:\n    - { id: first-of-all, file: plan.yaml }\n${use}`),
    "plan.yaml": prompt("plan"),
  });
  const advice = 'Write "plan": "first-of-all" is only the id of its file in the head.';

  it.each([
    [
      "a state",
      "  workflow:\n    version: 1\n    entry: a\n    states:\n      a: { prompt_task: first-of-all, terminal: true }\n",
      `arena.yaml:10:25: error: State "a" runs the prompt "first-of-all", which is not in "prompts". ${advice} [unknown-prompt-task]`,
    ],
    [
      "the entry of the agents",
      "  agents:\n    entry: first-of-all\n    members:\n      plan: {}\n",
      `arena.yaml:7:12: error: The entry agent "first-of-all" is not in "prompts". ${advice} [unknown-agent-entry]`,
    ],
  ])("is no name for %s, which is offered the task_type", async (_, use, expected) => {
    expect(await lint(folderOf(files(use)))).toEqual([expected]);
    const { stdout } = await promptpack(["lint", "--fix-dry-run", "--unsafe-fixes"], {
      cwd: folderOf(files(use)),
    });
    expect(stdout).toContain(
      `+${use
        .split("\n")
        .find((line) => line.includes("first"))
        ?.replace("first-of-all", "plan")}`,
    );
  });
});
