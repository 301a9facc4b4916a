"use strict";
// Copied to dist/ by the build. Compiling the program would take longer than running it, so the build keeps V8's
// compiled form beside it. V8 refuses one that another version, processor or set of flags has made: then the first run
// leaves one that fits in the user's cache folder.
const { existsSync, readFileSync } = require("node:fs");
const { dirname, isAbsolute, join } = require("node:path");
const { Script } = require("node:vm");

const file = join(__dirname, "program.cjs");
const compiledFile = `${file}.${process.versions.v8}-${process.platform}-${process.arch}`;
/** V8 compares only the length of the source, so the build writes here what tells its program from any other. */
const build = "BUILD";

function compileProgram(cachedData) {
  return new Script(readFileSync(file, "latin1"), { filename: file, cachedData });
}

function startProgram(script) {
  const program = { exports: {} };
  script.runInThisContext()(program.exports, require, program, file, __dirname);
  return program.exports;
}

/** Compiled with all that a run on one pack of each format needs, and no more: a larger form takes longer to load. */
async function compiledForm(script, { run }) {
  const nowhere = { write: () => true };
  const world = { stdin: [], stdout: nowhere, stderr: nowhere, cwd: __dirname, env: {} };
  const packs = ["codegen.pack.yaml", "self-correcting.pack.json"];
  await run({
    ...world,
    args: ["lint", "--no-config", ...packs.map((pack) => join(__dirname, "examples", pack))],
  });
  return script.createCachedData();
}

/** `keepCompiled` is for the end of the run. */
function loadProgram() {
  const kept = tryToRead(keptFile(userCacheFolder(process.env)));
  const script = compileProgram(kept ?? tryToRead(compiledFile));
  const program = startProgram(script);
  const keepCompiled = async () => {
    if (script.cachedDataRejected !== false) await keep(() => compiledForm(script, program));
  };
  return { ...program, keepCompiled };
}

/**
 * The form that fits this V8 and its flags. What tells them takes longer to load than a small pack to lint, so nobody
 * asks while the one from the build will do.
 */
function keptFile(folder, always = false) {
  if (folder === undefined) return undefined;
  const isAsked = always || hasFlags() || existsSync(refusal(folder));
  return isAsked
    ? join(folder, "compiled", `${build}-${require("node:v8").cachedDataVersionTag()}`)
    : undefined;
}

function hasFlags() {
  return process.execArgv.length > 0 || process.env.NODE_OPTIONS;
}

/** An empty file: the form from the build was refused, or missing, although no flags were set. */
function refusal(folder) {
  return join(folder, "compiled", `${build}-refused`);
}

function tryToRead(path) {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Each is about two megabytes, and belongs to one Node, one set of flags and one version of ours. */
const mostKept = 4;

async function keep(compile) {
  const folder = userCacheFolder(process.env, true);
  const file = keptFile(folder, true);
  if (file === undefined) return;
  const { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
  const draft = `${file}.${process.pid}`;
  try {
    if (!existsSync(dirname(file))) mkdirSync(dirname(file));
    writeFileSync(draft, await compile(), { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
    if (!hasFlags()) writeFileSync(refusal(folder), "", { mode: 0o600 });
    const kept = readdirSync(dirname(file)).map((name) => join(dirname(file), name));
    const newestFirst = kept.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    for (const path of newestFirst.slice(mostKept)) rmSync(path);
  } catch {
    // A full disk, say. The next run tries again.
    rmSync(draft, { force: true });
  }
}

/**
 * Where the user's programs keep what they can make again; undefined where somebody else could write, or if it is turned
 * off. What is kept here is believed: compiled code is run.
 */
function userCacheFolder(env, create = false) {
  const base = cacheBase(env);
  if (!isAbsolute(base) || (env.PROMPTPACK_NO_CACHE ?? "") !== "") return undefined;
  const { lstatSync, mkdirSync, statSync } = require("node:fs");
  const folder = join(base, "promptpack");
  try {
    // One by one: Node's way to make several at once never ends in /proc.
    for (const path of create ? [base, folder] : []) if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    const isOwn = ({ uid, mode }, forbidden) =>
      process.getuid === undefined || (uid === process.getuid() && (mode & forbidden) === 0);
    const stats = lstatSync(folder);
    return stats.isDirectory() && isOwn(stats, 0o077) && isOwn(statSync(base), 0o022) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function cacheBase(env) {
  const { homedir } = require("node:os");
  if (process.platform === "win32") return env.LOCALAPPDATA ?? "";
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  const named = env.XDG_CACHE_HOME ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".cache");
}

module.exports = {
  build,
  compiledFile,
  compileProgram,
  compiledForm,
  startProgram,
  loadProgram,
  userCacheFolder,
};
