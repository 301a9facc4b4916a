import process from "node:process";
import { escapeInvisible } from "../../text/escape.js";
import { alignColumns, clipText } from "../../text/terminal-text.js";
import { type Io, printMessage } from "./io.js";

const firstShowDelay = 1000;
const refreshInterval = 100;

const clearLine = "\r\u001b[2K";

/** Shows in one line how far a long run is, and prints its problems. Call `hide` before printing anything else. */
export class Progress {
  private readonly startedAt = now();
  private lastShownAt = -Infinity;
  private isShown = false;
  private readonly problems = new Set<string>();

  constructor(private readonly io: Pick<Io, "stderr" | "env">) {}

  show(done: number, total: number, file: string): void {
    const time = now();
    if (time - this.startedAt < firstShowDelay || time - this.lastShownAt < refreshInterval) return;
    this.lastShownAt = time;
    const { stderr, env } = this.io;
    if (stderr.isTTY !== true || env["TERM"] === "dumb" || (env["CI"] ?? "") !== "") return;
    this.isShown = true;
    const text = `${done} of ${total} files: ${escapeInvisible(file)}`;
    stderr.write(`${clearLine}${clipText(text, (stderr.columns || 80) - 1)}`);
  }

  hide(): void {
    if (this.isShown) this.io.stderr.write(clearLine);
    this.isShown = false;
  }

  get hasProblems(): boolean {
    return this.problems.size > 0;
  }

  /** Many files may share one cause, which is printed once. */
  readonly reportProblem = (sentence: string): void => {
    if (this.problems.has(sentence)) return;
    this.problems.add(sentence);
    this.hide();
    printMessage(this.io, sentence);
  };
}

export class Stopwatch {
  private readonly elapsed = new Map<string, number>();

  time<T>(name: string, work: () => T): T {
    const start = now();
    try {
      return work();
    } finally {
      this.add(name, now() - start);
    }
  }

  async timeAsync<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = now();
    try {
      return await work();
    } finally {
      this.add(name, now() - start);
    }
  }

  private add(name: string, time: number): void {
    this.elapsed.set(name, (this.elapsed.get(name) ?? 0) + time);
  }

  /** Milliseconds, in the order in which the parts began. */
  table(): string {
    const rows = [...this.elapsed].map(([name, time]) => [name, time.toFixed(1).padStart(9)]);
    return alignColumns(rows)
      .map((line) => `${line} ms\n`)
      .join("");
  }
}

/** In milliseconds. The global `performance` would load a dozen modules. */
export function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
