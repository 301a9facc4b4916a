import { join, resolve } from "node:path";
import type { Workspace } from "../../agentic/workspace.js";
import { withAdvice } from "../../diagnostic.js";
import type { Document, Limits } from "../../document/document.js";
import { detectFormat } from "../../document/format-of.js";
import { readJsonLines } from "../../document/json/read-json-lines.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { isRoutesDocument, readRoutes } from "../../routes/read-routes.js";
import { loopPlugin, Routes } from "../../routes/routes.js";
import { parseError } from "../../rules/parse-error.js";
import { statIfExists } from "../files/read-file.js";
import { readRequiredFile } from "../files/read-named-file.js";
import { displayPath, displayLocation } from "../files/shown-path.js";
import { discover, nothingFoundMessage } from "../search/discover.js";
import { RouteSets } from "../search/route-sets.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";

export interface OpenedFile {
  /** As it is shown. */
  readonly file: string;
  readonly document: Document;
}

/** The routes of `--routes`: a folder whose files are one configuration, or a file with what belongs to it. */
export async function openRoutes({ cwd }: Io, path: string, limits: Limits): Promise<Routes> {
  const { targets, problems, beside } = discover([path], cwd, "routes");
  const [trouble] = problems;
  if (targets.length === 0 && trouble !== undefined) throw new UsageError(trouble);
  const files = [];
  for (const target of targets) {
    const { file, document } = await openFile(target.path, cwd, limits);
    const [fault] = parseError.check(document, false);
    if (fault !== undefined) {
      throw new UsageError(`${displayLocation(file, document, fault.at.start)}: ${withAdvice(fault).message}`);
    }
    if (isRoutesDocument(document)) files.push(readRoutes(file, document));
    else if (target.named) {
      throw new UsageError(
        `"${file}" is not an RFC-103 configuration: it has neither "pipelines" nor the plugin "${loopPlugin}".`,
      );
    }
  }
  if (files.length === 0) throw new UsageError(nothingFoundMessage(path, "routes"));
  const [named] = targets.filter((target) => target.named);
  return (named && new RouteSets([named], beside, limits).of(named.path)) ?? new Routes(files);
}

export function openStateFile({ cwd }: Io, path: string, limits: Limits): Promise<OpenedFile> {
  return openFile(resolve(cwd, path), cwd, limits);
}

export function openWorkspace(cwd: string, path: string): Workspace {
  const folder = resolve(cwd, path);
  if (entryKindAt(folder) !== "folder") throw new UsageError(`The workspace "${path}" is not a folder.`);
  return { name: displayPath(folder, cwd), kindOf: (name) => entryKindAt(join(folder, name)) };
}

/** The trace of a workspace; nothing where there is none, or nothing in it yet. */
export function openTrace(cwd: string, { name, kindOf }: Workspace, limits: Limits): OpenedFile | undefined {
  if (kindOf("trace.jsonl") !== "file") return undefined;
  const path = resolve(cwd, name, "trace.jsonl");
  const file = displayPath(path, cwd);
  const bytes = readRequiredFile(path, file, limits.maxBytes);
  return bytes.length === 0 ? undefined : { file, document: readJsonLines(bytes, limits) };
}

async function openFile(path: string, cwd: string, limits: Limits): Promise<OpenedFile> {
  const file = displayPath(path, cwd);
  const bytes = readRequiredFile(path, file, limits.maxBytes);
  return { file, document: await readDocumentLazily(bytes, detectFormat(file, bytes), limits) };
}

function entryKindAt(path: string): "file" | "folder" | undefined {
  const stats = statIfExists(path);
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "file";
}
