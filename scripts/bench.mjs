// Measures, as ratios within one run, and writes the table to docs/performance.md: `npm run bench`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseDocument, stringify } from "yaml";
import { chainProject, faultyPack, guardedPack, largePack, smallPack } from "../bench/packs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "bin", "promptpack.js");
const folder = mkdtempSync(join(tmpdir(), "promptpack-bench-"));
const rounds = Number(process.env.ROUNDS ?? 21);
const rows = [];
// Node 20 loads the certificates that this names at every start, which takes longer than linting a pack.
delete process.env.NODE_EXTRA_CA_CERTS;
process.env.XDG_CACHE_HOME = folder;

try {
  const json = write("small.pack.json", JSON.stringify(smallPack(0), null, 2));
  const yaml = write("small.pack.yaml", stringify(smallPack(0)));
  startUp(json, yaml);
  instructions(json);
  peers(json);
  guards(json);
  manyPacks();
  projects();
  largeWorkflows();
  largeReport();
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

function run([...args]) {
  const started = process.hrtime.bigint();
  const env = typeof args[0] === "object" ? { ...process.env, ...args.shift() } : process.env;
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
  if (status === null || status > 1) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/** Medians of several commands, taken in turn so that a slow moment of the machine meets them all. */
function medians(...commands) {
  const times = commands.map(() => []);
  for (let round = 0; round < rounds; round++) commands.forEach((args, i) => times[i].push(run(args)));
  return times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
}

function row(what, against, ratio, detail, goal) {
  const shown = ratio < 0.1 ? ratio.toFixed(4) : ratio.toFixed(2);
  const asked = goal === undefined ? "" : `≤ ${goal}`;
  const reached = goal === undefined ? "" : Number(shown) <= goal ? "yes" : "no";
  rows.push({ what, against, ratio: shown, goal: asked, reached, detail });
  console.log(`${what}: ${shown} × ${against} (${detail}${asked === "" ? "" : `; goal ${asked}`})`);
}

function startUp(json, yaml) {
  const withFlags = { NODE_OPTIONS: "--max-old-space-size=4096" };
  // The first run keeps what it has compiled.
  run([program, "lint", json]);
  run([withFlags, program, "lint", json]);
  const [node, forJson, forYaml, version, flagged] = medians(
    ["-e", "0"],
    [program, "lint", json],
    [program, "lint", yaml],
    [program, "--version"],
    [withFlags, program, "lint", json],
  );
  const detail = (time) => `${time.toFixed(0)} ms against ${node.toFixed(0)} ms`;
  row("`promptpack --version`", "`node -e 0`", version / node, detail(version));
  row("lint a JSON pack of 5 kB", "`node -e 0`", forJson / node, detail(forJson), 2.4);
  row("lint a YAML pack of 5 kB", "`node -e 0`", forYaml / node, detail(forYaml), 2.7);
  const flags = `the JSON pack with \`NODE_OPTIONS=${withFlags.NODE_OPTIONS}\``;
  row(flags, "`node -e 0`", flagged / node, detail(flagged), 2.6);
}

/** Of a start with a kept form: unlike its time, they hardly depend on what else the machine does. */
function instructions(json) {
  if (spawnSync("valgrind", ["--version"]).status !== 0) {
    console.log("instructions: skipped: valgrind is not installed");
    return;
  }
  const [node, lint] = [
    ["-e", "0"],
    [program, "lint", json],
  ].map(countInstructions);
  const millions = (count) => `${(count / 1e6).toFixed(0)} million`;
  const detail = `${millions(lint)} instructions, ${millions(lint - node)} more than Node`;
  row("instructions of linting the JSON pack", "`node -e 0`", lint / node, detail);
}

function countInstructions(args) {
  const cachegrind = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"];
  const { stderr } = spawnSync("valgrind", [...cachegrind, process.execPath, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return Number(/ I +refs: +([\d,]+)/.exec(stderr)?.[1].replaceAll(",", ""));
}

function guards(json) {
  const guarded = write("guarded.pack.json", JSON.stringify(guardedPack(), null, 2));
  const [node, small, large] = medians(["-e", "0"], [program, "lint", json], [program, "lint", guarded]);
  row(
    "20 states with 7 guards, above one pack",
    "`node -e 0`",
    (large - small) / node,
    `${(large - small).toFixed(0)} ms against ${node.toFixed(0)} ms`,
    2.5,
  );
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
    const lint = [program, "lint", "--format", "compact", format];
    run([...lint, "--cache"]);
    const [node, linting, cached] = medians(["-e", "0"], lint, [...lint, "--cache"]);
    const each = (time) => (time - node) / 1000;
    const name = `1,000 ${format.toUpperCase()} packs`;
    const detail = (time) => `${each(time).toFixed(2)} ms against ${node.toFixed(0)} ms`;
    const isJson = format === "json";
    row(`${name}, each`, "`node -e 0`", each(linting) / node, detail(linting), isJson ? 0.06 : undefined);
    row(
      `${name} that did not change, with \`--cache\`, each`,
      "`node -e 0`",
      each(cached) / node,
      detail(cached),
      isJson ? 0.006 : undefined,
    );
    if (isJson) continue;
    const parsing = time(() => texts.yaml.forEach((text) => parseDocument(text)));
    row(`${name}, all`, "`parseDocument` of yaml on the same bytes", (linting - node) / parsing, "", 1.5);
  }
}

/** A project against the pack that it compiles to, both in YAML. */
function projects() {
  for (const prompts of [10, 100]) {
    const place = `project-${prompts}`;
    for (const [name, source] of Object.entries(chainProject(prompts)))
      write(`${place}/${name}`, stringify(source));
    const head = join(folder, place, "arena.yaml");
    const json = join(folder, `${place}.json`);
    run([program, "compile", head, "--output", json]);
    const yaml = write(`${place}.pack.yaml`, stringify(JSON.parse(readFileSync(json, "utf8"))));
    const [node, sources, pack] = medians(["-e", "0"], [program, "lint", head], [program, "lint", yaml]);
    row(
      `a project of ${prompts} prompt files`,
      "the pack that it compiles to, in YAML",
      (sources - node) / (pack - node),
      `${(sources - node).toFixed(0)} ms against ${(pack - node).toFixed(0)} ms, each above Node`,
      1.5,
    );
  }
}

function largeReport() {
  const path = write("faulty.pack.json", JSON.stringify(faultyPack(100_000)));
  const megabytes = measure(path, "sarif").kilobytes / 1024;
  row("peak memory, SARIF of 100,000 findings", "one megabyte", megabytes, `${megabytes.toFixed(0)} MB`, 350);
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
  const tiny = measure(join(folder, "small.pack.json"));
  const large = measure(path);
  return {
    micros: (large.micros - tiny.micros) / states,
    kilobytes: (large.kilobytes - tiny.kilobytes) / states,
  };
}

function measure(file, format = "pretty") {
  const script = write(
    "measure.cjs",
    `
    const { run } = require(${JSON.stringify(join(root, "dist/load.cjs"))}).loadProgram();
    const quiet = { write: () => true };
    const world = { stdin: [], stdout: quiet, stderr: quiet, cwd: process.cwd(), env: {} };
    run({ ...world, args: ["lint", "--format", ${JSON.stringify(format)}, process.argv[2]] }).then(() => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      console.log(JSON.stringify({ micros: userCPUTime + systemCPUTime, kilobytes: maxRSS }));
    });`,
  );
  const results = Array.from({ length: 5 }, () =>
    JSON.parse(spawnSync(process.execPath, [script, file], { encoding: "utf8" }).stdout),
  );
  return {
    micros: Math.min(...results.map((r) => r.micros)),
    kilobytes: Math.min(...results.map((r) => r.kilobytes)),
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
    "Written by `npm run bench`. Every ratio compares the medians of two things, measured alternately in the same run,",
    "without `NODE_EXTRA_CA_CERTS`.",
    "",
    `Measured on ${new Date().toISOString().slice(0, 10)} with ${machine}.`,
    "",
    "| what | against | ratio | | goal | reached |",
    "|---|---|---|---|---|---|",
    ...table,
    "",
    "Where the time goes: the program is one bundled file, kept in compiled form by its first run; validators are generated",
    "when the package is built; JSON has a reader of its own, which keeps the offset of every value; a JSON pack never",
    "loads a YAML parser; lines and columns are computed only for what is reported.",
    "",
    "The compiled form is in the user's cache folder. It is used only by the program, the Node and the flags that made it; the",
    "first run of any other makes another. `--cache` keeps findings there, too.",
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
