import type { Place } from "../diagnostic.js";
import type { Key, MappingNode } from "../document/node.js";
import { shapeOf } from "../schema/pack-places.js";
import { nearestName } from "../words/nearest-name.js";
import type { Prompt } from "./prompt.js";
import type { Spec } from "./spec.js";
import type { LocatedString, LocatedBoolean, LocatedCount } from "../document/spelled-values.js";

/** A state machine over prompts (RFC 0005, RFC 0009, RFC 0011). */
export interface Workflow {
  readonly spec: Spec;
  /** Where `/workflow` is shown. */
  readonly at: Place;
  readonly version: LocatedCount | undefined;
  readonly entry: LocatedString | undefined;
  /** In file order. None when the section is missing or not an object. */
  readonly states: readonly State[];
  /** Those that keep to the schema: what rules look into. */
  readonly clearStates: readonly State[];
  /** Where `/workflow/states` is shown. */
  readonly statesAt: Place;
  readonly engine: MappingNode | undefined;
  readonly budget: Budget | undefined;
  /** Whether no state, nor `entry`, `states` or the budget breaks the schema: otherwise nothing is known about its runs. */
  readonly isClear: boolean;
  /** The states in which a run can start: the entry, then the agents' own, each once, in that order. */
  readonly roots: readonly State[];
  /** Whether `entry` or an agent's `state` leads nowhere, so that a root may be missing. */
  readonly hasUnknownRoot: boolean;
  readonly stateNamed: (name: string) => State | undefined;
  readonly stateNames: () => Iterable<string>;
  /** Whether no state has this name; never while `states` is unclear or empty. */
  readonly isUnknownState: (name: string) => boolean;
}

export interface State {
  /** Its number in file order. */
  readonly index: number;
  readonly name: Key;
  /** Absent when the state is not an object. */
  readonly node: MappingNode | undefined;
  /** Breaks the schema: rules leave it alone. */
  readonly isUnclear: boolean;
  readonly promptTask: LocatedString | undefined;
  /** The prompt it runs; absent when `prompt_task` is missing or names none. */
  readonly prompt: Prompt | undefined;
  readonly terminal: LocatedBoolean | undefined;
  /** Where `on_event` is written; absent when it is missing or is no object. */
  readonly onEvent: Key | undefined;
  readonly transitions: readonly Transition[];
  readonly maxVisits: LocatedCount | undefined;
  readonly onMaxVisits: LocatedString | undefined;
  readonly persistence: LocatedString | undefined;
  readonly orchestration: LocatedString | undefined;
  readonly skills: LocatedString | undefined;
  readonly artifacts: readonly Artifact[];
}

export interface Transition {
  readonly event: Key;
  /** Absent when the value is not a string. */
  readonly target: LocatedString | undefined;
}

export interface Artifact {
  readonly name: Key;
  readonly node: MappingNode | undefined;
  readonly type: LocatedString | undefined;
  readonly mode: LocatedString | undefined;
}

export interface Budget {
  readonly maxTotalVisits: LocatedCount | undefined;
  readonly maxToolCalls: LocatedCount | undefined;
  readonly maxWallTimeSec: LocatedCount | undefined;
  readonly isEmpty: boolean;
}

/** Whether the budget ends every run by itself; `max_tool_calls` bounds only runs that call tools. */
export function endsEveryRun(budget: Budget | undefined): boolean {
  return budget?.maxTotalVisits !== undefined || budget?.maxWallTimeSec !== undefined;
}

/** The fields of a budget that end every run. */
export const endingFields: readonly string[] = ["max_total_visits", "max_wall_time_sec"];

/** A key of `engine` that looks like a budget in the wrong place: one of its fields, or `budget` misspelt. */
export interface StrayBudget {
  readonly key: Key;
  readonly kind: "field" | "misspelt";
}

export function strayBudgets(engine: MappingNode | undefined): readonly StrayBudget[] {
  const budget = engine?.get("budget");
  if (engine === undefined || (budget !== undefined && budget.kind !== "mapping")) return [];
  return engine.entries.flatMap(({ key }): readonly StrayBudget[] => {
    if (key.text === "budget") return [];
    if (shapeOf("budget").has(key.text)) return [{ key, kind: "field" }];
    return nearestName(key.text, ["budget"]) === undefined ? [] : [{ key, kind: "misspelt" }];
  });
}
