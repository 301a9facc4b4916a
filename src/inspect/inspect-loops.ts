import type { Trace } from "../diagnostic.js";
import { appendTo } from "../maps/add-to.js";
import type { Facts, Loop } from "../machine/facts.js";
import { cyclicStateGroups } from "../machine/loop-parts.js";
import { endsEveryRun, type Workflow } from "../pack/workflow.js";
import { traceJson } from "../text/trace-json.js";
import { inspectGuard } from "./inspect-guard.js";
import type { LoopInspection } from "./inspection.js";

/** The parts of the workflow in which runs can go round, and what ends that. */
export function inspectLoops(
  workflow: Workflow,
  facts: Facts,
  unboundedLoops: readonly Loop[],
  clear: boolean,
): readonly LoopInspection[] {
  const parts = cyclicStateGroups(facts);
  const partOf = new Map(parts.flatMap((members) => members.map((state) => [state, members] as const)));
  const unbounded = new Map<readonly number[] | undefined, Loop[]>();
  for (const loop of unboundedLoops) appendTo(unbounded, partOf.get(loop.states[0] ?? -1), loop);
  return parts.map((members) => {
    const ways = unbounded.get(members) ?? [];
    const isKnown = ways.length === 0 ? clear : ways.some(({ certain }) => certain);
    return inspectLoop(workflow, members, ways, isKnown ? loopBound(workflow, ways) : null);
  });
}

function loopBound({ budget }: Workflow, unbounded: readonly Loop[]): LoopInspection["boundBy"] {
  if (unbounded.length === 0) return "guards";
  return endsEveryRun(budget) ? "budget" : "nothing";
}

function inspectLoop(
  workflow: Workflow,
  members: readonly number[],
  unbounded: readonly Loop[],
  boundBy: LoopInspection["boundBy"],
): LoopInspection {
  const nameOf = (state: number): string => workflow.states[state]?.name.text ?? "";
  return {
    states: members.map(nameOf),
    boundBy,
    guards: members.flatMap((index) => loopGuards(workflow, index)),
    unbounded: unbounded.map(({ states, witness, certain }) => ({
      states: states.map(nameOf),
      run: runJson(witness),
      certain,
    })),
  };
}

export function runJson(witness: Trace | undefined): Trace | null {
  return witness === undefined ? null : traceJson(witness);
}

function loopGuards(workflow: Workflow, index: number): LoopInspection["guards"] {
  const state = workflow.states[index];
  if (state === undefined) return [];
  const guard = inspectGuard(state);
  return guard.guardClear && guard.maxVisits === null ? [] : [{ state: state.name.text, ...guard }];
}
