import { getOrCreate } from "../maps/get-or-make.js";
import type { StartEvent } from "./log-event.js";

/** More starts than this waiting at once could be anybody's. */
const maxWaiting = 16;

/**
 * The starts that may still be answered. Most name no run. Where several wait, a new run answers any of them, and those
 * that it may have answered stay in question for the next ones, until there are as many runs as starts.
 */
export class StartQueue {
  private readonly byKey = new Map<string, StartEvent>();
  private readonly named = new Map<string, StartEvent[]>();
  /** Those that name no run; from `first` on they are in question, and runs have claimed so many of these. */
  private readonly unnamed: StartEvent[] = [];
  private first = 0;
  private claimed = 0;

  /** The earlier start that has the same dedupe key, if there is one: then this is the same start again. */
  add(start: StartEvent): StartEvent | undefined {
    const key = start.dedupeKey?.text;
    const earlier = key === undefined ? undefined : this.byKey.get(key);
    if (earlier !== undefined) return earlier;
    if (key !== undefined) this.byKey.set(key, start);
    this.listFor(start).push(start);
    return undefined;
  }

  /** Whether a start waits that may have asked for a run of this name. */
  mayStart(runId: string): boolean {
    return (this.named.get(runId)?.length ?? 0) > 0 || this.waiting > 0;
  }

  /** A new run begins: the starts that may have asked for it; nothing where they could be any. */
  claim(runId: string): readonly StartEvent[] | undefined {
    const own = this.named.get(runId)?.shift();
    if (own !== undefined) return [own];
    if (this.waiting === 0) return [];
    // The dispatcher is first in, first out: where too many are in question, those were the oldest.
    if (this.unnamed.length - this.first > maxWaiting) {
      this.first += this.claimed;
      this.claimed = 0;
    }
    const candidates = this.unnamed.slice(this.first, this.first + maxWaiting + 1);
    this.claimed++;
    if (this.waiting === 0) {
      this.first = this.unnamed.length;
      this.claimed = 0;
    }
    return candidates.length > maxWaiting ? undefined : candidates;
  }

  unanswered(): readonly StartEvent[] {
    const named = [...this.named.values()].flat();
    return [...named, ...this.unnamed.slice(this.first + this.claimed)];
  }

  private listFor({ runId }: StartEvent): StartEvent[] {
    if (runId === undefined) return this.unnamed;
    return getOrCreate(this.named, runId.text, () => []);
  }

  private get waiting(): number {
    return this.unnamed.length - this.first - this.claimed;
  }
}
