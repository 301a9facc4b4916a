import type { Place } from "../diagnostic.js";
import { type MappingNode, placeOf, stringOf } from "../document/node.js";
import { artifactModes, mayWrite } from "../machine/artifact-values.js";
import type { State } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { listNames } from "../text/wording.js";
import type { RecordedMove, RecordedRun } from "./recording.js";
import type { RunReport } from "./run-report.js";

/** Checks how artifact values change from record to record. */
export class ArtifactTracker {
  /** Whether the values cannot be matched with the moves. */
  isIgnored = false;
  /** Whether the values before the next ones are known. */
  isKnown = false;
  private readonly modes;
  private readonly names: ReadonlySet<string>;
  private readonly undeclared = new Set<string>();
  private last: MappingNode | undefined;
  /** Artifacts with a reported change, whose next value may take it back without another finding. */
  private reported: ReadonlySet<string> = new Set();

  constructor(
    private readonly target: RecordedRun,
    private readonly report: RunReport,
  ) {
    this.modes = artifactModes(target.workflow);
    this.names = new Set(this.modes.names);
  }

  /** Where the state is unknown, changes are not checked. */
  compareOnLeaving({ artifacts, lacksArtifacts }: RecordedMove, state: State | undefined): void {
    if (lacksArtifacts) this.isKnown = false;
    this.compare(artifacts, state, `on leaving "${state?.name.text ?? ""}"`);
  }

  /** A terminal state runs its prompt, too, so it may have written what it declares (RFC 0009). */
  compareAtEnd(values: MappingNode | undefined, state: State | undefined): void {
    this.compare(values, state, "after the last transition");
  }

  private compare(values: MappingNode | undefined, state: State | undefined, when: string): void {
    if (values === undefined || this.isIgnored) return;
    this.checkDeclared(values);
    const { last, isKnown, reported } = this;
    this.last = values;
    this.isKnown = true;
    const stillGone = [...reported].filter((name) => (last?.get(name) ?? values.get(name)) === undefined);
    const reportedNow = new Set(stillGone);
    this.reported = reportedNow;
    if (!isKnown || state === undefined || state.isUnclear) return;
    const gone = new Map<Mode, string[]>();
    const report = (at: Place, names: readonly string[], kind: keyof typeof verbs, mode: Mode): void => {
      const verb = kind === "changed" && mode === "append" ? "is overwritten" : verbs[kind];
      const change =
        names.length > 1
          ? `The artifacts ${listNames(names)} disappear`
          : `The artifact ${listNames(names)} ${verb}`;
      const objection = objectionText(names.length > 1, kind, mode, state.name.text);
      this.report.add("run-artifact-change", at, `${change} ${when}${objection}.`);
    };
    for (const { name, was, is, at } of changesOf(last, values)) {
      const declared = this.modes.of(state.index).get(name);
      if (!this.names.has(name) || reported.has(name)) continue;
      if (is !== undefined && declared !== undefined && mayWrite(declared, was, is)) continue;
      const mode = declared && (declared.appends ? "append" : "replace");
      reportedNow.add(name);
      if (is === undefined) appendTo(gone, mode, name);
      else report(at, [name], was === undefined ? "set" : "changed", mode);
    }
    for (const [mode, names] of gone) report(placeOf(values), names, "gone", mode);
  }

  private checkDeclared({ entries }: MappingNode): void {
    if (!this.target.pack.artifacts.hasAllDeclarations) return;
    for (const { key } of entries) {
      if (this.names.has(key.text) || this.undeclared.has(key.text)) continue;
      this.undeclared.add(key.text);
      this.report.undeclaredArtifact(key);
    }
  }
}

type Mode = "append" | "replace" | undefined;

const verbs = { set: "is set", changed: "changes", gone: "disappears" };

function objectionText(areMany: boolean, kind: keyof typeof verbs, mode: Mode, state: string): string {
  const [it, they] = areMany ? ["them", "they"] : ["it", "it"];
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
