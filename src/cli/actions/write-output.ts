import { refuseToOverwrite } from "../config/refuse-overwrite.js";
import { describeIoError } from "../files/read-file.js";
import { writeOutputFile } from "../files/write-file.js";
import { type Io, UsageError } from "../terminal/io.js";

export function writeOutput(
  io: Io,
  output: string | undefined,
  text: string,
  inputs: readonly string[],
): void {
  if (output === undefined || output === "-") return void io.stdout.write(text);
  refuseToOverwrite(io.cwd, output, inputs);
  try {
    writeOutputFile(io.cwd, output, [text]);
  } catch (error) {
    throw new UsageError(`"${output}" ${describeIoError(error, "written")}.`);
  }
}

export function refuseSharedInput(pack: string, records: readonly string[]): void {
  if ([pack, ...records].filter((path) => path === "-").length > 1)
    throw new UsageError("Standard input can be only one of the files: give the others by name.");
}
