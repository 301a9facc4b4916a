import { getOrMake } from "../../maps/get-or-make.js";
import type { PackNames } from "../../pack/pack-names.js";
import { isBelow } from "../files/ignore-files.js";
import type { EditorLinter, EditorOutcome } from "./editor-linter.js";
import type { OpenFile } from "./open-files.js";
import { TextDocument, type EditorEdit } from "./protocol.js";

/** Lints what is open, once for as long as it stays as it is. */
export class FileChecks {
  /** The folders that are open. */
  folders: readonly string[] = [];
  private readonly outcomes = new WeakMap<OpenFile, Promise<EditorOutcome>>();
  private readonly trials = new WeakMap<OpenFile, Map<string, Promise<boolean>>>();

  private readonly names = new WeakMap<TextDocument, Promise<PackNames | undefined>>();

  constructor(private readonly linterIn: (folder: string | undefined) => EditorLinter) {}

  of(file: OpenFile): Promise<EditorOutcome> {
    return getOrMake(this.outcomes, file, () =>
      this.linterFor(file).lint(file.path, file.document.getText()),
    );
  }

  /** Whether edits do what they should. What they led to is not kept: there may be many to try. */
  tried(file: OpenFile, edits: EditorEdit[], isRight: (after: EditorOutcome) => boolean): Promise<boolean> {
    const known = getOrMake(this.trials, file, () => new Map());
    const key = JSON.stringify(edits);
    const text = () => TextDocument.applyEdits(file.document, edits);
    return getOrMake(known, key, () => this.linterFor(file).lint(file.path, text()).then(isRight));
  }

  /** The text of a file with everything fixed that is certain. */
  fixed(file: OpenFile): Promise<string> {
    return this.linterFor(file).fix(file.path, file.document.getText());
  }

  /** The names in a pack; nothing where a file is none that is linted, or cannot be read. */
  namesIn(file: OpenFile): Promise<PackNames | undefined> {
    const { path, document } = file;
    return getOrMake(this.names, document, () => this.linterFor(file).namesIn(path, document.getText()));
  }

  /** The line on which the entry or item of a text begins; nothing where something else is there. */
  lineOf(file: OpenFile, pointer: string): Promise<number | undefined> {
    return this.linterFor(file).lineOf(file.path, file.document.getText(), pointer);
  }

  /** Each folder is linted as if the command ran there. */
  private linterFor({ path }: OpenFile): EditorLinter {
    const holding = this.folders.filter((folder) => isBelow(folder, path));
    const innermost = holding.sort((a, b) => b.length - a.length)[0];
    return this.linterIn(innermost ?? this.folders[0]);
  }
}
