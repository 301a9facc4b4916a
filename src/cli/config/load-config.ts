import { basename, dirname } from "node:path";
import type { Range } from "../../diagnostic.js";
import { defaultLimits, type Document, type DuplicateKey } from "../../document/document.js";
import { formatOf } from "../../document/format-of.js";
import type { Node } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { ownFault } from "../files/own-fault.js";
import { describeIoError, readRegularFile, Unreadable } from "../files/read-file.js";
import { shownPath, shownPlace } from "../files/shown-path.js";
import { UsageError } from "../terminal/usage-error.js";
import type { Config } from "./config.js";
import { ConfigReader, type Mistake } from "./read-config.js";

/** Nobody writes a config of a megabyte, and the patterns in it are tried on every file. */
const largestConfig = 1024 * 1024;
const mostMistakes = 20;

/** A mistake in a config file, for who shows it there. */
export interface ConfigFault {
  readonly range: Range;
  readonly message: string;
}

/** What is wrong with a config file, one line per mistake, each with its place. */
export class BrokenConfig extends UsageError {
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
  const shown = shownPath(path, cwd);
  const bytes = bytesOf(path, shown, read);
  const document = await readDocumentLazily(bytes, formatOf(path, bytes), defaultLimits);
  const complain = (mistakes: readonly Mistake[]) => {
    if (mistakes.length === 0) return;
    const told = [...mistakes].sort((a, b) => a.at.start - b.at.start).slice(0, mostMistakes);
    const lines = linesFor(told, shown, document, mistakes.length - told.length);
    const faults = told.map(({ at, message }) => ({
      range: document.lines.range(at.start, at.end),
      message,
    }));
    throw new BrokenConfig(path, lines, faults);
  };
  const isBlank = saysNothing(document);
  if (!isBlank) complain(document.faults.map((fault) => ({ at: fault, message: ownFault(fault, "config") })));
  const root = bodyOf(path, document);
  const reader = new ConfigReader();
  if (root === undefined && !isBlank)
    throw new BrokenConfig(path, [`${shown}: There is no "promptpack" key in this file.`]);
  const own = isManifest(path) ? "/promptpack" : "";
  const isOwn = ({ second: { pointer } }: DuplicateKey) => `${pointer}/`.startsWith(`${own}/`);
  const body = reader.read(root, document.duplicateKeys.filter(isOwn));
  complain(reader.mistakes);
  return { path, folder: dirname(path), document, ...body };
}

function bytesOf(path: string, shown: string, read: (limit: number) => Uint8Array): Uint8Array {
  try {
    const bytes = read(largestConfig);
    if (bytes.length > largestConfig) throw new Unreadable(`has more than ${largestConfig} bytes`);
    return bytes;
  } catch (error) {
    throw new BrokenConfig(path, [`The config file "${shown}" ${describeIoError(error)}.`]);
  }
}

/** A config of comments alone. What cannot be decoded has no text either. */
function saysNothing({ text, faults }: Document): boolean {
  return (
    faults.every(({ kind }) => kind === "no-object") &&
    text.split("\n").every((line) => /^\s*(?:#|$)/u.test(line))
  );
}

function linesFor(
  mistakes: readonly Mistake[],
  shown: string,
  document: Document,
  left: number,
): readonly string[] {
  const lines = mistakes.map(({ at, message }) => `${shownPlace(shown, document, at.start)}: ${message}`);
  return left > 0
    ? [...lines, `${shown}: There ${left === 1 ? "is 1 more mistake" : `are ${left} more mistakes`}.`]
    : lines;
}

function isManifest(path: string): boolean {
  return basename(path) === "package.json";
}

function bodyOf(path: string, { root }: Document): Node | undefined {
  if (!isManifest(path)) return root;
  return root?.kind === "mapping" ? root.get("promptpack") : undefined;
}
