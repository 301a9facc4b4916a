import fc from "fast-check";
import { type Flow, type FlowState, type Position, randomFlow, type Sent, Walker } from "../machine/flow.js";

type Sides<T> = { readonly old: T; readonly new: T };

export const rules = ["event-refused", "event-added", "leads-elsewhere", "ends-differently"] as const;
type Rule = (typeof rules)[number];

/** A difference that sequences of events show, and the length of the shortest. */
export interface ExpectedDifference {
  readonly rule: Rule;
  readonly level: string;
  readonly length: number;
  readonly roots: Sides<string>;
  readonly isEntry: boolean;
}

export interface ExpectedBehaviour {
  readonly differences: readonly ExpectedDifference[];
  readonly renamed: Sides<string> | undefined;
  readonly removed: readonly string[];
  /** How many of the roots complete no more. */
  readonly lost: number;
  readonly grew: boolean;
  /** The most and the fewest entries of a run from the entry. */
  readonly worst: Sides<number>;
  readonly shortest: Sides<number>;
}

/** Everything that a change of a workflow does, by trying all sequences of events on both sides. */
export function expectedBehaviour(old: Flow, now: Flow): ExpectedBehaviour {
  const walkers = { old: new Walker(old), new: new Walker(now) };
  const pairs = old.roots.flatMap((root, index) => {
    const other = now.roots[index];
    return other === undefined ? [] : [{ old: root, new: other }];
  });
  const [entry, ...agents] = pairs.map((roots, index) => differencesFrom(walkers, roots, index === 0));
  const isShown = new Set((entry ?? []).map(keyOf));
  const ofAgents = shortestOfEach(agents.flat().filter((difference) => !isShown.has(keyOf(difference))));
  const renamed = renamedState(old, now);
  const newNames = now.states.map(({ name }) => name);
  const entered = new Set([...walkers.old.positions(old.roots)].map((at) => walkers.old.stateAt(at)));
  const lost = pairs.filter(
    (roots) => fewest(walkers.old, roots.old) < Infinity && fewest(walkers.new, roots.new) === Infinity,
  );
  const worstOf = (walker: Walker): number =>
    Math.max(...walker.flow.roots.map((root) => most(walker, root)));
  return {
    differences: [...(entry ?? []), ...ofAgents],
    renamed,
    removed: old.states
      .map(({ name }) => name)
      .filter((name) => entered.has(name) && !newNames.includes(name) && renamed?.old !== name),
    lost: lost.length,
    grew: worstOf(walkers.new) > worstOf(walkers.old),
    worst: { old: most(walkers.old, old.roots[0] ?? ""), new: most(walkers.new, now.roots[0] ?? "") },
    shortest: { old: fewest(walkers.old, old.roots[0] ?? ""), new: fewest(walkers.new, now.roots[0] ?? "") },
  };
}

export const keyOf = ({ rule, level }: { rule: string; level: string }): string => `${rule} ${level}`;

/** Of each rule and level the shortest, the first of them. */
function shortestOfEach(all: readonly ExpectedDifference[]): readonly ExpectedDifference[] {
  return all.filter((difference, index) =>
    all.every(
      (other, place) =>
        keyOf(other) !== keyOf(difference) ||
        other.length > difference.length ||
        (other.length === difference.length && place >= index),
    ),
  );
}

/** What a side does when it is sent an event, or at its start. */
interface Side {
  readonly walker: Walker;
  readonly from: Position | undefined;
  /** Undefined if it does not take the event. */
  readonly to: Position | undefined;
}

function differencesFrom(
  walkers: Sides<Walker>,
  roots: Sides<string>,
  isEntry: boolean,
): readonly ExpectedDifference[] {
  const found: ExpectedDifference[] = [];
  const start = { old: walkers.old.start(roots.old), new: walkers.new.start(roots.new) };
  const record = (old: Side, now: Side, length: number): void => {
    for (const rule of rules)
      if (differs(rule, old, now))
        found.push({ rule, level: levelOf(rule, old, now), length, roots, isEntry });
  };
  record(
    { walker: walkers.old, from: undefined, to: start.old },
    { walker: walkers.new, from: undefined, to: start.new },
    0,
  );
  let level = [start];
  const seen = new Set<string>();
  for (let length = 1; level.length > 0; length++) {
    const next: Sides<Position>[] = [];
    for (const at of level) {
      if (seen.has(`${at.old}/${at.new}`)) continue;
      seen.add(`${at.old}/${at.new}`);
      if (walkers.old.endAt(at.old) !== undefined || walkers.new.endAt(at.new) !== undefined) continue;
      for (const event of new Set(["A", "B", "C", "D"])) {
        const take = (walker: Walker, from: Position): Side => ({
          walker,
          from,
          to: walker.next(from).find((sent) => sent.event === event)?.to,
        });
        const [old, now] = [take(walkers.old, at.old), take(walkers.new, at.new)];
        record(old, now, length);
        if (old.to !== undefined && now.to !== undefined) next.push({ old: old.to, new: now.to });
      }
    }
    level = next;
  }
  return shortestOfEach(found);
}

