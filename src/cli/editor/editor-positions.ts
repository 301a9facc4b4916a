import type { Position, Range, Span } from "../../diagnostic.js";
import type { EditorRange, TextDocument } from "./protocol.js";

/** Where things stand in a text as its editor counts. A byte order mark belongs to the editor's text, but not to ours. */
export class EditorPositions {
  private readonly bom: number;

  constructor(private readonly document: TextDocument) {
    this.bom = bomLength(document.getText());
  }

  range(range: Range): EditorRange {
    return toEditorRange(range, this.bom);
  }

  span({ start, end }: Span): EditorRange {
    const at = (offset: number) => this.document.positionAt(offset + this.bom);
    return { start: at(start), end: at(end) };
  }

  /** The offset in our text. */
  offset(position: EditorRange["start"]): number {
    return Math.max(0, this.document.offsetAt(position) - this.bom);
  }

  position(position: Position): EditorRange["start"] {
    return toEditorPosition(position, this.bom);
  }
}

export function toEditorRange({ start, end }: Range, mark = 0): EditorRange {
  return { start: toEditorPosition(start, mark), end: toEditorPosition(end, mark) };
}

/** Ours count from 1, those of the protocol from 0. */
function toEditorPosition({ line, column }: Position, mark: number): EditorRange["start"] {
  return { line: line - 1, character: column - 1 + (line === 1 ? mark : 0) };
}

export function bomLength(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}
