import type { Finding } from "../../diagnostic.js";

/** A line longer than this tells nothing by its indentation. */
const longestLine = 400;

/** The brackets of a JSON text that are open, and the one that the author forgot to close. */
export class OpenBrackets {
  private readonly open: number[] = [];
  /** The first one that a bracket further out closed: as a rule its own is missing, and the text ends one short. */
  private suspect: number | undefined;
  /** The first one that something else than a bracket ended. */
  private unclosed: number | undefined;

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
    if (!/[\]}]/.test(this.text.charAt(offset))) this.unclosed ??= opening;
    else if (this.suspect === undefined && this.isFurtherIn(opening, offset)) this.suspect = opening;
  }

  /** Whether the bracket that starts a line stands further out than the line of the one that it closes. */
  private isFurtherIn(opening: number, offset: number): boolean {
    return this.depthBehind(opening, offset) < 0;
  }

  /** Columns by which what starts a line is indented deeper than the line of a bracket before it. */
  depthBehind(opening: number, offset: number): number {
    const line = this.lineBefore(offset);
    if (line === undefined || line.trim() !== "") return NaN;
    const indent = /^[ \t]*/.exec(this.lineBefore(opening) ?? "")?.[0] ?? "";
    return line.length - indent.length;
  }

  /** The one that is still open here; at the end of the text, the one that the indentation tells. */
  related(isEnd: boolean): Finding["related"] {
    const start = isEnd ? (this.suspect ?? this.unclosed) : this.open.at(-1);
    if (start === undefined) return undefined;
    const message = start === this.suspect ? "probably this one, judging by the indentation" : "opened here";
    return [{ at: { pointer: "", start, end: start + 1 }, message }];
  }

  /** What stands before an offset on its line, unless that is very much. */
  private lineBefore(offset: number): string | undefined {
    const before = this.text.slice(Math.max(offset - longestLine, 0), offset);
    const start = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
    return start === 0 && offset > longestLine ? undefined : before.slice(start);
  }
}
