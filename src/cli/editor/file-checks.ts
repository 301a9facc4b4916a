import { isBelow } from "../files/ignore-files.js";
import { type EditorLinter, type EditorOutcome } from "./editor-linter.js";
import type { OpenFile } from "./open-files.js";

/** Lints what is open, each text once for as long as the file stays as it is. */
export class FileChecks {
  private readonly known = new WeakMap<OpenFile, Map<string, Promise<EditorOutcome>>>();

  constructor(private readonly linterIn: (folder: string) => EditorLinter) {}

  /** The folders that are open, or the one to start from where there are none. */
  folders: readonly string[] = [];

  /** What is found in a file, or would be if it had another text. */
  of(file: OpenFile, text = file.document.getText()): Promise<EditorOutcome> {
    const outcomes = this.known.get(file) ?? new Map<string, Promise<EditorOutcome>>();
    this.known.set(file, outcomes);
    const outcome = outcomes.get(text) ?? this.linterFor(file).lint(file.path, text);
    outcomes.set(text, outcome);
    return outcome;
  }

  /** The text of a file with everything fixed that is certain. */
  fixed(file: OpenFile): Promise<string> {
    return this.linterFor(file).fix(file.path, file.document.getText());
  }

  /** Each folder is linted as if the command ran there. */
  private linterFor({ path }: OpenFile): EditorLinter {
    const holding = this.folders.filter((folder) => isBelow(folder, path));
    const innermost = holding.sort((a, b) => b.length - a.length)[0];
    return this.linterIn(innermost ?? this.folders[0] ?? ".");
  }
}
