import type { Workflow } from "../../pack/workflow.js";
import type { ArtifactModes } from "../../machine/artifact-modes.js";
import type { Assignment } from "../../simulate/event-list.js";
import type { OpenedPack } from "../open/open-pack.js";
import type { LimitFlags } from "../request/limits.js";

/** The flags of `simulate` as they were written. */
export interface SimulateFlags extends LimitFlags {
  readonly events?: readonly string[];
  readonly random?: string;
  readonly seed?: string;
  readonly budget: boolean;
  readonly agent?: string;
  readonly set?: readonly string[];
  readonly var?: readonly string[];
  readonly render?: true;
  readonly format: string;
  readonly color?: boolean;
}

/** What a simulation is shown with. */
export interface SimulationContext {
  readonly opened: OpenedPack;
  readonly workflow: Workflow;
  readonly modes: ArtifactModes;
  readonly variables: readonly Assignment[];
  readonly render: boolean;
}
