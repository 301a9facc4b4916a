import { neutralizeLogCommands } from "../../text/log-commands.js";
import type { Io, Output } from "./io.js";

/** The same, but where a runner reads along, it finds no commands in what is written. */
export function withLogCommandsEscaped(io: Io): Io {
  if (!isCiRunner(io)) return io;
  // Inherits the rest: standard input and standard error are opened only by who uses them.
  return Object.create(io, {
    stdout: { value: escapingOutput(io.stdout) },
    stderr: { get: () => escapingOutput(io.stderr) },
  }) as Io;
}

/** For what leaves the program by another way than its outputs, such as a report to `/dev/stderr`. */
export function escapeLogCommands(io: Pick<Io, "env">, text: string): string {
  return isCiRunner(io) ? neutralizeLogCommands(text) : text;
}

/** For commands of our own, and for what must stay exact. */
export function rawOutput(output: Output): Output {
  return output.unguarded ?? output;
}

function escapingOutput(output: Output): Output {
  return Object.create(output, {
    write: {
      value: (content: string | Uint8Array) => output.write(neutralizeLogCommands(Buffer.from(content).toString())),
    },
    unguarded: { value: output },
  }) as Output;
}

/** GitHub Actions or Azure Pipelines. */
function isCiRunner({ env }: Pick<Io, "env">): boolean {
  return env["GITHUB_ACTIONS"] === "true" || env["TF_BUILD"] === "True";
}
