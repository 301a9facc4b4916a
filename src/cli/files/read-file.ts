import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import type { Fault } from "../../document/document.js";
import { UsageError } from "../terminal/io.js";
import { tryTo } from "../../text/collections.js";
import { isBelow, isLink } from "./paths.js";

/** Why a file or folder could not be used, as the end of a sentence that begins with its name. */
export class FileError extends Error {
  override readonly name = "Unreadable";
}

/**
 * The bytes of a regular file, at most `limit` + 1 of them: the extra one shows that it is too large. The file is opened
 * without blocking and checked afterwards, so that a FIFO can neither block us nor slip in between.
 */
export function readRegularFile(path: string, limit: number, followsLinks = true): Uint8Array {
  try {
    const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
    if (!followsLinks && isLink(path)) throw new FileError("is a link");
    const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW));
    try {
      const stats = fstatSync(descriptor);
      if (stats.isDirectory()) throw new FileError("is a folder");
      if (!stats.isFile()) throw new FileError("is not a regular file");
      return readUpTo(descriptor, stats.size, limit + 1);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT" && isLink(path)) throw new FileError(danglingLink);
    // In names that are not valid UTF-8, Node replaces the invalid bytes by this character.
    if (errorCode(error) === "ENOENT" && path.includes("\ufffd")) throw new FileError(notUtf8);
    throw new FileError(describeIoError(error));
  }
}

/** The settings of another tool, which may be missing. */
export function readTextOrEmpty(path: string, limit = 16 * 1024 * 1024): string {
  return tryTo(() => new TextDecoder().decode(readRegularFile(path, limit))) ?? "";
}

const maxBesideBytes = 1024 * 1024;

/** The text of a small file inside a folder; undefined for any other, and for one that a link leads out to. */
export function readWithin(folder: string, path: string): string | undefined {
  return tryTo(() => {
    if (!isBelow(realpathSync(folder), realpathSync(path))) return undefined;
    const bytes = readRegularFile(path, maxBesideBytes);
    return bytes.length > maxBesideBytes ? undefined : new TextDecoder().decode(bytes);
  });
}

export function statIfExists(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    if (absentCodes.has(errorCode(error))) return undefined;
    throw error;
  }
}

const absentCodes: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

export const notUtf8 = "cannot be opened: its name is not valid UTF-8";

export const danglingLink = "is a link to something that does not exist";

/** Reads to the end even if the file grows or shrinks meanwhile. */
function readUpTo(descriptor: number, size: number, limit: number): Uint8Array {
  let bytes = Buffer.allocUnsafe(Math.min(size + 1, limit));
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, bytes, length, bytes.length - length, null);
    length += read;
    if (read === 0 || length === size || length === limit) return bytes.subarray(0, length);
    if (length === bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(length * 2, limit));
      bytes.copy(larger);
      bytes = larger;
    }
  }
}

/** Why a file or folder could not be used, in Node's words, as in `EACCES: permission denied, open 'a.yaml'`. */
export function describeIoError(error: unknown, done: "opened" | "written" = "opened"): string {
  if (error instanceof FileError) return error.message;
  const code = errorCode(error);
  if (code === "ENOENT" && done === "opened") return "does not exist";
  if (code === "ENXIO") return "is not a regular file";
  if (code === "EISDIR") return "is a folder";
  const [, reason = "unknown reason"] =
    /^\w+: ([^,]+)/u.exec(error instanceof Error ? error.message : "") ?? [];
  return `cannot be ${done}: ${reason}`;
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function readRequiredFile(path: string, shown: string, limit: number): Uint8Array {
  return orUsageError(`"${shown}"`, "opened", () => readRegularFile(path, limit));
}

/** For a file that the command line names; the message about it begins with `name`. */
export function orUsageError<T>(name: string, done: "opened" | "written", work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(`${name} ${describeIoError(error, done)}.`);
  }
}

const expectedShapes = {
  config: "an object with keys such as extends and rules",
  baseline: 'an object with a "findings" list',
  run: "an object with keys such as runs and last_run_id",
};

/** Why a file of ours is malformed, and what it should be. */
export function describeFileFault({ message, kind }: Fault, what: keyof typeof expectedShapes): string {
  if (kind === "no-object") return `${message} A ${what} must be ${expectedShapes[what]}.`;
  if (kind === "yaml") return `${message} Write it as JSON.`;
  return kind === "several-documents" ? `${message} A ${what} must be a single document.` : message;
}
