import { components } from "../graph/components.js";
import { at, digraph } from "../graph/digraph.js";
import type { Facts, Witnessed } from "../machine/facts.js";
import type { MachineState } from "../machine/machine.js";
import { endsEveryRun, type Workflow } from "../pack/workflow.js";
import type { LoopInspection } from "./inspection.js";

/** The parts of the workflow in which runs can go round, and what ends that. */
export function inspectLoops(workflow: Workflow, facts: Facts): readonly LoopInspection[] {
  const { machine, unboundedLoops } = facts;
  const parts = components(digraph(machine.states.map((state) => successors(state, facts))));
  const partOf = (state: number): number => at(parts.of, state);
  const inLoops = machine.states
    .map(({ index }) => index)
    .filter((index) => at(parts.cyclic, partOf(index)) === 1);
  const unbounded = grouped(unboundedLoops, ({ states }) => partOf(states[0] ?? 0));
  return [...grouped(inLoops, partOf)].map(([part, members]) =>
    inspectLoop(workflow, facts, members, unbounded.get(part) ?? []),
  );
}

function inspectLoop(
  workflow: Workflow,
  { machine }: Facts,
  members: readonly number[],
  unbounded: readonly Witnessed[],
): LoopInspection {
  const nameOf = (state: number): string => machine.states[state]?.name ?? "";
  const held = endsEveryRun(workflow.budget);
  return {
    states: members.map(nameOf),
    boundBy: unbounded.length === 0 ? "guards" : held ? "budget" : "nothing",
    guards: members.flatMap((index) => guardOf(workflow, index)),
    unbounded: unbounded.map(({ states, witness, certain }) => ({
      states: states.map(nameOf),
      run: witness ?? null,
      certain,
    })),
  };
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
  const { name, maxVisits, onMaxVisits } = workflow.states?.[index] ?? {};
  if (name === undefined || maxVisits === undefined) return [];
  return [{ state: name.text, maxVisits: maxVisits.value, onMaxVisits: onMaxVisits?.text ?? null }];
}

function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => number): Map<number, Value[]> {
  const groups = new Map<number, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}
