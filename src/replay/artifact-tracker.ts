import type { Place } from "../diagnostic.js";
import { type MappingNode, placeOf, stringOf } from "../document/node.js";
import { appends, mayWrite } from "../machine/artifact-values.js";
import type { State } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { listNames } from "../text/wording.js";
import type { RecordedMove, RecordedRun } from "./recording.js";
import type { RunReport } from "./run-report.js";

export class ArtifactTracker {
  /** Whether the values cannot be matched with the moves. */
  isIgnored = false;
  /** Whether the values before the next ones are known. */
  isKnown = false;
  private readonly undeclared = new Set<string>();
  private last: MappingNode | undefined;
  /** Artifacts with a reported change, whose next value may take it back without another finding. */
  private reported: ReadonlySet<string> = new Set();

  constructor(
    private readonly target: RecordedRun,
    private readonly report: RunReport,
  ) {}

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
    const { last, isKnown, reported, target } = this;
    const { declared: allDeclared } = target.pack.artifacts;
    this.last = values;
    this.isKnown = true;
    const stillGone = [...reported].filter((name) => (last?.get(name) ?? values.get(name)) === undefined);
    const reportedNow = new Set(stillGone);
    this.reported = reportedNow;
    if (!isKnown || state === undefined || state.isUnclear) return;
    const gone = new Map<Mode, string[]>();
    const report = (at: Place, names: readonly string[], change: Change, mode: Mode): void => {
      const fact = `${factText(names, change, mode)} ${when}`;
      const objection = objectionText(names.length > 1, change, mode, state.name.text);
      this.report.add("run-artifact-change", at, `${fact}${objection}.`);
    };
    const removed = last?.entries.filter(({ key }) => values.get(key.text) === undefined) ?? [];
    for (const { key } of [...values.entries, ...removed]) {
      const name = key.text;
      const [before, after] = [last?.get(name), values.get(name)];
      const [was, is] = [stringOf(before), stringOf(after)];
      // The schema reports values that are not strings.
      const isIllFormed = [before, after].some((node) => node && stringOf(node) === undefined);
      if (was === is || isIllFormed || !allDeclared.has(name) || reported.has(name)) continue;
      const declared = target.machine.states[state.index]?.artifacts?.get(name);
      if (is !== undefined && declared !== undefined && mayWrite(declared, was, is)) continue;
      const mode = declared && (appends(declared) ? "append" : "replace");
      reportedNow.add(name);
      if (is === undefined) appendTo(gone, mode, name);
      else report(key, [name], was === undefined ? "set" : "changed", mode);
    }
    for (const [mode, names] of gone) report(placeOf(values), names, "gone", mode);
  }

  private checkDeclared({ entries }: MappingNode): void {
    const { declared, hasAllDeclarations } = this.target.pack.artifacts;
    if (!hasAllDeclarations) return;
    for (const { key } of entries) {
      if (declared.has(key.text) || this.undeclared.has(key.text)) continue;
      this.undeclared.add(key.text);
      this.report.undeclaredArtifact(key);
    }
  }
}

type Mode = "append" | "replace" | undefined;
type Change = "set" | "changed" | "gone";

function factText(names: readonly string[], change: Change, mode: Mode): string {
  if (names.length > 1) return `The artifacts ${listNames(names)} disappear`;
  const changes = mode === "append" ? "is overwritten" : "changes";
  const verb = { set: "is set", changed: changes, gone: "disappears" }[change];
  return `The artifact ${listNames(names)} ${verb}`;
}

function objectionText(areMany: boolean, change: Change, mode: Mode, state: string): string {
  const [it, they] = areMany ? ["them", "they"] : ["it", "it"];
  if (mode === undefined) return `, although "${state}" does not declare ${it}`;
  if (mode === "replace") return ": a state can overwrite an artifact, not remove it";
  const rule = change === "gone" ? `${they} may only grow` : "the new value must begin with the old one";
  return `, although "${state}" declares ${it} with the mode "append": ${rule}`;
}
