import { writeSync } from "node:fs";
import process from "node:process";
import { stepPack } from "../../src/cli/actions/step-pack.js";
import { turns } from "./turns.js";

/** Takes turn after turn in the folder given, from a turn on, and says which are taken. Somebody will kill us. */
const [cwd = "", from = "0"] = process.argv.slice(2);
let index = 0;
for (const flags of turns()) {
  if (index++ < Number(from)) continue;
  const io = {
    args: [],
    get stdin() {
      return process.stdin;
    },
    stdout: { write: (text: string) => writeAll(1, text) },
    stderr: { write: () => undefined },
    cwd,
    env: {},
  };
  const code = await stepPack(io, "pack.json", flags);
  if (code !== 0) process.exit(3);
  writeAll(2, `${index}\n`);
}

/** Waits where the reader is slow. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
