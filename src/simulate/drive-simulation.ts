import type { Composition } from "../composition/composition.js";
import type { MachineState } from "../machine/machine.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import { didYouMean } from "../text/names.js";
import { BadInput, listNames, listNamesOf } from "../text/wording.js";
import type { Assignment, BranchAnswer, ScriptedEvent } from "./event-list.js";
import type { Simulation, SimulationOptions } from "./simulation.js";

/** Artifact values in a queue: each state that declares the artifact writes the next one when the run leaves or ends. */
export class QueuedValues {
  private readonly queues = new Map<string, string[]>();

  constructor(assignments: readonly Assignment[], known: readonly string[]) {
    for (const { name, value } of assignments) {
      if (!known.includes(name)) {
        const advice = didYouMean(name, known) || availableNames(known);
        throw new BadInput(`No state declares the artifact "${name}".${advice}`);
      }
      appendTo(this.queues, name, value);
    }
  }

  /** Writes the next values of the artifacts that the current state declares, except those assigned explicitly. */
  writeTo(simulation: Simulation, except: readonly Assignment[]): void {
    for (const [name, values] of this.queues) {
      if (!simulation.declaredArtifacts.has(name) || except.some((assigned) => assigned.name === name))
        continue;
      const value = values.shift();
      if (value !== undefined) simulation.setArtifact(name, value);
    }
  }

  get unused(): readonly string[] {
    return [...this.queues].flatMap(([name, values]) => (values.length > 0 ? name : []));
  }
}

/** Answers in a queue: each visit that asks the branch takes the next one. */
export class QueuedAnswers {
  private readonly queues = new Map<string, boolean[]>();

  constructor(answers: readonly BranchAnswer[], { states }: Workflow) {
    if (answers.length === 0) return;
    const compositions = new Set(states.flatMap(({ composition }) => composition ?? []));
    const known = new Set([...compositions].flatMap(branchNames));
    for (const { branch, isYes } of answers) {
      if (!known.has(branch)) {
        const advice = didYouMean(branch, known) || availableNames([...known]);
        throw new BadInput(`No state runs a composition with the branch "${branch}".${advice}`);
      }
      appendTo(this.queues, branch, isYes);
    }
  }

  /** Answers what the current state asks; `otherwise` answers a branch whose queue is empty. */
  answerIn(simulation: Simulation, otherwise: () => boolean | undefined = () => undefined): void {
    simulation.answerOthers((branch) => this.queues.get(branch)?.shift() ?? otherwise());
  }

  get unused(): readonly string[] {
    return [...this.queues].flatMap(([branch, answers]) => (answers.length > 0 ? branch : []));
  }
}

/** What the flags of the command fill in on the way. */
export interface Queued {
  readonly values: QueuedValues;
  readonly answers: QueuedAnswers;
}

/** Fires the events in order until the run ends, and returns how many were fired. */
export function fireEvents(simulation: Simulation, events: readonly ScriptedEvent[], queued: Queued): number {
  for (const [position, { event, assignments, spending, answers }] of events.entries()) {
    const { status, current, options } = simulation;
    if (status !== "running" && status !== "complete") return position;
    const number = simulation.eventsByName.get(event);
    const fail = (why: string): never => {
      throw new BadInput(`Event ${position + 1}: ${why}`);
    };
    if (number === undefined) return fail(unknownEventMessage(simulation, event));
    for (const { name, value } of assignments) {
      if (!simulation.declaredArtifacts.has(name)) fail(undeclaredArtifactMessage(current, options, name));
      simulation.setArtifact(name, value);
    }
    queued.values.writeTo(simulation, assignments);
    for (const spent of spending) simulation.spend(spent);
    for (const { branch, isYes } of answers) simulation.answer(branch, isYes);
    queued.answers.answerIn(simulation);
    for (const answer of answers) {
      const why = refusedAnswer(simulation, answer);
      if (why !== undefined) fail(why);
    }
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
    queued.values.writeTo(simulation, []);
    queued.answers.answerIn(simulation, toss);
    simulation.fire(event);
  }
  queued.answers.answerIn(simulation, toss);
}

/** Why a branch of the current state cannot be answered like this; undefined if it can. */
function refusedAnswer(simulation: Simulation, { branch, isYes }: BranchAnswer): string | undefined {
  const { walk, current } = simulation;
  if (walk === undefined)
    return `State "${current.name}" runs no composition, so no branch "${branch}" is asked.`;
  const { composition, asked, decided, failure } = walk;
  const step = composition.steps.find(({ id, kind }) => id.text === branch && kind === "branch");
  if (step === undefined) {
    const branches = branchNames(composition);
    const advice = didYouMean(branch, branches) || availableNames(branches);
    return `Composition "${composition.key.text}" has no branch "${branch}".${advice}`;
  }
  const decision = decided.get(step);
  if (decision?.isYes === !isYes)
    return `Branch "${branch}" is ${yesOrNo(!isYes)}: no other answer is possible here.`;
  if (decision !== undefined || asked.includes(step)) return undefined;
  const isFailed = failure?.kind === "read" && failure.read.reader.index <= step.index;
  return `Branch "${branch}" is not asked: it is ${isFailed ? "after the step at which the composition fails" : "skipped"}.`;
}

function branchNames({ steps }: Composition): readonly string[] {
  return steps.flatMap(({ kind, id }) => (kind === "branch" ? id.text : []));
}

export function yesOrNo(isYes: boolean): "yes" | "no" {
  return isYes ? "yes" : "no";
}

export function unknownEventMessage(simulation: Simulation, event: string): string {
  const state = simulation.current.name;
  const names = [...simulation.eventsByName.keys()];
  if (simulation.status === "complete")
    return `"${event}" cannot happen, because "${state}" has ended the run.`;
  if (names.length === 0) return `State "${state}" has no event "${event}": its events could not be read.`;
  return `State "${state}" has no event "${event}", only ${listNames(names, 12)}.${didYouMean(event, names)}`;
}

export function undeclaredArtifactMessage(
  state: MachineState,
  { machine, declaredBy }: Pick<SimulationOptions, "machine" | "declaredBy">,
  name: string,
): string {
  const claim = `State "${state.name}" declares no artifact "${name}"`;
  const others = machine.states.filter(({ index }) => declaredBy(index).has(name));
  if (others.length > 0) {
    return `${claim}, but ${listNamesOf(others, (other) => other.name)} ${others.length === 1 ? "does" : "do"}.`;
  }
  const names = [...declaredBy(state.index).keys()];
  return `${claim}.${didYouMean(name, names) || availableNames(names)}`;
}

export function availableNames(names: readonly string[]): string {
  if (names.length === 0) return " There are none.";
  return ` There ${names.length === 1 ? "is" : "are"} ${listNames(names, 12)}.`;
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
  for (const { name } of given) {
    if (variables.has(name) || read.some((reference) => reference.name === name)) continue;
    const advice = didYouMean(name, variables) || availableNames([...variables]);
    throw new BadInput(`No prompt declares or reads the variable "${name}".${advice}`);
  }
}

/** Pseudorandom numbers from a 32-bit counter, the same on every machine. */
export class SeededRandom {
  private counter: number;

  constructor(seed: number) {
    this.counter = seed | 0;
  }

  below(size: number): number {
    this.counter = (this.counter + 0x9e3779b9) | 0;
    let value = this.counter;
    value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
    value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
    value = (value ^ (value >>> 15)) >>> 0;
    return Math.floor((value / 0x1_0000_0000) * size);
  }
}
