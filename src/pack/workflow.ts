import {
  asMapping,
  type Entry,
  hasDuplicateKeys,
  hasProperty,
  isDuplicated,
  type Key,
  LocatedBoolean,
  LocatedCount,
  LocatedString,
  type MappingNode,
  placeOf,
} from "../document/node.js";
import { isPropertyOf } from "../schema/pack-places.js";
import type { Unclear } from "../schema/unclear.js";
import { cached } from "../text/collections.js";
import { nearestName } from "../text/names.js";
import type { Agents } from "./agents.js";
import type { Prompt } from "./prompt.js";
import type { Composition } from "../composition/composition.js";
import { isOlderThan, type Spec } from "../schema/spec-version.js";

interface WorkflowSources {
  readonly spec: Spec;
  readonly prompts: ReadonlyMap<string, Prompt>;
  readonly compositions: ReadonlyMap<string, Composition>;
  readonly agents: Agents;
}

/** A state machine over prompts (RFC 0005, RFC 0009, RFC 0011). */
export type Workflow = Readonly<ReturnType<typeof readWorkflow>>;

export function readWorkflow(node: MappingNode, sources: WorkflowSources, unclear: Unclear) {
  const section = asMapping(node.get("states"));
  // Thousands of states may run one composition of thousands of steps.
  const promptsOf = cached((composition: Composition) => stepPrompts(composition, sources.prompts));
  const states: readonly State[] = (section?.entries ?? []).map((entry, index) =>
    readState(entry, index, sources, promptsOf, unclear),
  );
  const clearStates = states.filter(({ isUnclear }) => !isUnclear);
  const byName = new Map(states.map((state) => [state.name.text, state]));
  const engine = asMapping(node.get("engine"));
  const budget = asMapping(engine?.get("budget"));
  const entry = LocatedString.of(node.get("entry"));
  const hasAllStates = states.length > 0 && !unclear.hasProperty(node, "states");
  const hasClearStates = hasAllStates && clearStates.length === states.length;
  return {
    spec: sources.spec,
    at: placeOf(node),
    version: LocatedCount.of(node.get("version")),
    entry,
    /** In file order. None when the section is missing or not an object. */
    states,
    clearStates,
    statesAt: placeOf(section ?? node),
    engine,
    budget: budget && readBudget(budget),
    /** Whether neither `states` nor any state in it breaks the schema. */
    hasClearStates,
    /** Whether no state, nor `entry`, `states` or the budget breaks the schema, so that its runs are known. */
    isClear:
      hasClearStates &&
      !unclear.hasProperty(node, "entry") &&
      !unclear.hasProperty(node, "engine") &&
      (budget === undefined || !endingFields.some((name) => unclear.hasProperty(budget, name))),
    stateNamed: (name: string) => byName.get(name),
    stateNames: () => byName.keys(),
    isUnknownState: (name: string) => hasAllStates && !byName.has(name),
    ...findRoots(entry, sources.agents, byName),
  };
}

function findRoots(entry: LocatedString | undefined, agents: Agents, states: ReadonlyMap<string, State>) {
  const entryState = entry && states.get(entry.text);
  let hasUnknownRoot = entryState === undefined || !agents.hasAllMembers;
  const roots = new Set(entryState === undefined ? [] : [entryState]);
  for (const member of agents.members) {
    const state = member.state && states.get(member.state.text);
    if (member.isUnclear || (member.state !== undefined && state === undefined)) hasUnknownRoot = true;
    if (state !== undefined) roots.add(state);
  }
  return {
    /** The states in which a run can start: the entry, then those of the agents. */
    roots: [...roots],
    /** Whether `entry` or an agent's `state` names no state, so that a root may be missing. */
    hasUnknownRoot,
  };
}

export type State = Readonly<ReturnType<typeof readState>>;

