"use strict";
// Copied to dist/ by the build. Compiling the program takes longer than running it, so the first run keeps V8's compiled
// form in the user's cache folder. V8 would run a damaged or foreign form, and die of it: what fails a check never
// reaches it.
const fs = require("node:fs");
const { isAbsolute, join } = require("node:path");
const { Script } = require("node:vm");

const file = join(__dirname, "program.cjs");
/** The version and a digest of the program, written by the build. */
const build = "BUILD";

/** `keepCompiled` is for the end of the run. */
function loadProgram() {
  const source = fs.readFileSync(file, "latin1");
  const header = headerOfForm();
  const script = new Script(source, { filename: file, cachedData: takeForm(header) });
  const program = startProgram(script);
  const keepCompiled = async () => {
    if (script.cachedDataRejected !== false) await keepForm(header, () => compiledForm(script, program));
  };
  return { ...program, keepCompiled };
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

/** A form is used only by the very program, the very Node and the very flags that made it. */
function headerOfForm() {
  const { versions, platform, arch, execPath, execArgv, env } = process;
  try {
    const [program, node] = [file, execPath].map((path) => fs.statSync(path)).map((s) => [s.size, s.mtimeMs]);
    const identity = [build, program, versions, platform, arch, execPath, node, execArgv, env.NODE_OPTIONS];
    return Buffer.from(`promptpack: compiled\n${JSON.stringify(identity)}\n`);
  } catch {
    return undefined;
  }
}

/** Short, and no proof: the header itself is compared when the form is read. */
function idOf(header) {
  let hash = 0;
  for (let i = 0; i < header.length; i++) hash = (Math.imul(hash, 31) + header[i]) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

/**
 * The form that an earlier run has kept, if it is sound. A mark says that this process uses it, until it exits: a mark
 * without its process means that a start died, so that the form is dropped.
 */
function takeForm(header) {
  try {
    const folder = formsFolder();
    const names = folder === undefined ? [] : fs.readdirSync(folder);
    if (names.length === 0 || header === undefined) return undefined;
    const id = idOf(header);
    const form = join(folder, `${id}.form`);
    const hasDied = names
      .filter((name) => name.startsWith(id) && isAbandonedMark(name))
      // A mark that is gone by now was removed by its process.
      .map((name) => remove(join(folder, name)))
      .includes(true);
    const compiled = hasDied || !names.includes(`${id}.form`) ? undefined : readForm(form, header);
    if (compiled === undefined) {
      remove(form);
      return undefined;
    }
    const mark = join(folder, `${id}.${process.pid}.started`);
    fs.closeSync(fs.openSync(mark, "wx", 0o600));
    process.on("exit", () => remove(mark));
    return compiled;
  } catch {
    // Without a mark, nobody would notice that a form is deadly.
    return undefined;
  }
}

/** In a container, the process before us had our id. */
function isAbandonedMark(name) {
  const [, pid] = /^\w+\.(\d+)\.started$/.exec(name) ?? [];
  return pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

/** Several times as large as the largest form. */
const mostBytes = 20_000_000;

function readForm(path, header) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fs.fstatSync(descriptor);
    return stats.isFile() && isOwn(stats, 0o022) && stats.size <= mostBytes
      ? unseal(fs.readFileSync(descriptor), header)
      : undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * The compiled code comes twice, and both copies have to be equal. A checksum would take 7 % more instructions: those of
 * node:zlib and all the streams that it loads.
 */
function seal(compiled, header) {
  return Buffer.concat([header, compiled, compiled]);
}

function unseal(bytes, header) {
  const middle = (header.length + bytes.length) / 2;
  const compiled = bytes.subarray(header.length, middle);
  const isSound = bytes.subarray(0, header.length).equals(header) && bytes.subarray(middle).equals(compiled);
  return isSound && compiled.length > 0 ? compiled : undefined;
}

async function keepForm(header, compile) {
  let draft;
  try {
    const folder = formsFolder(true);
    if (folder === undefined || header === undefined) return;
    const id = idOf(header);
    const form = join(folder, `${id}.form`);
    if (statsOf(form)?.isFile() === false) return;
    draft = join(folder, `${id}.${Math.random().toString(16).slice(2)}.draft`);
    const descriptor = fs.openSync(draft, "wx", 0o600);
    try {
      fs.writeFileSync(descriptor, seal(await compile(), header));
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(draft, form);
    tidy(folder);
    if (process.platform !== "win32") sync(folder);
  } catch {
    // A full disk, say. The next run tries again.
    if (draft !== undefined) remove(draft);
  }
}

function sync(folder) {
  const descriptor = fs.openSync(folder);
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

/** Each is about three megabytes, and belongs to one Node, one set of flags and one version of ours. */
const mostKept = 4;
/** Nobody writes that long at a draft. */
const oldDraft = 3_600_000;

/** Removes the oldest forms, with their marks, and the drafts of processes that were killed. */
function tidy(folder) {
  const age = (name) => Date.now() - (statsOf(join(folder, name))?.mtimeMs ?? 0);
  const names = fs
    .readdirSync(folder)
    .filter((name) => /^[\da-f]{8}\.(?:\w+\.)?(?:form|started|draft)$/.test(name));
  const forms = names.filter((name) => name.endsWith(".form")).sort((a, b) => age(a) - age(b));
  const kept = forms.slice(0, mostKept).map((name) => name.slice(0, 8));
  for (const name of names) {
    const isKept = name.endsWith(".draft") ? age(name) < oldDraft : kept.includes(name.slice(0, 8));
    if (!isKept) remove(join(folder, name));
  }
}

/** Whether a regular file was there, and is not any more. */
function remove(path) {
  try {
    if (!fs.lstatSync(path).isFile()) return false;
    fs.unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function statsOf(path) {
  return fs.lstatSync(path, { throwIfNoEntry: false });
}

function formsFolder(create = false) {
  const cache = userCacheFolder(process.env, create);
  if (cache === undefined) return undefined;
  const folder = join(cache, "compiled");
  if (create && statsOf(folder) === undefined) fs.mkdirSync(folder, { mode: 0o700 });
  return statsOf(folder)?.isDirectory() ? folder : undefined;
}

/**
 * Where the user's programs keep what they can make again; undefined where somebody else could write, or if it is turned
 * off. What is kept here is believed: compiled code is run.
 */
function userCacheFolder(env, create = false) {
  const base = cacheBase(env);
  if (!isAbsolute(base) || (env.PROMPTPACK_NO_CACHE ?? "") !== "") return undefined;
  const folder = join(base, "promptpack");
  try {
    // One by one: Node's way to make several at once never ends in /proc.
    for (const path of create ? [base, folder] : [])
      if (!fs.existsSync(path)) fs.mkdirSync(path, { mode: 0o700 });
    const stats = fs.lstatSync(folder);
    return stats.isDirectory() && isOwn(stats, 0o077) && isOwn(fs.statSync(base), 0o022) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isOwn({ uid, mode }, forbidden) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & forbidden) === 0);
}

function cacheBase(env) {
  const { homedir } = require("node:os");
  if (process.platform === "win32") return env.LOCALAPPDATA ?? "";
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  const named = env.XDG_CACHE_HOME ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".cache");
}

module.exports = { build, loadProgram, userCacheFolder };
