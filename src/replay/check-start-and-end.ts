import { asMapping, LocatedString, placeOf } from "../document/node.js";
import type { MachineState } from "../machine/machine.js";
import { type Outcome, type RunStatus, runStatusOf, statusAfter } from "../machine/run.js";
import type { Deviation, ReportDeviation } from "./deviation.js";
import type { RecordedEnd, RecordedStart, Recording, ReplayTarget } from "./recording.js";
import { matchesForcedStates, type Replayer } from "./replayer.js";

/** Checks the start of a record. Returns whether a run may start in its state. */
export function checkStart(target: ReplayTarget, recording: Recording, report: ReportDeviation): boolean {
  const { start, context, at, hasUnreadable } = recording;
  for (const later of recording.laterStarts) report({ kind: "second-start", at: later });
  if (start === undefined) {
    if (context === undefined && !hasUnreadable) report({ kind: "no-start", at });
    return true;
  }
  checkRecordedPack(target, start, report);
  const { maxTotalVisits: recorded } = start;
  const allowed = target.workflow.budget?.maxTotalVisits;
  if (target.checksBudget && recorded !== undefined && recorded.value !== allowed?.value)
    report({ kind: "other-budget", recorded, allowed });
  const lacksStart = context?.visitCounts !== undefined && context.mayHaveMoreVisits;
  const deviation = startStateDeviation(target, start, lacksStart);
  if (deviation !== undefined) report(deviation);
  return deviation === undefined;
}

function checkRecordedPack(
  { pack }: ReplayTarget,
  { packId, packVersion }: RecordedStart,
  report: ReportDeviation,
): void {
  const id = LocatedString.of(pack.root.get("id"));
  const version = LocatedString.of(pack.root.get("version"));
  if (packId !== undefined && id !== undefined && packId.text !== id.text) {
    report({ kind: "other-pack", recorded: packId, what: "id", actual: id.text });
  } else if (packVersion !== undefined && version !== undefined && packVersion.text !== version.text) {
    report({ kind: "other-pack", recorded: packVersion, what: "version", actual: version.text });
  }
}

