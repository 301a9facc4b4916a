import type { Facts, Witnessed } from "../machine/facts.js";
import type { Workflow } from "../pack/workflow.js";

/** The loops that no guard ends. Nothing is certain of a run that passes a state of which a part could not be read. */
export function unboundedLoops({ states }: Workflow, facts: Facts): readonly Witnessed[] {
  const unclear = new Set(states?.flatMap((state) => (state.unclear.size > 0 ? state.name.text : [])));
  return facts.unboundedLoops.map((loop) =>
    loop.witness?.steps.some(({ from }) => unclear.has(from)) === true ? { ...loop, certain: false } : loop,
  );
}
