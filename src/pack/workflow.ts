import type { Place } from "../diagnostic.js";
import {
  asMapping,
  hasDuplicateKeys,
  hasProperty,
  isDuplicated,
  type Key,
  LocatedBoolean,
  LocatedCount,
  LocatedString,
  type MappingNode,
  type Node,
  placeOf,
} from "../document/node.js";
import { isPropertyOf } from "../schema/pack-places.js";
import type { Unclear } from "../schema/unclear.js";
import { getOrCreate } from "../text/collections.js";
import { nearestName } from "../text/names.js";
import type { Agents } from "./agents.js";
import type { Prompt } from "./prompt.js";
import type { Composition } from "../composition/composition.js";
import { isOlderThan, type Spec } from "../schema/spec-version.js";

/** A state machine over prompts (RFC 0005, RFC 0009, RFC 0011). */
export interface Workflow {
  readonly spec: Spec;
  readonly at: Place;
  readonly version: LocatedCount | undefined;
  readonly entry: LocatedString | undefined;
  /** In file order. None when the section is missing or not an object. */
  readonly states: readonly State[];
  /** The states that do not break the schema. */
  readonly clearStates: readonly State[];
  /** Whether neither `states` nor any state in it breaks the schema. */
  readonly hasClearStates: boolean;
  readonly statesAt: Place;
  readonly engine: MappingNode | undefined;
  readonly budget: Budget | undefined;
  /** Whether no state, nor `entry`, `states` or the budget breaks the schema, so that its runs are known. */
  readonly isClear: boolean;
  /** The states in which a run can start: the entry, then those of the agents. */
  readonly roots: readonly State[];
  /** Whether `entry` or an agent's `state` names no state, so that a root may be missing. */
  readonly hasUnknownRoot: boolean;
  readonly stateNamed: (name: string) => State | undefined;
  readonly stateNames: () => Iterable<string>;
  /** Whether no state has this name; never while `states` is unclear or empty. */
  readonly isUnknownState: (name: string) => boolean;
}

export interface State {
  readonly index: number;
  readonly name: Key;
  /** Absent when the state is not an object. */
  readonly node: MappingNode | undefined;
  /** Breaks the schema, so rules skip it. */
  readonly isUnclear: boolean;
  readonly promptTask: LocatedString | undefined;
  /** The prompt it runs; absent when `prompt_task` is missing or names none, and where a composition runs. */
  readonly prompt: Prompt | undefined;
  /** The same, or the prompts of the steps of its composition; states that run one composition share the list. */
  readonly prompts: readonly Prompt[];
  /** Whether every prompt that it names exists, and no step may run others. */
  readonly hasAllPrompts: boolean;
  /** `composition` as written, whether or not the state runs it. */
  readonly compositionName: LocatedString | undefined;
  readonly runsComposition: boolean;
  /** The composition it runs; absent when the name is missing or names none. */
  readonly composition: Composition | undefined;
  readonly control: LocatedString | undefined;
  /** Whether the agent that enters it keeps the turn, and drives it on (RFC 0014). */
  readonly keepsTurn: boolean;
  readonly terminal: LocatedBoolean | undefined;
  /** The key `on_event`; absent when its value is not an object. */
  readonly onEvent: Key | undefined;
  readonly transitions: readonly Transition[];
  readonly maxVisits: LocatedCount | undefined;
  readonly onMaxVisits: LocatedString | undefined;
  /** Whether `terminal` or `on_event` is invalid or ambiguous, so that it is unknown where the state leads. */
  readonly hasUnreadableEvents: boolean;
  /** Whether `max_visits` or `on_max_visits` is present but invalid. */
  readonly hasUnreadableGuard: boolean;
  readonly persistence: LocatedString | undefined;
  readonly orchestration: LocatedString | undefined;
  readonly skills: LocatedString | undefined;
  readonly artifacts: readonly Artifact[];
}

