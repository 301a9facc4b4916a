#!/usr/bin/env node
"use strict";
const { run } = require("../dist/load.cjs").loadProgram();

// A reader that has seen enough (`| head -1`) closes the pipe; the exit code still tells what was found.
process.stdout.on("error", (error) => {
  if (error.code === "EPIPE") return;
  process.exitCode = 2;
  errorOutput().write(`promptpack: The output cannot be written (${error.code}).\n`);
});

/** Where errors cannot be written either, the exit code has to do. */
function errorOutput() {
  const { stderr } = process;
  if (stderr.listenerCount("error") === 0) stderr.on("error", () => undefined);
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

run({
  args: process.argv.slice(2),
  // Opening standard input costs time: only `-` does.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
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
}).then((code) => {
  process.exitCode ??= code;
});
