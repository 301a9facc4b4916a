/**
 * Feeds the built library and program with damaged and invented input: `npm run fuzz -- --seconds 600 --seed 7`.
 * Everything follows from the seed; `--case N` runs one case of it again. Exit 1 when something was found.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { flagsIn } from "./fuzz/command-line.mjs";
import { faultOfOutput, faultOfResult } from "./fuzz/faults.mjs";
import { commandLine, hostileBytes, packText, yamlTree } from "./fuzz/inputs.mjs";
import { minimise } from "./fuzz/minimise.mjs";
import { Random } from "./fuzz/random.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { lint } = await import(new URL("../dist/index.js", import.meta.url).href);
const { run } = createRequire(import.meta.url)(join(root, "dist", "load.cjs")).loadProgram();
const isReport = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(join(root, "schema", "report.schema.json"), "utf8")),
);
const seeds = [...filesBelow(join(root, "fixtures")), ...filesBelow(join(root, "examples"))].map((path) =>
  readFileSync(path),
);
const longestCase = 20_000;

const seconds = Number(option("--seconds") ?? 60);
const seed = Number(option("--seed") ?? Date.now() % 1_000_000);
const only = option("--case");
const folder = mkdtempSync(join(tmpdir(), "promptpack-fuzz-"));
console.log(`seed ${seed}, ${only === undefined ? `${seconds} seconds` : `case ${only}`}`);

const kinds = [
  ["bytes", (random) => tryText(hostileBytes(random, seeds))],
  ["yaml tree", (random) => tryText(Buffer.from(yamlTree(random)))],
  ["pack", (random) => tryText(Buffer.from(packText(random)))],
  ["command line", (random) => tryCommand(random)],
];
const found = new Map();
let cases = 0;
try {
  const until = Date.now() + seconds * 1000;
  for (let number = Number(only ?? 0); only === undefined ? Date.now() < until : cases === 0; number++) {
    const random = new Random(seed, number);
    const [kind, attempt] = kinds[random.below(kinds.length)];
    cases++;
    const fault = await attempt(random);
    if (fault !== undefined) note(kind, number, fault);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${cases} cases, ${found.size === 0 ? "nothing found" : `${found.size} faults found`}`);
process.exitCode = found.size === 0 ? 0 : 1;

/** One fault of each kind is enough to work on. */
function note(kind, number, { what, input }) {
  const key = what.replace(/\d+/g, "0").slice(0, 120);
  if (found.has(key)) return;
  found.set(key, number);
  console.log(`\n${kind}, --seed ${seed} --case ${number}: ${what}\n${input}\n`);
}

async function tryText(bytes) {
  const fault = await faultOfText(bytes);
  if (fault === undefined) return undefined;
  const kindOf = (text) => text?.replace(/\d+/g, "0").slice(0, 60);
  const small = await minimise(bytes, async (part) => kindOf(await faultOfText(part)) === kindOf(fault));
  return { what: fault, input: JSON.stringify(small.toString("latin1")) };
}

async function faultOfText(bytes) {
  const results = [];
  for (const format of ["json", "yaml"]) {
    const start = Date.now();
    try {
      const once = lint(bytes, { format });
      const again = lint(bytes, { format });
      if (JSON.stringify(once) !== JSON.stringify(again)) return `${format}: two runs differ`;
      results.push([format, once]);
    } catch (error) {
      return `${format}: ${error?.stack ?? error}`;
    }
    if (Date.now() - start > longestCase) return `${format}: took longer than ${longestCase} ms`;
  }
  for (const [format, result] of results) {
    const fault = faultOfResult(result, bytes);
    if (fault !== undefined) return `${format}: ${fault}`;
  }
  writeFileSync(join(folder, "one.pack.yaml"), bytes);
  return faultOfRun(["lint", "one.pack.yaml", "--no-config", "-f", "json"]);
}

async function tryCommand(random) {
  const place = join(folder, "run");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place, ".git"), { recursive: true });
  const { args, files, stdin } = commandLine(random, seeds);
  for (const [name, content] of files) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), content);
  }
  const fault = await faultOfRun(args, place, stdin);
  if (fault === undefined) return undefined;
  return {
    what: fault,
    input: JSON.stringify({ args, files: files.map(([name, text]) => [name, text.toString("latin1")]) }),
  };
}

async function faultOfRun(args, cwd = folder, stdin = Buffer.alloc(0)) {
  const out = [];
  const err = [];
  const io = {
    args,
    stdin: (async function* () {
      yield stdin;
    })(),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    cwd,
    env: {},
  };
  let code;
  try {
    code = await Promise.race([run(io), late()]);
  } catch (error) {
    return `${args.join(" ")}: ${error?.stack ?? error}`;
  }
  const [stdout, stderr] = [out.join(""), err.join("")];
  const fault = faultOfOutput({ code, stdout, stderr }, args);
  if (fault !== undefined) return `${args.join(" ")}: ${fault}`;
  if (!printsJson(args) || stdout === "") return undefined;
  try {
    if (isReport(JSON.parse(stdout))) return undefined;
  } catch (error) {
    return `${args.join(" ")}: ${error.message}`;
  }
  return `${args.join(" ")}: ${JSON.stringify(isReport.errors?.slice(0, 2))}`;
}

/** Whether this should print a report as JSON, and nothing else. */
function printsJson(args) {
  const flags = flagsIn(args);
  const formats = flags.flatMap(([name, value]) => (name === "-f" || name === "--format" ? [value] : []));
  const prints = ([name]) => /^(?:--help|-h|--print-config|--fix.*)$/.test(name);
  return args[0] === "lint" && formats.length === 1 && formats[0] === "json" && !flags.some(prints);
}

function late() {
  return new Promise((resolve) => setTimeout(() => resolve("late"), 4 * longestCase).unref());
}

function filesBelow(start) {
  return readdirSync(start, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:json|ya?ml|jsonl)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function option(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}
