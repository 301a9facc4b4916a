import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { LintRequest } from "../config/lint-request.js";
import { settingFileNames } from "../files/setting-files.js";
import { documentNamePattern, isNamedAsPack } from "../files/discover.js";
import { isBelow } from "../files/paths.js";
import { OpenFile } from "./open-file.js";
import * as lsp from "./protocol.js";

/** Texts that were never saved have no path, and so no configuration: they are left out. */
export class OpenFiles {
  /** The folders that are open in the editor. */
  folders: readonly string[] = [];
  private readonly files = new Map<string, OpenFile>();
  private lastUnfinished: OpenFile | undefined;
  /** Files with settings, or whose absence is a finding. */
  private readonly settingFileNames: readonly string[];

  constructor(
    private readonly cwd: string,
    private readonly request: LintRequest,
  ) {
    const { config, baseline } = request;
    const named = [config, baseline].flatMap((file) => (typeof file === "string" ? basename(file) : []));
    this.settingFileNames = [...settingFileNames, "SKILL.md", ...named];
  }

  /** The files on the disk that the findings in open files depend on. */
  get watchedGlobs(): readonly string[] {
    return [`**/{${this.settingFileNames.join(",")}}`, "**/*.{json,yaml,yml}"];
  }

  /** The open files to lint again when files on the disk have changed. Routes depend on the files beside them. */
  affectedBy(changed: readonly string[]): readonly string[] {
    const paths = changed.flatMap((uri) => (uri.includes("/node_modules/") ? [] : (uriToPath(uri) ?? [])));
    // Any other file may be a skill that a pack names, or its folder.
    const concernsAll = (path: string) =>
      this.settingFileNames.includes(basename(path)) || !documentNamePattern.test(path);
    if (paths.some(concernsAll)) return this.uris;
    // For an open file, the text in the editor counts.
    if (paths.every((path) => isNamedAsPack(path) || this.textAt(path) !== undefined)) return [];
    return this.routes;
  }

  get(uri: string): OpenFile | undefined {
    return this.files.get(uri);
  }

  get uris(): readonly string[] {
    return [...this.files.keys()];
  }

  get routes(): readonly string[] {
    return this.uris.filter((uri) => this.get(uri)?.isRoutes());
  }

  /** The files whose findings depend on the text of a file. */
  routesWith(uri: string): readonly string[] {
    return this.get(uri)?.isRoutes() === true ? this.routes : [];
  }

  /** Not every client sends a text, though the protocol requires it. */
  open(uri: string, language: string, version: number, text: unknown): void {
    const path = uriToPath(uri);
    if (path === undefined || typeof text !== "string") return;
    this.add(path, lsp.TextDocument.create(uri, language, version, text));
  }

  change(uri: string, version: number, changes: lsp.TextDocumentContentChangeEvent[]): void {
    const file = this.files.get(uri);
    if (file === undefined) return;
    const { path, buffer } = file;
    // After an edit beyond the last line, the library would no longer know where the lines are.
    const clamp = (position: lsp.Position) => buffer.positionAt(buffer.offsetAt(position));
    for (const change of changes) {
      const range = "range" in change && { start: clamp(change.range.start), end: clamp(change.range.end) };
      lsp.TextDocument.update(buffer, [{ ...change, ...(range && { range }) }], version);
    }
    lsp.TextDocument.update(buffer, [], version);
    this.add(path, buffer);
  }

  close(uri: string): void {
    this.files.delete(uri);
  }

  private add(path: string, buffer: lsp.TextDocument): void {
    const enclosing = this.folders.filter((folder) => isBelow(folder, path));
    const [innermost = this.folders[0]] = enclosing.sort((a, b) => b.length - a.length);
    const unsaved = (other: string) => this.textAt(other);
    const file = new OpenFile(path, buffer, innermost ?? this.cwd, this.request, unsaved);
    this.files.set(buffer.uri, file);
  }

  /** The text of a file in the editor, if it is open. */
  textAt(path: string): string | undefined {
    for (const file of this.files.values()) if (file.path === path) return file.text;
    return undefined;
  }

  /** A file without its unfinished part: often the same text for several keys in a row. */
  withoutUnfinished(file: OpenFile, text: string): OpenFile {
    if (this.lastUnfinished?.text !== text) this.lastUnfinished = file.withText(text);
    return this.lastUnfinished;
  }
}

/** Undefined if it is not the address of a file. */
export function uriToPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
