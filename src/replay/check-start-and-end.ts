import { asMapping, LocatedString, placeOf } from "../document/node.js";
import type { Machine, MachineState } from "../machine/machine.js";
import type { Outcome, RunStatus } from "../machine/run.js";
import type { Deviation, ReportDeviation } from "./deviation.js";
import type { RecordedEnd, RecordedStart, Recording, ReplayTarget } from "./recording.js";
import { matchesForcedStates, type Replayer } from "./replayer.js";

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

function checkRecordedPack(
  { pack }: ReplayTarget,
  { packId, packVersion }: RecordedStart,
  note: ReportDeviation,
): void {
  const id = LocatedString.of(pack.root.get("id"));
  const version = LocatedString.of(pack.root.get("version"));
  if (packId !== undefined && id !== undefined && packId.text !== id.text) {
    note({ kind: "other-pack", said: packId, what: "id", is: id.text });
  } else if (packVersion !== undefined && version !== undefined && packVersion.text !== version.text) {
    note({ kind: "other-pack", said: packVersion, what: "version", is: version.text });
  }
}

function checkRecordedBudget(
  ground: ReplayTarget,
  { maxTotalVisits: said }: RecordedStart,
  note: ReportDeviation,
): void {
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

/** Holds what a record says of its end against the way there. */
export function checkEnd(replaying: Replayer, recording: Recording): void {
  const { end, afterEnd } = recording;
  if (afterEnd?.isStart === true) replaying.report({ kind: "next-run", at: afterEnd.at });
  else if (afterEnd !== undefined) replaying.report({ kind: "after-end", at: afterEnd.at, state: undefined });
  if (end === undefined) {
    const { hasUnreadable, isTruncated } = recording;
    if (!hasUnreadable && !isTruncated)
      replaying.report({ kind: "unclosed", at: lastTransitionPlace(recording) });
    return;
  }
  const isThere = end.state === undefined || checkEndState(replaying, end.state);
  const current = isThere ? replaying.current : undefined;
  if (replaying.hasReliableCounts && isThere) checkEndCounts(replaying, end);
  if (current !== undefined) checkEndStatus(replaying, end, current);
  // Where the last transitions are missing, nobody knows what they wrote.
  const isWhole = end.steps === undefined || replaying.visits.agreesWithSteps(end.steps.value);
  const state =
    current === undefined || !isWhole ? undefined : replaying.target.workflow.states[current.index];
  replaying.artifacts.compareAtEnd(end.artifacts, state, end.mayHaveWritten);
}

function lastTransitionPlace({ moves, at }: Recording) {
  const last = moves.at(-1)?.node;
  return last === undefined ? at : placeOf(asMapping(last)?.get("record") ?? last);
}

/** Whether the run is where the record says. */
function checkEndState(replaying: Replayer, state: LocatedString): boolean {
  const was = replaying.stateName;
  if (replaying.isIn(state.text)) return true;
  if (replaying.stateNamed(state.text) === undefined) {
    replaying.report({ kind: "unknown-state", name: state });
  } else if (was !== undefined) replaying.report({ kind: "end-state", at: state, is: was });
  return false;
}

function checkEndCounts(replaying: Replayer, { steps, total }: RecordedEnd): void {
  const { visits, report } = replaying;
  if (steps !== undefined && !visits.agreesWithSteps(steps.value)) {
    replaying.hasReliableCounts = false;
    report({ kind: "count", at: steps, what: "steps", said: steps.value, is: visits.stepCount });
  } else if (total !== undefined && !visits.agreesWithTotal(total.value)) {
    report({ kind: "count", at: total, what: "total", said: total.value, is: visits.total });
  }
}

function checkEndStatus(replaying: Replayer, end: RecordedEnd, current: MachineState): void {
  const { status, event } = end;
  if (status === undefined || replaying.hasUnclearPart(current.index)) return;
  if (event === undefined) {
    const is = current.ends ? "complete" : "running";
    if (status.text !== is) replaying.report({ kind: "end-status", at: status, is, state: current.name });
    return;
  }
  if (current.ends) return replaying.report({ kind: "after-end", at: event, state: current });
  checkFailedEvent(replaying, end, current, status, event);
}

/** An event that entered no state is said to have ended the run. */
function checkFailedEvent(
  replaying: Replayer,
  { target, forced }: RecordedEnd,
  current: MachineState,
  status: LocatedString,
  event: LocatedString,
): void {
  const edge = replaying.edgeOf(current, event.text);
  if (edge === undefined) return replaying.report({ kind: "unknown-event", event, state: current });
  const outcome = replaying.outcomeOf(edge);
  const written = edge.transition?.target?.text;
  if (target !== undefined && written !== undefined && target.text !== written) {
    return replaying.report({ kind: "end-target", at: target, event: event.text, is: written });
  }
  const { target: ground, isBudgetSpent } = replaying;
  if (replaying.isUnclear(edge, outcome) || !replaying.hasReliableCounts) return;
  if (replaying.visits.isUncertain(outcome, ground.machine)) return;
  if (status.text === "exhausted" && (isBudgetSpent || !ground.checksBudget)) return;
  if (outcome.kind === "entered") {
    const is: RunStatus = isBudgetSpent ? "exhausted" : "running";
    if (is === status.text) return replaying.report({ kind: "end-event", event });
    const enters = is === "running" ? ground.machine.states[outcome.state]?.name : undefined;
    return replaying.report({ kind: "end-status", at: status, is, state: current.name, event, enters });
  }
  const is: RunStatus = outcome.kind === "dangling" ? "lost" : outcome.kind;
  if (is !== status.text) {
    return replaying.report({ kind: "end-status", at: status, is, state: current.name, event });
  }
  if (forced === undefined) return;
  const said = forced.map(({ text }) => text);
  if (!namesForcedStates(ground.machine, outcome, said)) {
    replaying.report({ kind: "forced", at: forced[0] ?? event, said, outcome });
  }
}

/** The state that stops a run is told by how the run ended: it hands nothing on, and need not be named again. */
function namesForcedStates(machine: Machine, outcome: Outcome, said: readonly string[]): boolean {
  if (matchesForcedStates(machine, outcome.forced, said)) return true;
  return outcome.kind === "stopped" && matchesForcedStates(machine, outcome.forced.slice(0, -1), said);
}
