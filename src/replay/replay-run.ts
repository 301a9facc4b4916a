import type { AgenticLog } from "../agentic/agentic-log.js";
import type { LoggedRun } from "../agentic/logged-run.js";
import { asMapping, type LocatedString, placeOf, stringOf } from "../document/node.js";
import type { MachineState } from "../machine/machine.js";
import { isRefused, type RunStatus, runStatusOf, statusAfter } from "../machine/run.js";
import { listNames, pluralize } from "../text/wording.js";
import {
  checkBudgets,
  checkCaptures,
  checkTimes,
  checkVisitCounts,
  visitsBeforeHistory,
} from "./check-context.js";
import {
  type ContextFields,
  readLoggedRun,
  type RecordedEnd,
  type RecordedRun,
  type RecordedStart,
  type Recording,
} from "./recording.js";
import { Replay } from "./replay.js";
import { RunReport } from "./run-report.js";

export function replayRun(...given: ConstructorParameters<typeof Replay>): Replay {
  const replay = new Replay(...given);
  const { recording, artifacts, run } = replay;
  const { context, moves, start, end } = recording;
  const startsRight = checkStart(replay);
  // A history that begins in the wrong state lacks its start, unless the counts show that it is complete.
  const mayLackStart = !startsRight && context?.mayHaveMoreVisits === true;
  artifacts.isIgnored = context !== undefined && !checkCaptures(replay, context);
  artifacts.isKnown = startsWithoutArtifacts(recording, mayLackStart);
  const next = (moves.length > 0 ? moves[0]?.from : end?.state)?.text;
  const first = start?.state.text ?? next;
  if (context?.isHistoryTruncated === true) resume(replay, context, first);
  else if (first !== undefined) {
    replay.count(first, 1);
    const isOtherRoot = !startsRight && next !== undefined && replay.isRoot(next);
    replay.position = { name: first, expected: isOtherRoot ? next : undefined };
  }
  if (mayLackStart) replay.hasLostCounts = true;
  for (const move of moves) replay.replayMove(move);
  checkEnd(replay);
  if (context !== undefined) {
    const { hasReliableCounts } = replay;
    const visitsOf = ({ index }: MachineState) => (hasReliableCounts ? run.visits(index) : 0);
    if (!context.isHistoryTruncated)
      checkVisitCounts(replay, context, visitsOf, (count, visits) => hasReliableCounts && count !== visits);
    checkTimes(replay, context);
  }
  checkBudgets(replay);
  return replay;
}

/** The workflow of each run of a log. Runs that cannot be read, or told apart, are left out. */
export type ReplayedLog = ReadonlyMap<LoggedRun, Replay>;

export function replayLog(log: AgenticLog, target: Omit<RecordedRun, "kind" | "document">): ReplayedLog {
  const report = new RunReport(target);
  const [root, ...others] = target.workflow.roots;
  const readable = log.runs.filter((run) => !run.isUnclear && !run.sharesId);
  return new Map(
    readable.map((run) => {
      const recording = readLoggedRun(run, others.length > 0 ? undefined : root);
      const { deviations } = report;
      const recorded = { ...target, kind: "transitions", document: log.document } as const;
      const replay = replayRun(recorded, { recording, report });
      if (report.deviations === deviations) checkCompletion(replay, run);
      return [run, replay] as const;
    }),
  );
}

/** RFC-103 leaves it to the loop when a run is complete, so this is only worth knowing. */
function checkCompletion(
  { report, position, stateNamed, unclear, hasReliableCounts }: Replay,
  { id, end }: LoggedRun,
): void {
  const state = stateNamed(position?.name);
  if (end?.kind !== "completed" || state === undefined || state.ends) return;
  if (unclear.has(state.index) || !hasReliableCounts) return;
  const message = `Run "${id}" completes in state "${state.name}", where the workflow does not end.`;
  report.add("run-end", end.at, message, { severity: "info" });
}

