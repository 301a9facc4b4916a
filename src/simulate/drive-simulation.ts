import type { MachineState } from "../machine/machine.js";
import type { Pack } from "../pack/pack.js";
import { appendTo } from "../text/collections.js";
import { didYouMean } from "../text/names.js";
import { BadInput, listNames, listNamesOf } from "../text/wording.js";
import type { Assignment, ScriptedEvent } from "./event-list.js";
import type { Simulation, SimulationOptions } from "./simulation.js";

/**
 * Values that wait for a state to write them: each is written when a state that declares its artifact is next left.
 * Several for one artifact are written one by one.
 */
export class QueuedValues {
  private readonly queues = new Map<string, string[]>();

  constructor(assignments: readonly Assignment[], known: readonly string[]) {
    for (const { name, value } of assignments) {
      if (!known.includes(name)) {
        throw new BadInput(
          `No state declares the artifact "${name}".${didYouMean(name, known) || availableNames(known)}`,
        );
      }
      appendTo(this.queues, name, value);
    }
  }

  /** Lets the current state write what waits for it, but for artifacts that it was told to fill otherwise. */
  writeTo(simulation: Simulation, except: readonly Assignment[]): void {
    for (const [name, values] of this.queues) {
      if (!simulation.declaredArtifacts.has(name) || except.some((set) => set.name === name)) continue;
      const value = values.shift();
      if (value !== undefined) simulation.setArtifact(name, value);
    }
  }

  /** Artifacts for which a value still waits. */
  get unused(): readonly string[] {
    return [...this.queues].flatMap(([name, values]) => (values.length > 0 ? name : []));
  }
}

/** Lets the events happen in order until the run ends; returns how many did. */
export function fireEvents(
  simulation: Simulation,
  events: readonly ScriptedEvent[],
  waiting: QueuedValues,
): number {
  for (const [position, { event, assignments }] of events.entries()) {
    const ended = simulation.status !== "running";
    if (ended && simulation.status !== "complete") return position;
    const number = simulation.eventNamed(event);
    if (number === undefined)
      throw new BadInput(`Event ${position + 1}: ${unknownEventMessage(simulation, event)}`);
    for (const { name, value } of assignments) {
      if (!simulation.declaredArtifacts.has(name)) {
        throw new BadInput(
          `Event ${position + 1}: ${undeclaredArtifactMessage(simulation.current, simulation.options, name)}`,
        );
      }
      simulation.setArtifact(name, value);
    }
    waiting.writeTo(simulation, assignments);
    simulation.fire(number);
  }
  return events.length;
}

/** Lets events happen at random, at most so many, until the run ends. */
export function fireRandomEvents(
  simulation: Simulation,
  most: number,
  random: SeededRandom,
  waiting: QueuedValues,
): void {
  for (let happened = 0; happened < most && simulation.status === "running"; happened++) {
    const event = simulation.events[random.below(simulation.events.length)];
    if (event === undefined) return;
    waiting.writeTo(simulation, []);
    simulation.fire(event);
  }
}

/** Why an event cannot happen now, and which could. */
export function unknownEventMessage(simulation: Simulation, event: string): string {
  const state = simulation.current.name;
  const names = simulation.eventNames();
  if (simulation.status === "complete")
    return `"${event}" cannot happen, because "${state}" has ended the run.`;
  if (names.length === 0) return `State "${state}" has no event "${event}": its events could not be read.`;
  return `State "${state}" has no event "${event}", only ${listNames(names, 12)}.${didYouMean(event, names)}`;
}

/** Why a state cannot fill an artifact, and which states could. */
export function undeclaredArtifactMessage(
  state: MachineState,
  { machine, declaredBy }: Pick<SimulationOptions, "machine" | "declaredBy">,
  name: string,
): string {
  const lack = `State "${state.name}" declares no artifact "${name}"`;
  const others = machine.states.filter(({ index }) => declaredBy(index).has(name));
  if (others.length > 0) {
    return `${lack}, but ${listNamesOf(others, (other) => other.name)} ${others.length === 1 ? "does" : "do"}.`;
  }
  const names = [...declaredBy(state.index).keys()];
  return `${lack}.${didYouMean(name, names) || availableNames(names)}`;
}

/** The names to choose from. */
export function availableNames(names: readonly string[]): string {
  return names.length === 0
    ? " There are none."
    : ` There ${names.length === 1 ? "is" : "are"} ${listNames(names, 12)}.`;
}

/** Refuses a value for what no prompt declares and no template reads: it would fill nothing. */
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

/** Numbers that look random and are the same for the same seed on every machine: a 32-bit counter, well mixed. */
export class SeededRandom {
  private counter: number;

  constructor(seed: number) {
    this.counter = seed | 0;
  }

  /** A whole number from 0 to `size - 1`. */
  below(size: number): number {
    this.counter = (this.counter + 0x9e3779b9) | 0;
    let value = this.counter;
    value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
    value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
    value = (value ^ (value >>> 15)) >>> 0;
    return Math.floor((value / 0x1_0000_0000) * size);
  }
}
