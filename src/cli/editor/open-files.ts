import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { LintRequest } from "../config/lint-request.js";
import { settingFileNames } from "../files/setting-files.js";
import { documentNamePattern, isNamedAsPack, mayBeRoutes } from "../files/discover.js";
import * as lsp from "./protocol.js";

/** A file as it is in the editor, saved or not. Never changed, but replaced. */
export interface OpenFile {
  readonly uri: string;
  readonly path: string;
  readonly document: lsp.TextDocument;
  /** The latest text. Edited in place, since finding all lines of a large text takes longer than an edit. */
  readonly buffer: lsp.TextDocument;
  readonly isRoutes: boolean;
}

/** Texts that were never saved have no path, and so no configuration: they are left out. */
export class OpenFiles {
  private readonly files = new Map<string, OpenFile>();

  get(uri: string): OpenFile | undefined {
    return this.files.get(uri);
  }

  get uris(): readonly string[] {
    return [...this.files.keys()];
  }

  get routes(): readonly string[] {
    return this.uris.filter((uri) => this.get(uri)?.isRoutes);
  }

  /** The files whose findings depend on the text of a file. */
  routesWith(uri: string): readonly string[] {
    return this.get(uri)?.isRoutes === true ? this.routes : [];
  }

  /** Not every client sends a text, though the protocol requires it. */
  open(uri: string, language: string, version: number, text: unknown): void {
    const path = uriToPath(uri);
    if (path === undefined || typeof text !== "string") return;
    this.files.set(uri, snapshot(path, lsp.TextDocument.create(uri, language, version, text), version));
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
    this.files.set(uri, snapshot(path, buffer, version));
  }

  /** Forgets what is cached for a file because something that it depends on has changed. */
  markStale(uri: string): void {
    const file = this.files.get(uri);
    if (file !== undefined) this.files.set(uri, { ...file });
  }

  close(uri: string): void {
    this.files.delete(uri);
  }

  /** The text of a file in the editor, if it is open. */
  textAt(path: string): string | undefined {
    for (const file of this.files.values()) if (file.path === path) return file.document.getText();
    return undefined;
  }
}

function snapshot(path: string, buffer: lsp.TextDocument, version: number): OpenFile {
  const { uri, languageId } = buffer;
  const text = buffer.getText();
  const document = lsp.TextDocument.create(uri, languageId, version, text);
  const isRoutes = mayBeRoutes(path, (limit) => Buffer.from(text.slice(0, limit + 1)));
  return { uri, path, document, buffer, isRoutes };
}

/** Undefined if it is not the address of a file. */
export function uriToPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The files on the disk that the findings in open files depend on. */
export class WatchedFiles {
  /** Files with settings, or whose absence is a finding. */
  private readonly settingFileNames: readonly string[];

  constructor({ config, baseline }: LintRequest) {
    const named = [config, baseline].flatMap((file) => (typeof file === "string" ? basename(file) : []));
    this.settingFileNames = [...settingFileNames, "SKILL.md", ...named];
  }

  get registration(): lsp.Registration {
    const globs = [`**/{${this.settingFileNames.join(",")}}`, "**/*.{json,yaml,yml}"];
    return {
      id: "files",
      method: lsp.DidChangeWatchedFilesNotification.method,
      registerOptions: { watchers: globs.map((globPattern) => ({ globPattern })) },
    };
  }

  /** The open files to lint again. Routes depend on the files beside them. */
  affected(changed: readonly string[], open: OpenFiles): readonly string[] {
    const paths = changed.flatMap((uri) => (uri.includes("/node_modules/") ? [] : (uriToPath(uri) ?? [])));
    // Any other file may be a skill that a pack names, or its folder.
    const concernsAll = (path: string) =>
      this.settingFileNames.includes(basename(path)) || !documentNamePattern.test(path);
    if (paths.some(concernsAll)) return open.uris;
    // For an open file, the text in the editor counts.
    if (paths.every((path) => isNamedAsPack(path) || open.textAt(path) !== undefined)) return [];
    return open.routes;
  }
}
