import type { Edge, Machine, MachineState } from "../machine/machine.js";
import type { StepRun } from "./step-run.js";

/** What a turn begins with. */
export type TurnInput =
  | { readonly kind: "start"; readonly runId: string; readonly goal: string; readonly maxSteps: number }
  | {
      readonly kind: "event";
      readonly event: string;
      readonly step: number;
      readonly artifacts: ArtifactWrites;
    }
  | {
      readonly kind: "result";
      readonly status: "ok" | "error";
      readonly step: number;
      readonly tool: string;
      /** Which try it answers, where that is known. */
      readonly attempt?: number | undefined;
    }
  /** The end of a run whose workflow has ended: nothing else can happen in it. Before the first step it has none. */
  | { readonly kind: "done"; readonly step: number };

/** What the loop does in the same turn. */
export type TurnAction =
  | { readonly kind: "request"; readonly tool: string; readonly step: number | undefined }
  | { readonly kind: "done" };

export interface Turn {
  readonly input: TurnInput;
  readonly action: TurnAction | undefined;
}

type ArtifactWrites = readonly (readonly [name: string, value: string])[];

export interface TurnContext {
  readonly machine: Machine;
  /** The state that a run starts in. */
  readonly root: number;
  readonly maxTotalVisits: number | undefined;
  /** The artifacts after a state has been left that wrote these; throws where it declares one of them not. */
  readonly applyWrites: (
    state: MachineState,
    before: ReadonlyMap<string, string>,
    writes: ArtifactWrites,
  ) => ReadonlyMap<string, string>;
  /** Why an event leads to what is not a state, behind these spent ones; throws where that hangs on what could not be read. */
  readonly danglingTargetMessage: (edge: Edge, forced: readonly number[]) => string;
  /** The present time, in RFC 3339. */
  readonly now: string;
}

/** What became of a turn. `ignored`: it was taken before, or comes too late; `refused`: it makes no sense. */
export type TurnOutcome =
  | { readonly kind: "taken"; readonly run: StepRun; readonly note?: string }
  | { readonly kind: "ignored" | "refused"; readonly why: string };

/** The input as the run remembers it: delivered again, it may make the loop decide otherwise. */
export function inputKey(input: TurnInput): string {
  return JSON.stringify(input);
}

/** Runs saved by earlier versions remember the input in a list with what the loop did. */
export function wasAlreadyTaken(input: TurnInput, { turns }: StepRun): boolean {
  const text = inputKey(input);
  return turns.some((turn) => turn === text || turn.startsWith(`[${text},`));
}

export function ignored(why: string): TurnOutcome {
  return { kind: "ignored", why };
}

export function refused(why: string): TurnOutcome {
  return { kind: "refused", why };
}
