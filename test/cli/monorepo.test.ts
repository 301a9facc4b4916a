import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";

const top = (kind: string, name: string) =>
  `apiVersion: promptkit.altairalabs.ai/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec:\n`;
const prompt = (name: string, text: string) => `${top("PromptConfig", name)}  task_type: ${name}
  version: v1.0.0
  description: One task.
  system_template: |
    ${text}
`;
const head = (name: string) => `${top("Arena", name)}  prompt_configs:
    - { id: ask, file: prompts/ask.yaml }
    - { id: close, file: ../shared/close.yaml }
  workflow:
    version: 2
    entry: ask
    states:
      ask:
        prompt_task: ask
        on_event: { Again: ask, Done: close }
      close: { prompt_task: close, terminal: true }
`;

interface Found {
  readonly rule: string;
  readonly project: string;
  readonly data?: { readonly projects?: readonly string[] };
  readonly related?: readonly { readonly file?: string; readonly pointer: string }[];
  readonly pointer: string;
  readonly packPointer: string;
}

async function findingsIn(
  cwd: string,
  ...args: readonly string[]
): Promise<Readonly<Record<string, readonly Found[]>>> {
  const { stdout, stderr } = await promptpack(["lint", "-f", "json", ...args], { cwd });
  expect(stderr).toBe("");
  const { files } = JSON.parse(stdout) as { files: { file: string; diagnostics: Found[] }[] };
  return Object.fromEntries(
    files.flatMap(({ file, diagnostics }) => (diagnostics.length > 0 ? [[file, diagnostics]] : [])),
  );
}

it("reports what sixty projects share once, and their own slips each in its place", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `p${String(index).padStart(2, "0")}`);
  const cwd = folderOf({ "shared/close.yaml": prompt("close", "Say goodbye to {{nobody}.") });
  for (const name of names) {
    mkdirSync(join(cwd, name, "prompts"), { recursive: true });
    writeFileSync(join(cwd, name, "config.arena.yaml"), head(name));
    const text = name === "p07" ? "Emit Again or Done. {{artifacts.notes}" : "Emit Again or Done.";
    writeFileSync(join(cwd, name, "prompts/ask.yaml"), prompt("ask", text));
  }
  const found = await findingsIn(cwd);
  const shared = found["shared/close.yaml"] ?? [];
  expect(shared.map(({ rule, project, data }) => [rule, project, data?.projects?.length])).toEqual([
    ["template-syntax", "p00/config.arena.yaml", 59],
  ]);
  // Each head has the loop, and one prompt a slip of its own.
  const files = Object.keys(found);
  expect(files.filter((file) => file.endsWith("config.arena.yaml"))).toHaveLength(60);
  expect(files.filter((file) => file.endsWith("ask.yaml"))).toEqual(["p07/prompts/ask.yaml"]);
  for (const name of names)
    for (const { project } of found[`${name}/config.arena.yaml`] ?? [])
      expect(project).toBe(`${name}/config.arena.yaml`);
});

it("does not call a comment stale that one of two projects needs", async () => {
  const quiet = prompt("close", "# promptpack-disable-next-line").replace(/ {2}system_template[^]*/u, "");
  const text = `${quiet}  # promptpack-disable-next-line undeclared-variable
  system_template: Bye, {{nobody}}.
`;
  const cwd = folderOf({ "shared/close.yaml": text });
  for (const name of ["a", "b"]) {
    mkdirSync(join(cwd, name, "prompts"), { recursive: true });
    writeFileSync(join(cwd, name, "config.arena.yaml"), head(name));
    writeFileSync(join(cwd, name, "prompts/ask.yaml"), prompt("ask", "Emit Again or Done."));
  }
  expect(Object.keys(await findingsIn(cwd))).not.toContain("shared/close.yaml");
});

it("shows places of a finding in several files, and annotates each line where it is", async () => {
  const cwd = folderOf({
    "config.arena.yaml": head("a").replace("../shared/close.yaml", "prompts/close.yaml"),
    "prompts/ask.yaml": prompt("ask", "Emit Again or Done, {{who}}."),
    "prompts/close.yaml": prompt("close", "Bye, {{who}}."),
  });
  const [found] = (await findingsIn(cwd))["prompts/ask.yaml"] ?? [];
  expect(found?.pointer).toBe("/spec/system_template");
  expect(found?.packPointer).toBe("/prompts/ask/system_template");
  expect(found?.related).toMatchObject([{ file: "prompts/close.yaml", pointer: "/spec/system_template" }]);
  const { stdout } = await promptpack(["lint", "-f", "github"], { cwd });
  expect(stdout).toMatch(/^::warning file=config\.arena\.yaml,line=12,/mu);
  expect(stdout).toMatch(/^::\w+ file=prompts\/ask\.yaml,line=9,/mu);
});

it("fixes the file that a finding is in", async () => {
  const cwd = folderOf({
    "config.arena.yaml": head("a")
      .replace("../shared/close.yaml", "prompts/close.yaml")
      .replace("Done: close", "Done: clos"),
    "prompts/ask.yaml": prompt("ask", "Emit Again or Done."),
    "prompts/close.yaml": prompt("close", "Bye."),
  });
  const before = readFileSync(join(cwd, "prompts/ask.yaml"), "utf8");
  const { stderr } = await promptpack(["lint", "--fix", "--unsafe-fixes", "--only", "unknown-event-target"], {
    cwd,
  });
  expect(stderr).toBe("promptpack: Fixed 1 finding in 1 file.\n");
  expect(readFileSync(join(cwd, "config.arena.yaml"), "utf8")).toContain("Done: close }");
  expect(readFileSync(join(cwd, "prompts/ask.yaml"), "utf8")).toBe(before);
});
