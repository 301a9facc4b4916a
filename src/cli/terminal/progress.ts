import { clipText } from "../../text/clip-text.js";
import { visible } from "../../text/visible-text.js";
import type { Io } from "./io.js";
import { now } from "./stopwatch.js";

/** Milliseconds before the first sign of life, and between two. */
const patience = 1000;
const rhythm = 100;

const wipe = "\r\u001b[2K";

/** One line on a terminal that tells how far a long run is. Whoever prints anything else wipes it first. */
export class Progress {
  private readonly begun: number;
  private last = -Infinity;
  private shown = false;

  constructor(
    private readonly io: Pick<Io, "stderr" | "env">,
    private readonly clock: () => number = now,
  ) {
    this.begun = clock();
  }

  /** Before each file. */
  show(done: number, total: number, file: string): void {
    const time = this.clock();
    if (time - this.begun < patience || time - this.last < rhythm) return;
    this.last = time;
    const { stderr, env } = this.io;
    if (stderr.isTTY !== true || env["TERM"] === "dumb" || (env["CI"] ?? "") !== "") return;
    this.shown = true;
    const text = `${done} of ${total} files: ${visible(file)}`;
    stderr.write(`${wipe}${clipText(text, (stderr.columns || 80) - 1)}`);
  }

  hide(): void {
    if (this.shown) this.io.stderr.write(wipe);
    this.shown = false;
  }
}
