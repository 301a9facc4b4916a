import { type Digraph, filled } from "../graph/digraph.js";
import type { BreadthFirstTree } from "../graph/paths.js";
import { DANGLING, type Machine, type MachineState } from "./machine.js";
import { attempt, isSpent, type Outcome } from "./run.js";

/** Ways a run can end in a configuration, or on the next event from it. */
export const COMPLETE = 1;
export const STOPPED = 2;
export const STUCK = 4;
export const LOST = 8;

const endingOf = { stopped: STOPPED, stuck: STUCK, dangling: LOST } as const;

/** A graph whose paths from a start are runs. */
export interface RunGraph {
  readonly graph: Digraph;
  readonly stateOf: (node: number) => number;
  readonly reached: BreadthFirstTree;
  readonly eventOf: readonly number[];
}

/** Bounds the number of words written into configurations. */
const maxWork = 3_000_000;

export class Work {
  constructor(private left = maxWork) {}

  /** Whether there was as much left. */
  spend(words: number): boolean {
    return (this.left -= words) >= 0;
  }

  get isUsedUp(): boolean {
    return this.left < 0;
  }
}

/** Anything whose runs can be explored. Its nodes are numbered in order of first appearance. */
export interface System {
  readonly size: number;
  readonly starts: readonly number[];
  readonly stateOf: (node: number) => number;
  /** Takes every event of a node, as far as the work allows. */
  expand(node: number, take: (event: number, target: number) => void): void;
  /** Whether what is looked for was found. */
  readonly isDone?: () => boolean;
}

export interface SystemRuns extends RunGraph {
  readonly starts: readonly number[];
  readonly isComplete: boolean;
  /** The nodes below this number were. */
  readonly expanded: number;
}

/** Explores every run, breadth first, until the work is used up. */
export function exploreSystem(system: System, work: Work): SystemRuns {
  const { starts, stateOf } = system;
  const offsets = [0];
  const targets: number[] = [];
  const eventOf: number[] = [];
  // Nodes are numbered breadth first, so the first way to each is a shortest path.
  const distance = filled(system.size, 0);
  const parent = filled(system.size, -1);
  const edge = filled(system.size, -1);
  let node = 0;
  const take = (event: number, target: number): void => {
    if (target === distance.length) {
      distance.push((distance[node] ?? 0) + 1);
      parent.push(node);
      edge.push(targets.length);
    }
    targets.push(target);
    eventOf.push(event);
  };
  for (; node < system.size && !work.isUsedUp && system.isDone?.() !== true; node++) {
    system.expand(node, take);
    offsets.push(targets.length);
  }
  const { size } = system;
  const expanded = work.isUsedUp ? Math.max(0, node - 1) : node;
  while (offsets.length <= size) offsets.push(targets.length);
  return {
    graph: { size, offsets, targets },
    starts,
    stateOf,
    eventOf,
    reached: { distance, parent, edge, order: [...distance.keys()] },
    isComplete: expanded === size && !work.isUsedUp,
    expanded,
  };
}

/** Watches runs: its tags tell apart runs that are in the same configuration, but have done different things. */
export interface Monitor {
  /** Tags are numbers below this one. */
  readonly tags: number;
  /** The tag of a run that has started. */
  start(root: number): number;
  /** The tag after a run with this tag has sent an event of this state; LEFT_OUT if it need not be followed. */
  next(tag: number, from: number, event: number, outcome: Outcome): number;
  readonly isDone?: () => boolean;
}

export const LEFT_OUT = -1;

/** The configurations of a machine. With a monitor, the ends of runs without a state are numbered above the states. */
export class MachineRuns implements System {
  readonly starts: readonly number[];
  /** For each configuration, the bits of the ways a run can end there. */
  readonly endings: number[] = [];
  /** Their union. */
  allEndings = 0;
  /** The states that some run attempts while they are spent. */
  readonly attemptedWhileSpent = new Set<number>();
  /** By state, the nearest configuration from which an event gets stuck at it, and that event. */
  readonly stuckAt = new Map<number, { readonly configuration: number; readonly event: number }>();
  readonly table: ConfigurationTable;
  private readonly width: number;

