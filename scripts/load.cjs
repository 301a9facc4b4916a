"use strict";
// Copied to dist/ by the build. Compiling the program would take longer than running it, so the build keeps V8's
// compiled form beside it; a Node of another version refuses that form and compiles again.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

const file = join(__dirname, "program.cjs");

function compileProgram(cachedData) {
  const source = readFileSync(file, "latin1");
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${source}\n})`;
  return new Script(wrapped, { filename: file, cachedData });
}

function startProgram(script) {
  const program = { exports: {} };
  script.runInThisContext()(program.exports, createRequire(file), program, file, dirname(file));
  return program.exports;
}

function readCache() {
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
}

module.exports = {
  compileProgram,
  startProgram,
  loadProgram: () => startProgram(compileProgram(readCache())),
};
