import {
  type Entry,
  hasDoubledKeys,
  isDoubled,
  type Key,
  type MappingNode,
  type Node,
  placeOf,
} from "../document/node.js";
import type { Agents } from "./agents.js";
import type { Prompt } from "./prompt.js";
import { isUnclearBudget, readBudget } from "./read-budget.js";
import type { Spec } from "./spec.js";
import { indented } from "../meant/indented.js";
import { mayLeadOn } from "../meant/leads-on.js";
import { meantState, strayProperties } from "../meant/meant-state.js";
import { marksEnd } from "../meant/says-end.js";
import { fields, spelled, spelledMapping, unlessEmpty } from "../meant/spelled.js";
import { hasLostNames } from "../meant/starts-over.js";
import { mayEndRuns, misplacedBudgets } from "../meant/stray-budget.js";
import { holdsLooseState, withStrays } from "../meant/strays.js";
import { guesser } from "../words/nearest-name.js";
import { asMapping, Text, Truth, Whole } from "../document/spelled-values.js";
import {
  type Artifact,
  endsEveryRun,
  type State,
  type Transition,
  type UnclearPart,
  type Workflow,
} from "./workflow.js";

export function readWorkflow(
  written: MappingNode,
  spec: Spec,
  prompts: ReadonlyMap<string, Prompt>,
  agents: Agents,
): Workflow {
  const node = spelled(written, fields.workflow);
  const section = node.get("states");
  const statesNode =
    section?.kind === "mapping" && !isDoubled(section)
      ? unlessEmpty(
          withStrays(indented(section, "state"), "state", [
            [written, fields.workflow],
            [written.parent, fields.pack],
          ]),
        )
      : undefined;
  const isState = (name: string) => statesNode?.entry(name) !== undefined;
  const around = { section, isState, prompts };
  const entries = statesNode?.entries ?? [];
  const states = entries.map(({ key, value }, index) => readState(key, value, index, around));
  const lacksName = hasLostNames(statesNode);
  const guess = guesser();
  const byName = new Map(states.map((state) => [state.name.text, state]));
  const engine = asMapping(node.get("engine"));
  const budget = readBudget(asMapping(engine?.get("budget")));
  const misplaced = misplacedBudgets(written);
  const entry = Text.of(node.get("entry"));
  return {
    spec,
    at: placeOf(written),
    version: Whole.of(node.get("version")),
    entry,
    states,
    statesAt: placeOf(statesNode ?? node),
    engine,
    budget,
    budgetIsUnclear:
      !endsEveryRun(budget) && (isUnclearBudget(node.get("engine")) || misplaced.some(mayEndRuns)),
    budgetIsMisplaced: misplaced.length > 0,
    stateNamed: (name) => byName.get(name),
    stateNames: () => byName.keys(),
    isUnknown: (name) =>
      byName.size > 0 && !byName.has(name) && (!lacksName || guess(name, byName.keys()) !== undefined),
    ...findRoots(entry, agents, byName),
  };
}

interface Around {
  readonly section: Node | undefined;
  readonly isState: (name: string) => boolean;
  readonly prompts: ReadonlyMap<string, Prompt>;
}

