import { appendTo } from "../maps/add-to.js";
import type { Place } from "../diagnostic.js";
import { placeOf, type Entry, type MappingNode } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import { stringOf } from "../document/spelled-values.js";
import type { State, Workflow } from "../pack/workflow.js";
import { artifactModes, type ArtifactModes } from "../machine/artifact-modes.js";
import type { DeviationOf, ReportDeviation } from "./deviation.js";
import type { RecordedMove } from "./recording.js";

/** Watches artifact values from record to record. */
export class ArtifactTracker {
  private readonly modes: ArtifactModes;
  private readonly names: ReadonlySet<string>;
  private readonly undeclared = new Set<string>();
  /** Values as they last were; `undefined` where that is not known. */
  private last: MappingNode | undefined;
  private isKnown: boolean;
  /** Values before a change that was reported: to go back to them, or to what was due then, is not another. */
  private readonly reportedChanges = new Map<string, Pick<ArtifactChange, "was"> & { readonly mode: ArtifactMode }>();

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
    const note = (at: Place, names: readonly string[], change: ArtifactDeviation["change"], mode: ArtifactMode) =>
      this.report({ kind: "artifact", at, names, change, mode, left: state.name.text, when });
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
