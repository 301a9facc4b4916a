import type { Trace } from "../diagnostic.js";

/** What is known of a pack, as plain data: `inspect --format json` prints it as it is. */
export interface Inspection {
  readonly schemaVersion: 1;
  readonly file: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly version: string | null;
  /** The version that the pack is held against. */
  readonly specVersion: string;
  /** What `$schema` names, where that is no version known here. */
  readonly unknownSpecVersion: string | null;
  readonly prompts: readonly string[];
  readonly tools: readonly string[];
  readonly fragments: readonly string[];
  /** Ids of evals: the pack's own, then those of its prompts. */
  readonly evals: readonly string[];
  /** Paths, package references, and the names of skills that are written out. */
  readonly skills: readonly string[];
  readonly agents: readonly {
    readonly name: string;
    readonly state: string | null;
    readonly entry: boolean;
  }[];
  /** Absent when the pack has no workflow with states. */
  readonly workflow: WorkflowInspection | null;
}

/** How many at most. `null` where it is not known. */
export type UpperBound = number | "unbounded" | null;

export interface WorkflowInspection {
  readonly version: number | null;
  /** Whether every run was explored. If not, what is `null` or uncertain below is not known. */
  readonly exact: boolean;
  /** Whether all that runs depend on could be read and every name leads somewhere. If not, what depends on it is `null` below. */
  readonly clear: boolean;
  /** The ways to start a run: the workflow's own entry, whose agent is `null`, then each agent's. */
  readonly entries: readonly { readonly state: string; readonly agent: string | null }[];
  /** The states that end a run, whether or not one enters them. */
  readonly ends: readonly string[];
  readonly states: readonly StateInspection[];
  readonly loops: readonly LoopInspection[];
  /** Entries of all states on one run, the budget set aside. If not exact: no run makes more. */
  readonly worstCaseVisits: UpperBound;
  readonly shortestComplete: { readonly visits: number; readonly run: Trace | null } | null;
  readonly budget: BudgetInspection | null;
  readonly toolUse: ToolUseInspection;
  readonly artifacts: readonly ArtifactInspection[];
}

export interface GuardInspection {
  readonly maxVisits: number | null;
  readonly onMaxVisits: string | null;
  /** Whether it could be read. */
  readonly guardClear: boolean;
}

export interface StateInspection extends GuardInspection {
  readonly name: string;
  readonly prompt: string | null;
  readonly ends: boolean;
  /** Whether some run enters it; where not every run was explored: may enter it. `null` where it is not known. */
  readonly entered: boolean | null;
  /** Entries on one run, the budget set aside. If not exact and clear: no run makes more. */
  readonly worstCaseVisits: UpperBound;
}

/** States that can follow one another round and round. */
export interface LoopInspection {
  readonly states: readonly string[];
  /** What ends every run in it: guards, only the budget, or nothing. `null` where it is not known. */
  readonly boundBy: "guards" | "budget" | "nothing" | null;
  readonly guards: readonly (GuardInspection & { readonly state: string })[];
  /** Ways round that no guard ends. */
  readonly unbounded: readonly {
    readonly states: readonly string[];
    readonly run: Trace | null;
    /** False where only the shape of the graph suggests it, or its run passes what could not be read. */
    readonly certain: boolean;
  }[];
}

export interface BudgetInspection {
  readonly maxTotalVisits: number | null;
  readonly maxToolCalls: number | null;
  readonly maxWallTimeSec: number | null;
  /**
   * How `max_total_visits` compares: `too-small` for any complete run, `may-cut` a run short, `holds` a loop that
   * nothing else ends, `never-reached`; `null` where it is not known or not set.
   */
  readonly verdict: "too-small" | "may-cut" | "holds" | "never-reached" | null;
}

export interface ToolUseInspection {
  /** States whose prompt may call tools, or is not known. */
  readonly states: readonly {
    readonly state: string;
    readonly prompt: string | null;
    /** `tool_policy.max_rounds`: of one turn. */
    readonly maxRounds: number | null;
    /** `tool_policy.max_tool_calls_per_turn`. */
    readonly maxCallsPerTurn: number | null;
    /**
     * Rounds on one run that takes one turn per visit: `maxRounds` times the most visits, the budget heeded. If not
     * exact: no such run has more. "unbounded" also where `max_rounds` is not set: the runtime decides then.
     */
    readonly worstCaseRounds: UpperBound;
  }[];
  /** The most that the rounds of all states add up to on one run, as they are counted for each. */
  readonly worstCaseRounds: UpperBound;
}

export interface ArtifactInspection {
  readonly name: string;
  readonly types: readonly string[];
  readonly modes: readonly ("replace" | "append")[];
  readonly declaredBy: readonly string[];
  readonly readBy: readonly { readonly prompt: string; readonly states: readonly string[] }[];
}

export function addBounds(a: UpperBound, b: UpperBound): UpperBound {
  if (a === "unbounded" || b === "unbounded") return "unbounded";
  return a === null || b === null ? null : a + b;
}

/** Each reader of an artifact is listed with all states that run it: small packs can have billions of such pairs. */
const maxReaderPairs = 2_000_000;

/** Pairs of an artifact and a state that reads it, where there are more than JSON can list. */
export function excessiveReaderPairs({ workflow }: Inspection): number | undefined {
  let readers = 0;
  for (const { readBy } of workflow?.artifacts ?? [])
    for (const { states } of readBy) readers += states.length;
  return readers > maxReaderPairs ? readers : undefined;
}
