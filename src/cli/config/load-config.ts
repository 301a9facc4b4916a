import { basename, dirname } from "node:path";
import type { Range } from "../../diagnostic.js";
import { defaultLimits, type Document, type DuplicateKey } from "../../document/document.js";
import { detectFormat } from "../../document/format-of.js";
import type { Node } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { describeFileFault } from "../files/own-fault.js";
import { describeIoError, readRegularFile, FileError } from "../files/read-file.js";
import { displayPath, displayLocation } from "../files/shown-path.js";
import { UsageError } from "../terminal/usage-error.js";
import type { Config } from "./config.js";
import { ConfigReader, type Mistake } from "./read-config.js";

/** Nobody writes a config of a megabyte, and the patterns in it are tried on every file. */
const maxConfigBytes = 1024 * 1024;
const maxMistakes = 20;

/** A mistake in a config file, for who shows it there. */
export interface ConfigFault {
  readonly range: Range;
  readonly message: string;
}

/** What is wrong with a config file, one line per mistake, each with its place. */
export class ConfigError extends UsageError {
  override readonly name = "BrokenConfig";

  /** `faults` are those that have a place. */
  constructor(
    readonly path: string,
    private readonly mistakes: readonly string[],
    readonly faults: readonly ConfigFault[] = [],
  ) {
    super(mistakes.join("\n"));
  }

  override get lines(): readonly string[] {
    return this.mistakes;
  }
}

/** `read` gives at most so many bytes and one more: those of the disk, or else what an editor has in its place. */
export async function loadConfig(
  path: string,
  cwd: string,
  read = (limit: number): Uint8Array => readRegularFile(path, limit),
): Promise<Config> {
  const shown = displayPath(path, cwd);
  const bytes = readConfigBytes(path, shown, read);
  const document = await readDocumentLazily(bytes, detectFormat(path, bytes), defaultLimits);
  const complain = (mistakes: readonly Mistake[]) => {
    if (mistakes.length === 0) return;
    const told = [...mistakes].sort((a, b) => a.at.start - b.at.start).slice(0, maxMistakes);
    const lines = formatMistakes(told, shown, document, mistakes.length - told.length);
    const faults = told.map(({ at, message }) => ({
      range: document.lines.range(at.start, at.end),
      message,
    }));
    throw new ConfigError(path, lines, faults);
  };
  const isBlank = hasOnlyComments(document);
  if (!isBlank) complain(document.faults.map((fault) => ({ at: fault, message: describeFileFault(fault, "config") })));
  const root = configNode(path, document);
  const reader = new ConfigReader();
  if (root === undefined && !isBlank)
    throw new ConfigError(path, [`${shown}: There is no "promptpack" key in this file.`]);
  const own = isPackageJson(path) ? "/promptpack" : "";
  const isOwn = ({ second: { pointer } }: DuplicateKey) => `${pointer}/`.startsWith(`${own}/`);
  const body = reader.read(root, document.duplicateKeys.filter(isOwn));
  complain(reader.mistakes);
  return { path, folder: dirname(path), document, ...body };
}

function readConfigBytes(path: string, shown: string, read: (limit: number) => Uint8Array): Uint8Array {
  try {
    const bytes = read(maxConfigBytes);
    if (bytes.length > maxConfigBytes) throw new FileError(`has more than ${maxConfigBytes} bytes`);
    return bytes;
  } catch (error) {
    throw new ConfigError(path, [`The config file "${shown}" ${describeIoError(error)}.`]);
  }
}

/** A config of comments alone. What cannot be decoded has no text either. */
function hasOnlyComments({ text, faults }: Document): boolean {
  return (
    faults.every(({ kind }) => kind === "no-object") &&
    text.split("\n").every((line) => /^\s*(?:#|$)/u.test(line))
  );
}

function formatMistakes(
  mistakes: readonly Mistake[],
  shown: string,
  document: Document,
  left: number,
): readonly string[] {
  const lines = mistakes.map(({ at, message }) => `${displayLocation(shown, document, at.start)}: ${message}`);
  return left > 0
    ? [...lines, `${shown}: There ${left === 1 ? "is 1 more mistake" : `are ${left} more mistakes`}.`]
    : lines;
}

function isPackageJson(path: string): boolean {
  return basename(path) === "package.json";
}

function configNode(path: string, { root }: Document): Node | undefined {
  if (!isPackageJson(path)) return root;
  return root?.kind === "mapping" ? root.get("promptpack") : undefined;
}
