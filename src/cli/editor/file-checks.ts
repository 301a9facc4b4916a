import { getOrCreate } from "../../maps/get-or-make.js";
import type { NameIndex } from "../../pack/pack-names.js";
import { isBelow } from "../files/ignore-files.js";
import type { EditorLinter, EditorOutcome } from "./editor-linter.js";
import type { OpenFile } from "./open-files.js";
import { TextDocument, type EditorEdit } from "./protocol.js";

/** Lints what is open, once for as long as it stays as it is. */
export class LintCache {
  /** The folders that are open. */
  folders: readonly string[] = [];
  private readonly outcomes = new WeakMap<OpenFile, Promise<EditorOutcome>>();
  private readonly trials = new WeakMap<OpenFile, Map<string, Promise<boolean>>>();

  private readonly names = new WeakMap<TextDocument, Promise<NameIndex | undefined>>();

  constructor(private readonly linterIn: (folder: string | undefined) => EditorLinter) {}

  outcomeFor(file: OpenFile): Promise<EditorOutcome> {
    return getOrCreate(this.outcomes, file, () =>
      this.linterFor(file).lint(file.path, file.document.getText()),
    );
  }

  /** Whether edits do what they should. What they led to is not kept: there may be many to try. */
  tryEdits(file: OpenFile, edits: EditorEdit[], isRight: (after: EditorOutcome) => boolean): Promise<boolean> {
    const known = getOrCreate(this.trials, file, () => new Map());
    const key = JSON.stringify(edits);
    const text = () => TextDocument.applyEdits(file.document, edits);
    return getOrCreate(known, key, () => this.linterFor(file).lint(file.path, text()).then(isRight));
  }

  /** The text of a file with everything fixed that is certain. */
  fixedText(file: OpenFile): Promise<string> {
    return this.linterFor(file).fix(file.path, file.document.getText());
  }

  /** The names in a pack; nothing where a file is none that is linted, or cannot be read. */
  namesIn(file: OpenFile): Promise<NameIndex | undefined> {
    const { path, document } = file;
    return getOrCreate(this.names, document, () => this.linterFor(file).namesIn(path, document.getText()));
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