function readState(
  { key: name, value }: Entry,
  index: number,
  { spec, prompts, compositions }: WorkflowSources,
  promptsOf: (composition: Composition) => StepPrompts,
  unclear: Unclear,
) {
  const node = asMapping(value);
  const text = (field: string) => LocatedString.of(node?.get(field));
  const [orchestration, control] = [text("orchestration"), text("control")];
  const [compositionName, promptTask] = [text("composition"), text("prompt_task")];
  const onMaxVisits = text("on_max_visits");
  const runsComposition = orchestration?.text === "composition" && !isOlderThan(spec, "1.5.0");
  const composition = runsComposition && compositionName ? compositions.get(compositionName.text) : undefined;
  const prompt = promptTask && !runsComposition ? prompts.get(promptTask.text) : undefined;
  const terminal = LocatedBoolean.of(node?.get("terminal"));
  const maxVisits = LocatedCount.of(node?.get("max_visits"));
  const events = node?.entry("on_event");
  const transitions = asMapping(events?.value)?.entries;
  return {
    index,
    name,
    /** Absent when the state is not an object. */
    node,
    /** Breaks the schema, so rules skip it. */
    isUnclear: unclear.has(value),
    promptTask,
    /** The prompt it runs; absent when `prompt_task` is missing or names none, and where a composition runs. */
    prompt,
    ...(composition === undefined
      ? { prompts: prompt === undefined ? [] : [prompt], hasAllPrompts: prompt !== undefined }
      : promptsOf(composition)),
    /** `composition` as written, whether or not the state runs it. */
    compositionName,
    runsComposition,
    /** The composition it runs; absent when the name is missing or names none. */
    composition,
    control,
    /** Whether the agent that enters it keeps the turn, and drives it on (RFC 0014). */
    keepsTurn:
      control?.text === "agent" &&
      ["internal", "hybrid"].includes(orchestration?.text ?? "internal") &&
      !isOlderThan(spec, "1.7.0"),
    terminal,
    /** Whether `terminal` or `on_event` is invalid or ambiguous, so that it is unknown where the state leads. */
    hasUnreadableEvents:
      node === undefined ||
      isDuplicated(value) ||
      hasDuplicateKeys(node) ||
      (terminal === undefined && hasProperty(node, "terminal")) ||
      (transitions === undefined && events !== undefined),
    /** The key `on_event`; absent when its value is not an object. */
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
    persistence: text("persistence"),
    orchestration,
    skills: text("skills"),
    artifacts: (asMapping(node?.get("artifacts"))?.entries ?? []).map(readArtifact),
  };
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

export type Artifact = Readonly<ReturnType<typeof readArtifact>>;

function readArtifact({ key, value }: Entry) {
  const node = asMapping(value);
  return {
    name: key,
    node,
    type: LocatedString.of(node?.get("type")),
    mode: LocatedString.of(node?.get("mode")),
  };
}

type StepPrompts = Readonly<ReturnType<typeof stepPrompts>>;

function stepPrompts({ allSteps, isClear }: Composition, prompts: ReadonlyMap<string, Prompt>) {
  const names = new Set(allSteps.flatMap(({ promptTask }) => promptTask?.text ?? []));
  return {
    /** The prompt of a state, or those of the steps of its composition; states that run one composition share the list. */
    prompts: [...names].flatMap((name) => prompts.get(name) ?? []) as readonly Prompt[],
    /** Whether every prompt that it names exists, and no step may run others: a vendor's may run any. */
    hasAllPrompts:
      isClear &&
      [...names].every((name) => prompts.has(name)) &&
      !allSteps.some(({ kind }) => kind === "vendor"),
  };
}

export type Budget = Readonly<ReturnType<typeof readBudget>>;

function readBudget(node: MappingNode) {
  return {
    maxTotalVisits: LocatedCount.of(node.get("max_total_visits")),
    maxToolCalls: LocatedCount.of(node.get("max_tool_calls")),
    maxWallTimeSec: LocatedCount.of(node.get("max_wall_time_sec")),
    isEmpty: node.entries.length === 0,
  };
}

/** Whether the budget ends every run by itself; `max_tool_calls` bounds only runs that call tools. */
export function endsEveryRun(budget: Budget | undefined): boolean {
  return budget?.maxTotalVisits !== undefined || budget?.maxWallTimeSec !== undefined;
}

const endingFields: readonly string[] = ["max_total_visits", "max_wall_time_sec"];

/** The keys of `engine` that are fields of the budget, or `budget` misspelled. */
export function strayBudgets(engine: MappingNode | undefined) {
  const budget = engine?.get("budget");
  if (engine === undefined || (budget !== undefined && budget.kind !== "mapping")) return [];
  return engine.entries.flatMap(({ key }) => {
    if (key.text === "budget") return [];
    const isField = isPropertyOf("budget", key.text);
    return isField || nearestName(key.text, ["budget"]) !== undefined ? [{ key, isField }] : [];
  });
}
