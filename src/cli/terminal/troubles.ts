import type { Io } from "./io.js";
import type { Progress } from "./progress.js";
import { say } from "./say.js";

/** What keeps a run from doing all of its job. Many files may share one cause: it is said once. */
export class Troubles {
  private readonly said = new Set<string>();

  constructor(
    private readonly io: Io,
    private readonly progress: Progress,
  ) {}

  get any(): boolean {
    return this.said.size > 0;
  }

  readonly tell = (sentence: string): void => {
    if (this.said.has(sentence)) return;
    this.said.add(sentence);
    this.progress.hide();
    say(this.io, sentence);
  };
}
