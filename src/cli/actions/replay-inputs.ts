import { detectFormat, type Limits } from "../../document/file-format.js";
import { join, resolve } from "node:path";
import type { Workspace } from "../../agentic/loop-files.js";
import { withAdvice } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { readJsonLines } from "../../document/json/read-json.js";
import type { MappingNode } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { readDocument } from "../../document/read.js";
import { isRoutesDocument, joinRoutes, loopPlugin, readRoutes, type Routes } from "../../routes/routes.js";
import { discover, nothingFoundMessage } from "../files/discover.js";
import { displayLocation, displayPath } from "../files/paths.js";
import { readRequiredFile, statIfExists } from "../files/read-file.js";
import { routesByPath } from "../lint/route-sets.js";
import { type Io, readAll, UsageError } from "../terminal/io.js";
import { parseError } from "../../rules/file-rules.js";

/** A log of RFC-103 events, the transitions that `simulate` writes, or a context of the reference runtime. */
type RecordKind = "events" | "transitions" | "context";

export interface OpenedFile {
  readonly file: string;
  readonly document: Document;
}

export interface OpenedRecord extends OpenedFile {
  readonly kind: RecordKind;
}

export async function openRecord(io: Io, path: string, limits: Limits): Promise<OpenedRecord> {
  const { file, bytes } =
    path === "-"
      ? { file: "<stdin>", bytes: await readAll(io.stdin, limits.maxBytes) }
      : readNamed(io.cwd, path, limits);
  if (bytes.length > limits.maxBytes)
    throw new UsageError(`"${file}" has more than ${limits.maxBytes} bytes. "--max-size" raises the limit.`);
  const isBlank = bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));
  if (isBlank) throw new UsageError(`"${file}" is empty: there is no record in it.`);
  const lines = readJsonLines(bytes, limits);
  const kind = kindOfLines(lines);
  if (kind === "events" || kind === "transitions") return { file, kind, document: lines };
  const whole = readDocument(bytes, "json", limits);
  const likely = kindOfWhole(lines, whole);
  if (likely === undefined)
    throw new UsageError(
      `"${file}" is not the record of a run: it contains neither RFC-103 events, nor transitions, nor a workflow context.`,
    );
  return { file, kind: likely, document: likely === "context" ? whole : lines };
}

function readNamed(cwd: string, path: string, { maxBytes }: Limits): { file: string; bytes: Uint8Array } {
  const absolute = resolve(cwd, path);
  const file = displayPath(absolute, cwd);
  return { file, bytes: readRequiredFile(absolute, file, maxBytes) };
}

/** The kind of a record that is one object, or of one that cannot be parsed, whose errors are to be reported. */
function kindOfWhole({ text, faults }: Document, { root }: Document): RecordKind | undefined {
  if (root?.kind === "mapping") return isContext(root) ? "context" : undefined;
  if (faults.length === 0) return undefined;
  const [, key] = /"(record|type)"\s*:\s*"/u.exec(text) ?? [];
  if (key !== undefined) return key === "type" ? "events" : "transitions";
  return /^\s*(?:\{|$)/u.test(text) ? "context" : undefined;
}

function kindOfLines({ root }: Document): RecordKind | undefined {
  for (const item of root?.kind === "sequence" ? root.items : []) {
    if (item.kind !== "mapping") continue;
    if (item.get("record") !== undefined) return "transitions";
    if (item.get("type") !== undefined) return "events";
    if (isContext(item)) return "context";
  }
  return undefined;
}

function isContext(node: MappingNode): boolean {
  return node.get("current_state") !== undefined || node.get("visit_counts") !== undefined;
}

export function* describeParseErrors({ file, document }: OpenedFile): Generator<string> {
  for (const fault of parseError.check({ document, isPack: false }))
    yield `${displayLocation(file, document, fault.at.start)}: ${withAdvice(fault).message}`;
}

/** The routes of `--routes`: a folder whose files are one configuration, or a file of a configuration. */
export async function openRoutes({ cwd }: Io, path: string, limits: Limits): Promise<Routes> {
  const { targets, problems, beside } = discover([path], cwd, "routes");
  const [problem] = problems;
  if (targets.length === 0 && problem !== undefined) throw new UsageError(problem);
  const files = [];
  for (const target of targets) {
    const opened = await openFile(cwd, target.path, limits);
    const { file, document } = opened;
    const [sentence] = describeParseErrors(opened);
    if (sentence !== undefined) throw new UsageError(sentence);
    if (isRoutesDocument(document)) files.push(readRoutes(file, document));
    else if (target.named)
      throw new UsageError(
        `"${file}" is not an RFC-103 configuration: it has neither "pipelines" nor the plugin "${loopPlugin}".`,
      );
  }
  if (files.length === 0) throw new UsageError(nothingFoundMessage(path, "routes"));
  const [named] = targets.filter((target) => target.named);
  return (named && routesByPath([named], beside, limits).get(named.path)) ?? joinRoutes(files);
}

export function openWorkspace(cwd: string, path: string): Workspace {
  const folder = resolve(cwd, path);
  if (entryKindAt(folder) !== "folder") throw new UsageError(`The workspace "${path}" is not a folder.`);
  return { name: displayPath(folder, cwd), kindOf: (name) => entryKindAt(join(folder, name)) };
}

export function openTrace(cwd: string, { name, kindOf }: Workspace, limits: Limits): OpenedFile | undefined {
  if (kindOf("trace.jsonl") !== "file") return undefined;
  const { file, bytes } = readNamed(cwd, join(name, "trace.jsonl"), limits);
  return bytes.length === 0 ? undefined : { file, document: readJsonLines(bytes, limits) };
}

export async function openFile(cwd: string, path: string, limits: Limits): Promise<OpenedFile> {
  const { file, bytes } = readNamed(cwd, path, limits);
  return { file, document: await readDocumentLazily(bytes, detectFormat(file, bytes), limits) };
}

function entryKindAt(path: string): "file" | "folder" | undefined {
  const stats = statIfExists(path);
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "file";
}
