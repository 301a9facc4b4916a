import { type Key, type MappingNode, type Node, placeOf } from "../document/node.js";
import { asMapping, LocatedString, LocatedBoolean, LocatedCount } from "../document/spelled-values.js";
import type { Unclear } from "../schema/unclear.js";
import type { Agents } from "./agents.js";
import type { Prompt } from "./prompt.js";
import type { Spec } from "./spec.js";
import { type Artifact, type Budget, endingFields, type State, type Transition, type Workflow } from "./workflow.js";

export function readWorkflow(
  node: MappingNode,
  spec: Spec,
  prompts: ReadonlyMap<string, Prompt>,
  agents: Agents,
  unclear: Unclear,
): Workflow {
  const section = asMapping(node.get("states"));
  const states = (section?.entries ?? []).map(({ key, value }, index) =>
    readState(key, value, index, prompts, unclear),
  );
  const clearStates = states.filter(({ isUnclear }) => !isUnclear);
  const byName = new Map(states.map((state) => [state.name.text, state]));
  const engine = asMapping(node.get("engine"));
  const budget = asMapping(engine?.get("budget"));
  const entry = LocatedString.of(node.get("entry"));
  const hasAllStates = states.length > 0 && !unclear.hasProperty(node, "states");
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
    isClear:
      hasAllStates &&
      clearStates.length === states.length &&
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
  prompts: ReadonlyMap<string, Prompt>,
  unclear: Unclear,
): State {
  const node = asMapping(value);
  const promptTask = LocatedString.of(node?.get("prompt_task"));
  const events = node?.entry("on_event");
  const transitions = asMapping(events?.value)?.entries;
  return {
    index,
    name,
    node,
    isUnclear: unclear.has(value),
    promptTask,
    prompt: promptTask && prompts.get(promptTask.text),
    terminal: LocatedBoolean.of(node?.get("terminal")),
    onEvent: transitions && events?.key,
    transitions: (transitions ?? []).map(
      ({ key, value: target }): Transition => ({ event: key, target: LocatedString.of(target) }),
    ),
    maxVisits: LocatedCount.of(node?.get("max_visits")),
    onMaxVisits: LocatedString.of(node?.get("on_max_visits")),
    persistence: LocatedString.of(node?.get("persistence")),
    orchestration: LocatedString.of(node?.get("orchestration")),
    skills: LocatedString.of(node?.get("skills")),
    artifacts: readArtifacts(asMapping(node?.get("artifacts"))),
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