function readState(name: Key, value: Node, index: number, { section, isState, prompts }: Around): State {
  const written = asMapping(value);
  const state = written && spelled(written, fields.state);
  const node = state && meantState(state);
  // The section may be a copy, from which was taken what does not belong there.
  const isAtHome = value.parent?.start === section?.start;
  const isWhole = value === name.value && node?.entries.every((entry) => entry.value.parent === written);
  const promptTask = Text.of(node?.get("prompt_task"));
  const read = {
    terminal: Truth.of(node?.get("terminal")),
    ...readEvents(node),
    maxVisits: Whole.of(node?.get("max_visits")),
    onMaxVisits: Text.of(node?.get("on_max_visits")),
  };
  const isTwice = isDoubled(value) || hasDoubledKeys(written) || (!isAtHome && isAmidDoubled(value));
  const unclear = unclearParts(node, read, isTwice);
  const isOther = (other: string) => other !== name.text && isState(other);
  const isSilent = read.transitions.length === 0 && read.terminal?.value !== true;
  if (isSilent && node !== undefined && mayLeadOn(node, isOther)) unclear.add("on_event");
  if (state !== undefined && holdsLooseState(state)) unclear.add("on_event");
  return {
    index,
    name,
    node: value === name.value ? written : undefined,
    isBlank: written === undefined || written.entries.length === 0,
    editable: isAtHome && isWhole === true ? written : undefined,
    promptTask,
    prompt: promptTask && !isDoubled(promptTask.node) ? prompts.get(promptTask.text) : undefined,
    notEvents: state === undefined ? [] : strayProperties(state).map(transitionOf),
    persistence: Text.of(node?.get("persistence")),
    orchestration: Text.of(node?.get("orchestration")),
    skills: Text.of(node?.get("skills")),
    artifacts: readArtifacts(asMapping(node?.get("artifacts"))),
    unclear,
    ...read,
  };
}

function readEvents(state: MappingNode | undefined): Pick<State, "onEvent" | "transitions"> {
  const entry = state?.entry("on_event");
  if (entry?.value.kind !== "mapping") return { onEvent: undefined, transitions: [] };
  return { onEvent: entry.key, transitions: entry.value.entries.map(transitionOf) };
}

function transitionOf({ key, value }: Entry): Transition {
  return { event: key, target: Text.of(value) };
}

/** A part that is written but could not be read, or is written twice; others report it, the graph must not guess. */
function unclearParts(
  node: MappingNode | undefined,
  read: Pick<State, "terminal" | "onEvent" | "transitions" | "maxVisits" | "onMaxVisits">,
  isTwice: boolean,
): Set<UnclearPart> {
  const unclear = new Set<UnclearPart>();
  if (node === undefined || isTwice) unclear.add("state");
  if (node === undefined) return unclear;
  if (read.terminal === undefined ? marksEnd(node) : isDoubled(node.get("terminal"))) unclear.add("terminal");
  const isLost = read.onEvent === undefined && node.get("on_event") !== undefined;
  if (isLost || read.transitions.some(({ event }) => event.isDoubled)) unclear.add("on_event");
  if (read.maxVisits === undefined && node.get("max_visits") !== undefined) unclear.add("max_visits");
  if (read.onMaxVisits === undefined && node.get("on_max_visits") !== undefined) unclear.add("on_max_visits");
  return unclear;
}

/** Whether what stands twice around a state in the wrong place may be its own. */
function isAmidDoubled({ parent }: Node): boolean {
  return parent?.kind === "mapping" && [...fields.state].some((name) => isDoubled(parent.get(name)));
}

function readArtifacts(node: MappingNode | undefined): readonly Artifact[] {
  const things = indented(node, "artifact") ?? node;
  return (things?.entries ?? []).map(({ key, value }) => {
    const artifact = spelledMapping(value, fields.artifact);
    return {
      name: key,
      node: artifact,
      type: Text.of(artifact?.get("type")),
      mode: Text.of(artifact?.get("mode")),
    };
  });
}

function findRoots(
  entry: Text | undefined,
  agents: Agents,
  states: ReadonlyMap<string, State>,
): { roots: readonly State[]; rootDangles: boolean } {
  const entryState = entry === undefined ? undefined : states.get(entry.text);
  let rootDangles = entryState === undefined || isDoubled(entry?.node) || !agents.hasAllMembers;
  const roots = new Set(entryState === undefined ? [] : [entryState]);
  for (const member of agents.members) {
    const state = member.state && states.get(member.state.text);
    if (member.stateUnclear || (member.state !== undefined && state === undefined)) rootDangles = true;
    else if (state !== undefined) roots.add(state);
  }
  return { roots: [...roots], rootDangles };
}
