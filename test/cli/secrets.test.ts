import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { Editor } from "../editor/editor.js";
import { isFull } from "../runs.js";
import { body, privateKey, tokens } from "../text/fake-secrets.js";
import { folderOf, promptpack } from "./harness.js";

const indented = (text: string, indent: string) => text.replaceAll("\n", `\n${indent}`);

/** A workflow that runs, with a secret in every text and name. */
const running = `# Ours: ${tokens.openai}
id: desk
name: Desk ${tokens.openai}
version: 1.0.0
description: Signs with ${tokens.anthropic}.
template_engine: { version: v1, syntax: "{{variable}}" }
fragments:
  tone: |
    ${indented(privateKey, "    ")}
prompts:
  greet:
    id: greet
    name: Greet
    version: 1.0.0
    description: "Escaped: ${tokens.stripe.slice(0, 12)}\\x41${tokens.stripe.slice(13)}"
    system_template: |
      Use ${tokens.openai} and ${tokens.slack}.
      {{fragments.tone}}
      ${indented(privateKey, "      ")}
      ${"Then wait. ".repeat(140)}${tokens["github, fine-grained"]}
  ${tokens.github}:
    id: ${tokens["github, app"]}
    name: Bye
    version: 1.0.0
    system_template: ${tokens.google}
    tools: [ ${tokens.google}, ${tokens.slack} ]
tools:
  search: { name: ${tokens.anthropic}, description: ${tokens.slack}, parameters: { type: object, properties: {} } }
workflow:
  version: 2
  entry: ${tokens.aws}
  states:
    ${tokens.aws}:
      prompt_task: greet
      description: ${tokens.slack}
      on_event: { ${tokens["openai, old"]}: ${tokens["aws, temporary"]} }
      artifacts: { ${tokens["stripe, restricted"]}: { type: ${tokens.stripe} } }
    ${tokens["aws, temporary"]}: { prompt_task: ${tokens.github}, terminal: true }
`;

/** The same with errors, in what only messages quote. */
const broken = running
  .replace("version: 1.0.0", `version: ${tokens.anthropic}`)
  .replace("id: desk", `id: { "${tokens.slack}": 1 }`)
  .replace(`entry: ${tokens.aws}`, `entry: ${tokens.google} ${tokens.aws}`)
  .replace(`terminal: true`, `terminal: "${tokens.google}", ${tokens.github}: 1`)
  .concat(`tolls: ${tokens.google}\n`);

const unreadable = running.replace("prompts:\n", `prompts:\n  "${tokens.openai}" ${tokens.aws}\n`);

const all = [...Object.values(tokens), ...privateKey.split("\n").slice(1, -1)];

/** Where eight characters beyond the first four are, in a row. */
const leaked = (text: string): readonly string[] =>
  all.flatMap((secret) => {
    for (let start = 4; start + 8 <= secret.length; start++) {
      const at = text.indexOf(secret.slice(start, start + 8));
      if (at !== -1) return [text.slice(Math.max(0, at - 40), at + 40)];
    }
    return [];
  });

const folder = () =>
  folderOf({
    "run.pack.yaml": running,
    "broken.pack.yaml": broken,
    "unreadable.pack.yaml": unreadable,
    "json.pack.json": JSON.stringify({ prompts: { a: { system_template: privateKey } }, id: tokens.slack }),
    "old.pack.yaml": running.replaceAll(tokens.google, tokens.slack).replace("version: 2", "version: 1"),
    "fix.pack.yaml": running.replace("prompt_task: greet", "prompt_task: gret"),
  });

const start = tokens.aws;
const event = tokens["openai, old"];
const commands: readonly (readonly string[])[] = [
  ...["pretty", "compact", "json", "sarif", "github", "gitlab", "junit", "markdown"].flatMap((format) => [
    ["lint", "--format", format, "--full"],
    ...(isFull ? [["lint", "--format", format, "--preset", "strict"]] : []),
  ]),
  ["lint", "--fix-dry-run", "--unsafe-fixes"],
  ...["mermaid", "dot", "svg", "html", "json"].map((format) => [
    "graph",
    "run.pack.yaml",
    "--format",
    format,
  ]),
  ["graph", "broken.pack.yaml", "--format", "html"],
  ...["text", "json"].map((format) => ["inspect", "run.pack.yaml", "--format", format]),
  ["inspect", "broken.pack.yaml"],
  ...["table", "json", "jsonl"].map((format) => [
    ...["simulate", "run.pack.yaml", "--events", event, "--format", format],
  ]),
  ["simulate", "run.pack.yaml", "--events", event, "--render"],
  ["simulate", "run.pack.yaml", "--events", "", "--render"].filter((arg) => arg !== "" && arg !== "--events"),
  ["simulate", "run.pack.yaml", "--events", "Other"],
  ...["pretty", "json", "markdown", "github", "sarif", "html"].map((format) => [
    "diff",
    "old.pack.yaml",
    "run.pack.yaml",
    "--format",
    format,
  ]),
  ...["table", "jsonl", "arena"].map((format) => ["paths", "run.pack.yaml", "--format", format]),
];

