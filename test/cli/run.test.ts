import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cutExamples, renderPage } from "../../src/cli/actions/render-page.js";
import { loadPaint, plainPaint } from "../../src/text/paint.js";
import { ruleGroups, rules } from "../../src/rules/index.js";
import { folderOf, promptpack } from "./harness.js";
import { clean } from "./packs.js";

const commands = [
  ...["lint", "validate", "graph", "inspect", "simulate", "replay", "step"],
  ...["rules", "explain", "schema", "init", "completion"],
];

describe("an invalid command line gives one line and exits with 2", () => {
  it.each([
    [["lnt"], 'Unknown command "lnt". Did you mean "lint"?'],
    [["zzz"], 'Unknown command "zzz". See "promptpack --help".'],
    [["lnt", "--help"], 'Unknown command "lnt". Did you mean "lint"?'],
    [["zzz", "a.pack.json", "-h"], 'Unknown command "zzz". See "promptpack --help".'],
    [["help", "zzz"], 'Unknown command "zzz". See "promptpack --help".'],
    [["--versoin"], 'Unknown option "--versoin". Did you mean "--version"?'],
    [["lint", "--formt", "json"], 'Unknown option "--formt". Did you mean "--format"?'],
    [["lint", "-x"], 'Unknown option "-x".'],
    [["-v"], 'Unknown option "-v". Did you mean "-V"?'],
    [["help", "lnt"], 'Unknown command "lnt". Did you mean "lint"?'],
    [["lint", "--fix=yes"], 'The option "--fix" takes no value.'],
    [["lint", "--qiet=1"], 'Unknown option "--qiet=1". Did you mean "--quiet"?'],
    [
      ["graph", "a.yaml", "b.yaml", "c.yaml"],
      'Too many arguments for "graph". Expected 1 argument but got 3. See "promptpack graph --help".',
    ],
    [["help", "lint", "a.yaml"], 'Too many arguments for "help": name one command.'],
    [["help", "-h", "lint", "a.yaml"], 'Too many arguments for "help": name one command.'],
    [
      ["init", "here"],
      'Too many arguments for "init". Expected 0 arguments but got 1. See "promptpack init --help".',
    ],
    [
      ["lint", "--max-warnings"],
      'Option "--max-warnings <n>" argument missing. See "promptpack lint --help".',
    ],
    [["explain"], 'Missing required argument "rule". See "promptpack explain --help".'],
    [["step", "a.pack.json"], 'Required option "--run <file>" not specified. See "promptpack step --help".'],
    [["explain", "unknown-entri"], 'No rule is called "unknown-entri". Did you mean "unknown-entry"?'],
    [["explain", "__proto__"], 'No rule is called "__proto__". "promptpack rules" lists them.'],
    [["explain", "../../package"], 'No rule is called "../../package". "promptpack rules" lists them.'],
    [["rules", "--format", "jsn"], '"rules" has no format "jsn". Did you mean "json"?'],
    [["schema", "--kind", "confg"], 'There is no schema of kind "confg". Did you mean "config"?'],
    [["lint", "--x\u001b[31m"], 'Unknown option "--x\\u001b[31m".'],
    [["check", "a.pack.json"], 'Unknown command "check". Use "promptpack lint".'],
    [["fix"], 'Unknown command "fix". Use "promptpack lint --fix".'],
    [["version"], 'Unknown command "version". Use "promptpack --version".'],
    [["draw", "a.pack.json"], 'Unknown command "draw". Use "promptpack graph".'],
    [["list-rules"], 'Unknown command "list-rules". Use "promptpack rules".'],
    [["rule", "dead-guard"], 'Unknown command "rule". Use "promptpack explain <rule>".'],
    [["help", "check"], 'Unknown command "check". Use "promptpack lint".'],
    [["lint", "--json"], 'Unknown option "--json". Use "--format json".'],
    [["rules", "--json"], 'Unknown option "--json". Use "--format json".'],
    [["explain", "--json", "dead-guard"], 'Unknown option "--json".'],
    [["lint", "-o", "out"], 'Unknown option "-o". Use "--format <name>=<file>".'],
    [["lint", "--output=out"], 'Unknown option "--output=out". Use "--format <name>=<file>".'],
    [["rules", "--output", "out"], 'Unknown option "--output".'],
    [["lint", "--select", "dead-guard"], 'Unknown option "--select". Use "--only <rule>".'],
    [
      ["lint", "--ignore", "dead-guard"],
      'Unknown option "--ignore". Use "--rule <id>:off" for a rule, and the file ".promptpackignore" for files.',
    ],
    [
      ["validate", "--exclude", "old"],
      'Unknown option "--exclude". Use the file ".promptpackignore" for files, and "--rule <id>:off" for a rule.',
    ],
    [["lint", "--diff"], 'Unknown option "--diff". Use "--fix-dry-run".'],
    [["lint", "--verbose"], 'Unknown option "--verbose". Use "--full".'],
    [
      ["lint", "--stdin"],
      'Unknown option "--stdin". Use the path "-", and "--stdin-filename <path>" to name it.',
    ],
    [["lint", "--fix-unsafe"], 'Unknown option "--fix-unsafe". Use "--fix --unsafe-fixes".'],
    [["rules", "zzz"], 'No rule has "zzz" in its id, group or summary. "promptpack rules" lists all.'],
  ])("%j", async (args, message) => {
    expect(await promptpack(args)).toEqual({ code: 2, stdout: "", stderr: `promptpack: ${message}\n` });
  });

  it("suggests lint if the command is a file", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    expect(await promptpack(["a.pack.json"], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: Unknown command "a.pack.json". To lint a file: promptpack lint a.pack.json\n',
    });
  });

  it("prints the help if there is no command", async () => {
    const { code, stdout, stderr } = await promptpack([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe((await promptpack(["--help"])).stdout);
  });
});

describe("help", () => {
  it("of help is the general help", async () => {
    expect(await promptpack(["help", "help"])).toEqual(await promptpack(["--help"]));
  });

  it.each([[[]], ...commands.map((command) => [[command]])])(
    "%j --help fits 80 columns and has examples",
    async (args) => {
      const { code, stdout, stderr } = await promptpack([...args, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("\nExamples:\n  ");
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    },
  );
});

it("prints the version", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  for (const flag of ["--version", "-V"]) {
    expect(await promptpack([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  }
});

it("explains a rule with its page", async () => {
  const page = cutExamples(readFileSync("docs/rules/unknown-entry.md", "utf8"));
  const expected = { code: 0, stdout: renderPage(page, plainPaint, 80), stderr: "" };
  for (const written of ["unknown-entry", "[unknown-entry]", "Unknown-Entry", "[UNKNOWN-ENTRY]"]) {
    expect(await promptpack(["explain", written])).toEqual(expected);
  }
  const color = await promptpack(["explain", "unknown-entry", "--color"]);
  expect(color.stdout).toBe(renderPage(page, await loadPaint({ color: true, links: false }), 80));
  const plain = await promptpack(["explain", "unknown-entry", "--no-color"], { terminal: 80 });
  expect(plain).toEqual(expected);
});

it.each([
  [undefined, 80],
  [200, 80],
  [50, 50],
])("explains a rule in lines that fit a terminal of %s columns", async (terminal, width) => {
  const { stdout } = await promptpack(
    ["explain", "dead-guard", "--no-color"],
    terminal === undefined ? {} : { terminal },
  );
  const prose = stdout.split("\n").filter((line) => !line.startsWith("    "));
  expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(prose).toContain("Severity: info. Source: RFC 0009, loop guards.");
});

describe("rules", () => {
  it("have headings and wrapped lines only in a terminal", async () => {
    const { stdout: list } = await promptpack(["rules"]);
    const { stdout: shown } = await promptpack(["rules"], { terminal: 80 });
    expect(shown.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const groups = shown.split("\n\n").map((group) => /^(.+)\n([^]*)$/.exec(group)?.slice(1) ?? []);
    expect(groups.map(([title]) => title)).toEqual(ruleGroups.map(({ title }) => title));
    const joined = groups.map(([, lines = ""]) => lines.replace(/\n {20,}/g, " ").trimEnd()).join("\n");
    expect(joined).toBe(list.trimEnd());
  });

  it("are listed in one line each", async () => {
    const { code, stdout } = await promptpack(["rules"]);
    const ids = stdout
      .trimEnd()
      .split("\n")
      .map((line) => /^(\S+) +(?:error|warning|info) +\S/.exec(line)?.[1]);
    expect({ code, ids }).toEqual({ code: 0, ids: rules.map(({ id }) => id) });
  });

  it("are marked if they can be fixed", async () => {
    const { stdout } = await promptpack(["rules"]);
    const marked = stdout
      .trimEnd()
      .split("\n")
      .map((line) => / \[((?:unsafe |proved )?fix)\]$/.exec(line)?.[1]);
    const words = { safe: "fix", unsafe: "unsafe fix", proved: "proved fix" };
    expect(marked).toEqual(rules.map(({ fix }) => fix && words[fix]));
  });

  it("are filtered by a word in their id, group or summary", async () => {
    const idsFor = async (...args: string[]) => {
      const { stdout } = await promptpack(["rules", ...args]);
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ")[0]);
    };
    expect(await idsFor("guard")).toEqual(
      rules.filter(({ id, summary }) => /guard/i.test(id + summary)).map(({ id }) => id),
    );
    expect(await idsFor("AGENTS")).toEqual(expect.arrayContaining(["unknown-agent-entry"]));
    expect(await idsFor("dead-guard")).toEqual(["dead-guard"]);
    const { stdout } = await promptpack(["rules", "suppressions"], { terminal: 80 });
    expect(stdout).toMatch(/^Suppressions\nunused-suppression {2}/);
    const json = await promptpack(["rules", "dead-guard", "--format", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject([{ id: "dead-guard" }]);
  });

  it("are listed as JSON", async () => {
    const { code, stdout } = await promptpack(["rules", "--format", "json"]);
    const expected = rules.map(({ id, severity, summary, source, fix, since }) => ({
      ...{ id, severity, summary, source },
      ...(fix && { fix }),
      ...(since && { since }),
    }));
    expect({ code, list: JSON.parse(stdout) as unknown }).toEqual({ code: 0, list: expected });
  });
});

describe("schema --spec-version", () => {
  it("prints what the version had", async () => {
    const { code, stdout } = await promptpack(["schema", "--spec-version", "1.4"]);
    const schema = JSON.parse(stdout) as { title: string; properties: object; $defs: object };
    expect({ code, title: schema.title }).toEqual({ code: 0, title: "PromptPack v1.4.1" });
    expect(Object.keys(schema.properties)).toContain("agents");
    expect(Object.keys(schema.properties)).not.toContain("compositions");
    expect(Object.keys(schema.$defs)).not.toContain("Step");
  });

  it.each([
    [["--spec-version", "9"], 'There is no spec version "9".'],
    [
      ["--kind", "config", "--spec-version", "1.4"],
      '"--spec-version" can only be used with the schema of packs.',
    ],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await promptpack(["schema", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

it.each([
  ["pack", "schema/promptpack.schema.json"],
  ["report", "schema/report.schema.json"],
  ["config", "schema/config.schema.json"],
])("prints the schema of a %s", async (kind, file) => {
  const expected = { code: 0, stdout: readFileSync(file, "utf8"), stderr: "" };
  expect(await promptpack(["schema", "--kind", kind])).toEqual(expected);
  if (kind === "pack") expect(await promptpack(["schema"])).toEqual(expected);
});