/** The history begins in the middle of the run: the visit counts show what happened before. */
function resume(replay: Replay, context: ContextFields, first: string | undefined): void {
  const before = visitsBeforeHistory(replay, context);
  for (const [state, entries] of before ?? []) replay.run.count(state, entries);
  replay.position = first === undefined ? undefined : { name: first };
  if (before === undefined) replay.hasLostCounts = true;
  const guards = before === undefined ? " Without matching visit counts, guards are not checked either." : "";
  const message = `The history shows only the last ${replay.recording.moves.length} transitions: the start and what came before are not checked.${guards}`;
  replay.report.add("run-incomplete", context.historyAt, message);
}

/** Whether no artifact was written before the first recorded values. */
function startsWithoutArtifacts({ context, moves, start }: Recording, mayLackStart: boolean): boolean {
  if (context === undefined) return start !== undefined;
  const { captures, isHistoryTruncated } = context;
  if (captures === undefined) return false;
  return captures.length < moves.length || !(isHistoryTruncated || mayLackStart);
}

/** Returns whether a run may start in the recorded state. */
function checkStart(replay: Replay): boolean {
  const { recording, report, target } = replay;
  const { start, context, at, hasUnreadable, laterStarts } = recording;
  const again = "A run starts once, with the first line of its record: this is another start.";
  for (const later of laterStarts) report.add("run-start", later, again);
  if (start === undefined) {
    const message = "The record does not begin with a start: what came before this line is missing.";
    if (context === undefined && !hasUnreadable) report.add("run-start", at, message);
    return true;
  }
  checkRecordedPack(replay, start);
  const { maxTotalVisits: recorded } = start;
  const allowed = target.workflow.budget?.maxTotalVisits;
  if (target.checksBudget && recorded !== undefined && recorded.value !== allowed?.value) {
    const pack = allowed === undefined ? "sets none" : `allows ${allowed.value}${report.inPack(allowed)}`;
    const message = `The run was held to a budget of ${pluralize(recorded.value, "visit")}, but the pack ${pack}.`;
    report.add("run-budget", recorded, message);
  }
  return checkStartState(replay, start);
}

function checkRecordedPack({ target, report }: Replay, { packId, packVersion }: RecordedStart): void {
  const { root } = target.pack;
  const [id, version] = [stringOf(root.get("id")), stringOf(root.get("version"))];
  const idText = (was: string) =>
    `The record was made with the pack "${was}", but it is checked against "${id}".`;
  const versionText = (was: string) =>
    `The record was made with version ${was} of the pack, but it is checked against version ${version}.`;
  if (!report.compare("run-pack", packId, id, idText))
    report.compare("run-pack", packVersion, version, versionText);
}

function checkStartState({ target, report }: Replay, { state, agent }: RecordedStart): boolean {
  const { pack, workflow, machine } = target;
  const entered = workflow.stateNamed(state.text);
  const root = agent && pack.agents.memberNamed(agent.text)?.state?.text;
  if (entered === undefined) report.unknownState(state);
  else if (agent === undefined) {
    if (workflow.hasUnknownRoot || machine.roots.includes(entered.index)) return true;
    const roots = listNames(workflow.roots.map(({ name }) => name.text));
    const message = `The run starts in "${state.text}", but runs of this workflow start in ${roots}.`;
    report.add("run-start", state, message);
  } else if (root === undefined) {
    const message = `The run was started by "${agent.text}", which is not an agent with a state of its own.`;
    report.add("run-start", agent, message);
  } else if (root === state.text) return true;
  else {
    const message = `The agent "${agent.text}" starts in "${root}", but the run starts in "${state.text}".`;
    report.add("run-start", state, message);
  }
  return false;
}

function checkEnd(replay: Replay): void {
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
  const isThere = checkEndState(replay, end);
  const current = isThere ? replay.stateNamed(replay.position?.name) : undefined;
  if (hasReliableCounts && isThere) checkEndCounts(replay, end);
  if (current !== undefined) checkEndStatus(replay, end, current);
  // Missing transitions may have written anything.
  const isComplete = (end.steps?.value ?? replay.steps) === replay.steps;
  const state = isComplete && current !== undefined ? target.workflow.states[current.index] : undefined;
  artifacts.compareAtEnd(end.artifacts, state);
}