describe("no command shows more of a secret than its first four characters", () => {
  it.each(commands.map((args) => [args.join(" ").replaceAll(event, "E"), args]))("%s", async (_, args) => {
    const { stdout, stderr } = await promptpack(args, { cwd: folder() });
    expect(leaked(stdout + stderr)).toEqual([]);
    expect(stdout + stderr).not.toMatch(/Unknown option|There is no format/);
    expect((stdout + stderr).length).toBeGreaterThan(20);
  });

  it.each([40, 80, 200])("the terminal with %i columns", async (terminal) => {
    const cwd = folder();
    for (const args of [
      ["lint", "--full"],
      ["inspect", "run.pack.yaml"],
      ["simulate", "run.pack.yaml"],
      ["diff", "old.pack.yaml", "run.pack.yaml"],
    ]) {
      const { stdout, stderr } = await promptpack(args, { cwd, terminal, stdin: "p\n1\nu\nq\n" });
      expect(leaked(stdout + stderr)).toEqual([]);
    }
  });

  it("the summary of a step, the cache and the baseline", async () => {
    const cwd = folder();
    const cache = folderOf({});
    const summary = join(folderOf({}), "summary.md");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
    const first = await promptpack(["lint", "--cache"], { cwd, cache, env });
    expect(await promptpack(["lint", "--cache"], { cwd, cache })).toMatchObject({ code: first.code });
    const baseline = await promptpack(["lint", "--update-baseline", "--baseline", "known.json"], { cwd });
    expect(baseline.stderr).not.toMatch(/Unknown option|There is no format/);
    const written = [summary, join(cwd, "known.json")];
    const entries = readdirSync(join(cache, "findings")).map((name) => join(cache, "findings", name));
    expect(entries.length).toBeGreaterThan(0);
    for (const file of [...written, ...entries]) expect(leaked(readFileSync(file, "utf8"))).toEqual([]);
    expect((await promptpack(["lint", "--baseline", "known.json"], { cwd })).stdout).toContain("suppressed");
  });

  it("what an editor shows", async () => {
    const cwd = folder();
    const editor = await Editor.in(cwd);
    await editor.open("broken.pack.yaml", broken);
    expect(leaked(JSON.stringify(await editor.next()))).toEqual([]);
    await editor.open("run.pack.yaml", running);
    expect(leaked(JSON.stringify(await editor.next()))).toEqual([]);
    expect(leaked(await editor.symbols("run.pack.yaml"))).toEqual([]);
    for (const marked of ["prompt_task: gr|eet", "{{fragments.to|ne", "entry: AK|IA", "  sea|rch:"]) {
      const shown = await editor.hover("run.pack.yaml", marked);
      expect(shown).toBeDefined();
      expect(leaked(shown ?? "")).toEqual([]);
    }
  });

  it("what the library returns for people", () => {
    for (const { message, related = [], fix } of lint(broken, { file: "a.pack.yaml" }).diagnostics)
      expect(leaked([message, fix?.description, ...related.map((place) => place.message)].join(" "))).toEqual(
        [],
      );
  });
});

describe("what is written", () => {
  it("keeps the secrets of a fixed file", async () => {
    const cwd = folder();
    await promptpack(["lint", "--fix", "--unsafe-fixes", "--only", "unknown-prompt-task", "fix.pack.yaml"], {
      cwd,
    });
    expect(readFileSync(join(cwd, "fix.pack.yaml"), "utf8")).toBe(running);
  });

  it("keeps them on standard output", async () => {
    const stdin = running.replace("prompt_task: greet", "prompt_task: gret");
    const args = ["lint", "--fix", "--unsafe-fixes", "--only", "unknown-prompt-task", "-"];
    expect((await promptpack(args, { cwd: folder(), stdin })).stdout).toBe(running);
  });

  it("has no fix in JSON whose text would be masked", async () => {
    const name = `ghp_${body(36, undefined, 11)}`;
    const pack = `prompts: { ${name}: {} }\nworkflow: { entry: a, states: { a: { prompt_task: ${name.slice(0, -1)} } } }\n`;
    const args = ["lint", "--format", "json", "--only", "unknown-prompt-task", "-"];
    const { stdout } = await promptpack(args, { cwd: folder(), stdin: pack });
    expect(stdout).toContain("unknown-prompt-task");
    expect(stdout).not.toContain('"fix"');
  });

  it("is exact in what a host works with", async () => {
    const cwd = folder();
    const args = ["step", "run.pack.yaml", "--run", "run.json", "--start"];
    const { stdout, stderr } = await promptpack(args, { cwd });
    expect(stderr).not.toContain("***");
    expect(stdout).not.toContain("***");
    expect(readFileSync(join(cwd, "run.json"), "utf8")).toContain(start);
  });
});
