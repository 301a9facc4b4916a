import type { Edge, Machine, MachineState } from "../machine/machine.js";
import type { JsonObject, StepRun } from "./step-run.js";

/** The input of a turn. Run files store it as JSON, so the names and order of its fields must not change. */
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
      readonly attempt?: number | undefined;
    }
  /** Ends a run whose workflow has ended; `step` is 0 before the first step. */
  | { readonly kind: "done"; readonly step: number };

export type TurnAction =
  | {
      readonly kind: "request";
      readonly tool: string;
      readonly step: number | undefined;
      readonly toolPayload?: JsonObject | undefined;
    }
  /** `artifacts` are those of the state in which the run ends. */
  | { readonly kind: "done"; readonly artifacts?: ArtifactWrites; readonly outcome?: string | undefined };

/** What a tool answered. Not part of the input: the answer to one attempt is the same turn whatever it says. */
export interface ToolAnswer {
  readonly result?: JsonObject | undefined;
  readonly error?: string | undefined;
}

export interface Turn {
  readonly input: TurnInput;
  readonly action: TurnAction | undefined;
  readonly answer?: ToolAnswer;
}

type ArtifactWrites = readonly (readonly [name: string, value: string])[];

export interface TurnContext {
  readonly machine: Machine;
  readonly root: number;
  /** `engine.budget`; undefined where there is no limit. */
  readonly maxTotalVisits: number | undefined;
  readonly maxToolCalls: number | undefined;
  readonly maxWallTimeSec: number | undefined;
  /** The artifacts after leaving a state that wrote these; throws if it does not declare one of them. */
  readonly applyWrites: (
    state: MachineState,
    before: ReadonlyMap<string, string>,
    writes: ArtifactWrites,
  ) => ReadonlyMap<string, string>;
  /** Why an event leads to no state after these spent ones; throws if that depends on an unreadable part. */
  readonly danglingTargetMessage: (edge: Edge, forced: readonly number[]) => string;
  readonly now: string;
}

/** The outcome of a turn; `ignored` if it was taken before or comes too late, `refused` if it is invalid. */
export type TurnOutcome =
  | { readonly kind: "taken"; readonly run: StepRun; readonly note?: string }
  | { readonly kind: "ignored" | "refused"; readonly why: string };

/** Identifies an input that is delivered again. */
export function inputKey(input: TurnInput): string {
  return JSON.stringify(input);
}

export function ignored(why: string): TurnOutcome {
  return { kind: "ignored", why };
}

export function refused(why: string): TurnOutcome {
  return { kind: "refused", why };
}