function differs(rule: Rule, old: Side, now: Side): boolean {
  if (rule === "event-refused") return old.to !== undefined && now.to === undefined;
  if (rule === "event-added") return old.to === undefined && now.to !== undefined;
  if (old.to === undefined || now.to === undefined) return false;
  const ended = { old: old.walker.endAt(old.to), new: now.walker.endAt(now.to) };
  if (rule === "ends-differently") return ended.old !== ended.new;
  const enters = [ended.old, ended.new].every((end) => end === undefined || end === "complete");
  return enters && old.walker.stateAt(old.to) !== now.walker.stateAt(now.to);
}

function levelOf(rule: Rule, old: Side, now: Side): string {
  const isSentByHost = ({ walker, from = "" }: Side): boolean => {
    const state = walker.flow.states.find(({ name }) => name === walker.stateAt(from));
    return ["external", "hybrid", "composition"].includes(state?.orchestration ?? "");
  };
  if (rule === "event-refused") return isSentByHost(old) ? "breaking" : "behaviour";
  if (rule === "event-added") return isSentByHost(now) ? "compatible" : "behaviour";
  if (rule === "leads-elsewhere") return "behaviour";
  return ["stopped", "stuck"].includes(old.to ?? "") ? "behaviour" : "breaking";
}

/** Whether a sequence shows a difference, by its definition. */
export function showsDifference(
  { old, new: now }: Sides<Flow>,
  roots: Sides<string>,
  rule: Rule,
  events: readonly string[],
): boolean {
  const walkers = { old: new Walker(old), new: new Walker(now) };
  const arrive = (walker: Walker, root: string): Side[] => {
    const all: Side[] = [{ walker, from: undefined, to: walker.start(root) }];
    for (const event of events) {
      const from: Position | undefined = all.at(-1)?.to;
      const sent: Sent | undefined =
        from === undefined ? undefined : walker.next(from).find((each) => each.event === event);
      all.push({ walker, from, to: sent?.to });
    }
    return all;
  };
  const [before, after] = [arrive(walkers.old, roots.old), arrive(walkers.new, roots.new)];
  const goesOn = (side: Side): boolean => side.to !== undefined && side.walker.endAt(side.to) === undefined;
  const [last, lastNow] = [before.at(-1), after.at(-1)];
  if (![...before.slice(0, -1), ...after.slice(0, -1)].every(goesOn)) return false;
  return last !== undefined && lastNow !== undefined && differs(rule, last, lastNow);
}

/** The state whose new name makes the machines equal. */
function renamedState(old: Flow, now: Flow): Sides<string> | undefined {
  for (const { name } of old.states)
    for (const { name: other } of now.states) {
      if (now.states.some((state) => state.name === name) || old.states.some((state) => state.name === other))
        continue;
      const shared = Math.min(old.roots.length, now.roots.length);
      const renamed = renameIn(onlyRuns({ ...old, roots: old.roots.slice(0, shared) }), name, other);
      if (textOf(renamed) === textOf(onlyRuns({ ...now, roots: now.roots.slice(0, shared) })))
        return { old: name, new: other };
    }
  return undefined;
}

/** What makes the machine: no events of terminal states, no exits without a guard, one name for what is no state. */
function onlyRuns({ states, roots }: Flow): Flow {
  const names = states.map(({ name }) => name);
  const known = (name: string): string => (names.includes(name) ? name : "?");
  return {
    roots,
    states: states.map(({ name, events, terminal, limit, exit }) => ({
      name,
      events: terminal === true ? [] : events.map(([event, target]) => [event, known(target)] as const),
      limit,
      exit: limit === undefined || exit === undefined ? undefined : known(exit),
    })),
  };
}

function renameIn({ states, roots }: Flow, from: string, to: string): Flow {
  const rename = (name: string): string => (name === from ? to : name);
  return {
    roots: roots.map(rename),
    states: states.map((state) => ({
      ...state,
      name: rename(state.name),
      events: state.events.map(([event, target]) => [event, rename(target)] as const),
      ...(state.exit !== undefined && { exit: rename(state.exit) }),
    })),
  };
}

function textOf({ states, roots }: Flow): string {
  const sorted = <T>(all: readonly T[], key: (each: T) => string): T[] =>
    [...all].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const written = sorted(states, ({ name }) => name).map(({ name, events, limit, exit }) => {
    return [name, sorted(events, ([event]) => event), limit ?? null, exit ?? null];
  });
  return JSON.stringify([roots, written]);
}

