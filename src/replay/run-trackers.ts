import type { Place } from "../diagnostic.js";
import { type Entry, type LocatedCount, type MappingNode, placeOf, stringOf } from "../document/node.js";
import { artifactModes, type ArtifactModes } from "../machine/artifact-values.js";
import type { Machine } from "../machine/machine.js";
import type { Outcome } from "../machine/run.js";
import type { Pack } from "../pack/pack.js";
import type { State, Workflow } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import type { Deviation, DeviationOf, ReportDeviation } from "./deviation.js";
import type { RecordedMove, ReplayTarget } from "./recording.js";

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
    const [step, total] = [
      move.step?.value ?? this.recordedStep + 1,
      move.total?.value ?? this.recordedTotal + 1,
    ];
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

/** Holds the entries of all states against `max_total_visits`, where budgets count. */
export class BudgetTracker {
  private readonly allowed: LocatedCount | undefined;
  private isReported = false;

  constructor(
    { checksBudget, workflow }: ReplayTarget,
    private readonly report: ReportDeviation,
  ) {
    this.allowed = checksBudget ? workflow.budget?.maxTotalVisits : undefined;
  }

  allows(total: number): boolean {
    return this.allowed === undefined || total <= this.allowed.value;
  }

  /** Only the first entry past the budget is told. */
  check(at: Place, used: number): void {
    const { allowed } = this;
    if (allowed === undefined || this.allows(used) || this.isReported) return;
    this.isReported = true;
    this.report({ kind: "budget", at, limit: "max_total_visits", used, allowed });
  }
}

/** Watches artifact values from record to record. */
export class ArtifactTracker {
  private readonly modes: ArtifactModes;
  private readonly names: ReadonlySet<string>;
  private readonly undeclared = new Set<string>();
  /** Values as they last were; `undefined` where that is not known. */
  private last: MappingNode | undefined;
  private isKnown: boolean;
  /** Values before a change that was reported: to go back to them, or to what was due then, is not another. */
  private readonly reportedChanges = new Map<
    string,
    Pick<ArtifactChange, "was"> & { readonly mode: ArtifactMode }
  >();

  constructor(
    private readonly pack: Pack,
    workflow: Workflow,
    private readonly report: ReportDeviation,
    /** Whether nothing was written before the first record. */
    startsEmpty: boolean,
  ) {
    this.modes = artifactModes(workflow);
    this.names = new Set(this.modes.names);
    this.isKnown = startsEmpty;
  }

  /** A state was left by this move; where it is not known which, nothing is claimed of changes. */
  compareOnLeaving({ artifacts, lacksArtifacts }: RecordedMove, state: State | undefined): void {
    if (lacksArtifacts) this.isKnown = false;
    this.compare(artifacts, state, "leaving");
  }

  /** The record is closed with these values; `mayHaveWritten` lets the last state have changed them. */
  compareAtEnd(values: MappingNode | undefined, state: State | undefined, mayHaveWritten: boolean): void {
    this.compare(values, state, mayHaveWritten ? "since" : "closed");
  }

  private compare(
    values: MappingNode | undefined,
    state: State | undefined,
    when: ArtifactDeviation["when"],
  ): void {
    if (values === undefined) return;
    for (const entry of values.entries) this.checkDeclared(entry);
    const { last, isKnown } = this;
    this.last = values;
    this.isKnown = true;
    const unclear = state === undefined || state.isUnclear;
    if (!isKnown || unclear) return this.reportedChanges.clear();
    const backTo = new Map(this.reportedChanges);
    const isGone = (name: string) => last?.get(name) === undefined && values.get(name) === undefined;
    for (const name of backTo.keys()) if (!isGone(name)) this.reportedChanges.delete(name);
    const gone = new Map<ArtifactMode, string[]>();
    const note = (
      at: Place,
      names: readonly string[],
      change: ArtifactDeviation["change"],
      mode: ArtifactMode,
    ) => this.report({ kind: "artifact", at, names, change, mode, left: state.name.text, when });
    for (const { name, was, is, at } of this.changesOf(last, values)) {
      const mode = when !== "closed" ? this.modes.of(state.index).get(name) : undefined;
      if (!this.names.has(name) || isAllowedChange(mode, was, is)) continue;
      const back = backTo.get(name);
      if (
        back !== undefined &&
        (back.was === is || [mode, back.mode].some((each) => isAllowedChange(each, back.was, is)))
      )
        continue;
      this.reportedChanges.set(name, { was, mode });
      if (is === undefined) appendTo(gone, mode, name);
      else note(at, [name], was === undefined ? "set" : "changed", mode);
    }
    // What is not there has no place of its own.
    for (const [mode, names] of gone) note(placeOf(values), names, "gone", mode);
  }

  private checkDeclared({ key }: Entry): void {
    const { text } = key;
    if (this.names.has(text) || this.undeclared.has(text) || !this.pack.artifacts.hasAllDeclarations) return;
    this.undeclared.add(text);
    this.report({ kind: "undeclared-artifact", name: key });
  }

  private *changesOf(last: MappingNode | undefined, values: MappingNode): Iterable<ArtifactChange> {
    for (const { key, value } of values.entries) {
      const was = last?.get(key.text);
      const [before, is] = [stringOf(was), stringOf(value)];
      // What is no string is the schema's to report.
      if (is === undefined || (was !== undefined && before === undefined) || before === is) continue;
      yield { name: key.text, was: before, is, at: key };
    }
    for (const { key, value } of last?.entries ?? []) {
      const was = stringOf(value);
      if (was === undefined || values.get(key.text) !== undefined) continue;
      yield { name: key.text, was, is: undefined, at: placeOf(values) };
    }
  }
}

type ArtifactDeviation = DeviationOf<"artifact">;

/** With which a state declares an artifact, if it does. */
type ArtifactMode = ArtifactDeviation["mode"];

interface ArtifactChange {
  readonly name: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
  readonly at: Place;
}

/** A state can overwrite what it declares, or add to it; no mode removes anything. */
function isAllowedChange(mode: ArtifactMode, was: string | undefined, is: string | undefined) {
  if (mode === undefined || is === undefined) return false;
  return mode === "replace" || is.startsWith(was ?? "");
}
