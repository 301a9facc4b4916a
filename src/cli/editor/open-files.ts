import { fileURLToPath } from "node:url";
import { TextDocument } from "./protocol.js";

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