/** The entries of the shortest run from a root that completes; Infinity if none does. */
function fewest(walker: Walker, root: string): number {
  let level = [walker.start(root)];
  const seen = new Set<Position>();
  for (let entries = 1; level.length > 0; entries++) {
    if (level.some((at) => walker.endAt(at) === "complete")) return entries;
    for (const at of level) seen.add(at);
    level = level.flatMap((at) => walker.next(at).map(({ to }) => to)).filter((at) => !seen.has(at));
    level = [...new Set(level)];
  }
  return Infinity;
}

/** The most entries of a run from a root. */
function most(walker: Walker, root: string): number {
  const known = new Map<Position, number>();
  const from = (at: Position, above: ReadonlySet<Position>): number => {
    if (walker.endAt(at) === "stopped" || walker.endAt(at) === "stuck") return 0;
    if (above.has(at)) return Infinity;
    const cached = known.get(at);
    if (cached !== undefined) return cached;
    const here = new Set([...above, at]);
    const result = 1 + Math.max(0, ...walker.next(at).map(({ to }) => from(to, here)));
    known.set(at, result);
    return result;
  };
  return from(walker.start(root), new Set());
}

/** A change to a workflow; the numbers choose what and where. */
export interface Edit {
  readonly kind: (typeof editKinds)[number];
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const editKinds = [
  "add event",
  "remove event",
  "retarget event",
  "guard",
  "exit",
  "add state",
  "remove state",
  "terminal",
  "entry",
  "agent",
  "drop agent",
  "rename",
  "orchestration",
  "reorder",
] as const;

const orchestrations = [undefined, "internal", "external", "hybrid", "composition"];

function applyEdit(flow: Flow, { kind, a, b, c }: Edit): Flow {
  const { states, roots } = flow;
  const pick = <T>(all: readonly T[], number: number): T | undefined => all[number % all.length];
  const names = [...states.map(({ name }) => name), "nowhere", "fresh"];
  const state = pick(states, a);
  const target = pick(names, b) ?? "";
  if (state === undefined) return flow;
  const change = (fields: Partial<FlowState>): Flow => ({
    ...flow,
    states: states.map((each) => (each === state ? { ...each, ...fields } : each)),
  });
  const start = pick(states, b)?.name ?? "";
  switch (kind) {
    case "add event": {
      const event = pick(["A", "B", "C", "D"], c) ?? "";
      const others = state.events.filter(([each]) => each !== event);
      return change({ events: [...others, [event, target]] });
    }
    case "remove event":
      return change({ events: state.events.filter((_, index) => index !== b % state.events.length) });
    case "retarget event":
      return change({
        events: state.events.map(([event, old], index) =>
          index === c % state.events.length ? [event, target] : [event, old],
        ),
      });
    case "guard":
      return change({ limit: pick([undefined, 1, 2, 3], b) });
    case "exit":
      return change({ exit: c % 3 === 0 ? undefined : target });
    case "add state": {
      const added = { name: "fresh", events: [["A", target] as const] };
      return names.slice(0, -2).includes("fresh") ? flow : { ...flow, states: [...states, added] };
    }
    case "remove state":
      return roots.includes(state.name) ? flow : { ...flow, states: states.filter((each) => each !== state) };
    case "terminal":
      return change({ terminal: state.terminal !== true });
    case "entry":
      return { ...flow, roots: [start, ...roots.slice(1)] };
    case "agent":
      return {
        ...flow,
        roots: [
          ...roots.slice(0, 1),
          ...roots.slice(1).map((root, index) => (index === a % 2 ? start : root)),
        ],
      };
    case "drop agent":
      return { ...flow, roots: roots.slice(0, Math.max(1, roots.length - 1)) };
    case "rename":
      return names.slice(0, -2).includes("fresh") ? flow : renameIn(flow, state.name, "fresh");
    case "orchestration":
      return change({ orchestration: pick(orchestrations, b) });
    case "reorder":
      return { ...flow, states: [...states].reverse() };
  }
}

const randomEdit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...editKinds),
  a: fc.nat(30),
  b: fc.nat(30),
  c: fc.nat(30),
});

/** A workflow before and after a few changes. */
export function randomChange(largest: number): fc.Arbitrary<Sides<Flow>> {
  const before = randomFlow(largest, 2).chain((flow) =>
    fc
      .array(fc.constantFrom(...orchestrations), { minLength: largest, maxLength: largest })
      .map((all): Flow => ({
        ...flow,
        states: flow.states.map((state, index) => {
          const orchestration = all[index];
          return orchestration === undefined ? state : { ...state, orchestration };
        }),
      })),
  );
  return fc.tuple(before, fc.array(randomEdit, { maxLength: 3 })).map(([old, edits]) => {
    return { old, new: edits.reduce(applyEdit, old) };
  });
}
