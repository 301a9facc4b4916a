import type { Budget } from "../pack/workflow.js";
import { pluralize } from "../words/wording.js";
import type { Simulation } from "./simulation.js";
import type { Failure } from "./simulation-records.js";

/** How the run stands, in one sentence. */
export function runStatusText(simulation: Simulation): string {
  const { status, current, total, end } = simulation;
  const visits = pluralize(total, "visit");
  const where = `"${current.name}"`;
  switch (status) {
    case "complete":
      return `Complete in ${where} after ${visits}.`;
    case "running":
      return `Still running in ${where} after ${visits}.${budgetText(simulation.budgetLeft)}`;
    case "exhausted":
      return `Budget exhausted in ${where}: it allows ${visits}, and "${end.event ?? ""}" would need another.`;
    case "stopped":
      return `Stopped by a guard in ${where} after ${visits}: "${end.event ?? ""}" leads to ${forcedPathText(end)}, which is spent and has no on_max_visits.`;
    case "stuck":
      return `Stuck in ${where} after ${visits}: "${end.event ?? ""}" leads to ${forcedPathText(end)}, and forced exits lead back to "${simulation.lastForcedExitTarget ?? ""}".`;
    case "lost":
      return `Broken off in ${where} after ${visits}: ${lostRunText(end, simulation.lastForcedExitTarget)}`;
  }
}

/** What of the budget no simulation can use up; nothing where there is no such part. */
export function notSimulatedNote(budget: Budget | undefined): string | undefined {
  const parts = unmeasuredLimits(budget);
  const reasons = [
    ...(budget?.maxToolCalls === undefined ? [] : ["no tool is called"]),
    ...(budget?.maxWallTimeSec === undefined ? [] : ["no time passes"]),
  ];
  return parts && `Not simulated: ${parts} of the budget, since ${reasons.join(" and ")}.`;
}

/** What of the budget no single turn can measure. */
export function notEnforcedNote(budget: Budget | undefined): string | undefined {
  const parts = unmeasuredLimits(budget);
  return parts && `Not enforced: ${parts} of the budget, which only the runtime can measure.`;
}

function unmeasuredLimits(budget: Budget | undefined): string | undefined {
  const parts = [
    ...(budget?.maxToolCalls === undefined ? [] : [`max_tool_calls (${budget.maxToolCalls.value})`]),
    ...(budget?.maxWallTimeSec === undefined ? [] : [`max_wall_time_sec (${budget.maxWallTimeSec.value})`]),
  ];
  return parts.length === 0 ? undefined : parts.join(" and ");
}

function budgetText(left: number | undefined): string {
  if (left === undefined) return "";
  return left === 0 ? " The budget allows no more." : ` The budget allows ${left} more.`;
}

function forcedPathText({ target, forced }: Failure): string {
  const passed = forced ?? (target === undefined ? [] : [target]);
  return passed.map((name) => `"${name}"`).join(" ⇒ ");
}

/** Why an event leads nowhere; `exit` is what the last spent state names in `on_max_visits`, if it could be read. */
export function lostRunText(failure: Failure, exit: string | undefined): string {
  const { event = "", target, forced = [] } = failure;
  if (forced.length > 0) {
    return exit === undefined
      ? `"${event}" leads to ${forcedPathText(failure)}, whose guard could not be read.`
      : `"${event}" leads to ${forcedPathText(failure)}, which is spent and whose on_max_visits "${exit}" is not a state.`;
  }
  return target === undefined
    ? `what "${event}" leads to could not be read.`
    : `"${event}" leads to "${target}", which is not a state.`;
}
