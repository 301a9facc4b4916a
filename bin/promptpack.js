#!/usr/bin/env node
"use strict";
refuseOldNode();
const { fstatSync, writeSync } = require("node:fs");
const { build, loadProgram, userCacheFolder } = require("../dist/load.cjs");

const { run, keepCompiled } = loadProgram();

const stdout = standardOutput();

run({
  args: process.argv.slice(2),
  // Opening standard input costs time: only `-` does.
  get stdin() {
    return process.stdin;
  },
  stdout,
  get stderr() {
    return errorOutput();
  },
  cwd: workingFolder(),
  env: process.env,
  // Only what would go on for ever asks for it; everything else Ctrl-C ends as usual.
  get signal() {
    const controller = new AbortController();
    for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => controller.abort());
    return controller.signal;
  },
  userCache: { folder: () => userCacheFolder(process.env, true), build },
}).then((code) => {
  if (process.exitCode === undefined) process.exitCode = code;
  return keepCompiled();
});

/** Older ones have to understand this file, so it is written in the JavaScript of Node 12. */
function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`promptpack needs Node 20.19 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(2);
}

/** A file or a pipe is written to at once: Node's streams for them take as long to load as linting a pack takes. */
function standardOutput() {
  const file = fileOrPipe(1);
  if (file !== undefined) return { write: writeAll, isLost: false, file };
  const stream = process.stdout;
  stream.on("error", reportLostOutput);
  // The error of a write is told after its callback.
  stream.settle = () => new Promise((resolve) => stream.write("", () => setImmediate(resolve)));
  return stream;
}

function fileOrPipe(descriptor) {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() || stats.isFIFO() || stats.isSocket() ? stats : undefined;
  } catch {
    return undefined;
  }
}

function writeAll(text) {
  let rest = Buffer.from(text);
  while (rest.length > 0 && !stdout.isLost) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // A reader that is slower than we are, behind a pipe that would not wait for it.
      if (error.code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else reportLostOutput(error);
    }
  }
}

/** A reader that has seen enough (`| head -1`) closes the pipe; the exit code still tells what was found. */
function reportLostOutput(error) {
  stdout.isLost = true;
  // Windows has a second word for it.
  if (error.code === "EPIPE" || error.code === "EOF") return;
  process.exitCode = 2;
  errorOutput().write(`promptpack: The output cannot be written (${error.code}).\n`);
}

/** Where errors cannot be written either, the exit code has to do. */
function errorOutput() {
  const { stderr } = process;
  if (stderr.listenerCount("error") === 0) stderr.on("error", () => (stderr.isLost = true));
  return stderr;
}

/** The folder may have been removed under us. */
function workingFolder() {
  try {
    return process.cwd();
  } catch {
    errorOutput().write("promptpack: The working folder does not exist any more.\n");
    process.exit(2);
  }
}
