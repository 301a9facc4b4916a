import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack, type Ran, type Surround } from "../cli/harness.js";
import { cleanPack } from "../cli/packs.js";

/** Words that begin lines wherever a text is wrapped. */
const words = "::error::pwn ##[error]pwn ##vso[task.x]y ".repeat(8).trim();
const file = "::error::x ##[error]y ##vso[z]w.pack.json";
const github = { GITHUB_ACTIONS: "true" };

/** Faulty, with commands in its names. */
function hostilePack(): string {
  const states = {
    [words]: { prompt_task: words, on_event: { [words]: words, [`${words} 2`]: "end" } },
    end: { prompt_task: "bye", terminal: true },
  };
  return JSON.stringify({ ...cleanPack(), name: words, workflow: { version: 1, entry: words, states } });
}

/** What a runner would obey: the lines that begin with `::`, and those that hold `##[`. */
function obeyed({ stdout, stderr }: Ran): string[] {
  return `${stdout}\n${stderr}`.split(/[\n\r]/).filter((line) => /^\s*::|##(?:vso)?\[/.test(line));
}

async function expectHarmless(args: readonly string[], surround: Surround): Promise<void> {
  const ran = await promptpack(args, surround);
  expect(ran.stdout + ran.stderr).toMatch(/pwn/);
  expect(obeyed(ran)).toEqual([]);
}

describe.each([[github], [{ TF_BUILD: "True" }]])("in the log of a job, %o", (env) => {
  const lint = (format: string) => ["lint", "-f", format];
  const pack = (...args: readonly string[]) => [...args, "--", file];
  const commands = [
    ...["pretty", "compact", "json", "sarif", "gitlab", "junit", "markdown"].map(lint),
    ["validate"],
    pack("inspect"),
    pack("inspect", "-f", "json"),
    ...["mermaid", "dot", "svg", "json", "html"].map((format) => pack("graph", "-f", format)),
    ...["table", "json", "jsonl"].map((format) => pack("simulate", "--random", "5", "-f", format)),
    pack("simulate", "--random", "3", "--render"),
    pack("simulate", "--events", "pwn"),
    ["explain", words],
    ["lint", words],
    [words],
  ];

  it.each(commands.map((args) => [args.join(" ").replaceAll(words, "…"), args] as const))(
    "a name gives no command to the runner: %s",
    (_, args) => expectHarmless(args, { cwd: folderOf({ [file]: hostilePack() }), env }),
  );
});

describe("in the log of GitHub", () => {
  it("only what annotates is a command", async () => {
    const cwd = folderOf({ [file]: hostilePack() });
    const ran = await promptpack(["lint", "-f", "github"], { cwd, env: github });
    const commands = obeyed(ran);
    expect(commands.length).toBeGreaterThan(0);
    for (const line of commands) expect(line).toMatch(/^::(?:error|warning|notice) file=%3A%3Aerror[^:]*::/);
    expect(ran.stdout).toMatch(/^: :error::x ## \[error\]y ##vso \[z\]w\.pack\.json:\d+:\d+: error: /m);
    expect(ran.stderr).toBe("");
  });

  it("annotations stay commands on standard error, where a patch takes standard output", async () => {
    const cwd = folderOf({ [file]: hostilePack() });
    const { stderr } = await promptpack(["lint", "--fix-dry-run", "-f", "github"], { cwd, env: github });
    expect(stderr).toMatch(/^::error file=/m);
  });

  it.each(["pwn ##[error]pwn", "::error::pwn"])(
    "standard error gives none, in a folder called %s",
    async (name) => {
      const cwd = folderOf({ [`${name}/promptpack.config.yaml`]: `rules: { "${words}": off }` });
      symlinkSync(`gone ${words.slice(0, 80)}`, join(cwd, name, file));
      await expectHarmless(["lint", "-f", "github", name], { cwd, env: github });
      await expectHarmless(["lint", "-f", "github", "--no-config", `${name}/${file}`], { cwd, env: github });
    },
  );

  it("a report in a file gives none either: it may be /dev/stderr", async () => {
    const cwd = folderOf({ [file]: hostilePack() });
    const files = ["pretty", "compact", "github"].map((format) => `--format=${format}=${format}.txt`);
    await promptpack(["lint", ...files], { cwd, env: github });
    const [pretty = "", compact = "", annotated = ""] = ["pretty", "compact", "github"].map((format) =>
      readFileSync(join(cwd, `${format}.txt`), "utf8"),
    );
    expect(obeyed({ code: 1, stdout: pretty, stderr: compact })).toEqual([]);
    expect(annotated).toMatch(/^::error file=/m);
  });
});

describe("a pack with commands in its text", () => {
  // A scalar of several lines can begin a line with anything.
  const yaml = `id: greeter
name: Greeter
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  greet: { id: greet, name: Greet, version: 1.0.0, system_template: "Emit Done." }
workflow:
  version: 1
  entry: hello
  states:
    hello:
      prompt_task: greet
      description: >-
        ##[error]pwn
        ::error::pwn
      on_event:
        Done: edn
    end: { prompt_task: greet, terminal: true }
`;

  it("is shown without them where --fix-dry-run prints to the log", async () => {
    const cwd = folderOf({ "a.pack.yaml": yaml });
    const args = ["lint", "--fix-dry-run", "--unsafe-fixes", "a.pack.yaml"];
    await expectHarmless(args, { cwd, env: github });
    const { stdout } = await promptpack(args, { cwd });
    expect(stdout).toContain("         ::error::pwn\n");
    expect(stdout).toContain("         ##[error]pwn\n");
  });

  it("is printed as it is by --fix -, which makes a pack", async () => {
    const args = ["lint", "--fix", "--unsafe-fixes", "-"];
    const { stdout } = await promptpack(args, { stdin: yaml, env: github });
    expect(stdout).toBe(yaml.replace("edn", "end"));
  });
});

describe("elsewhere", () => {
  it.each([{}, { GITHUB_ACTIONS: "false" }, { GITLAB_CI: "true" }])(
    "names stay as they are, %o",
    async (env) => {
      const cwd = folderOf({ [file]: hostilePack() });
      const { stdout } = await promptpack(["lint", "-f", "compact"], { cwd, env });
      for (const line of stdout.trimEnd().split("\n")) expect(line.startsWith(`${file}:1:`)).toBe(true);
      const { stderr } = await promptpack(["lint", words], { cwd, env });
      expect(stderr).toContain(words);
    },
  );

  it.each(["json", "sarif", "gitlab", "junit"])("%s is the same as in a job", async (format) => {
    const cwd = folderOf({ [file]: hostilePack() });
    const { stdout } = await promptpack(["lint", "-f", format], { cwd, env: github });
    expect(stdout).toBe((await promptpack(["lint", "-f", format], { cwd })).stdout);
    const decoded = stdout.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const meant = format === "junit" ? decoded : JSON.stringify(JSON.parse(stdout));
    expect(meant).toContain(words);
  });
});
