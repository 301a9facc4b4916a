import type { Position, Range, Span, TextEdit } from "../../diagnostic.js";
import type * as lsp from "./protocol.js";

/** Converts positions. A byte order mark is a part of the editor's text, but not of ours. */
export class EditorPositions {
  private readonly bom: number;

  constructor(private readonly document: lsp.TextDocument) {
    this.bom = bomLength(document.getText());
  }

  range(range: Range): lsp.Range {
    return toEditorRange(range, this.bom);
  }

  span({ start, end }: Span): lsp.Range {
    const at = (offset: number) => this.document.positionAt(offset + this.bom);
    return { start: at(start), end: at(end) };
  }

  edit({ text, ...span }: TextEdit): lsp.TextEdit {
    return { range: this.span(span), newText: text };
  }

  offset(position: lsp.Position): number {
    return Math.max(0, this.document.offsetAt(position) - this.bom);
  }

  position(position: Position): lsp.Position {
    return toEditorPosition(position, this.bom);
  }
}

export function toEditorRange({ start, end }: Range, bom = 0): lsp.Range {
  return { start: toEditorPosition(start, bom), end: toEditorPosition(end, bom) };
}

/** We count from 1, the protocol from 0. */
function toEditorPosition({ line, column }: Position, bom: number): lsp.Position {
  return { line: line - 1, character: column - 1 + (line === 1 ? bom : 0) };
}

export function bomLength(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}

export function overlaps(a: lsp.Range, b: lsp.Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}

function isBefore(a: lsp.Position, b: lsp.Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
