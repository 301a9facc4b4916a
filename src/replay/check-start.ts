import { LocatedString } from "../document/spelled-values.js";
import type { Deviation, ReportDeviation } from "./deviation.js";
import type { RecordedStart, Recording } from "./recording.js";
import type { ReplayTarget } from "./recorded-run.js";

/** Holds what a record says of its start against the pack. Whether the state may be the first is what it returns. */
export function checkStart(ground: ReplayTarget, recording: Recording, note: ReportDeviation): boolean {
  const { start, context, at, hasUnreadable } = recording;
  for (const later of recording.laterStarts) note({ kind: "second-start", at: later });
  if (start === undefined) {
    if (context === undefined && !hasUnreadable) note({ kind: "no-start", at });
    return true;
  }
  checkRecordedPack(ground, start, note);
  checkRecordedBudget(ground, start, note);
  const lacksStart = context?.visitCounts !== undefined && context.mayHaveMoreVisits;
  const wrong = startStateDeviation(ground, start, lacksStart);
  if (wrong !== undefined) note(wrong);
  return wrong === undefined;
}

function checkRecordedPack({ pack }: ReplayTarget, { packId, packVersion }: RecordedStart, note: ReportDeviation): void {
  const id = LocatedString.of(pack.root.get("id"));
  const version = LocatedString.of(pack.root.get("version"));
  if (packId !== undefined && id !== undefined && packId.text !== id.text) {
    note({ kind: "other-pack", said: packId, what: "id", is: id.text });
  } else if (packVersion !== undefined && version !== undefined && packVersion.text !== version.text) {
    note({ kind: "other-pack", said: packVersion, what: "version", is: version.text });
  }
}

function checkRecordedBudget(ground: ReplayTarget, { maxTotalVisits: said }: RecordedStart, note: ReportDeviation): void {
  const allowed = ground.workflow.budget?.maxTotalVisits;
  if (!ground.checksBudget || said === undefined || said.value === allowed?.value) return;
  note({ kind: "other-budget", said, allowed });
}

function startStateDeviation(
  { pack, workflow, machine }: ReplayTarget,
  start: RecordedStart,
  lacksStart: boolean,
): Deviation | undefined {
  const { state, agent } = start;
  const entered = workflow.stateNamed(state.text);
  if (entered === undefined) return { kind: "unknown-state", name: state };
  if (agent !== undefined) {
    const root = pack.agents.memberNamed(agent.text)?.state?.text;
    return root === state.text ? undefined : { kind: "agent", agent, state, root };
  }
  return workflow.hasUnknownRoot || machine.roots.includes(entered.index)
    ? undefined
    : { kind: "no-root", state, lacksStart };
}
