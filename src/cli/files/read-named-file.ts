import { UsageError } from "../terminal/usage-error.js";
import { describeIoError, readRegularFile } from "./read-file.js";

/** The bytes of a file that the command line names: without it there is nothing to do. */
export function readRequiredFile(path: string, shown: string, limit: number): Uint8Array {
  try {
    return readRegularFile(path, limit);
  } catch (error) {
    throw new UsageError(`"${shown}" ${describeIoError(error)}.`);
  }
}
