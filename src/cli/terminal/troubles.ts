import type { Io } from "./io.js";
import type { Progress } from "./progress.js";
import { printMessage } from "./say.js";

/** What keeps a run from doing all of its job. Many files may share one cause: it is said once. */
export class Problems {
  private readonly reported = new Set<string>();

  constructor(
    private readonly io: Io,
    private readonly progress: Progress,
  ) {}

  get any(): boolean {
    return this.reported.size > 0;
  }

  readonly report = (sentence: string): void => {
    if (this.reported.has(sentence)) return;
    this.reported.add(sentence);
    this.progress.hide();
    printMessage(this.io, sentence);
  };
}
