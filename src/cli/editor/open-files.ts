import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { LintRequest } from "../config/lint-request.js";
import { settingFileNames } from "../files/find-config.js";
import { documentNamePattern, mayBeRoutes } from "../files/find-files.js";
import { DidChangeWatchedFilesNotification, type Registration, TextDocument } from "./protocol.js";

/** A file as the editor has it at one moment, saved or not. */
export interface OpenFile {
  readonly uri: string;
  readonly path: string;
  readonly document: TextDocument;
}

type ContentChanges = Parameters<typeof TextDocument.update>[1];

/** What is open in the editor. Only files count: what was never saved has no place, and so no configuration. */
export class OpenFiles {
  private readonly files = new Map<string, OpenFile>();

  get(uri: string): OpenFile | undefined {
    return this.files.get(uri);
  }

  get uris(): readonly string[] {
    return [...this.files.keys()];
  }

  /** Not every client sends what the protocol says: without a text there is no file. */
  open(uri: string, language: string, version: number, text: unknown): void {
    const path = uriToPath(uri);
    if (path === undefined || typeof text !== "string") return;
    this.files.set(uri, { uri, path, document: TextDocument.create(uri, language, version, text) });
  }

  /** Whoever looks at the file as it was is not disturbed. */
  change(uri: string, version: number, changes: ContentChanges): void {
    const file = this.files.get(uri);
    if (file === undefined) return;
    const { languageId, version: old } = file.document;
    const document = TextDocument.create(uri, languageId, old, file.document.getText());
    this.files.set(uri, { ...file, document: TextDocument.update(document, changes, version) });
  }

  /** Takes a file for another one, since something else has changed that it depends on. */
  markStale(uri: string): void {
    const file = this.files.get(uri);
    if (file !== undefined) this.files.set(uri, { ...file });
  }

  close(uri: string): void {
    this.files.delete(uri);
  }

  /** The text of a file that need not be the one on the disk. */
  textAt(path: string): string | undefined {
    for (const file of this.files.values()) if (file.path === path) return file.document.getText();
    return undefined;
  }
}

/** Where a file lies; nothing for what is no file. */
export function uriToPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

const documentGlob = "**/*.{json,yaml,yml}";

/** What lies on the disk and changes what is found in files that are open. */
export class WatchedFiles {
  /** Names of files that say how others are linted, or whose absence is a finding. */
  private readonly settingFileNames: readonly string[];

  constructor({ config, baseline }: LintRequest) {
    const named = [config, baseline].flatMap((file) => (typeof file === "string" ? basename(file) : []));
    this.settingFileNames = [...settingFileNames, "SKILL.md", ...named];
  }

  /** Asks the editor to tell when one of them changes. */
  get registration(): Registration {
    const watchers = [
      { globPattern: `**/{${this.settingFileNames.join(",")}}` },
      { globPattern: documentGlob },
    ];
    return {
      id: "files",
      method: DidChangeWatchedFilesNotification.method,
      registerOptions: { watchers },
    };
  }

  /** The open files in which other things may be found now. Routes depend on those beside them. */
  affected(changed: readonly string[], open: OpenFiles): readonly string[] {
    const paths = changed.flatMap((uri) => (uri.includes("/node_modules/") ? [] : (uriToPath(uri) ?? [])));
    // What is no document may be a skill that a pack names, or its folder.
    if (
      paths.some((path) => this.settingFileNames.includes(basename(path)) || !documentNamePattern.test(path))
    )
      return open.uris;
    // Of a file that is open, the text in the editor counts.
    if (paths.every((path) => open.textAt(path) !== undefined)) return [];
    return open.uris.filter((uri) => isOpenRoutesFile(uri, open));
  }
}

/** The other open files in which other things may be found while one of them is typed in. */
export function otherOpenRoutes(typed: string, open: OpenFiles): readonly string[] {
  if (!isOpenRoutesFile(typed, open)) return [];
  return open.uris.filter((uri) => uri !== typed && isOpenRoutesFile(uri, open));
}

function isOpenRoutesFile(uri: string, open: OpenFiles): boolean {
  const file = open.get(uri);
  return file !== undefined && mayBeRoutes(file.path, () => Buffer.from(file.document.getText()));
}
