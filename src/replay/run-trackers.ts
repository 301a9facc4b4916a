import type { Place } from "../diagnostic.js";
import { type Entry, type MappingNode, placeOf, stringOf } from "../document/node.js";
import { artifactModes, type ArtifactModes, mayWrite } from "../machine/artifact-values.js";
import type { MachineState } from "../machine/machine.js";
import type { Pack } from "../pack/pack.js";
import type { State, Workflow } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { listNames } from "../text/wording.js";
import type { RecordedMove } from "./recording.js";
import type { RunReport } from "./run-report.js";

/** Counts visits and compares them with the recorded counts, up to the first difference. */
export class VisitTracker {
  total = 0;
  steps = 0;
  ofUnknownStates = 0;
  private readonly visitsOf = new Map<number, number>();
  private hasDifference = false;

  constructor(private readonly report: RunReport) {}

  visits(state: number): number {
    return this.visitsOf.get(state) ?? 0;
  }

  enter(state: number | undefined): void {
    this.steps++;
    this.add(state, 1);
  }

  /** Adds visits from before the first move. */
  add(state: number | undefined, entries: number): void {
    this.total += entries;
    if (state === undefined) this.ofUnknownStates += entries;
    else this.visitsOf.set(state, this.visits(state) + entries);
  }

  correct(from: number | undefined, to: number): void {
    this.add(from, -1);
    this.add(to, 1);
  }

  /** Whether the step of the next move shows that moves are missing or repeated. */
  isOutOfStep({ step }: RecordedMove): boolean {
    return step !== undefined && step.value !== this.steps + 1;
  }

  /** Compares the counts of the last move, which entered the state. */
  compare({ step, visit, total }: RecordedMove, entered: MachineState | undefined): void {
    if (this.hasDifference || entered === undefined) return;
    const visits = this.visits(entered.index);
    this.hasDifference = true;
    if (step !== undefined && step.value !== this.steps)
      this.report.add(
        "run-counts",
        step,
        `The record calls this step ${step.value}, but it is step ${this.steps}.`,
      );
    else if (total !== undefined && total.value !== this.total)
      this.report.wrongTotal(total, total.value, this.total);
    else if (visit !== undefined && visit.value !== visits)
      this.report.add(
        "run-counts",
        visit,
        `The record calls this visit ${visit.value} of "${entered.name}", but it is visit ${visits}.`,
      );
    else this.hasDifference = false;
  }
}

/** Checks how artifact values change from record to record. */
export class ArtifactTracker {
  private readonly modes: ArtifactModes;
  private readonly names: ReadonlySet<string>;
  private readonly undeclared = new Set<string>();
  private last: MappingNode | undefined;
  private isKnown: boolean;
  /** Artifacts with a reported change, whose next value may take it back without another finding. */
  private reported: ReadonlySet<string> = new Set();

  constructor(
    private readonly pack: Pack,
    workflow: Workflow,
    private readonly report: RunReport,
    startsEmpty: boolean,
  ) {
    this.modes = artifactModes(workflow);
    this.names = new Set(this.modes.names);
    this.isKnown = startsEmpty;
  }

  /** Where the state is unknown, changes are not checked. */
  compareOnLeaving({ artifacts, lacksArtifacts }: RecordedMove, state: State | undefined): void {
    if (lacksArtifacts) this.isKnown = false;
    this.compare(artifacts, state, false);
  }

  /** A terminal state runs its prompt, too, so it may have written what it declares (RFC 0009). */
  compareAtEnd(values: MappingNode | undefined, state: State | undefined): void {
    this.compare(values, state, true);
  }

  private compare(values: MappingNode | undefined, state: State | undefined, isEnd: boolean): void {
    if (values === undefined) return;
    for (const entry of values.entries) this.checkDeclared(entry);
    const { last, isKnown, reported } = this;
    this.last = values;
    this.isKnown = true;
    const stillGone = [...reported].filter((name) => (last?.get(name) ?? values.get(name)) === undefined);
    const reportedNow = new Set(stillGone);
    this.reported = reportedNow;
    if (!isKnown || state === undefined || state.isUnclear) return;
    const gone = new Map<ArtifactMode, string[]>();
    const when = isEnd ? "after the last transition" : `on leaving "${state.name.text}"`;
    const report = (at: Place, change: ArtifactDeviation): void => {
      const message = `${changeText(change)} ${when}${objectionText(change, state.name.text)}.`;
      this.report.add("run-artifact-change", at, message);
    };
    for (const { name, was, is, at } of changesOf(last, values)) {
      const declared = this.modes.of(state.index).get(name);
      if (!this.names.has(name) || reported.has(name)) continue;
      if (is !== undefined && declared !== undefined && mayWrite(declared, was, is)) continue;
      const mode = declared && (declared.appends ? "append" : "replace");
      reportedNow.add(name);
      if (is === undefined) appendTo(gone, mode, name);
      else report(at, { names: [name], kind: was === undefined ? "set" : "changed", mode });
    }
    for (const [mode, names] of gone) report(placeOf(values), { names, kind: "gone", mode });
  }

  private checkDeclared({ key }: Entry): void {
    const { text } = key;
    if (this.names.has(text) || this.undeclared.has(text) || !this.pack.artifacts.hasAllDeclarations) return;
    this.undeclared.add(text);
    this.report.undeclaredArtifact(key);
  }
}

type ArtifactMode = "append" | "replace" | undefined;

interface ArtifactDeviation {
  /** Several only if they are gone. */
  readonly names: readonly string[];
  readonly kind: "set" | "changed" | "gone";
  readonly mode: ArtifactMode;
}

/** `The artifact "plan" changes`. */
function changeText({ names, kind, mode }: ArtifactDeviation): string {
  if (names.length > 1) return `The artifacts ${listNames(names)} disappear`;
  const verbs = {
    set: "is set",
    changed: mode === "append" ? "is overwritten" : "changes",
    gone: "disappears",
  };
  return `The artifact ${listNames(names)} ${verbs[kind]}`;
}

function objectionText({ names, kind, mode }: ArtifactDeviation, state: string): string {
  const [it, they] = names.length > 1 ? ["them", "they"] : ["it", "it"];
  if (mode === undefined) return `, although "${state}" does not declare ${it}`;
  if (mode === "replace") return ": a state can overwrite an artifact, not remove it";
  const rule = kind === "gone" ? `${they} may only grow` : "the new value must begin with the old one";
  return `, although "${state}" declares ${it} with the mode "append": ${rule}`;
}

interface ArtifactChange {
  readonly name: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
  readonly at: Place;
}

function* changesOf(last: MappingNode | undefined, values: MappingNode): Iterable<ArtifactChange> {
  for (const { key, value } of values.entries) {
    const was = last?.get(key.text);
    const [before, is] = [stringOf(was), stringOf(value)];
    // The schema reports values that are not strings.
    if (is === undefined || (was !== undefined && before === undefined) || before === is) continue;
    yield { name: key.text, was: before, is, at: key };
  }
  for (const { key, value } of last?.entries ?? []) {
    const was = stringOf(value);
    if (was === undefined || values.get(key.text) !== undefined) continue;
    yield { name: key.text, was, is: undefined, at: placeOf(values) };
  }
}
