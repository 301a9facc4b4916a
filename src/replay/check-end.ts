import { placeOf } from "../document/node.js";
import type { Outcome } from "../machine/attempt.js";
import type { Machine, MachineState } from "../machine/machine.js";
import type { RunStatus } from "../machine/run.js";
import { asMapping, type Text } from "../document/spelled-values.js";
import { passedAll } from "./judge-arrival.js";
import type { RecordedEnd, Recording } from "./recording.js";
import type { Replaying } from "./replaying.js";

/** Holds what a record says of its end against the way there. */
export function checkEnd(replaying: Replaying, recording: Recording): void {
  const { end, afterEnd } = recording;
  if (afterEnd?.isStart === true) replaying.note({ kind: "next-run", at: afterEnd.at });
  else if (afterEnd !== undefined) replaying.note({ kind: "after-end", at: afterEnd.at, state: undefined });
  if (end === undefined) {
    const { hasUnreadable, isCutOff } = recording;
    if (!hasUnreadable && !isCutOff) replaying.note({ kind: "unclosed", at: lastPlace(recording) });
    return;
  }
  const isThere = end.state === undefined || checkState(replaying, end.state);
  const current = isThere ? replaying.current : undefined;
  if (replaying.isSure && isThere) checkCounts(replaying, end);
  if (current !== undefined) checkStatus(replaying, end, current);
  // Where the last transitions are missing, nobody knows what they wrote.
  const isWhole = end.steps === undefined || replaying.visits.agreesWithSteps(end.steps.value);
  const state =
    current === undefined || !isWhole ? undefined : replaying.ground.workflow.states[current.index];
  replaying.artifacts.close(end.artifacts, state, end.mayHaveWritten);
}

function lastPlace({ moves, at }: Recording) {
  const last = moves.at(-1)?.node;
  return last === undefined ? at : placeOf(asMapping(last)?.get("record") ?? last);
}

/** Whether the run is where the record says. */
function checkState(replaying: Replaying, state: Text): boolean {
  const was = replaying.standsIn;
  if (replaying.isIn(state.text)) return true;
  if (replaying.stateNamed(state.text) === undefined) {
    replaying.note({ kind: "unknown-state", name: state });
  } else if (was !== undefined) replaying.note({ kind: "end-state", at: state, is: was });
  return false;
}

function checkCounts(replaying: Replaying, { steps, total }: RecordedEnd): void {
  const { visits, note } = replaying;
  if (steps !== undefined && !visits.agreesWithSteps(steps.value)) {
    replaying.isSure = false;
    note({ kind: "count", at: steps, what: "steps", said: steps.value, is: visits.stepCount });
  } else if (total !== undefined && !visits.agreesWithTotal(total.value)) {
    note({ kind: "count", at: total, what: "total", said: total.value, is: visits.total });
  }
}

function checkStatus(replaying: Replaying, end: RecordedEnd, current: MachineState): void {
  const { status, event } = end;
  if (status === undefined || replaying.hasUnclearPart(current.index)) return;
  if (event === undefined) {
    const is = current.ends ? "complete" : "running";
    if (status.text !== is) replaying.note({ kind: "end-status", at: status, is, state: current.name });
    return;
  }
  if (current.ends) return replaying.note({ kind: "after-end", at: event, state: current });
  checkFailure(replaying, end, current, status, event);
}

/** An event that entered no state is said to have ended the run. */
function checkFailure(
  replaying: Replaying,
  { target, forced }: RecordedEnd,
  current: MachineState,
  status: Text,
  event: Text,
): void {
  const edge = replaying.edgeOf(current, event.text);
  if (edge === undefined) return replaying.note({ kind: "unknown-event", event, state: current });
  const outcome = replaying.look(edge);
  const written = edge.transition?.target?.text;
  if (target !== undefined && written !== undefined && target.text !== written) {
    return replaying.note({ kind: "end-target", at: target, event: event.text, is: written });
  }
  const { ground, isBudgetSpent } = replaying;
  if (replaying.isUnclear(edge, outcome) || !replaying.isSure) return;
  if (replaying.visits.leavesOpen(outcome, ground.machine)) return;
  if (status.text === "exhausted" && (isBudgetSpent || !ground.budget)) return;
  if (outcome.kind === "entered") {
    const is: RunStatus = isBudgetSpent ? "exhausted" : "running";
    if (is === status.text) return replaying.note({ kind: "end-event", event });
    const enters = is === "running" ? ground.machine.states[outcome.state]?.name : undefined;
    return replaying.note({ kind: "end-status", at: status, is, state: current.name, event, enters });
  }
  const is: RunStatus = outcome.kind === "dangling" ? "lost" : outcome.kind;
  if (is !== status.text) {
    return replaying.note({ kind: "end-status", at: status, is, state: current.name, event });
  }
  if (forced === undefined) return;
  const said = forced.map(({ text }) => text);
  if (!tellsWay(ground.machine, outcome, said)) {
    replaying.note({ kind: "forced", at: forced[0] ?? event, said, outcome });
  }
}

/** The state that stops a run is told by how the run ended: it hands nothing on, and need not be named again. */
function tellsWay(machine: Machine, outcome: Outcome, said: readonly string[]): boolean {
  if (passedAll(machine, outcome.forced, said)) return true;
  return outcome.kind === "stopped" && passedAll(machine, outcome.forced.slice(0, -1), said);
}
