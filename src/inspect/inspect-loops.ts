import { components } from "../graph/components.js";
import { at, digraph } from "../graph/digraph.js";
import type { Facts } from "../machine/facts.js";
import type { MachineState } from "../machine/machine.js";
import { endsEveryRun, type Workflow } from "../pack/workflow.js";
import type { LoopInspection } from "./inspection.js";

/** The parts of the workflow in which runs can go round, and what ends that. */
export function inspectLoops(workflow: Workflow, facts: Facts): readonly LoopInspection[] {
  const { machine } = facts;
  const nameOf = (state: number): string => machine.states[state]?.name ?? "";
  const parts = components(digraph(machine.states.map((state) => successors(state, facts))));
  const loops = new Map<number, number[]>();
  for (const { index } of machine.states) {
    const part = at(parts.of, index);
    if (at(parts.cyclic, part) === 0) continue;
    const members = loops.get(part);
    if (members === undefined) loops.set(part, [index]);
    else members.push(index);
  }
  const held = endsEveryRun(workflow.budget);
  return [...loops].map(([part, members]) => {
    const unbounded = facts.unboundedLoops.filter(({ states }) => at(parts.of, states[0] ?? 0) === part);
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
  });
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
  if (state?.maxVisits === undefined) return [];
  return [
    {
      state: state.name.text,
      maxVisits: state.maxVisits.value,
      onMaxVisits: state.onMaxVisits?.text ?? null,
    },
  ];
}
