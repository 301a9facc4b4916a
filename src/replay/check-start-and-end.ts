import { asMapping, LocatedString, placeOf } from "../document/node.js";
import type { MachineState } from "../machine/machine.js";
import { type Outcome, type RunStatus, runStatusOf, statusAfter } from "../machine/run.js";
import { listNames, pluralize } from "../text/wording.js";
import type { RecordedEnd, RecordedStart, Recording, RecordedRun } from "./recording.js";
import type { RunReport } from "./run-report.js";
import { matchesForcedStates, type Replayer } from "./replayer.js";

/** Checks the start of a record. Returns whether a run may start in its state. */
export function checkStart(target: RecordedRun, recording: Recording, report: RunReport): boolean {
  const { start, context, at, hasUnreadable } = recording;
  for (const later of recording.laterStarts)
    report.add(
      "run-start",
      later,
      "A run starts once, with the first line of its record: this is another start.",
    );
  if (start === undefined) {
    const message = "The record does not begin with a start: what came before this line is missing.";
    if (context === undefined && !hasUnreadable) report.add("run-start", at, message);
    return true;
  }
  checkRecordedPack(target, start, report);
  const { maxTotalVisits: recorded } = start;
  const allowed = target.workflow.budget?.maxTotalVisits;
  if (target.checksBudget && recorded !== undefined && recorded.value !== allowed?.value) {
    const pack = allowed === undefined ? "sets none" : `allows ${allowed.value}${report.inPack(allowed)}`;
    const message = `The run was held to a budget of ${pluralize(recorded.value, "visit")}, but the pack ${pack}.`;
    report.add("run-budget", recorded, message);
  }
  return checkStartState(target, start, report);
}

function checkRecordedPack(
  { pack }: RecordedRun,
  { packId, packVersion }: RecordedStart,
  report: RunReport,
): void {
  const id = LocatedString.of(pack.root.get("id"));
  const version = LocatedString.of(pack.root.get("version"));
  if (packId !== undefined && id !== undefined && packId.text !== id.text) {
    const message = `The record was made with the pack "${packId.text}", but it is checked against "${id.text}".`;
    report.add("run-pack", packId, message);
  } else if (packVersion !== undefined && version !== undefined && packVersion.text !== version.text) {
    const message = `The record was made with version ${packVersion.text} of the pack, but it is checked against version ${version.text}.`;
    report.add("run-pack", packVersion, message);
  }
}

function checkStartState(
  { pack, workflow, machine }: RecordedRun,
  { state, agent }: RecordedStart,
  report: RunReport,
): boolean {
  const entered = workflow.stateNamed(state.text);
  if (entered === undefined) report.unknownState(state);
  else if (agent !== undefined) {
    const root = pack.agents.memberNamed(agent.text)?.state?.text;
    if (root === state.text) return true;
    if (root === undefined) {
      const message = `The run was started by "${agent.text}", which is not an agent with a state of its own.`;
      report.add("run-start", agent, message);
    } else {
      const message = `The agent "${agent.text}" starts in "${root}", but the run starts in "${state.text}".`;
      report.add("run-start", state, message);
    }
  } else {
    if (workflow.hasUnknownRoot || machine.roots.includes(entered.index)) return true;
    const roots = listNames(workflow.roots.map(({ name }) => name.text));
    const message = `The run starts in "${state.text}", but runs of this workflow start in ${roots}.`;
    report.add("run-start", state, message);
  }
  return false;
}

export function checkEnd(replay: Replayer): void {
  const { report, recording, hasReliableCounts, target, artifacts } = replay;
  const { end, afterEnd, moves, hasUnreadable, isTruncated } = recording;
  if (afterEnd !== undefined) report.add("run-after-end", afterEnd, "The record goes on after its end.");
  if (end === undefined) {
    if (hasUnreadable || isTruncated) return;
    const last = moves.at(-1)?.node;
    const at = last === undefined ? recording.at : placeOf(asMapping(last)?.get("record") ?? last);
    const message = "The record has no end: what happened to the run after this is not checked.";
    report.add("run-incomplete", at, message);
    return;
  }
  const isThere = end.state === undefined || checkEndState(replay, end.state);
  const current = isThere ? replay.stateNamed(replay.stateName) : undefined;
  if (hasReliableCounts && isThere) checkEndCounts(replay, end);
  if (current !== undefined) checkEndStatus(replay, end, current);
  // Missing transitions may have written anything.
  const isComplete = (end.steps?.value ?? replay.steps) === replay.steps;
  const state = isComplete && current !== undefined ? target.workflow.states[current.index] : undefined;
  artifacts.compareAtEnd(end.artifacts, state);
}

