import type { Composition } from "../composition/composition.js";
import type { ArtifactWrite } from "../machine/artifact-values.js";
import { artifactNames, DANGLING } from "../machine/machine.js";
import type { RunState } from "../machine/run.js";
import type { Pack } from "../pack/pack.js";
import type { State, Workflow } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { didYouMean } from "../text/names.js";
import { BadInput, listNames, listNamesOf } from "../text/wording.js";
import type { Assignment, BranchAnswer, ScriptedEvent } from "./event-list.js";
import type { Simulation, SimulationSetting } from "./simulation.js";

/** The values of `--set` and `--answer`, each list used up one after another. */
export class Queued {
  readonly values: ReadonlyMap<string, string[]>;
  readonly answers: ReadonlyMap<string, boolean[]>;

  constructor(values: readonly Assignment[], answers: readonly BranchAnswer[], setting: SimulationSetting) {
    const compositions = new Set(setting.workflow.states.flatMap(({ composition }) => composition ?? []));
    const branches = new Set([...compositions].flatMap(branchNames));
    this.values = queuesOf(values, artifactNames(setting.machine), "No state declares the artifact");
    this.answers = queuesOf(answers, [...branches], "No state runs a composition with the branch");
  }

  /** Each state that declares an artifact writes its next value, unless it is assigned explicitly. */
  writeTo(simulation: Simulation): void {
    const assigned = new Set(simulation.turn.artifacts.map(({ name }) => name));
    for (const [name, values] of this.values) {
      if (!simulation.declaredArtifacts.has(name) || assigned.has(name)) continue;
      const value = values.shift();
      if (value !== undefined) simulation.setArtifact(name, value);
    }
  }

  answerIn(simulation: Simulation, otherwise: () => boolean | undefined = () => undefined): void {
    simulation.answerOthers((branch) => this.answers.get(branch)?.shift() ?? otherwise());
  }
}

function queuesOf<Value>(
  given: readonly Assignment<Value>[],
  known: readonly string[],
  fault: string,
): ReadonlyMap<string, Value[]> {
  const queues = new Map<string, Value[]>();
  for (const { name, value } of given) {
    if (!known.includes(name)) throw new BadInput(`${fault} "${name}".${availableNames(name, known)}`);
    appendTo(queues, name, value);
  }
  return queues;
}

export function namesLeft(queues: ReadonlyMap<string, readonly unknown[]>): readonly string[] {
  return [...queues].flatMap(([name, values]) => (values.length > 0 ? name : []));
}

/** Fires the events in order until the run ends, and returns how many were fired. */
export function fireEvents(simulation: Simulation, events: readonly ScriptedEvent[], queued: Queued): number {
  for (const [position, { event, assignments, spending, answers }] of events.entries()) {
    if (!simulation.isAlive) return position;
    const check = (fault: string | undefined): void => {
      if (fault !== undefined) throw new BadInput(`Event ${position + 1}: ${fault}`);
    };
    const number = simulation.eventsByName.get(event) ?? DANGLING;
    check(number === DANGLING ? unknownEventMessage(simulation, event) : undefined);
    check(undeclaredArtifact(simulation, assignments));
    for (const { name, value } of assignments) simulation.setArtifact(name, value);
    queued.writeTo(simulation);
    for (const spent of spending) simulation.spend(spent);
    for (const { name, value } of answers) simulation.turn.answers.set(name, value);
    queued.answerIn(simulation);
    for (const answer of answers) check(refusedAnswer(simulation, answer));
    simulation.fire(number);
  }
  return events.length;
}

export function fireRandomEvents(
  simulation: Simulation,
  most: number,
  random: SeededRandom,
  queued: Queued,
): void {
  const toss = (): boolean => random.below(2) === 0;
  for (let fired = 0; fired < most && simulation.status === "running"; fired++) {
    const event = simulation.events[random.below(simulation.events.length)];
    if (event === undefined) return;
    queued.writeTo(simulation);
    queued.answerIn(simulation, toss);
    simulation.fire(event);
  }
  queued.answerIn(simulation, toss);
}

/** Why a branch of the current state cannot be answered like this; undefined if it can. */
function refusedAnswer(
  { walk, current }: Simulation,
  { name, value: isYes }: BranchAnswer,
): string | undefined {
  if (walk === undefined)
    return `State "${current.name}" runs no composition, so no branch "${name}" is asked.`;
  const { composition, asked, decided, failure } = walk;
  const step = composition.steps.find(({ id, kind }) => id.text === name && kind === "branch");
  if (step === undefined)
    return `Composition "${composition.key.text}" has no branch "${name}".${availableNames(name, branchNames(composition))}`;
  const decision = decided.get(step);
  if (decision?.isYes === !isYes)
    return `Branch "${name}" is ${yesOrNo(!isYes)}: no other answer is possible here.`;
  if (decision !== undefined || asked.includes(step)) return undefined;
  const isFailed = failure?.kind === "read" && failure.read.reader.index <= step.index;
  return `Branch "${name}" is not asked: it is ${isFailed ? "after the step at which the composition fails" : "skipped"}.`;
}

