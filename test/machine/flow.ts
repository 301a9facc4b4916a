import fc from "fast-check";
import { DANGLING, type Machine, type Reading, rfcReading } from "../../src/machine/machine.js";

/** A workflow as plain data, from which tests build a machine or the text of a pack. */
export interface Flow {
  readonly states: readonly FlowState[];
  /** The names of the states in which a run can start, the entry first. */
  readonly roots: readonly string[];
}

export interface FlowState {
  readonly name: string;
  /** Where each event leads; some names are no state. */
  readonly events: readonly (readonly [event: string, target: string])[];
  readonly terminal?: boolean;
  /** `max_visits` and `on_max_visits`. */
  readonly limit?: number | undefined;
  readonly exit?: string | undefined;
  readonly orchestration?: string | undefined;
}

/** A run that is somewhere: its state and how often it has entered the guarded ones, as a string, or its end. */
export type Position = string;

export const ends = ["stopped", "stuck"];

/** One event of a run, with everything that happens in it, as "sends E in s", "finds s spent" and "enters s". */
export interface Sent {
  readonly event: string;
  readonly moments: readonly string[];
  readonly forced: readonly string[];
  readonly to: Position;
}

/** Walks a flow by the words of the specification; shares nothing with the program. */
export class Walker {
  private readonly known = new Map<Position, readonly Sent[]>();
  private readonly byName: ReadonlyMap<string, FlowState>;

  constructor(
    readonly flow: Flow,
    private readonly reading: Reading = rfcReading,
  ) {
    this.byName = new Map(flow.states.map((state) => [state.name, state]));
  }

  start(root: string): Position {
    return this.enter({}, root);
  }

  /** The events that a run which is here may take. */
  next(position: Position): readonly Sent[] {
    const known = this.known.get(position) ?? this.send(position);
    this.known.set(position, known);
    return known;
  }

  stateAt(position: Position): string {
    return position.split(" ")[0] ?? "";
  }

  /** The way in which a run that is here has ended. */
  endAt(position: Position): string | undefined {
    if (ends.includes(position)) return position;
    return this.eventsOf(this.stateAt(position)).length === 0 ? "complete" : undefined;
  }

  positions(roots: readonly string[]): ReadonlySet<Position> {
    const all = new Set(roots.map((root) => this.start(root)));
    for (const position of all) for (const { to } of this.next(position)) all.add(to);
    return all;
  }

  eventsOf(state: string): FlowState["events"] {
    const found = this.byName.get(state);
    return found === undefined || found.terminal === true ? [] : found.events;
  }

  private send(position: Position): readonly Sent[] {
    if (ends.includes(position)) return [];
    const [state = "", counts = "{}"] = position.split(" ");
    const visits = JSON.parse(counts) as Record<string, number>;
    const sent = this.eventsOf(state).map(([event, target]) => {
      const forced: string[] = [];
      return { event, forced, to: this.attempt(visits, target, forced) };
    });
    const goesOn = this.reading.stops === "event refused" && sent.some(({ to }) => to !== "stopped");
    return sent.flatMap(({ event, forced, to }) => {
      if (to === undefined || (goesOn && to === "stopped")) return [];
      const moments = [`sends ${event} in ${state}`, ...forced.map((name) => `finds ${name} spent`)];
      if (!ends.includes(to)) moments.push(`enters ${this.stateAt(to)}`);
      return [{ event, moments, forced, to }];
    });
  }

  private attempt(visits: Record<string, number>, target: string, tried: string[]): Position | undefined {
    const state = this.byName.get(target);
    if (state === undefined) return undefined;
    if (state.limit === undefined || (visits[target] ?? 0) < state.limit) return this.enter(visits, target);
    if (tried.includes(target)) return "stuck";
    tried.push(target);
    if (state.exit === undefined) return "stopped";
    if (this.reading.forcedExits === "attempted") return this.attempt(visits, state.exit, tried);
    return this.byName.has(state.exit) ? this.enter(visits, state.exit) : undefined;
  }

