"use strict";
// Copied to dist/ by the build. Compiling the program would take longer than running it, so the build keeps V8's
// compiled form beside it, named after what it was made by: nobody promises it to another V8, system or processor.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

const file = join(__dirname, "program.cjs");
const compiledFile = `${file}.${process.versions.v8}-${process.platform}-${process.arch}`;

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

function readCompiled() {
  try {
    return readFileSync(compiledFile);
  } catch {
    return undefined;
  }
}

function loadProgram() {
  const compiled = readCompiled();
  // What Node loads by itself it keeps compiled where NODE_COMPILE_CACHE says.
  return compiled === undefined ? require(file) : startProgram(compileProgram(compiled));
}

module.exports = { compiledFile, compileProgram, startProgram, loadProgram };
