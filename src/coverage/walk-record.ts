import type { Place } from "../diagnostic.js";
import type { MachineState } from "../machine/machine.js";
import type { RecordedEnd } from "../replay/recording.js";
import type { RunReplay } from "../replay/run-replay.js";
import type { Tried } from "./items.js";

/** Notes what a recorded run did, up to the first part that does not fit the workflow, and returns its place. */
export function walkRecord(replay: RunReplay, tried: Tried): Place | undefined {
  const { recording, target } = replay;
  const { machine, workflow } = target;
  const { start, moves, end, context, afterEnd, at } = recording;
  const stateNamed = (name: string | undefined): MachineState | undefined =>
    machine.states[(name === undefined ? undefined : workflow.stateNamed(name)?.index) ?? -1];
  const root = stateNamed(start?.state.text);
  if (root !== undefined && machine.roots.includes(root.index)) tried.start(root.index);
  // A history that was cut begins in the middle of the run.
  else if (start !== undefined || context?.isHistoryTruncated !== true) return start?.state ?? at;
  let last = root;
  for (const move of moves) {
    const outcome = replay.outcomeOf(move);
    const from = stateNamed(move.from?.text);
    if (outcome?.kind !== "entered" || from === undefined) return move.event ?? move.forcedAt;
    tried.send(from, move.event?.text ?? "", outcome);
    last = machine.states[outcome.state];
  }
  const { endOutcome } = replay;
  if (endOutcome !== undefined && last !== undefined) tried.send(last, end?.event?.text ?? "", endOutcome);
  else if (end?.event !== undefined && !isEndedByBudget(end)) return end.event;
  const [wrongEnd] = replay.findings("run-end");
  return wrongEnd?.at ?? afterEnd;
}

function isEndedByBudget({ limit, status }: RecordedEnd): boolean {
  return status?.text === "exhausted" || (limit !== undefined && limit !== "max_visits");
}