  private enter(visits: Record<string, number>, name: string): Position {
    const limit = this.byName.get(name)?.limit;
    // Only a runtime enters a state more often, and how often makes no difference to what comes.
    const count = Math.min((visits[name] ?? 0) + 1, limit ?? 0);
    const after = limit === undefined ? visits : { ...visits, [name]: count };
    const sorted = Object.entries(after).sort(([a], [b]) => (a < b ? -1 : 1));
    return `${name} ${JSON.stringify(Object.fromEntries(sorted))}`;
  }
}

/** The machine of a flow, without going through the text of a pack. */
export function machineOf({ states, roots }: Flow, reading = rfcReading): Machine {
  const numbers = new Map(states.map(({ name }, index) => [name, index]));
  const numberOf = (name: string): number => numbers.get(name) ?? DANGLING;
  return {
    roots: roots.map(numberOf),
    reading,
    states: states.map(({ name, events, terminal = false, limit, exit }, index) => {
      const written = terminal ? [] : events;
      return {
        index,
        name,
        ends: written.length === 0,
        edges: written.map(([event, to]) => ({ transition: undefined, event, target: numberOf(to) })),
        maxVisits: limit,
        forcedExit: exit === undefined ? undefined : numberOf(exit),
      };
    }),
  };
}

/** The text of a pack with this workflow; the roots after the entry are those of agents "m1", "m2" and so on. */
export function packTextOf({ states, roots: [entry, ...agents] }: Flow): string {
  const written = states.map(({ name, events, terminal, limit, exit, orchestration }) => {
    const runs = orchestration === "composition" ? { composition: "steps" } : { prompt_task: "p" };
    const state = { ...runs, terminal, max_visits: limit, on_max_visits: exit, orchestration };
    return [name, { ...state, on_event: Object.fromEntries(events) }] as const;
  });
  return JSON.stringify({
    id: "flow",
    version: "1.0.0",
    prompts: { p: { id: "p", name: "P", version: "1.0.0", system_template: "Go on." } },
    compositions: {
      steps: {
        version: 1,
        steps: [{ id: "one", kind: "prompt", prompt_task: "p" }],
        output: "${one.output}",
      },
    },
    workflow: { version: 1, entry, states: Object.fromEntries(written) },
    agents: {
      entry: "p",
      members: Object.fromEntries(agents.map((state, index) => [`m${index + 1}`, { state }])),
    },
  });
}

const eventNames = ["A", "B", "C", "D"];

/** Small workflows with guards, chains and rings of forced exits, final states, several roots and odd targets. */
export function randomFlow(largest: number, dangling = 1): fc.Arbitrary<Flow> {
  return fc.integer({ min: 1, max: largest }).chain((size) => {
    const names = Array.from({ length: size }, (_, index) => `s${index}`);
    return fc.record({
      states: fc.tuple(...names.map((name) => randomState(name, names, dangling))),
      roots: fc.shuffledSubarray(names, { minLength: 1, maxLength: Math.min(size, 3) }),
    });
  });
}

function randomTarget(names: readonly string[], dangling = 1): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...names) },
    { weight: dangling, arbitrary: fc.constantFrom("nowhere", "fresh") },
  );
}

function randomState(name: string, names: readonly string[], dangling: number): fc.Arbitrary<FlowState> {
  const target = randomTarget(names, dangling);
  const events = fc
    .tuple(fc.subarray(eventNames, { maxLength: 3 }), fc.array(target, { minLength: 3, maxLength: 3 }))
    .map(([some, targets]) => some.map((event, index) => [event, targets[index] ?? ""] as const));
  const guard = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: fc.record({ limit: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 3, arbitrary: fc.record({ limit: fc.integer({ min: 1, max: 2 }), exit: target }) },
    // Without a guard it has no effect.
    { weight: 1, arbitrary: fc.record({ exit: fc.constantFrom(...names) }) },
  );
  const terminal = fc.oneof(
    { weight: 7, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constant({ terminal: true }) },
  );
  return fc.tuple(events, guard, terminal).map(([some, limits, end]) => {
    return { name, events: some, ...limits, ...end };
  });
}