function checkEndState(replay: Replay, { state }: RecordedEnd): boolean {
  const { report, position } = replay;
  if (state === undefined || replay.isIn(state.text)) return true;
  const message = `The record ends in "${state.text}", but the run was in "${position?.name ?? ""}".`;
  if (replay.stateNamed(state.text) === undefined) report.unknownState(state);
  else report.add("run-end", state, message);
  return false;
}

function checkEndCounts(replay: Replay, { steps, total }: RecordedEnd): void {
  const { report, run, steps: shown } = replay;
  const stepsText = (count: number) =>
    `The end counts ${pluralize(count, "transition")}, but the record shows ${shown}.`;
  if (report.compare("run-counts", steps, shown, stepsText)) replay.hasLostCounts = true;
  else report.compareTotal(total, run.totalVisits);
}

function checkEndStatus(replay: Replay, end: RecordedEnd, current: MachineState): void {
  const { status, event } = end;
  if (status === undefined || replay.unclear.has(current.index)) return;
  const actual = current.ends ? "complete" : "running";
  const fact = `in "${current.name}", with no further event, it is ${actual}`;
  if (event === undefined) checkStatus(replay, end, actual, fact);
  else if (current.ends) replay.report.eventAfterEnd(event, current);
  else checkFailedEvent(replay, end, current, event);
}

/** According to the record, this event ended the run without entering a state. */
function checkFailedEvent(
  replay: Replay,
  end: RecordedEnd,
  current: MachineState,
  event: LocatedString,
): void {
  const { target, report } = replay;
  const { status, limit, forced } = end;
  const isBudgetSpent = replay.spentBudget() !== undefined;
  const edge = replay.edgeOf(current, event.text);
  if (edge === undefined) return report.unknownEvent(event, current);
  const outcome = replay.run.attempt(edge.target);
  const written = edge.transition?.target?.text;
  const targetText = (to: string) => `"${event.text}" leads to "${written}", not to "${to}".`;
  if (report.compare("run-end", end.target, written, targetText)) return;
  if (replay.isUnclear(edge, outcome) || !replay.hasReliableCounts) return;
  const isByGuard = status?.text === "stopped" || limit === "max_visits";
  const mayBeExhausted = isBudgetSpent || (!isByGuard && mayBeSpent(target, limit));
  if (mayBeExhausted && runStatusOf(status?.text ?? "") === "budget-exhausted") return;
  const isEntered = outcome.kind === "entered";
  const isRefusal = isRefused(target.machine, outcome, current, (state) => replay.run.attempt(state));
  const ended = isRefusal ? "running" : statusAfter[outcome.kind];
  const actual = isEntered && isBudgetSpent ? "budget-exhausted" : ended;
  if (actual === "running" && status?.text === "running") {
    const message = `The record calls the run running, but names "${event.text}" as the event that ended it.`;
    return report.add("run-end", event, message);
  }
  const fact = isRefusal
    ? "is refused"
    : isEntered && !isBudgetSpent
      ? `enters "${report.nameOf(outcome.state)}"`
      : `leaves it ${actual}`;
  if (!checkStatus(replay, end, actual, `"${event.text}" ${fact}`)) return;
  if (report.checkForcedStates(forced, forced?.[0] ?? event, outcome)) replay.endOutcome = outcome;
}

/** Whether the record gives the run its actual status; reports it otherwise. */
function checkStatus({ report }: Replay, { status }: RecordedEnd, actual: RunStatus, fact: string): boolean {
  if (status === undefined || runStatusOf(status.text) === actual) return true;
  report.add("run-end", status, `The record calls the run ${status.text}, but ${fact}.`);
  return false;
}

/** Whether a limit that is ignored, or that the record does not measure, may have ended the run. */
function mayBeSpent({ checksBudget, workflow }: RecordedRun, limit: string | undefined): boolean {
  if (!checksBudget) return true;
  const { maxToolCalls, maxWallTimeSec } = workflow.budget ?? {};
  if (limit === "max_tool_calls") return maxToolCalls !== undefined;
  return limit === "max_wall_time_sec" && maxWallTimeSec !== undefined;
}