function branchNames({ steps }: Composition): readonly string[] {
  return steps.flatMap(({ kind, id }) => (kind === "branch" ? id.text : []));
}

export function yesOrNo(isYes: boolean): "yes" | "no" {
  return isYes ? "yes" : "no";
}

export function unknownEventMessage({ current, eventsByName, status }: RunState, event: string): string {
  const state = current.name;
  const names = [...eventsByName.keys()];
  if (status === "complete") return `"${event}" cannot happen, because "${state}" has ended the run.`;
  if (names.length === 0) return `State "${state}" has no event "${event}": its events could not be read.`;
  return `State "${state}" has no event "${event}", only ${listNames(names, 12)}.${didYouMean(event, names)}`;
}

/** The fault in these writes; undefined if the current state declares all of them. */
export function undeclaredArtifact(
  { current, declaredArtifacts, machine }: RunState,
  writes: readonly ArtifactWrite[],
): string | undefined {
  const wrong = writes.find(({ name }) => !declaredArtifacts.has(name));
  if (wrong === undefined) return undefined;
  const { name } = wrong;
  const claim = `State "${current.name}" declares no artifact "${name}"`;
  const others = machine.states.filter(({ artifacts }) => artifacts?.has(name));
  if (others.length === 0) return `${claim}.${availableNames(name, [...declaredArtifacts.keys()])}`;
  return `${claim}, but ${listNamesOf(others, (other) => other.name)} ${others.length === 1 ? "does" : "do"}.`;
}

/** Appended to a sentence about an unknown name: the nearest of these, or all of them. */
export function availableNames(unknown: string, names: readonly string[]): string {
  if (names.length === 0) return " There are none.";
  const all = ` There ${names.length === 1 ? "is" : "are"} ${listNames(names, 12)}.`;
  return didYouMean(unknown, names) || all;
}

/** Rejects a value that would have no effect, because no prompt declares or reads the variable. */
export function checkVariableNames(given: readonly Assignment[], { prompts, templates }: Pack): void {
  if (given.length === 0) return;
  const declared = [...prompts.values()].flatMap((prompt) => [...prompt.declared.keys()]);
  const read = templates.all
    .flatMap(({ text }) => text.template.references)
    .filter(({ kind }) => kind === "name");
  const variables = new Set([
    ...declared,
    ...read.flatMap(({ name, local }) => (local === true ? [] : name)),
  ]);
  const known = new Set([...variables, ...read.map(({ name }) => name)]);
  const wrong = given.find(({ name }) => !known.has(name));
  if (wrong === undefined) return;
  const advice = availableNames(wrong.name, [...variables]);
  throw new BadInput(`No prompt declares or reads the variable "${wrong.name}".${advice}`);
}

/** Pseudorandom numbers from a 32-bit counter, the same on every machine. */
export class SeededRandom {
  constructor(private counter: number) {}

  below(size: number): number {
    this.counter = (this.counter + 0x9e3779b9) | 0;
    let value = this.counter;
    value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
    value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
    value = (value ^ (value >>> 15)) >>> 0;
    return Math.floor((value / 0x1_0000_0000) * size);
  }
}

export function startState({ agents }: Pack, workflow: Workflow, agent: string | undefined): State {
  const target = (agent === undefined ? workflow.entry : agents.memberNamed(agent)?.state)?.text;
  const state = target === undefined ? undefined : workflow.stateNamed(target);
  if (state !== undefined) return state;
  const near = target === undefined ? "" : didYouMean(target, workflow.stateNames());
  if (agent === undefined && target === undefined)
    throw new BadInput('The workflow has no state to start in: run "promptpack lint".');
  if (agent === undefined) throw new BadInput(`The workflow's entry "${target}" is not a state.${near}`);
  if (target !== undefined)
    throw new BadInput(`The agent "${agent}" starts in "${target}", which is not a state.${near}`);
  const names = agents.members.flatMap(({ name, state: at }) =>
    at !== undefined && workflow.stateNamed(at.text) !== undefined ? name.text : [],
  );
  const fault = `There is no agent "${agent}" with a state to start in.`;
  if (names.length === 0) throw new BadInput(`${fault} No agent of this pack has one.`);
  const known = ` These agents have one: ${listNames(names, 12)}.`;
  throw new BadInput(fault + (didYouMean(agent, names) || known));
}
