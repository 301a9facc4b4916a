import { Text } from "../document/spelled-values.js";
import type { Deviation, Note } from "./deviation.js";
import type { RecordedStart, Recording } from "./recording.js";
import type { Ground } from "./recorded-run.js";

/** Holds what a record says of its start against the pack. Whether the state may be the first is what it returns. */
export function checkStart(ground: Ground, recording: Recording, note: Note): boolean {
  const { start, context, at, hasUnreadable } = recording;
  for (const later of recording.laterStarts) note({ kind: "second-start", at: later });
  if (start === undefined) {
    if (context === undefined && !hasUnreadable) note({ kind: "no-start", at });
    return true;
  }
  checkPack(ground, start, note);
  checkHeldBudget(ground, start, note);
  const lacksStart = context?.visitCounts !== undefined && context.mayHaveMore;
  const wrong = wrongRoot(ground, start, lacksStart);
  if (wrong !== undefined) note(wrong);
  return wrong === undefined;
}

function checkPack({ pack }: Ground, { packId, packVersion }: RecordedStart, note: Note): void {
  const id = Text.of(pack.root.get("id"));
  const version = Text.of(pack.root.get("version"));
  if (packId !== undefined && id !== undefined && packId.text !== id.text) {
    note({ kind: "other-pack", said: packId, what: "id", is: id.text });
  } else if (packVersion !== undefined && version !== undefined && packVersion.text !== version.text) {
    note({ kind: "other-pack", said: packVersion, what: "version", is: version.text });
  }
}

function checkHeldBudget(ground: Ground, { maxTotalVisits: said }: RecordedStart, note: Note): void {
  const allowed = ground.workflow.budget?.maxTotalVisits;
  if (!ground.budget || said === undefined || said.value === allowed?.value) return;
  note({ kind: "other-budget", said, allowed });
}

function wrongRoot(
  { pack, workflow, machine }: Ground,
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
  return workflow.rootDangles || machine.roots.includes(entered.index)
    ? undefined
    : { kind: "no-root", state, lacksStart };
}
