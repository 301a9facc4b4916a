import type { Trace } from "../diagnostic.js";
import { addTo } from "../words/add-to.js";
import { components } from "../graph/components.js";
import { at, digraph } from "../graph/digraph.js";
import type { Facts, Witnessed } from "../machine/facts.js";
import type { MachineState } from "../machine/machine.js";
import { endsEveryRun, type Workflow } from "../pack/workflow.js";
import { traceJson } from "../text/trace-json.js";
import { inspectGuard } from "./inspect-guard.js";
import type { LoopInspection } from "./inspection.js";

/** The parts of the workflow in which runs can go round, and what ends that. */
export function inspectLoops(
  workflow: Workflow,
  facts: Facts,
  unboundedLoops: readonly Witnessed[],
  clear: boolean,
): readonly LoopInspection[] {
  const { machine } = facts;
  const parts = components(digraph(machine.states.map((state) => successors(state, facts))));
  const partOf = (state: number): number => at(parts.of, state);
  const inLoops = machine.states
    .map(({ index }) => index)
    .filter((index) => at(parts.cyclic, partOf(index)) === 1);
  const unbounded = grouped(unboundedLoops, ({ states }) => partOf(states[0] ?? 0));
  return [...grouped(inLoops, partOf)].map(([part, members]) => {
    const ways = unbounded.get(part) ?? [];
    const isKnown = ways.length === 0 ? clear : ways.some(({ certain }) => certain);
    return inspectLoop(workflow, members, ways, isKnown ? boundOf(workflow, ways) : null);
  });
}

function boundOf({ budget }: Workflow, unbounded: readonly Witnessed[]): LoopInspection["boundBy"] {
  if (unbounded.length === 0) return "guards";
  return endsEveryRun(budget) ? "budget" : "nothing";
}

function inspectLoop(
  workflow: Workflow,
  members: readonly number[],
  unbounded: readonly Witnessed[],
  boundBy: LoopInspection["boundBy"],
): LoopInspection {
  const nameOf = (state: number): string => workflow.states?.[state]?.name.text ?? "";
  return {
    states: members.map(nameOf),
    boundBy,
    guards: members.flatMap((index) => guardOf(workflow, index)),
    unbounded: unbounded.map(({ states, witness, certain }) => ({
      states: states.map(nameOf),
      run: inspectRun(witness),
      certain,
    })),
  };
}

export function inspectRun(witness: Trace | undefined): Trace | null {
  return witness === undefined ? null : traceJson(witness);
}

/** Where a run can go from a state it enters: by an event, or by a forced exit of what the event attempts. */
function successors({ index, edges, maxVisits, forcedExit }: MachineState, facts: Facts): readonly number[] {
  if (!facts.entered.has(index)) return [];
  const exits = maxVisits !== undefined && forcedExit !== undefined && facts.metSpent?.has(index) !== false;
  return [...edges.map((edge) => edge.target), ...(exits ? [forcedExit] : [])].filter(
    (target) => target >= 0,
  );
}

function guardOf(workflow: Workflow, index: number): LoopInspection["guards"] {
  const state = workflow.states?.[index];
  if (state === undefined) return [];
  const guard = inspectGuard(state);
  return guard.guardClear && guard.maxVisits === null ? [] : [{ state: state.name.text, ...guard }];
}

function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => number): Map<number, Value[]> {
  const groups = new Map<number, Value[]>();
  for (const value of values) addTo(groups, keyOf(value), value);
  return groups;
}
