import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { generate } from "../../fixtures/hostile/generate.mjs";
import { reporters } from "../../src/reporters/index.js";
import { quietEnv } from "./clone.js";

const folder = mkdtempSync(join(tmpdir(), "promptpack-binary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const binary = join(folder, process.platform === "win32" ? "promptpack.exe" : "promptpack");
let missing: string | undefined;
beforeAll(() => {
  // `npm run test:full` has built dist and installed tools/.
  const { status, stderr } = spawnSync(process.execPath, ["scripts/binary.mjs", binary], {
    encoding: "utf8",
  });
  if (stderr.startsWith("Bun is not installed")) missing = stderr.trim();
  else expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
beforeEach((context) => {
  context.skip(missing !== undefined, missing);
});

/** Each program has a folder of its own, as some commands write files. */
const programs = {
  node: [process.execPath, resolve("bin/promptpack.js")],
  binary: [binary],
} as const;
const places = ["node", "binary"] as const;

/** The outcomes for the program and for the binary. */
function both<T>(outcomeIn: (place: keyof typeof programs) => T): readonly [expected: T, actual: T] {
  return [outcomeIn("node"), outcomeIn("binary")];
}

const timestamp = /\b\d{4}-\d\d-\d\dT[\d:.]+Z/gu;

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(place: keyof typeof programs, args: readonly string[], input = ""): Outcome {
  const [program, ...first] = programs[place];
  const home = join(folder, "homes", place);
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], {
    cwd: join(folder, place),
    env: { ...quietEnv, HOME: home, XDG_CACHE_HOME: home, LOCALAPPDATA: home },
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return { status, stdout: stdout.replaceAll(timestamp, "NOW"), stderr };
}

/** Runs both, and returns what both did. */
function startBoth(args: readonly string[], input?: string): Outcome {
  const [expected, actual] = both((place) => start(place, args, input));
  expect(actual).toEqual(expected);
  return expected;
}

const patterns = [
  ...[
    "(a",
    "a)",
    "[a",
    "*a",
    "[z-a]",
    "a{3,1}",
    "a\\",
    "(?~a)",
    "(?<1>a)",
    "(?z)a",
    "^*",
    "(?<=a)+",
    "\\b{2}",
    "[\\",
  ],
  ...["(?P<n>a)(?P<n>b)", "(?<n>a)\\k<m>", "a{9999999999}", "(?i)a", "a++", "\\p{Nope}", "(?<n>a)|(?<n>b)"],
];

beforeAll(() => {
  for (const place of places) {
    const home = join(folder, place);
    for (const path of [
      "examples",
      "fixtures/packs",
      "fixtures/records",
      "fixtures/agentic",
      "fixtures/rules",
    ])
      cpSync(path, join(home, path), { recursive: true });
    mkdirSync(join(folder, "homes", place), { recursive: true, mode: 0o700 });
    cpSync("fixtures/hostile", join(home, "hostile"), { recursive: true });
    mkdirSync(join(home, "large"));
    for (const name of ["nested-lists.json", "nested-flow.yaml", "nested-parameters.json"])
      writeFileSync(join(home, "large", name.replace(".", ".pack.")), Buffer.concat([...generate(name)]));
    const variables = patterns.map((pattern, i) => ({ name: `v${i}`, validation: { pattern } }));
    writeFileSync(
      join(home, "patterns.pack.json"),
      JSON.stringify({ prompts: { p: { variables } } }, null, 2),
    );
    symlinkSync("circle.pack.yaml", join(home, "circle.pack.yaml"));
    // What Bun would read without being asked.
    writeFileSync(join(home, "bunfig.toml"), 'preload = ["./intruder.js"]\n');
    writeFileSync(join(home, "intruder.js"), 'console.log("An intruder.");\n');
    writeFileSync(join(home, ".env"), "NO_COLOR=\nFORCE_COLOR=1\nGITHUB_ACTIONS=true\n");
  }
});

const yaml = "examples/codegen.pack.yaml";
const json = "examples/self-correcting.pack.json";
const recorded = "fixtures/packs/rfc-0009-codegen.pack.yaml";
const record = "fixtures/records/codegen.jsonl";

describe("the standalone binary does what the program does", () => {
  it.each([
    ...[
      "",
      "--version",
      "--help",
      "lint --help",
      "help diff",
      "lnt",
      "lint --nope",
      "lint no-such-file.yaml",
    ],
    ...Object.keys(reporters).map((format) => `lint -f ${format} fixtures examples hostile large`),
    "lint --color --full fixtures/packs examples",
    "lint --preset strict --max-warnings 3 fixtures/packs",
    "lint --fix-dry-run --unsafe-fixes fixtures/rules/u*/*.yaml",
    "lint --print-config examples/codegen.pack.yaml",
    "lint --stdin-filename a.pack.yaml -",
    "lint circle.pack.yaml",
    "lint examples/codegen.pack.yaml/below.pack.yaml",
    `lint ${"a".repeat(300)}.pack.yaml`,
    "lint -f sarif=examples examples",
    "lint -f sarif=examples/codegen.pack.yaml/a.sarif -f compact examples",
    "lint -f json fixtures/rules/**/*.yaml patterns.pack.json",
    "lint --since HEAD",
    "validate fixtures/packs",
    ...["rules", "rules -f json", "explain unbounded-loop", "explain tool-removed", "explain nothing"],
    ...["schema", "schema --spec-version 1.0", "schema --kind report", "schema --kind nothing"],
    ...["mermaid", "dot", "svg", "html", "json"].map((format) => `graph ${yaml} -f ${format}`),
    `graph ${recorded} --coverage ${record}`,
    ...[
      `inspect ${yaml}`,
      `inspect ${json} -f json`,
      "inspect patterns.pack.json",
      "inspect hostile/nul.pack.json",
    ],
    ...["pretty", "json", "markdown", "github", "sarif", "html"].map(
      (format) => `diff ${yaml} ${json} -f ${format}`,
    ),
    `diff ${yaml} ${json} --fail-on breaking`,
    ...["table", "json", "jsonl"].map((format) => `simulate ${recorded} -f ${format} --random 40 --seed 7`),
    `simulate ${recorded} -e PlanReady,Nothing`,
    `simulate ${recorded} -e PlanReady --render`,
    `replay ${record} --pack ${recorded}`,
    `replay fixtures/records/codegen-cut-off.jsonl --pack ${recorded} -f json`,
    "replay fixtures/agentic/worked-example/as-printed.jsonl --routes fixtures/agentic/worked-example",
    ...["table", "jsonl", "arena"].map((format) => `paths ${yaml} -f ${format}`),
    ...["table", "markdown", "json"].map((format) => `coverage ${recorded} ${record} -f ${format} --min 90`),
    ...["bash", "zsh", "fish", "tcsh"].map((shell) => `completion ${shell}`),
  ])("promptpack %s", (line) => {
    const { stdout, stderr } = startBoth(line.split(" ").filter(Boolean), readFileSync(yaml, "utf8"));
    expect(stdout + stderr).not.toBe("");
  });

  it("words what is wrong with a pattern itself", () => {
    const { stdout } = startBoth(["lint", "-f", "compact", "patterns.pack.json"]);
    expect(stdout).toContain(
      'The pattern of the variable "v0" is not a regular expression: a "(" is not closed.',
    );
  });

  it("writes the same files", () => {
    const lines = [
      "init",
      "lint --fix --unsafe-fixes fixtures/rules/u*/*.yaml",
      "lint -f json=out/a.json -f junit=out/a.xml fixtures/packs",
      "lint --baseline known.json --update-baseline fixtures/packs",
      "lint --baseline known.json fixtures/packs",
      `graph ${yaml} -o out/a.svg`,
      `paths ${yaml} -o out/a.jsonl -f jsonl`,
      `step ${recorded} --run run.json --start --run-id r1 --goal Ship`,
      `step ${recorded} --run run.json --event PlanReady --step 1`,
      `step ${recorded} --run run.json --event Nothing --step 2`,
    ];
    const codes = lines.map((line) => startBoth(line.split(" ")).status);
    expect(codes).toEqual([0, 1, 1, 0, 0, 0, 0, 0, 0, 1]);
    const [expected, actual] = both((place) => filesIn(join(folder, place)));
    expect(actual).toEqual(expected);
    expect([...expected.keys()]).toEqual(
      expect.arrayContaining(["out/a.svg", "run.json", "promptpack.config.yaml"]),
    );
  });

  it("keeps findings with --cache", () => {
    const first = startBoth(["lint", "--cache", "fixtures/packs"]);
    // Each user's key names the entries; a binary needs no compiled form.
    const kept = both((place) =>
      [...filesIn(join(folder, "homes", place)).keys()]
        .filter((name) => !name.includes("compiled"))
        .map((name) => name.replace(/[\da-f]{16,}/, "ID")),
    );
    expect(kept[1]).toEqual(kept[0]);
    expect(kept[0]).not.toEqual([]);
    expect(startBoth(["lint", "--cache", "fixtures/packs"])).toEqual(first);
  });

  it("serves an editor", () => {
    const [expected, actual] = both((place) => messagesOf(start(place, ["lsp"], conversation())));
    expect(actual).toEqual(expected);
    expect(JSON.stringify(actual)).toContain("quickfix");
  });
});

function filesIn(home: string): ReadonlyMap<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths
      .sort()
      .map((path) => [relative(home, path), readFileSync(path, "latin1").replaceAll(timestamp, "NOW")]),
  );
}

/** All that an editor sends, from the first message to the last. */
function conversation(): string {
  const textDocument = {
    uri: "file:///nowhere/a.pack.yaml",
    languageId: "yaml",
    version: 1,
    text: readFileSync(yaml, "utf8"),
  };
  const range = { start: { line: 0, character: 0 }, end: { line: 500, character: 0 } };
  const messages = [
    { id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } },
    { method: "initialized", params: {} },
    { method: "textDocument/didOpen", params: { textDocument } },
    {
      id: 2,
      method: "textDocument/codeAction",
      params: { textDocument, range, context: { diagnostics: [] } },
    },
    { id: 3, method: "shutdown" },
    { method: "exit" },
  ];
  return messages
    .map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))
    .map((body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    .join("");
}

/** What an editor gets; the binary has no pages beside it that a finding could link to. */
function messagesOf({ status, stdout, stderr }: Outcome): unknown {
  const bodies = stdout.split(/Content-Length: \d+\r\n\r\n/u).filter(Boolean);
  const withoutPages = (key: string, value: unknown) => (key === "codeDescription" ? undefined : value);
  return { status, stderr, messages: bodies.map((body) => JSON.parse(body, withoutPages) as unknown) };
}