  constructor(
    private readonly machine: Machine,
    private readonly work: Work,
    private readonly monitor?: Monitor,
  ) {
    this.table = new ConfigurationTable(machine, monitor?.tags);
    this.width = 1 + machine.states.filter((state) => state.maxVisits !== undefined).length;
    this.starts = work.spend(machine.roots.length * this.width) ? machine.roots.flatMap(this.start) : [];
  }

  get size(): number {
    return this.table.size;
  }

  private readonly start = (root: number): readonly number[] => {
    const tag = this.monitor?.start(root) ?? 0;
    return tag === LEFT_OUT ? [] : [this.table.enter(root, tag)];
  };

  readonly isDone = (): boolean => this.monitor?.isDone?.() === true;
  readonly stateOf = (id: number): number => this.table.stateOf(id);
  private readonly visits = (state: number): number => this.table.visits(state);

  /** Tests which states are spent in a configuration. The result is valid until the next call. */
  readonly spentIn = (configuration: number): ((index: number) => boolean) => {
    this.table.select(configuration);
    return (index) => {
      const state = this.machine.states[index];
      return state !== undefined && isSpent(state, this.visits);
    };
  };

  expand(id: number, take: (event: number, target: number) => void): void {
    const { machine, table, visits, monitor, work, width } = this;
    const { states } = machine;
    table.select(id);
    const state = states[table.stateOf(id)];
    if (state === undefined) return;
    let ending = state.ends ? COMPLETE : 0;
    const isRefusal = machine.reading.stops === "event refused" && this.takesSome(state);
    for (let event = 0; event < state.edges.length; event++) {
      let entered = state.edges[event]?.target ?? DANGLING;
      let outcome: Outcome | undefined;
      const attempted = states[entered];
      if (attempted === undefined || isSpent(attempted, visits)) {
        outcome = attempt(machine, entered, visits);
        this.recordForced(outcome, id, event);
        work.spend(outcome.forced.length);
        if (isRefusal && outcome.kind === "stopped") continue;
        entered = outcome.kind === "entered" ? outcome.state : DANGLING;
        if (outcome.kind !== "entered") ending |= endingOf[outcome.kind];
      }
      if (!work.spend(width)) return;
      if (monitor !== undefined) {
        outcome ??= { kind: "entered", state: entered, forced: [] };
        const tag =
          outcome.kind === "dangling" ? LEFT_OUT : monitor.next(table.tagOf(id), state.index, event, outcome);
        if (tag !== LEFT_OUT) take(event, table.enter(stateAfter(outcome, states.length), tag));
      } else if (entered !== DANGLING) take(event, table.enter(entered));
    }
    work.spend(width);
    this.endings.push(ending);
    this.allEndings |= ending;
  }

  /** Whether some event of a state does not stop. */
  private takesSome({ edges }: MachineState): boolean {
    return edges.some(({ target }) => attempt(this.machine, target, this.visits).kind !== "stopped");
  }

  private recordForced({ kind, forced }: Outcome, configuration: number, event: number): void {
    for (const state of forced) {
      this.attemptedWhileSpent.add(state);
      if (kind === "stuck" && !this.stuckAt.has(state)) this.stuckAt.set(state, { configuration, event });
    }
  }
}

/** The state that a run is in, or the number of its end: see `endOf`. */
export function stateAfter(outcome: Outcome, states: number): number {
  if (outcome.kind === "entered") return outcome.state;
  return outcome.kind === "stuck" ? states + 1 : states;
}

/** How a run has ended that is in this state, by the numbers that a monitored exploration gives. */
export function endOf({ states }: Machine, state: number): "complete" | "stopped" | "stuck" | undefined {
  if (state === states.length) return "stopped";
  if (state === states.length + 1) return "stuck";
  return states[state]?.ends === true ? "complete" : undefined;
}

/** The reachable configurations, breadth first from the roots, and the events between them. */
export interface Exploration extends SystemRuns {
  readonly runs: MachineRuns;
}

/** Explores every run; undefined if that takes too much work. */
export function explore(machine: Machine, work = new Work()): Exploration | undefined {
  const runs = new MachineRuns(machine, work);
  const explored = exploreSystem(runs, work);
  return explored.isComplete ? { ...explored, runs } : undefined;
}

