import { Text } from "../document/spelled-values.js";
import type { Deviation } from "./deviation.js";
import type { RecordedStart, Recording } from "./recording.js";
import type { Ground } from "./recorded-run.js";

type Report = (deviation: Deviation) => void;

/** Holds what a record says of its start against the pack. */
export function checkStart(ground: Ground, recording: Recording, report: Report): void {
  const { start, context, at, hasUnreadable } = recording;
  for (const later of recording.laterStarts) report({ kind: "second-start", at: later });
  if (start === undefined) {
    if (context === undefined && !hasUnreadable) report({ kind: "no-start", at });
    return;
  }
  checkPack(ground, start, report);
  checkHeldBudget(ground, start, report);
  checkRoot(ground, start, report);
}

function checkPack({ pack }: Ground, { packId, packVersion }: RecordedStart, report: Report): void {
  const id = Text.of(pack.root.get("id"));
  const version = Text.of(pack.root.get("version"));
  if (packId !== undefined && id !== undefined && packId.text !== id.text) {
    report({ kind: "other-pack", said: packId, what: "id", is: id.text });
  } else if (packVersion !== undefined && version !== undefined && packVersion.text !== version.text) {
    report({ kind: "other-pack", said: packVersion, what: "version", is: version.text });
  }
}

function checkHeldBudget(ground: Ground, { maxTotalVisits: said }: RecordedStart, report: Report): void {
  const allowed = ground.workflow.budget?.maxTotalVisits;
  if (!ground.budget || said === undefined || said.value === allowed?.value) return;
  report({ kind: "other-budget", said, allowed });
}

function checkRoot({ pack, workflow, machine }: Ground, start: RecordedStart, report: Report): void {
  const { state, agent } = start;
  const entered = workflow.stateNamed(state.text);
  if (entered === undefined) return report({ kind: "unknown-state", name: state });
  if (agent !== undefined) {
    const root = pack.agents?.memberNamed(agent.text)?.state?.text;
    if (root !== state.text) report({ kind: "agent", agent, state, root });
  } else if (!machine.rootDangles && !machine.roots.includes(entered.index)) {
    report({ kind: "no-root", state });
  }
}
