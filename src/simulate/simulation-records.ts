import type { Edge, Machine } from "../machine/machine.js";
import type { ArtifactMode } from "../machine/artifact-modes.js";
import type { State } from "../pack/workflow.js";
import type { EndRecord, StartRecord } from "./run-record.js";

export interface SimulationOptions {
  readonly machine: Machine;
  /** The state in which the run starts. */
  readonly startState: number;
  /** `engine.budget.max_total_visits`; absent where there is none, or it is set aside. */
  readonly maxTotalVisits?: number | undefined;
  /** The artifacts that a state declares, with how they are updated. */
  readonly declaredBy: (state: number) => ReadonlyMap<string, ArtifactMode>;
  /** What `on_max_visits` of a state names; nothing where its guard could not be read. */
  readonly forcedExitTarget?: (state: number) => string | undefined;
  readonly pack?: StartRecord["pack"];
  readonly agent?: string | undefined;
}

export function startRecord({ maxTotalVisits, agent, pack, machine, startState }: SimulationOptions): StartRecord {
  return {
    record: "start",
    schemaVersion: 1,
    pack: pack ?? {},
    ...(agent !== undefined && { agent }),
    ...(maxTotalVisits !== undefined && { budget: { maxTotalVisits } }),
    state: machine.states[startState]?.name ?? "",
  };
}

/** What an end tells of the event that entered no state. */
export type Failure = Pick<EndRecord, "event" | "target" | "forced">;

export function failureOf({ states }: Machine, edge: Edge, forced: readonly number[]): Failure {
  const target = edge.transition?.target?.text ?? states[edge.target]?.name;
  return {
    event: edge.event,
    ...(target !== undefined && { target }),
    ...(forced.length > 0 && { forced: forced.map((state) => states[state]?.name ?? "") }),
  };
}

/** What `on_max_visits` of a state names; nothing where its guard could not be read. */
export function forcedExitTargetOf(state: State | undefined): string | undefined {
  return state?.isUnclear === true ? undefined : state?.onMaxVisits?.text;
}