/** Whether it is known where the state leads and how often it can be entered. */
export function isReadable({ hasUnreadableEvents, hasUnreadableGuard }: State): boolean {
  return !hasUnreadableEvents && !hasUnreadableGuard;
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
const endingFields: readonly string[] = ["max_total_visits", "max_wall_time_sec"];

/** A key of `engine` that is a field of the budget, or `budget` misspelled. */
interface StrayBudget {
  readonly key: Key;
  readonly kind: "field" | "misspelt";
}

export function strayBudgets(engine: MappingNode | undefined): readonly StrayBudget[] {
  const budget = engine?.get("budget");
  if (engine === undefined || (budget !== undefined && budget.kind !== "mapping")) return [];
  return engine.entries.flatMap(({ key }): readonly StrayBudget[] => {
    if (key.text === "budget") return [];
    if (isPropertyOf("budget", key.text)) return [{ key, kind: "field" }];
    return nearestName(key.text, ["budget"]) === undefined ? [] : [{ key, kind: "misspelt" }];
  });
}

interface WorkflowSources {
  readonly spec: Spec;
  readonly prompts: ReadonlyMap<string, Prompt>;
  readonly compositions: ReadonlyMap<string, Composition>;
  readonly agents: Agents;
}

interface StateSources extends Omit<WorkflowSources, "agents"> {
  readonly promptsOf: (composition: Composition) => StepPrompts;
}

type StepPrompts = Pick<State, "prompts" | "hasAllPrompts">;

export function readWorkflow(
  node: MappingNode,
  { spec, prompts, compositions, agents }: WorkflowSources,
  unclear: Unclear,
): Workflow {
  const section = asMapping(node.get("states"));
  // Thousands of states may run one composition of thousands of steps.
  const known = new Map<Composition, StepPrompts>();
  const promptsOf = (composition: Composition): StepPrompts =>
    getOrCreate(known, composition, () => stepPrompts(composition, prompts));
  const states = (section?.entries ?? []).map(({ key, value }, index) =>
    readState(key, value, index, { spec, prompts, compositions, promptsOf }, unclear),
  );
  const clearStates = states.filter(({ isUnclear }) => !isUnclear);
  const byName = new Map(states.map((state) => [state.name.text, state]));
  const engine = asMapping(node.get("engine"));
  const budget = asMapping(engine?.get("budget"));
  const entry = LocatedString.of(node.get("entry"));
  const hasAllStates = states.length > 0 && !unclear.hasProperty(node, "states");
  const hasClearStates = hasAllStates && clearStates.length === states.length;
  return {
    spec,
    at: placeOf(node),
    version: LocatedCount.of(node.get("version")),
    entry,
    states,
    clearStates,
    statesAt: placeOf(section ?? node),
    engine,
    budget: readBudget(budget),
    hasClearStates,
    isClear:
      hasClearStates &&
      !unclear.hasProperty(node, "entry") &&
      !unclear.hasProperty(node, "engine") &&
      (budget === undefined || !endingFields.some((name) => unclear.hasProperty(budget, name))),
    stateNamed: (name) => byName.get(name),
    stateNames: () => byName.keys(),
    isUnknownState: (name) => hasAllStates && !byName.has(name),
    ...findRoots(entry, agents, byName),
  };
}

function readState(
  name: Key,
  value: Node,
  index: number,
  { spec, prompts, compositions, promptsOf }: StateSources,
  unclear: Unclear,
): State {
  const node = asMapping(value);
  const orchestration = LocatedString.of(node?.get("orchestration"));
  const control = LocatedString.of(node?.get("control"));
  const runsComposition = orchestration?.text === "composition" && !isOlderThan(spec, "1.5.0");
  const compositionName = LocatedString.of(node?.get("composition"));
  const composition = runsComposition && compositionName ? compositions.get(compositionName.text) : undefined;
  const promptTask = LocatedString.of(node?.get("prompt_task"));
  const prompt = promptTask && !runsComposition ? prompts.get(promptTask.text) : undefined;
  const terminal = LocatedBoolean.of(node?.get("terminal"));
  const maxVisits = LocatedCount.of(node?.get("max_visits"));
  const onMaxVisits = LocatedString.of(node?.get("on_max_visits"));
  const events = node?.entry("on_event");
  const transitions = asMapping(events?.value)?.entries;
  return {
    index,
    name,
    node,
    isUnclear: unclear.has(value),
    promptTask,
    prompt,
    ...(composition === undefined ? ownPrompt(prompt) : promptsOf(composition)),
    compositionName,
    runsComposition,
    composition,
    control,
    keepsTurn: control?.text === "agent" && isDrivenByAgent(orchestration) && !isOlderThan(spec, "1.7.0"),
    terminal,
    hasUnreadableEvents:
      node === undefined ||
      isDuplicated(value) ||
      hasDuplicateKeys(node) ||
      (terminal === undefined && hasProperty(node, "terminal")) ||
      (transitions === undefined && events !== undefined),
    onEvent: transitions && events?.key,
    transitions: (transitions ?? []).map(({ key, value: target }): Transition => ({
      event: key,
      target: LocatedString.of(target),
    })),
    maxVisits,
    onMaxVisits,
    hasUnreadableGuard:
      (maxVisits === undefined && hasProperty(node, "max_visits")) ||
      (onMaxVisits === undefined && hasProperty(node, "on_max_visits")),
    persistence: LocatedString.of(node?.get("persistence")),
    orchestration,
    skills: LocatedString.of(node?.get("skills")),
    artifacts: readArtifacts(asMapping(node?.get("artifacts"))),
  };
}

function isDrivenByAgent(orchestration: LocatedString | undefined): boolean {
  return orchestration === undefined || ["internal", "hybrid"].includes(orchestration.text);
}

function ownPrompt(prompt: Prompt | undefined): StepPrompts {
  return { prompts: prompt === undefined ? [] : [prompt], hasAllPrompts: prompt !== undefined };
}

function stepPrompts({ allSteps, isClear }: Composition, prompts: ReadonlyMap<string, Prompt>): StepPrompts {
  const names = new Set(allSteps.flatMap(({ promptTask }) => promptTask?.text ?? []));
  return {
    prompts: [...names].flatMap((name) => prompts.get(name) ?? []),
    // A vendor's step may run any prompt.
    hasAllPrompts:
      isClear &&
      [...names].every((name) => prompts.has(name)) &&
      !allSteps.some(({ kind }) => kind === "vendor"),
  };
}

function readArtifacts(node: MappingNode | undefined): readonly Artifact[] {
  return (node?.entries ?? []).map(({ key, value }) => {
    const artifact = asMapping(value);
    return {
      name: key,
      node: artifact,
      type: LocatedString.of(artifact?.get("type")),
      mode: LocatedString.of(artifact?.get("mode")),
    };
  });
}

function readBudget(node: MappingNode | undefined): Budget | undefined {
  if (node === undefined) return undefined;
  return {
    maxTotalVisits: LocatedCount.of(node.get("max_total_visits")),
    maxToolCalls: LocatedCount.of(node.get("max_tool_calls")),
    maxWallTimeSec: LocatedCount.of(node.get("max_wall_time_sec")),
    isEmpty: node.entries.length === 0,
  };
}

function findRoots(
  entry: LocatedString | undefined,
  agents: Agents,
  states: ReadonlyMap<string, State>,
): { roots: readonly State[]; hasUnknownRoot: boolean } {
  const entryState = entry && states.get(entry.text);
  let hasUnknownRoot = entryState === undefined || !agents.hasAllMembers;
  const roots = new Set(entryState === undefined ? [] : [entryState]);
  for (const member of agents.members) {
    const state = member.state && states.get(member.state.text);
    if (member.isUnclear || (member.state !== undefined && state === undefined)) hasUnknownRoot = true;
    if (state !== undefined) roots.add(state);
  }
  return { roots: [...roots], hasUnknownRoot };
}
