import { once } from "node:events";
import { writeSync } from "node:fs";
import process from "node:process";
import type { StepFlags } from "../../src/cli/actions/step-pack.js";
import { stepPack } from "../../src/cli/actions/step-pack.js";

/** Takes one turn as soon as its standard input ends, so that many can start at the same moment. */
const [cwd = "", flags = "{}"] = process.argv.slice(2);
writeSync(2, "ready\n");
await once(process.stdin.resume(), "end");
const io = {
  args: [],
  stdin: process.stdin,
  stdout: { write: (text: string) => writeSync(1, text) },
  stderr: { write: (text: string) => writeSync(2, text) },
  cwd,
  env: {},
};
try {
  process.exitCode = await stepPack(io, "pack.json", JSON.parse(flags) as StepFlags);
} catch (error) {
  writeSync(2, `promptpack: ${error instanceof Error ? error.message : ""}\n`);
  process.exitCode = 2;
}
