import type { Position, Range, Span } from "../../diagnostic.js";
import type { EditorRange, TextDocument } from "./protocol.js";

/** Where things stand in a text as its editor counts. A byte order mark belongs to the editor's text, but not to ours. */
export class EditorPlaces {
  private readonly mark: number;

  constructor(private readonly document: TextDocument) {
    this.mark = markLength(document.getText());
  }

  range(range: Range): EditorRange {
    return editorRange(range, this.mark);
  }

  span({ start, end }: Span): EditorRange {
    const at = (offset: number) => this.document.positionAt(offset + this.mark);
    return { start: at(start), end: at(end) };
  }

  /** The offset in our text. */
  offset(position: EditorRange["start"]): number {
    return Math.max(0, this.document.offsetAt(position) - this.mark);
  }

  position(position: Position): EditorRange["start"] {
    return editorPosition(position, this.mark);
  }
}

export function editorRange({ start, end }: Range, mark = 0): EditorRange {
  return { start: editorPosition(start, mark), end: editorPosition(end, mark) };
}

/** Ours count from 1, those of the protocol from 0. */
function editorPosition({ line, column }: Position, mark: number): EditorRange["start"] {
  return { line: line - 1, character: column - 1 + (line === 1 ? mark : 0) };
}

export function markLength(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}