/** For each state, its configurations, the nearest first. */
export function configurationsByState(states: number, { graph, stateOf }: Exploration): number[][] {
  const byState: number[][] = Array.from({ length: states }, () => []);
  for (let c = 0; c < graph.size; c++) byState[stateOf(c)]?.push(c);
  return byState;
}

/** The numbers above those of the states that stand for ends. */
const numberedEnds = 2;
/** V8 stores integers below this unboxed, and looks them up fastest. Most workflows fit a configuration into one. */
const wordSize = 2 ** 30;
/** No exploration has as many configurations, so a number of one and a word are still a safe integer together. */
const maxConfigurations = 2 ** 22;

/** A part of a configuration: a digit of one of its words, which are mixed-radix numbers. */
interface Digit {
  readonly word: number;
  /** Its place value in the word. */
  readonly weight: number;
  readonly range: number;
}

/** Numbers configurations (a state, visit counts of guarded states, a monitor's tag) in order of first appearance. */
export class ConfigurationTable {
  private readonly places: number;
  private readonly width: number;
  private readonly tag: Digit;
  private readonly counts: readonly (Digit | undefined)[];
  private readonly states: number[] = [];
  /** The words of the empty configuration, then those of the others. */
  private readonly words: number[];
  /** For each word, the number of its value after the number of the later words. */
  private readonly numbers: readonly Map<number, number>[];
  private current = 0;

  constructor({ states }: Machine, tags = 1) {
    this.places = states.length + numberedEnds;
    let word = 0;
    let weight = 1;
    // The state comes first in the key of the first word.
    let size = Math.floor(wordSize / this.places);
    const addDigit = (range: number): Digit => {
      if (weight * range > size) [word, weight, size] = [word + 1, 1, wordSize];
      const digit = { word, weight, range };
      weight *= range;
      return digit;
    };
    this.tag = addDigit(tags);
    this.counts = states.map(({ maxVisits }) =>
      maxVisits === undefined ? undefined : addDigit(Math.min(maxVisits, maxConfigurations) + 1),
    );
    this.width = word + 1;
    this.words = filled(this.width, 0);
    this.numbers = this.words.map(() => new Map());
  }

  get size(): number {
    return this.states.length;
  }

  /** Makes a configuration the current one. */
  select(id: number): void {
    this.current = (id + 1) * this.width;
  }

  /** How often a guarded state was entered up to the current configuration. */
  visits(state: number): number {
    const count = this.counts[state];
    return count === undefined ? 0 : this.read(count, this.current);
  }

  /** The configuration after the current one (initially, the empty one) when this state is entered. */
  enter(state: number, tag = 0): number {
    // A runtime may enter a spent state, which stays as spent.
    const digit = this.counts[state];
    const isFull = digit !== undefined && this.read(digit, this.current) === digit.range - 1;
    const count = isFull ? undefined : digit;
    const tagStep = this.tag.range === 1 ? 0 : tag - this.read(this.tag, this.current);
    let key = 0;
    for (let word = this.width - 1; word > 0; word--)
      key = numberOf(this.numbers[word], key + this.wordAfter(word, count, tagStep)) * wordSize;
    key += this.wordAfter(0, count, tagStep) * this.places + state;
    const id = numberOf(this.numbers[0], key);
    if (id === this.states.length) {
      for (let word = 0; word < this.width; word++) this.words.push(this.wordAfter(word, count, tagStep));
      this.states.push(state);
    }
    return id;
  }

  /** May be a number above those of the states, as entered. */
  stateOf(id: number): number {
    return this.states[id] ?? 0;
  }

  tagOf(id: number): number {
    return this.read(this.tag, (id + 1) * this.width);
  }

  private read({ word, weight, range }: Digit, start: number): number {
    return Math.floor((this.words[start + word] ?? 0) / weight) % range;
  }

  private wordAfter(word: number, count: Digit | undefined, tagStep: number): number {
    let value = this.words[this.current + word] ?? 0;
    if (count?.word === word) value += count.weight;
    if (this.tag.word === word) value += tagStep * this.tag.weight;
    return value;
  }
}

/** The number of a key, the next one if it is new. */
function numberOf(numbers: Map<number, number> | undefined, key: number): number {
  const known = numbers?.get(key);
  if (known !== undefined) return known;
  const number = numbers?.size ?? 0;
  numbers?.set(key, number);
  return number;
}
