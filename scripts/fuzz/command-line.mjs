import { editorTalk } from "./editor-talk.mjs";
import { hostileBytes } from "./hostile-bytes.mjs";
import { packText } from "./pack-text.mjs";
import { projectFiles } from "./project-files.mjs";
import { runnablePack, runText, stepTurn } from "./step-turn.mjs";
import { yamlTree } from "./yaml-tree.mjs";

const commands = [
  "lint",
  "lint",
  "lint",
  "lint",
  "validate",
  "compile",
  "compile",
  "rules",
  "explain",
  "schema",
  "inspect",
  "graph",
  "simulate",
  "diff",
  "paths",
  "coverage",
  "vectors",
  "help",
  "replay",
  "step",
  "step",
  "lsp",
  "init",
  "completion",
  "--version",
  "lnt",
];
const flags = [
  [
    "-f",
    [
      "json",
      "compact",
      "pretty",
      "sarif",
      "github",
      "gitlab",
      "junit",
      "markdown",
      "json=out.json",
      "svg",
      "dot",
      "mermaid",
      "html",
      "table",
      "jsonl",
      "text",
    ],
  ],
  ["--format", ["json", "compact", "nope", "constructor", "__proto__"]],
  ["--max-warnings", ["0", "-1", "x", "99999999999999999999"]],
  ["--rule", ["schema:off", "unknown-entry:error", "x:error", "schema", ":", "__proto__:off"]],
  ["--against", ["HEAD", "-x", "main", ""]],
  ["--fail-on", ["breaking", "any", "nope"]],
  ["--min", ["0", "80", "101", "x"]],
  ["--coverage", ["run.json", "one.pack.yaml", "missing.jsonl"]],
  ["--preset", ["strict", "spec", "nope", "toString"]],
  ["--config", ["c.yaml", "missing.yaml", "."]],
  ["--baseline", ["base.json", "."]],
  ["--spec-version", ["1.3", "1.4", "9", "latest"]],
  ["--stdin-filename", ["x.pack.yaml", "\u001b[2J.json", "a\nb"]],
  ["--max-size", ["1", "10kB", "0", "x", "1e3"]],
  ["--max-depth", ["0", "1", "3", "100000"]],
  ["--max-alias-nodes", ["0", "5"]],
  ["--max-values", ["0", "1", "5"]],
  ["--print-config", ["one.pack.yaml"]],
  ["--events", ["Done", "a,b", "", "Done,Done,Done"]],
  ["--random", ["1", "50", "x"]],
  ["--count", ["0", "3", "x"]],
  ["--runtime", ["promptkit", "langchain-js", "none", "__proto__"]],
  ["--seed", ["1", "-1"]],
  ["--set", ["a=1", "=", "__proto__=x"]],
  ["--agent", ["a", "plan"]],
  ["--output", ["out.json", "arena.yaml", "-", "sub", "book.yaml"]],
  ["--check", ["two.pack.json", "arena.yaml", "missing.json"]],
  ["--created-at", ["2026-01-01", "x", ""]],
  ["--id", ["a", "", "\u001b[2J"]],
  ...[
    "--quiet",
    "--full",
    "--exit-zero",
    "--no-config",
    "--no-inline-config",
    "--update-baseline",
    "--fix",
    "--fix-dry-run",
    "--unsafe-fixes",
    "--stats",
    "--no-color",
    "--no-budget",
    "--render",
    "--force",
    "--help",
    "--nope",
  ].map((name) => [name]),
];
const paths = [
  "one.pack.yaml",
  "two.pack.json",
  ".",
  "-",
  "missing.json",
  "*.json",
  "**/*.{json,yaml}",
  "[",
  "{a,b",
  "sub",
  "arena.yaml",
  "book.yaml",
  "\u001b[2J",
  "",
  "c.yaml",
];

