import { Readable, Writable } from "node:stream";
import type { LintFlags } from "../request/lint-flags.js";
import { readLintRequest } from "../request/lint-request.js";
import type { Io } from "../terminal/io.js";
import { rawOutput } from "../terminal/log-guard.js";
import { UsageError } from "../terminal/usage-error.js";
import { EditorSession } from "./editor-session.js";
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from "./protocol.js";

/** `promptpack lsp`: from the first message of an editor to its last. */
export async function serveEditor(io: Io, flags: LintFlags): Promise<number> {
  const request = { ...readLintRequest(flags, io.cwd), offersFixes: true };
  if (io.stdout.isTTY === true) {
    throw new UsageError(
      '"lsp" is for editors, which start it and talk to it: see "Editors" in the README. For a terminal there is "promptpack lint --watch".',
    );
  }
  const input = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin, { objectMode: false });
  // Not every input that ends also closes.
  input.once("end", () => input.destroy());
  const reader = new StreamMessageReader(input);
  // It would wait for the rest of a message for ever, though nobody is left to send it.
  reader.partialMessageTimeout = 0;
  const connection = createProtocolConnection(reader, new StreamMessageWriter(outputStream(io)));
  try {
    return await new EditorSession(connection, io.cwd, request).waitForExit();
  } finally {
    connection.dispose();
    // Standard input that is still open would keep the program running.
    input.destroy();
  }
}

function outputStream(io: Io): Writable {
  const output = rawOutput(io.stdout);
  return new Writable({
    write(chunk: Uint8Array | string, _, done) {
      output.write(chunk);
      done();
    },
  });
}
