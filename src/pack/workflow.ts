import type { Place } from "../diagnostic.js";
import type { Key, MappingNode } from "../document/node.js";
import { deniesEnd } from "../meant/says-end.js";
import type { Prompt } from "./prompt.js";
import type { Spec } from "./spec.js";
import type { Text, Truth, Whole } from "../document/spelled-values.js";

/** A state machine over prompts (RFC 0005, RFC 0009, RFC 0011). */
export interface Workflow {
  readonly spec: Spec;
  /** Where `/workflow` is shown. */
  readonly at: Place;
  readonly version: Whole | undefined;
  readonly entry: Text | undefined;
  /** In file order. None when the section is missing, empty, written twice or no object. */
  readonly states: readonly State[];
  /** Where `/workflow/states` is shown. */
  readonly statesAt: Place;
  readonly engine: MappingNode | undefined;
  readonly budget: Budget | undefined;
  /** Whether a budget is written, perhaps in the wrong place, and it could not be read whether it ends every run. */
  readonly budgetIsUnclear: boolean;
  /** Whether one, or a part of one, is written in the wrong place, be it one that ends every run or not. */
  readonly budgetIsMisplaced: boolean;
  /** The states in which a run can start: the entry, then the agents' own, each once, in that order. */
  readonly roots: readonly State[];
  /** Whether `entry` or an agent's `state` leads nowhere, so that a root may be missing. */
  readonly rootDangles: boolean;
  readonly stateNamed: (name: string) => State | undefined;
  readonly stateNames: () => Iterable<string>;
  /** Whether no state is called so. Without states any may be; while the name of one is missing, what resembles no other. */
  readonly isUnknown: (name: string) => boolean;
}

export interface State {
  /** Its number in file order. */
  readonly index: number;
  readonly name: Key;
  /** Absent when the state is no object. */
  readonly node: MappingNode | undefined;
  /** Whether nothing is written in it, or something that no state can be: all there is to say is the schema's. */
  readonly isBlank: boolean;
  /** The same as `node`, for fixes; absent, too, when it stands in the wrong place, as a whole or in part. */
  readonly editable: MappingNode | undefined;
  readonly promptTask: Text | undefined;
  /** The prompt it runs; absent when `prompt_task` is missing, stands twice or names none. */
  readonly prompt: Prompt | undefined;
  readonly terminal: Truth | undefined;
  /** Where `on_event` is written; absent when it is missing or is no object. */
  readonly onEvent: Key | undefined;
  readonly transitions: readonly Transition[];
  /** Properties of a state that stand in `on_event`, and lead to no state. */
  readonly notEvents: readonly Transition[];
  readonly maxVisits: Whole | undefined;
  readonly onMaxVisits: Text | undefined;
  readonly persistence: Text | undefined;
  readonly orchestration: Text | undefined;
  readonly skills: Text | undefined;
  readonly artifacts: readonly Artifact[];
  /** Parts whose value is of the wrong kind: what they would do is unknown. */
  readonly unclear: ReadonlySet<UnclearPart>;
}

export type UnclearPart = "state" | "terminal" | "on_event" | "max_visits" | "on_max_visits";

export interface Transition {
  readonly event: Key;
  /** Absent when the value is no string. */
  readonly target: Text | undefined;
}

export interface Artifact {
  readonly name: Key;
  readonly node: MappingNode | undefined;
  readonly type: Text | undefined;
  readonly mode: Text | undefined;
}

export interface Budget {
  readonly maxTotalVisits: Whole | undefined;
  readonly maxToolCalls: Whole | undefined;
  readonly maxWallTimeSec: Whole | undefined;
  readonly isEmpty: boolean;
}

/** Whether the budget ends every run by itself; `max_tool_calls` bounds only runs that call tools. */
export function endsEveryRun(budget: Budget | undefined): boolean {
  return budget?.maxTotalVisits !== undefined || budget?.maxWallTimeSec !== undefined;
}

/** The unclear parts that decide what runs do: a state without events ends them, whatever its `terminal` says. */
export function doubtfulParts({ unclear, transitions }: State): ReadonlySet<UnclearPart> {
  if (transitions.length > 0 || !unclear.has("terminal")) return unclear;
  return new Set([...unclear].filter((part) => part !== "terminal"));
}

/** Whether a `terminal` that could not be read may have been meant as true. */
export function mayBeEnd(state: State): boolean {
  return doubtfulParts(state).has("terminal") && (state.node === undefined || !deniesEnd(state.node));
}