/** A command line, and the folder it runs in. */
export function commandLine(random, seeds) {
  const text = () =>
    random.chance(60)
      ? Buffer.from(packText(random))
      : random.chance(50)
        ? hostileBytes(random, seeds)
        : Buffer.from(yamlTree(random));
  const args = argsOf(random);
  const files = [
    ["one.pack.yaml", text()],
    ["two.pack.json", text()],
    ["sub/three.pack.yaml", text()],
    ["c.yaml", configText(random)],
  ];
  if (random.chance(30)) files.push(["promptpack.config.yaml", configText(random)]);
  if (random.chance(20))
    files.push([
      ".gitignore",
      Buffer.from(
        random.list(4, () => random.pick(["*", "!a", "[", "sub/", "**/x", "\\", "#", "two.*"])).join("\n"),
      ),
    ]);
  if (random.chance(20))
    files.push([
      "base.json",
      random.chance(50) ? Buffer.from('{"schemaVersion":1,"findings":[]}') : hostileBytes(random, seeds),
    ]);
  if (args[0] === "step") files.push(...filesOfRun(random));
  else if (args[0] === "compile" || args.includes("arena.yaml") || random.chance(20))
    files.push(...projectFiles(random));
  const stdin = text();
  return { args, files, stdin: args[0] === "lsp" ? editorTalk(random, stdin.toString()) : stdin };
}

function filesOfRun(random) {
  const pack = ["run.pack.json", Buffer.from(runnablePack)];
  return random.chance(30) ? [pack] : [pack, ["run.json", Buffer.from(runText(random))]];
}

function argsOf(random) {
  const command = random.pick(commands);
  switch (command) {
    case "step":
      return [
        command,
        random.pick(["run.pack.json", "run.pack.json", "one.pack.yaml", "sub"]),
        ...stepTurn(random),
      ];
    case "lsp":
      return [command, ...random.list(1, () => random.pick(["--stdio", "--no-config", "--preset=strict"]))];
    case "compile":
      return [
        command,
        ...random.list(1, () => random.pick(["arena.yaml", ".", "book.yaml"])),
        ...random.list(3, () => compileFlagOf(random)).flat(),
      ];
    case "init":
      return [command, ...random.list(1, () => "--dry-run")];
    case "completion":
      return [command, random.pick(["bash", "zsh", "fish", "nope"])];
    case "simulate":
      return endingBySelf([command, ...pathsAndFlags(random)]);
    default:
      return [command, ...pathsAndFlags(random)];
  }
}

function pathsAndFlags(random) {
  return [...random.list(3, () => random.pick(paths)), ...random.list(4, () => flagOf(random)).flat()];
}

/** A simulation that nobody steers. */
function endingBySelf(args) {
  return args.includes("--events") ? args : [...args, "--random", "5"];
}

/** The flags of a command line with their values. A flag without its value takes the next argument, even another flag. */
export function flagsIn(args) {
  const takesValue = new Map(flags.map(([name, values]) => [name, values !== undefined]));
  const found = [];
  for (let at = 0; at < args.length; at++) {
    const name = args[at];
    found.push(takesValue.get(name) === true ? [name, args[++at]] : [name]);
  }
  return found;
}

const compileFlags = new Set([
  "--output",
  "--check",
  "--created-at",
  "--id",
  "--force",
  "--max-values",
  "--max-depth",
]);

function compileFlagOf(random) {
  const [name, values] = random.pick(flags.filter(([each]) => compileFlags.has(each)));
  return values === undefined ? [name] : [name, random.pick(values)];
}

function flagOf(random) {
  const [name, values] = random.pick(flags);
  return values === undefined ? [name] : random.chance(95) ? [name, random.pick(values)] : [name];
}

function configText(random) {
  if (random.chance(15)) return Buffer.from(yamlTree(random));
  const lines = random.list(4, () =>
    random.pick([
      "extends: strict",
      "extends: nope",
      "rules: { schema: off }",
      "rules: { x: error, __proto__: off }",
      'ignore: ["sub", "[", "{a,b}{c,d}*"]',
      "ignore: [{ file: one.pack.yaml, rule: schema, pointer: /id }]",
      "overrides: [{ files: '*.yaml', rules: { schema: info } }]",
      "__proto__: { rules: 1 }",
      "overrides: 7",
      "properties: [{ name: a, never: plan }, { name: b, always-possible: { event: Done }, from: x }]",
      "properties: [{ name: a, eventually: '*', after: { spent: plan } }, { name: a, at-most: -1 }]",
    ]),
  );
  return Buffer.from(`${lines.join("\n")}\n`);
}
