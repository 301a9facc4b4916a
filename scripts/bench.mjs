// Measures, as ratios within one run, and writes the table to docs/performance.md: `npm run bench`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseDocument, stringify } from "yaml";
import { largePack, smallPack } from "../bench/packs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "bin", "promptpack.js");
const folder = mkdtempSync(join(tmpdir(), "promptpack-bench-"));
const rounds = Number(process.env.ROUNDS ?? 21);
const rows = [];

try {
  const json = write("small.pack.json", JSON.stringify(smallPack(0), null, 2));
  const yaml = write("small.pack.yaml", stringify(smallPack(0)));
  startUp(json, yaml);
  peers(json);
  manyPacks();
  largeWorkflows();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report();

function write(name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function run(args) {
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  if (status === null || status > 1) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/** Medians of several commands, taken in turn so that a slow moment of the machine meets them all. */
function medians(...commands) {
  const times = commands.map(() => []);
  for (let round = 0; round < rounds; round++) commands.forEach((args, i) => times[i].push(run(args)));
  return times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
}

/** `measured` is what the goal is for, where that is not the ratio. */
function row(what, against, ratio, detail, goal, measured = ratio) {
  const asked = goal === undefined ? "" : `≤ ${goal.toFixed(2)}${measured === ratio ? "" : " ms each"}`;
  const reached = goal === undefined ? "" : measured <= goal ? "yes" : "no";
  rows.push({ what, against, ratio: ratio.toFixed(2), goal: asked, reached, detail });
  console.log(
    `${what}: ${ratio.toFixed(2)} × ${against} (${detail}${asked === "" ? "" : `; goal ${asked}`})`,
  );
}

function startUp(json, yaml) {
  const [node, forJson, forYaml, version] = medians(
    ["-e", "0"],
    [program, "lint", json],
    [program, "lint", yaml],
    [program, "--version"],
  );
  const detail = (time) => `${time.toFixed(0)} ms against ${node.toFixed(0)} ms`;
  row("`promptpack --version`", "`node -e 0`", version / node, detail(version));
  row("lint a JSON pack of 5 kB", "`node -e 0`", forJson / node, detail(forJson), 1.5);
  row("lint a YAML pack of 5 kB", "`node -e 0`", forYaml / node, detail(forYaml), 1.8);
}

/** Others at the same work, where `npm install` was run in bench/. */
function peers(json) {
  const bin = join(root, "bench", "node_modules");
  const published = join(root, "..", "shared", "spec", "promptpack-v1.4.0.schema.json");
  const schema = existsSync(published) ? published : join(root, "schema", "promptpack.schema.json");
  const spectralRules = write(
    "spectral.yaml",
    "rules:\n  id: { given: $, then: { field: id, function: truthy } }\n",
  );
  const redoclyRules = write("redocly.yaml", "rules:\n  struct: error\n");
  const candidates = [
    [
      "ajv-cli",
      ["ajv-cli/dist/index.js"],
      ["validate", "--spec=draft2020", "--strict=false", "-c", "ajv-formats", "-s", schema, "-d", json],
    ],
    ["Spectral", ["@stoplight/spectral-cli/dist/index.js"], ["lint", "--ruleset", spectralRules, json]],
    [
      "Redocly (which reads it, and refuses the format)",
      ["@redocly/cli/bin/cli.js"],
      ["lint", "--config", redoclyRules, json],
    ],
  ];
  for (const [name, [file], args] of candidates) {
    if (!existsSync(join(bin, file))) continue;
    try {
      const [ours, theirs] = medians([program, "lint", json], [join(bin, file), ...args]);
      row(
        `${name} on the same pack`,
        "`promptpack lint`",
        theirs / ours,
        `${theirs.toFixed(0)} ms against ${ours.toFixed(0)} ms`,
      );
    } catch (error) {
      console.log(`${name} could not be measured: ${error.message.split("\n")[0]}`);
    }
  }
}

function manyPacks() {
  const packs = Array.from({ length: 1000 }, (_, i) => smallPack(i));
  const texts = {
    json: packs.map((pack) => JSON.stringify(pack, null, 2)),
    yaml: packs.map((pack) => stringify(pack)),
  };
  for (const format of ["json", "yaml"]) {
    texts[format].forEach((text, i) => write(`${format}/${i}.pack.${format}`, text));
    const parse = format === "json" ? JSON.parse : parseDocument;
    const parsing = time(() => texts[format].forEach((text) => parse(text)));
    const [node, linting] = medians(["-e", "0"], [program, "lint", "--format", "compact", format]);
    const each = (linting - node) / 1000;
    const parser =
      format === "json" ? "`JSON.parse` of the same bytes" : "`parseDocument` of yaml on the same bytes";
    row(
      `1,000 ${format.toUpperCase()} packs, the whole command`,
      parser,
      (linting - node) / parsing,
      `${each.toFixed(2)} ms each`,
      ...(format === "json" ? [0.5, each] : [1.5]),
    );
  }
}

function time(work) {
  work();
  const started = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - started) / 1e6;
}

function largeWorkflows() {
  const perState = new Map();
  for (const states of [100, 1_000, 10_000, 100_000]) {
    const path = write(`large-${states}.pack.json`, JSON.stringify(largePack(states)));
    perState.set(states, measureLarge(path, states));
  }
  const base = perState.get(10_000);
  for (const [states, { micros, kilobytes }] of perState) {
    const goal = states === 100_000 ? 1.5 : undefined;
    const shown = states.toLocaleString("en");
    row(
      `time per state, ${shown} states`,
      "10,000 states",
      micros / base.micros,
      `${micros.toFixed(1)} µs`,
      goal,
    );
    row(
      `peak memory per state, ${shown} states`,
      "10,000 states",
      kilobytes / base.kilobytes,
      `${kilobytes.toFixed(2)} kB`,
      goal,
    );
  }
}

/** Time and memory of the command, less those of a run on a tiny pack. */
function measureLarge(path, states) {
  const script = `
    const { run } = require(${JSON.stringify(join(root, "dist/load.cjs"))}).loadProgram();
    const quiet = { write: () => true };
    run({ args: ["lint", process.argv[1]], stdin: [], stdout: quiet, stderr: quiet, cwd: process.cwd(), env: {} }).then(() => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      console.log(JSON.stringify({ micros: userCPUTime + systemCPUTime, kilobytes: maxRSS }));
    });`;
  const measure = (file) => {
    const results = Array.from({ length: 5 }, () =>
      JSON.parse(spawnSync(process.execPath, ["-e", script, file], { encoding: "utf8" }).stdout),
    );
    return {
      micros: Math.min(...results.map((r) => r.micros)),
      kilobytes: Math.min(...results.map((r) => r.kilobytes)),
    };
  };
  const tiny = measure(join(folder, "small.pack.json"));
  const large = measure(path);
  return {
    micros: (large.micros - tiny.micros) / states,
    kilobytes: (large.kilobytes - tiny.kilobytes) / states,
  };
}

function report() {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() || arch()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${arch()}, Node ${process.version}`;
  const table = rows.map(
    ({ what, against, ratio, goal, reached, detail }) =>
      `| ${what} | ${against} | ${ratio} | ${detail} | ${goal} | ${reached} |`,
  );
  const text = [
    "# Performance",
    "",
    "Written by `npm run bench`. Every ratio compares the medians of two things, measured alternately in the same run.",
    "",
    `Machine: ${machine}.`,
    "",
    "| what | against | ratio | | goal | reached |",
    "|---|---|---|---|---|---|",
    ...table,
    "",
    "Where the time goes: the program is one bundled file, kept in compiled form beside it; validators are generated when",
    "the package is built; JSON has a reader of its own, which keeps the offset of every value; a JSON pack never",
    "loads a YAML parser; lines and columns are computed only for what is reported.",
    "",
    "The compiled form only fits the Node version that built the package. Any other compiles the program on each start, which",
    "doubles the time of a small pack; from Node 22 on, `NODE_COMPILE_CACHE=<folder>` lets Node save half of that.",
    "",
    "Of a thousand packs, the first ones take longest: until the engine has compiled what runs often, after about five",
    "hundred packs, each takes twice as long as later ones. On two cores the engine's compiler also slows the linter down:",
    "`NODE_OPTIONS=--v8-pool-size=1`, which leaves it a single thread, makes such a run a sixth shorter. That is why there are",
    "no threads: each would compile for itself, and two took as long as one, for 1,000 packs and for 6,000.",
    "",
  ].join("\n");
  writeFileSync(join(root, "docs", "performance.md"), text);
  console.log("\nWritten to docs/performance.md");
}
