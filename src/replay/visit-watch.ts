import type { Outcome } from "../machine/attempt.js";
import type { Machine } from "../machine/machine.js";
import type { Deviation, ReportDeviation } from "./deviation.js";
import type { RecordedMove } from "./recording.js";

/**
 * Counts entries as they happen, and compares what the record counts. Where they differ, both the own count and what
 * the record went on from are heeded: one slip is told once.
 */
export class VisitTracker {
  /** Entries of all states, and what the record said of them last. */
  total = 0;
  recordedTotal = 0;
  private steps = 0;
  private readonly visitsOf = new Map<number, number>();
  /** What the record said last. */
  private recordedStep = 0;
  private readonly recordedVisits = new Map<number, number>();
  /** Entries that the record may have left out, or has under names that are none. */
  private missing = 0;
  /** Those under names that are none. */
  private unknownStateVisits = 0;
  /** A part could not be read: how far the record has counted shows in the next that can be. */
  private hasLostCount = false;

  constructor(private readonly report: ReportDeviation) {}

  visits(state: number): number {
    return this.visitsOf.get(state) ?? 0;
  }

  /** So many entries happened before the first move. */
  begin(state: number | undefined, entries: number): void {
    this.add(state, entries);
    this.recordedTotal = this.total;
  }

  /** A state that is none of the workflow's counts only for the total. */
  enter(state: number | undefined): void {
    this.steps++;
    this.add(state, 1);
  }

  markUnreadable(): void {
    this.hasLostCount = true;
  }

  /** The entry was of another state after all. */
  correct(from: number | undefined, to: number): void {
    this.add(from, -1);
    this.add(to, 1);
  }

  /** Whether the step of a move that comes next shows that moves are missing, or here twice. */
  isOutOfStep({ step }: RecordedMove): boolean {
    return step !== undefined && step.value !== this.steps + 1 && step.value !== this.recordedStep + 1;
  }

  /** Compares the counts of a move that was just entered; `isOdd` when something else is wrong with it already. */
  compare(move: RecordedMove, state: number | undefined, name: string, isOdd: boolean): void {
    const deviation = isOdd || this.hasLostCount ? undefined : this.countDeviation(move, state, name);
    this.hasLostCount = false;
    const [step, total] = [move.step?.value ?? this.recordedStep + 1, move.total?.value ?? this.recordedTotal + 1];
    this.missing += Math.max(0, step - this.recordedStep - 1, total - this.recordedTotal - 1);
    this.recordedStep = step;
    this.recordedTotal = total;
    if (state !== undefined && move.visit !== undefined) this.recordedVisits.set(state, move.visit.value);
    if (deviation !== undefined) this.report(deviation);
  }

  /** What an end says of the whole. */
  agreesWithSteps(steps: number): boolean {
    return steps === this.steps || steps === this.recordedStep;
  }

  agreesWithTotal(total: number): boolean {
    return total === this.total || total === this.recordedTotal;
  }

  /** Whether an attempt would lead elsewhere if the entries under names that are none were of the state it enters. */
  isUncertain(outcome: Outcome, { states }: Machine): boolean {
    if (outcome.kind !== "entered") return false;
    const max = states[outcome.state]?.maxVisits;
    return max !== undefined && this.visits(outcome.state) + this.unknownStateVisits >= max;
  }

  /** Whether a count may be right: the entries that are missing can have been of this state. */
  mayBeCorrect(said: number, is: number): boolean {
    if (said < is || said - is > this.missing) return false;
    this.missing -= said - is;
    return true;
  }

  get stepCount(): number {
    return this.steps;
  }

  private add(state: number | undefined, entries: number): void {
    this.total += entries;
    if (state !== undefined) {
      this.visitsOf.set(state, this.visits(state) + entries);
      return;
    }
    this.unknownStateVisits += entries;
    this.missing += entries;
  }

  private countDeviation(move: RecordedMove, state: number | undefined, name: string): Deviation | undefined {
    const { step, visit, total } = move;
    if (step !== undefined && step.value !== this.steps && step.value !== this.recordedStep + 1) {
      return { kind: "count", at: step, what: "step", said: step.value, is: this.recordedStep + 1 };
    }
    if (total !== undefined && total.value !== this.total && total.value !== this.recordedTotal + 1) {
      return { kind: "count", at: total, what: "total", said: total.value, is: this.total };
    }
    if (visit === undefined || state === undefined) return undefined;
    const is = this.visits(state);
    const saidBefore = this.recordedVisits.get(state);
    if (visit.value === is || (saidBefore !== undefined && visit.value === saidBefore + 1)) return undefined;
    if (this.mayBeCorrect(visit.value, is)) return undefined;
    return { kind: "count", at: visit, what: "visit", said: visit.value, is, state: name };
  }
}
