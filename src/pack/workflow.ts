import {
  asMapping,
  type Entry,
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
  const entry = LocatedString.of(unclear.get(node, "entry"));
  const mayHoldBudget =
    unclear.hasProperty(node, "engine") ||
    (engine !== undefined && unclear.hasProperty(engine, "budget")) ||
    node.entries.some(({ key }) => isPropertyOf("budget", key.text));
  const hasUnclearBudget = (fields: readonly string[]): boolean =>
    mayHoldBudget || (budget !== undefined && fields.some((field) => unclear.hasProperty(budget, field)));
  const hasAllStates = states.length > 0 && !unclear.hasProperty(node, "states");
  const areClear = (...fields: readonly string[]): boolean =>
    hasAllStates && states.every((state) => !state.isUnclear && state.isClear(...fields));
  return {
    spec: sources.spec,
    node,
    at: placeOf(node),
    version: LocatedCount.of(node.get("version")),
    entry,
    /** In file order. None when the section is missing or not an object. */
    states,
    clearStates,
    statesAt: placeOf(section ?? node),
    engine,
    budget: budget && readBudget(budget, unclear),
    /** Whether `states` is clear, and these properties of every state. */
    areClear,
    /** Whether everything that its runs depend on is clear. */
    isClear: areClear(...runFields) && !unclear.hasProperty(node, "entry"),
    /** Whether there may be a budget that ends every run, but misspelled or invalid. */
    hasUnclearBudget: hasUnclearBudget(endingFields),
    /** The same for a budget that bounds the calls of tools. */
    hasUnclearToolBudget: hasUnclearBudget(["max_tool_calls"]),
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
    if (!member.isClear("state") || (member.state !== undefined && state === undefined))
      hasUnknownRoot = true;
    if (state !== undefined) roots.add(state);
  }
  return {
    /** The states in which a run can start: the entry, then those of the agents. */
    roots: [...roots],
    /** Whether `entry` or an agent's `state` names no state, so that a root may be missing. */
    hasUnknownRoot,
  };
}

const newestWorkflowVersion = 2;

export function unknownWorkflowVersion({ version }: Workflow): string | undefined {
  if (version === undefined || version.value <= newestWorkflowVersion) return undefined;
  return `No published specification defines workflow version ${version.value}; the newest is ${newestWorkflowVersion}.`;
}

export type State = Readonly<ReturnType<typeof readState>>;

/** Whether a state that an event of another one enters goes on with its turn, in which no caller binds variables. */
export function isHandover(
  from: Pick<State, "orchestration"> | undefined,
  to: Pick<State, "orchestration">,
): boolean {
  return [from, to].every((state) => state?.orchestration?.text !== "external");
}

function readState(
  { key: name, value }: Entry,
  index: number,
  { spec, prompts, compositions }: WorkflowSources,
  promptsOf: (composition: Composition) => StepPrompts,
  unclear: Unclear,
) {
  const node = asMapping(value);
  const get = (field: string) => unclear.get(node, field);
  const text = (field: string) => LocatedString.of(get(field));
  const isClear = (...fields: readonly string[]): boolean => unclear.isClear(node, ...fields);
  const [orchestration, control] = [text("orchestration"), text("control")];
  const [compositionName, promptTask] = [text("composition"), text("prompt_task")];
  const runsComposition = orchestration?.text === "composition" && !isOlderThan(spec, "1.5.0");
  const composition = runsComposition && compositionName ? compositions.get(compositionName.text) : undefined;
  const prompt = promptTask && !runsComposition ? prompts.get(promptTask.text) : undefined;
  const onEvent = asMapping(get("on_event"));
  return {
    index,
    name,
    /** Absent when the state is not an object. */
    node,
    /** Whether it is not an object, or occurs twice, so that rules skip it. */
    isUnclear: unclear.has(value),
    /** Whether these properties are clear. */
    isClear,
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
    terminal: LocatedBoolean.of(get("terminal")),
    /** Whether it is unknown where the state leads. */
    hasUnreadableEvents:
      node === undefined || unclear.hasProperty(node, "terminal") || unclear.hasProperty(node, "on_event"),
    /** The key `on_event`; absent when its value is unclear. */
    onEvent: onEvent && node?.entry("on_event")?.key,
    transitions: (onEvent?.entries ?? []).map(({ key }): Transition => ({
      event: key,
      target: LocatedString.of(unclear.get(onEvent, key.text)),
    })),
    maxVisits: LocatedCount.of(get("max_visits")),
    onMaxVisits: text("on_max_visits"),
    hasUnreadableGuard:
      node !== undefined &&
      (unclear.hasProperty(node, "max_visits") || unclear.hasProperty(node, "on_max_visits")),
    persistence: text("persistence"),
    orchestration,
    skills: text("skills"),
    /** Whether the names of its artifacts are known. */
    hasAllArtifacts: node !== undefined && !unclear.hasProperty(node, "artifacts"),
    artifacts: (asMapping(get("artifacts"))?.entries ?? []).map((each) => readArtifact(each, unclear)),
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

function readArtifact({ key, value }: Entry, unclear: Unclear) {
  const node = unclear.has(value) ? undefined : asMapping(value);
  return {
    name: key,
    node,
    isClear: unclear.isClear(node, "type", "mode"),
    type: LocatedString.of(unclear.get(node, "type")),
    mode: LocatedString.of(unclear.get(node, "mode")),
  };
}

type StepPrompts = Readonly<ReturnType<typeof stepPrompts>>;

function stepPrompts({ allSteps, hasAllSteps }: Composition, prompts: ReadonlyMap<string, Prompt>) {
  const names = new Set(allSteps.flatMap(({ promptTask }) => promptTask?.text ?? []));
  return {
    /** The prompt of a state, or those of the steps of its composition; states that run one composition share the list. */
    prompts: [...names].flatMap((name) => prompts.get(name) ?? []) as readonly Prompt[],
    /** Whether every prompt that it names exists, and no step may run others: a vendor's may run any. */
    hasAllPrompts:
      hasAllSteps &&
      allSteps.every(({ isClear }) => isClear("prompt_task")) &&
      [...names].every((name) => prompts.has(name)) &&
      !allSteps.some(({ kind }) => kind === "vendor"),
  };
}

export type Budget = Readonly<ReturnType<typeof readBudget>>;

function readBudget(node: MappingNode, unclear: Unclear) {
  const count = (field: string) => LocatedCount.of(unclear.get(node, field));
  return {
    maxTotalVisits: count("max_total_visits"),
    maxToolCalls: count("max_tool_calls"),
    maxWallTimeSec: count("max_wall_time_sec"),
    isEmpty: node.entries.length === 0,
  };
}

const endingFields: readonly string[] = ["max_total_visits", "max_wall_time_sec"];

/** Whether the budget ends every run by itself; `max_tool_calls` bounds only runs that call tools. Undefined if unclear. */
export function endsEveryRun({ budget, hasUnclearBudget }: Workflow): boolean | undefined {
  if (budget?.maxTotalVisits !== undefined || budget?.maxWallTimeSec !== undefined) return true;
  return hasUnclearBudget ? undefined : false;
}

/** The properties of a state that decide how the workflow runs. */
const runFields: readonly string[] = [
  ...["on_event", "terminal", "max_visits", "on_max_visits", "orchestration", "composition"],
];

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
