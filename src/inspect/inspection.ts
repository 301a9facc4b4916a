import type { BranchOutcome, Trace } from "../diagnostic.js";

/** Plain data, which `inspect --format json` prints as it is. */
export interface Inspection {
  readonly schemaVersion: 1;
  readonly file: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly specVersion: string;
  /** The version in `$schema`, if it is not a known one. */
  readonly unknownSpecVersion: string | null;
  readonly prompts: readonly string[];
  readonly tools: readonly string[];
  readonly fragments: readonly string[];
  /** The ids of the pack's own evals, then those of its prompts. */
  readonly evals: readonly string[];
  /** Paths, package references, and the names of inline skills. */
  readonly skills: readonly string[];
  readonly agents: readonly {
    readonly name: string;
    readonly state: string | null;
    readonly entry: boolean;
  }[];
  /** The models that the pack requires. */
  readonly providers: readonly { readonly key: string; readonly role: string; readonly optional: boolean }[];
  readonly compositions: readonly CompositionInspection[];
  /** `null` if the pack has no workflow with states. */
  readonly workflow: WorkflowInspection | null;
}

export interface CompositionInspection {
  readonly name: string;
  /** Whether it conforms to the schema. If not, dependent values are `null`. */
  readonly clear: boolean;
  /** Whether every outcome of its branches was tried. If not, a step that "runs" or is a result only may. */
  readonly exact: boolean;
  /** The states that run it. */
  readonly states: readonly string[];
  readonly steps: readonly StepInspection[];
  /** The step that `output` names. */
  readonly output: string | null;
  /** The steps whose output some outcome ends with. */
  readonly results: readonly string[] | null;
  /** Answers that leave it without a result, so that it fails; `null` if there are none, or none is known. */
  readonly withoutResult: readonly BranchOutcome[] | null;
}

export interface StepInspection {
  readonly id: string;
  readonly kind: string;
  readonly prompt: string | null;
  readonly tool: string | null;
  /** The tools that an agent step lists. */
  readonly tools: readonly string[] | null;
  readonly provider: string | null;
  readonly dependsOn: readonly string[];
  /** The predicate of a branch, in words. */
  readonly predicate: string | null;
  readonly then: string | null;
  readonly else: string | null;
  /** The steps inside a `parallel` one. */
  readonly branches: readonly StepInspection[];
  readonly reduce: { readonly strategy: string; readonly into: string } | null;
  /** Whether some outcome of the branches runs it. */
  readonly runs: boolean | null;
}

/** `null` if unknown. */
export type UpperBound = number | "unbounded" | null;

export interface WorkflowInspection {
  readonly version: number | null;
  /** Whether every run was explored. If not, `null` and uncertain values below are unknown. */
  readonly exact: boolean;
  /** Whether everything that runs depend on is valid and every name is defined. If not, dependent values are `null`. */
  readonly clear: boolean;
  /** The workflow's own entry, whose agent is `null`, then the entry of each agent. */
  readonly entries: readonly { readonly state: string; readonly agent: string | null }[];
  /** The states that end a run, including those that no run enters. */
  readonly ends: readonly string[];
  readonly states: readonly StateInspection[];
  readonly loops: readonly LoopInspection[];
  /** Visits of all states in one run, ignoring the budget; an upper bound if not exact. */
  readonly worstCaseVisits: UpperBound;
  readonly shortestComplete: { readonly visits: number; readonly run: Trace | null } | null;
  readonly budget: BudgetInspection | null;
  readonly toolUse: ToolUseInspection;
  readonly artifacts: readonly ArtifactInspection[];
}

export interface GuardInspection {
  readonly maxVisits: number | null;
  readonly onMaxVisits: string | null;
  /** Whether the state conforms to the schema. */
  readonly guardClear: boolean;
}

export interface StateInspection extends GuardInspection {
  readonly name: string;
  readonly prompt: string | null;
  /** The composition that it runs instead of a prompt. */
  readonly composition: string | null;
  readonly ends: boolean;
  readonly orchestration: string | null;
  readonly persistence: string | null;
  /** Whether some run enters it, or may enter it if not every run was explored. `null` if unknown. */
  readonly entered: boolean | null;
  /** Visits in one run, ignoring the budget; an upper bound unless exact and clear. */
  readonly worstCaseVisits: UpperBound;
}

/** States that a run can repeat. */
export interface LoopInspection {
  readonly states: readonly string[];
  /** The limit that ends every run in it. `null` if unknown. */
  readonly boundBy: "guards" | "budget" | "nothing" | null;
  readonly guards: readonly (GuardInspection & { readonly state: string })[];
  /** Loops within it that no guard ends. */
  readonly unbounded: readonly {
    readonly states: readonly string[];
    readonly run: Trace | null;
    /** False if it is inferred from the graph alone, or its run passes an unclear state. */
    readonly certain: boolean;
  }[];
}

export interface BudgetInspection {
  readonly maxTotalVisits: number | null;
  readonly maxToolCalls: number | null;
  readonly maxWallTimeSec: number | null;
  /**
   * `max_total_visits` is `too-small` for any complete run, `may-cut` a run short, `holds` a loop that nothing else
   * ends, or is `never-reached`; `null` if unknown or not set.
   */
  readonly verdict: "too-small" | "may-cut" | "holds" | "never-reached" | null;
}

export interface ToolUseInspection {
  /** States whose prompt or composition may call tools, or is unknown. */
  readonly states: readonly {
    readonly state: string;
    readonly prompt: string | null;
    readonly composition: string | null;
    /** `tool_policy.max_rounds`, per turn; of a composition, `max_steps` of all its agent steps. */
    readonly maxRounds: number | null;
    readonly maxCallsPerTurn: number | null;
    /**
     * Rounds in one run with one turn per visit: `maxRounds` times the most visits within the budget; an upper bound if
     * not exact. Also "unbounded" if `maxRounds` is not set, which leaves the limit to the runtime.
     */
    readonly worstCaseRounds: UpperBound;
  }[];
  /** The most rounds of all states in one run. */
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

/** JSON lists every reader of an artifact with all its states, which can be billions of pairs in a small pack. */
const maxReaderPairs = 2_000_000;

/** The number of pairs of an artifact and a state that reads it, if too large for JSON. */
export function excessiveReaderPairs({ workflow }: Inspection): number | undefined {
  const readers = (workflow?.artifacts ?? []).flatMap(({ readBy }) => readBy);
  const pairs = readers.reduce((sum, { states }) => sum + states.length, 0);
  return pairs > maxReaderPairs ? pairs : undefined;
}
