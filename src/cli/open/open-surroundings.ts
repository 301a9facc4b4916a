import { join, resolve } from "node:path";
import type { Workspace } from "../../agentic/workspace.js";
import { withAdvice } from "../../diagnostic.js";
import type { Document, Limits } from "../../document/document.js";
import { formatOf } from "../../document/format-of.js";
import { readJsonLines } from "../../document/json/read-json-lines.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import { isRoutes, readRoutes } from "../../routes/read-routes.js";
import { loopPlugin, Routes } from "../../routes/routes.js";
import { parseError } from "../../rules/parse-error.js";
import { statsOf } from "../files/read-file.js";
import { readNamedFile } from "../files/read-named-file.js";
import { shownPath, shownPlace } from "../files/shown-path.js";
import { discover, nothingFound } from "../search/discover.js";
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
  const { targets, troubles, beside } = discover([path], cwd, "routes");
  const [trouble] = troubles;
  if (targets.length === 0 && trouble !== undefined) throw new UsageError(trouble);
  const files = [];
  for (const target of targets) {
    const { file, document } = await openFile(target.path, cwd, limits);
    const [fault] = parseError.check(document, false);
    if (fault !== undefined) {
      throw new UsageError(`${shownPlace(file, document, fault.at.start)}: ${withAdvice(fault).message}`);
    }
    if (isRoutes(document)) files.push(readRoutes(file, document));
    else if (target.named) {
      throw new UsageError(
        `"${file}" is not an RFC-103 configuration: it has neither "pipelines" nor the plugin "${loopPlugin}".`,
      );
    }
  }
  if (files.length === 0) throw new UsageError(nothingFound(path, "routes"));
  const [named] = targets.filter((target) => target.named);
  return (named && new RouteSets([named], beside, limits).of(named.path)) ?? new Routes(files);
}

export function openState({ cwd }: Io, path: string, limits: Limits): Promise<OpenedFile> {
  return openFile(resolve(cwd, path), cwd, limits);
}

export function openWorkspace(cwd: string, path: string): Workspace {
  const folder = resolve(cwd, path);
  if (kindAt(folder) !== "folder") throw new UsageError(`The workspace "${path}" is not a folder.`);
  return { name: shownPath(folder, cwd), has: (name) => kindAt(join(folder, name)) };
}

/** The trace of a workspace; nothing where there is none, or nothing in it yet. */
export function openTrace(cwd: string, { name, has }: Workspace, limits: Limits): OpenedFile | undefined {
  if (has("trace.jsonl") !== "file") return undefined;
  const path = resolve(cwd, name, "trace.jsonl");
  const file = shownPath(path, cwd);
  const bytes = readNamedFile(path, file, limits.maxBytes);
  return bytes.length === 0 ? undefined : { file, document: readJsonLines(bytes, limits) };
}

async function openFile(path: string, cwd: string, limits: Limits): Promise<OpenedFile> {
  const file = shownPath(path, cwd);
  const bytes = readNamedFile(path, file, limits.maxBytes);
  return { file, document: await readDocumentLazily(bytes, formatOf(file, bytes), limits) };
}

function kindAt(path: string): "file" | "folder" | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : "file";
}