function startStateDeviation(
  { pack, workflow, machine }: ReplayTarget,
  { state, agent }: RecordedStart,
  lacksStart: boolean,
): Deviation | undefined {
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

export function checkEnd(replayer: Replayer, recording: Recording): void {
  const { end, afterEnd, moves, hasUnreadable, isTruncated } = recording;
  if (afterEnd?.isStart === true) replayer.report({ kind: "next-run", at: afterEnd.at });
  else if (afterEnd !== undefined) replayer.report({ kind: "after-end", at: afterEnd.at, state: undefined });
  if (end === undefined) {
    if (hasUnreadable || isTruncated) return;
    const last = moves.at(-1)?.node;
    const at = last === undefined ? recording.at : placeOf(asMapping(last)?.get("record") ?? last);
    replayer.report({ kind: "unclosed", at });
    return;
  }
  const isThere = end.state === undefined || checkEndState(replayer, end.state);
  const current = isThere ? replayer.current : undefined;
  if (replayer.hasReliableCounts && isThere) checkEndCounts(replayer, end);
  if (current !== undefined) checkEndStatus(replayer, end, current);
  // Missing transitions may have written anything.
  const isComplete = end.steps === undefined || replayer.visits.agreesWithSteps(end.steps.value);
  const state =
    current === undefined || !isComplete ? undefined : replayer.target.workflow.states[current.index];
  replayer.artifacts.compareAtEnd(end.artifacts, state);
}

function checkEndState(replayer: Replayer, state: LocatedString): boolean {
  const actual = replayer.stateName;
  if (replayer.isIn(state.text)) return true;
  if (replayer.stateNamed(state.text) === undefined) {
    replayer.report({ kind: "unknown-state", name: state });
  } else if (actual !== undefined) replayer.report({ kind: "end-state", at: state, actual });
  return false;
}

function checkEndCounts(replayer: Replayer, { steps, total }: RecordedEnd): void {
  const { visits, report } = replayer;
  if (steps !== undefined && !visits.agreesWithSteps(steps.value)) {
    replayer.hasReliableCounts = false;
    report({ kind: "count", at: steps, what: "steps", recorded: steps.value, actual: visits.steps });
  } else if (total !== undefined && !visits.agreesWithTotal(total.value)) {
    report({ kind: "count", at: total, what: "total", recorded: total.value, actual: visits.total });
  }
}

function checkEndStatus(replayer: Replayer, end: RecordedEnd, current: MachineState): void {
  const { status, event } = end;
  if (status === undefined || replayer.hasUnclearPart(current.index)) return;
  if (event === undefined) {
    const actual = current.ends ? "complete" : "running";
    if (status.text !== actual)
      replayer.report({ kind: "end-status", at: status, actual, state: current.name });
  } else if (current.ends) replayer.report({ kind: "after-end", at: event, state: current });
  else checkFailedEvent(replayer, end, current, status, event);
}

/** According to the record, this event ended the run without entering a state. */
function checkFailedEvent(
  replayer: Replayer,
  { target: recordedTarget, forced, limit }: RecordedEnd,
  current: MachineState,
  status: LocatedString,
  event: LocatedString,
): void {
  const { target, isBudgetSpent, report } = replayer;
  const edge = replayer.edgeOf(current, event.text);
  if (edge === undefined) return report({ kind: "unknown-event", event, state: current });
  const outcome = replayer.outcomeOf(edge);
  const written = edge.transition?.target?.text;
  if (recordedTarget !== undefined && written !== undefined && recordedTarget.text !== written) {
    return report({ kind: "end-target", at: recordedTarget, event: event.text, actual: written });
  }
  if (replayer.isUnclear(edge, outcome) || !replayer.hasReliableCounts) return;
  if (replayer.visits.isUncertain(outcome, target.machine)) return;
  const isExhausted = runStatusOf(status.text) === "budget-exhausted";
  const isByGuard = status.text === "stopped" || limit === "max_visits";
  if (isExhausted && (isBudgetSpent || (!isByGuard && mayBeSpent(target, limit)))) return;
  const endStatus = { kind: "end-status", at: status, state: current.name, event } as const;
  if (outcome.kind === "entered") {
    const actual: RunStatus = isBudgetSpent ? "budget-exhausted" : "running";
    if (actual === status.text) return report({ kind: "end-event", event });
    const enters = actual === "running" ? target.machine.states[outcome.state]?.name : undefined;
    return report({ ...endStatus, actual, enters });
  }
  const actual = statusAfter(outcome);
  if (actual !== runStatusOf(status.text)) return report({ ...endStatus, actual });
  if (forced === undefined) return;
  const recorded = forced.map(({ text }) => text);
  if (!namesForcedStates(target, outcome, recorded))
    report({ kind: "forced", at: forced[0] ?? event, recorded, outcome });
}

/** Whether a limit that is ignored, or that the record does not measure, may have ended the run. */
function mayBeSpent({ checksBudget, workflow }: ReplayTarget, limit: string | undefined): boolean {
  if (!checksBudget) return true;
  const { maxToolCalls, maxWallTimeSec } = workflow.budget ?? {};
  if (limit === "max_tool_calls") return maxToolCalls !== undefined;
  return limit === "max_wall_time_sec" && maxWallTimeSec !== undefined;
}

/** The state that stops a run has no forced exit, so a record need not name it. */
function namesForcedStates(
  { machine }: ReplayTarget,
  { kind, forced }: Outcome,
  names: readonly string[],
): boolean {
  if (matchesForcedStates(machine, forced, names)) return true;
  return kind === "stopped" && matchesForcedStates(machine, forced.slice(0, -1), names);
}