function checkEndState(replay: Replayer, state: LocatedString): boolean {
  const actual = replay.stateName;
  if (replay.isIn(state.text)) return true;
  if (replay.stateNamed(state.text) === undefined) {
    replay.report.unknownState(state);
  } else if (actual !== undefined) {
    const message = `The record ends in "${state.text}", but the run was in "${actual}".`;
    replay.report.add("run-end", state, message);
  }
  return false;
}

function checkEndCounts(replay: Replayer, { steps, total }: RecordedEnd): void {
  const { report, run } = replay;
  if (steps !== undefined && steps.value !== replay.steps) {
    replay.loseCounts();
    const message = `The end counts ${pluralize(steps.value, "transition")}, but the record shows ${replay.steps}.`;
    report.add("run-counts", steps, message);
  } else if (total !== undefined && total.value !== run.totalVisits)
    report.wrongTotal(total, run.totalVisits);
}

function checkEndStatus(replay: Replayer, end: RecordedEnd, current: MachineState): void {
  const { status, event } = end;
  if (status === undefined || replay.hasUnclearPart(current.index)) return;
  if (event === undefined) {
    const actual = current.ends ? "complete" : "running";
    if (status.text !== actual)
      reportStatus(replay, status, `in "${current.name}", with no further event, it is ${actual}`);
  } else if (current.ends) replay.report.eventAfterEnd(event, current);
  else checkFailedEvent(replay, end, current, status, event);
}

/** According to the record, this event ended the run without entering a state. */
function checkFailedEvent(
  replay: Replayer,
  { target: recordedTarget, forced, limit }: RecordedEnd,
  current: MachineState,
  status: LocatedString,
  event: LocatedString,
): void {
  const { target, report } = replay;
  const isBudgetSpent = replay.spentBudget() !== undefined;
  const edge = replay.edgeOf(current, event.text);
  if (edge === undefined) return report.unknownEvent(event, current);
  const outcome = replay.run.attempt(edge.target);
  const written = edge.transition?.target?.text;
  if (recordedTarget !== undefined && written !== undefined && recordedTarget.text !== written) {
    const message = `"${event.text}" leads to "${written}", not to "${recordedTarget.text}".`;
    return report.add("run-end", recordedTarget, message);
  }
  if (replay.isUnclear(edge, outcome) || !replay.hasReliableCounts) return;
  const isExhausted = runStatusOf(status.text) === "budget-exhausted";
  const isByGuard = status.text === "stopped" || limit === "max_visits";
  if (isExhausted && (isBudgetSpent || (!isByGuard && mayBeSpent(target, limit)))) return;
  if (outcome.kind === "entered") {
    const actual: RunStatus = isBudgetSpent ? "budget-exhausted" : "running";
    if (actual === status.text) {
      const message = `The record calls the run running, but names "${event.text}" as the event that ended it.`;
      return report.add("run-end", event, message);
    }
    const entered = target.machine.states[outcome.state]?.name ?? "";
    const fact = actual === "running" ? `enters "${entered}"` : `leaves it ${actual}`;
    return reportStatus(replay, status, `"${event.text}" ${fact}`);
  }
  const actual = statusAfter(outcome);
  if (actual !== runStatusOf(status.text))
    return reportStatus(replay, status, `"${event.text}" leaves it ${actual}`);
  const recorded = forced?.map(({ text }) => text);
  if (recorded === undefined || namesForcedStates(target, outcome, recorded)) replay.endOutcome = outcome;
  else report.wrongForcedStates(forced?.[0] ?? event, recorded, outcome);
}

function reportStatus({ report }: Replayer, status: LocatedString, fact: string): void {
  report.add("run-end", status, `The record calls the run ${status.text}, but ${fact}.`);
}

/** Whether a limit that is ignored, or that the record does not measure, may have ended the run. */
function mayBeSpent({ checksBudget, workflow }: RecordedRun, limit: string | undefined): boolean {
  if (!checksBudget) return true;
  const { maxToolCalls, maxWallTimeSec } = workflow.budget ?? {};
  if (limit === "max_tool_calls") return maxToolCalls !== undefined;
  return limit === "max_wall_time_sec" && maxWallTimeSec !== undefined;
}

/** The state that stops a run has no forced exit, so a record need not name it. */
function namesForcedStates(
  { machine }: RecordedRun,
  { kind, forced }: Outcome,
  names: readonly string[],
): boolean {
  if (matchesForcedStates(machine, forced, names)) return true;
  return kind === "stopped" && matchesForcedStates(machine, forced.slice(0, -1), names);
}
