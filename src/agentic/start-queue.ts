import type { LogEvent } from "./log-event.js";

/** More starts than this waiting at once could be anybody's. */
const mostWaiting = 16;

/**
 * The starts that no run has answered yet. A start names no run: the dispatcher is first in, first out, so the next
 * new run answers the oldest, but where several wait, any of them may be meant.
 */
export class StartQueue {
  private readonly waiting: LogEvent[] = [];
  private head = 0;
  private readonly byKey = new Map<string, LogEvent>();

  /** The earlier start that has the same dedupe key, if there is one: then this is the same start again. */
  add(start: LogEvent): LogEvent | undefined {
    const key = start.dedupeKey?.text;
    const earlier = key === undefined ? undefined : this.byKey.get(key);
    if (earlier !== undefined) return earlier;
    if (key !== undefined) this.byKey.set(key, start);
    this.waiting.push(start);
    return undefined;
  }

  get isEmpty(): boolean {
    return this.head === this.waiting.length;
  }

  /** A new run begins: the starts that may have asked for it. */
  claim(runId: string): readonly LogEvent[] {
    const window = this.waiting.slice(this.head, this.head + mostWaiting + 1);
    const own = window.findIndex((start) => start.runId?.text === runId);
    if (own >= 0) return [this.remove(own)].flatMap((start) => start ?? []);
    const candidates = window.filter((start) => start.runId === undefined);
    const [oldest] = candidates;
    if (oldest === undefined) return [];
    this.remove(window.indexOf(oldest));
    return candidates.length > mostWaiting ? [] : candidates;
  }

  /** Moves the few before it up: the queue may be long. */
  private remove(offset: number): LogEvent | undefined {
    const removed = this.waiting[this.head + offset];
    this.waiting.copyWithin(this.head + 1, this.head, this.head + offset);
    this.head++;
    return removed;
  }

  unanswered(): readonly LogEvent[] {
    return this.waiting.slice(this.head);
  }
}
