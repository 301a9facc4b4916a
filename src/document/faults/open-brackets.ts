import type { Finding } from "../../diagnostic.js";

/** A line longer than this tells nothing by its indentation. */
const maxLineLength = 400;

const unknownOffset = -1;

/** The brackets of a JSON text that are open, and the one that the author forgot to close, or closed twice. */
export class OpenBrackets {
  private readonly open: number[] = [];
  /** The first one that a bracket further out closed: as a rule its own is missing, and the text ends one short. */
  private suspect: number | undefined;
  /** The first one that something else than a bracket ended. */
  private unclosed: number | undefined;
  /** By the indentation of what they closed, the last brackets that did; nothing where they stand right below it. */
  private readonly closing = new Map<number, number | undefined>();
  /** The first one too many, by the indentation; `nowhere` if that tells nothing. */
  private extra: number | undefined;

  constructor(private readonly text: string) {}

  get depth(): number {
    return this.open.length;
  }

  /** Where the list starts that is open here; nothing in an object. */
  get openList(): number | undefined {
    const start = this.open.at(-1);
    return start !== undefined && this.text.charAt(start) === "[" ? start : undefined;
  }

  enter(offset: number): void {
    this.open.push(offset);
  }

  leave(offset: number): void {
    const opening = this.open.pop();
    if (opening === undefined) return;
    if (!/[\]}]/.test(this.text.charAt(offset))) {
      this.unclosed ??= opening;
      return;
    }
    const depth = this.extraIndent(opening, offset);
    if (depth < 0) this.suspect ??= opening;
    if (depth > 0) this.extra ??= this.findWrongClose(offset, opening) ?? unknownOffset;
    // Something around it is closed in its place: it took nothing from there.
    if (depth === 0 && this.extra !== undefined && opening < this.extra) this.extra = undefined;
    this.closing.set(this.indentOf(opening), depth === 0 ? undefined : offset);
  }

  /** Columns by which what starts a line is indented deeper than the line of a bracket before it. */
  extraIndent(opening: number, offset: number): number {
    if (this.linePrefix(offset)?.trim() !== "") return NaN;
    return this.indentOf(offset) - this.indentOf(opening);
  }

  /** Where something after `since` was closed that a bracket seems to be meant for: what closed it, or else the bracket itself. */
  private findWrongClose(offset: number, since: number): number | undefined {
    const indent = this.indentOf(offset);
    if (!this.closing.has(indent)) return undefined;
    const taken = this.closing.get(indent) ?? offset;
    return taken > since ? taken : offset;
  }

  private indentOf(offset: number): number {
    return /^[ \t]*/.exec(this.linePrefix(offset) ?? "")?.[0].length ?? 0;
  }

  /** The one that is still open here; at the end of the text, the one that the indentation tells. */
  related(isEnd: boolean): Finding["related"] {
    const start = isEnd ? (this.suspect ?? this.unclosed) : this.open.at(-1);
    if (start === undefined) return undefined;
    const message = start === this.suspect ? "probably this one, judging by the indentation" : "opened here";
    return [{ at: { pointer: "", start, end: start + 1 }, message }];
  }

  /** Of a mark behind the end of the value: the bracket that is too many, where that is not the mark itself. */
  relatedToTrailingText(offset: number): Finding["related"] {
    const isFirst = this.linePrefix(offset)?.trim() === "";
    const start = this.extra ?? (isFirst ? this.findWrongClose(offset, 0) : undefined) ?? unknownOffset;
    if (start === unknownOffset || start === offset || !/[,}\]]/.test(this.text.charAt(offset))) return undefined;
    const at = { pointer: "", start, end: start + 1 };
    return [{ at, message: "probably this one is too many, judging by the indentation" }];
  }

  /** What stands before an offset on its line, unless that is very much. */
  private linePrefix(offset: number): string | undefined {
    const before = this.text.slice(Math.max(offset - maxLineLength, 0), offset);
    const start = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
    return start === 0 && offset > maxLineLength ? undefined : before.slice(start);
  }
}
