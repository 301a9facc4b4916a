import type { Trace } from "../diagnostic.js";
import type { Witnesses } from "./witness.js";

/** A run to a node in which it completes, written down only when it is to be shown. */
export class CompleteRun {
  readonly entries: number;
  private written: Trace | undefined;

  constructor(
    private readonly witnesses: Witnesses,
    private readonly node: number,
  ) {
    this.entries = witnesses.entriesTo(node);
  }

  get witness(): Trace | undefined {
    return (this.written ??= this.witnesses.runTo(this.node));
  }
}
