import fc from "fast-check";
import type { Located } from "../../src/diagnostic.js";
import type { Pattern, Property, Step, Steps } from "../../src/properties/property.js";
import { ends, type Flow, type Position, type Sent, type Walker } from "../machine/flow.js";

/** A run, or a part of it, as the moments of which it consists. */
export interface History {
  readonly moments: readonly string[];
  readonly at: Position;
}

/** What is true of a property; `length` is that of the shortest run that breaks it. */
export type Truth =
  | { readonly kind: "holds" | "not-judged" }
  | { readonly kind: "broken"; readonly length?: number; readonly root?: string; readonly endless?: boolean };

export function isStep(steps: Steps | undefined, moment: string): boolean {
  const [verb, name, , state] = moment.split(" ");
  return (steps ?? []).some((step) => {
    if (step.kind === "state") return verb === "enters" && ["*", name].includes(step.state.text);
    if (step.kind === "spent") return verb === "finds" && step.state.text === name;
    return verb === "sends" && step.event.text === name && [undefined, state].includes(step.state?.text);
  });
}

/** Whether a run breaks a pattern so far, or by its end, by the words of the definition. */
export function breaks(walker: Walker, pattern: Pattern, { moments, at }: History): boolean {
  const all = moments.map((_, index) => index);
  const is = (steps: Steps | undefined) => (index: number) => isStep(steps, moments[index] ?? "");
  const [does, ended] = [is(pattern.of), walker.endAt(at)];
  const between = (a: number, b: number): number[] => all.filter((index) => a < index && index < b);
  switch (pattern.kind) {
    case "never":
    case "possible":
      return all.some(does);
    case "never-before":
      return all.filter(does).some((x) => {
        const lastReset = Math.max(-1, ...between(-1, x).filter(is(pattern.since)));
        return !between(lastReset, x).some(is(pattern.before));
      });
    case "never-after":
      return all.filter(does).some((x) =>
        between(-1, x)
          .filter(is(pattern.after))
          .some((y) => !between(y, x).some(is(pattern.until))),
      );
    case "eventually": {
      const asked = pattern.after === undefined ? [-1] : all.filter(is(pattern.after));
      return ended !== undefined && asked.some((y) => !between(y, moments.length).some(does));
    }
    case "at-most":
      return all.some((x) => {
        const lastReset = Math.max(-1, ...between(-1, x).filter(is(pattern.since)));
        return between(lastReset, x + 1).filter(does).length > pattern.times;
      });
    case "ends-in":
      return (
        ended !== undefined && !(ended === "complete" && isStep(pattern.of, `enters ${walker.stateAt(at)}`))
      );
    case "always-possible":
      return ended === undefined && !all.some(is(pattern.until)) && !canDo(walker, pattern.of, at);
  }
}

/** Whether some continuation of a run that is here does one of the steps: by walking on from here. */
function canDo(walker: Walker, steps: Steps, from: Position): boolean {
  const seen = new Set([from]);
  for (const position of seen)
    for (const { moments, to } of walker.next(position)) {
      if (moments.some((moment) => isStep(steps, moment))) return true;
      seen.add(to);
    }
  return false;
}

/** The guesses that may follow a guess after a moment. A run breaks the pattern if some guesses lead to "caught". */
type Guess = string;

/** Guesses the moment from which on the run goes wrong, instead of remembering what happened before. */
function guesses(pattern: Pattern): { first: Guess[]; after: (guess: Guess, moment: string) => Guess[] } {
  const stay = (guess: Guess, ...others: (Guess | false)[]): Guess[] => [
    guess,
    ...others.filter((other) => other !== false),
  ];
  const does = (moment: string): boolean => isStep(pattern.of, moment);
  const watching = (after: (guess: Guess, moment: string) => Guess[]) => (guess: Guess, moment: string) =>
    guess === "caught" ? ["caught"] : after(guess, moment);
  switch (pattern.kind) {
    case "never":
    case "possible":
      return { first: ["idle"], after: watching((_, moment) => stay("idle", does(moment) && "caught")) };
    case "never-before": // The Z since which no Y came, or the start.
      return {
        first: ["idle", "bare"],
        after: watching((guess, moment) => {
          if (guess === "idle") return stay("idle", isStep(pattern.since, moment) && "bare");
          const caught = does(moment) ? ["caught"] : [];
          return isStep(pattern.before, moment) ? caught : stay("bare", ...caught);
        }),
      };
    case "never-after": // The Y after which X comes before any Z.
      return {
        first: ["idle"],
        after: watching((guess, moment) => {
          if (guess === "idle") return stay("idle", isStep(pattern.after, moment) && "forbidden");
          const caught = does(moment) ? ["caught"] : [];
          return isStep(pattern.until, moment) ? caught : stay("forbidden", ...caught);
        }),
      };
    case "at-most": // The Z after which there are too many.
      return {
        first: ["idle", "0"],
        after: watching((guess, moment) => {
          if (guess === "idle") return stay("idle", isStep(pattern.since, moment) && "0");
          const count = Number(guess) + (does(moment) ? 1 : 0);
          if (count > pattern.times) return ["caught"];
          return isStep(pattern.since, moment) ? [] : [`${count}`];
        }),
      };
    case "eventually": // The Y after which no X comes.
      return {
        first: pattern.after === undefined ? ["waiting"] : ["idle"],
        after: (guess, moment) => {
          if (guess === "idle") return stay("idle", isStep(pattern.after, moment) && "waiting");
          return does(moment) ? [] : ["waiting"];
        },
      };
    case "ends-in":
      return { first: ["idle"], after: () => ["idle"] };
    case "always-possible":
      return { first: ["idle"], after: (_, moment) => (isStep(pattern.until, moment) ? [] : ["idle"]) };
  }
}

/** The runs of a flow with a guess: strings again. */
class GuessedRuns {
  private readonly steps = new Map<string, readonly string[]>();
  private readonly guesses;

  constructor(
    private readonly walker: Walker,
    private readonly pattern: Pattern,
  ) {
    this.guesses = guesses(pattern);
  }

  starts(root: string): readonly string[] {
    return this.follow(this.guesses.first, [`enters ${root}`], this.walker.start(root));
  }

  next(node: string): readonly string[] {
    const known = this.steps.get(node);
    if (known !== undefined) return known;
    const [guess = "", position = ""] = node.split("/");
    const found = this.walker.next(position).flatMap(({ moments, to }) => this.follow([guess], moments, to));
    this.steps.set(node, found);
    return found;
  }

  isBroken(node: string): boolean {
    const { walker, pattern } = this;
    const [guess, position = ""] = node.split("/");
    const ended = walker.endAt(position);
    if (pattern.kind === "eventually") return guess === "waiting" && ended !== undefined;
    if (pattern.kind === "ends-in") {
      const isGood = ended === "complete" && isStep(pattern.of, `enters ${walker.stateAt(position)}`);
      return ended !== undefined && !isGood;
    }
    if (pattern.kind === "always-possible")
      return ended === undefined && !canDo(walker, pattern.of, position);
    return guess === "caught";
  }

  private follow(from: readonly Guess[], moments: readonly string[], to: Position): readonly string[] {
    let all = new Set(from);
    for (const moment of moments)
      all = new Set([...all].flatMap((guess) => this.guesses.after(guess, moment)));
    return [...all].map((guess) => `${guess}/${to}`);
  }
}

/** The nodes in order of their distance from some, with the distance. */
function distances(
  starts: readonly string[],
  next: (node: string) => readonly string[],
): Map<string, number> {
  const found = new Map(starts.map((start) => [start, 0]));
  for (const [node, distance] of found)
    for (const other of next(node)) if (!found.has(other)) found.set(other, distance + 1);
  return found;
}

/** The steps of the shortest run into a loop of runs that wait for ever and once around it. */
function shortestLasso(runs: GuessedRuns, root: string): number | undefined {
  let best: number | undefined;
  for (const [node, distance] of distances(runs.starts(root), (from) => runs.next(from))) {
    if (!node.startsWith("waiting/")) continue;
    const waiting = (from: string): string[] => runs.next(from).filter((to) => to.startsWith("waiting/"));
    const round = distances(waiting(node), waiting).get(node);
    if (round !== undefined) best = Math.min(best ?? Infinity, distance + 1 + round);
  }
  return best;
}

export function isJudged(walker: Walker, { kind }: Pattern): boolean {
  if (kind !== "possible" && kind !== "always-possible") return true;
  const { states, roots } = walker.flow;
  const names = states.map(({ name }) => name);
  const entered = new Set([...walker.positions(roots)].map((position) => walker.stateAt(position)));
  return !states.some(({ name, limit, exit }) => {
    const targets = walker.eventsOf(name).map(([, target]) => target);
    if (limit !== undefined && exit !== undefined) targets.push(exit);
    return entered.has(name) && targets.some((target) => !names.includes(target));
  });
}

/** Judges a property by trying every run with every guess. */
export function judge(walker: Walker, { pattern, from }: Property): Truth {
  const { flow } = walker;
  if (!isJudged(walker, pattern)) return { kind: "not-judged" };
  const wanted = from.map(({ text }) => text);
  const roots = flow.roots.filter((root) => wanted.length === 0 || wanted.includes(root));
  const runs = new GuessedRuns(walker, pattern);
  const shortest = roots.map((root) => {
    const all = distances(runs.starts(root), (node) => runs.next(node));
    return [...all].find(([node]) => runs.isBroken(node))?.[1];
  });
  const isFound = shortest.some((length) => length !== undefined);
  if (pattern.kind === "possible") return { kind: isFound ? "holds" : "broken" };
  const isEndless = !isFound && pattern.kind === "eventually";
  const lengths = (isEndless ? roots.map((root) => shortestLasso(runs, root)) : shortest).map(
    (length) => length ?? Infinity,
  );
  const length = Math.min(...lengths);
  if (length === Infinity) return { kind: "holds" };
  const root = roots[lengths.indexOf(length)] ?? "";
  return { kind: "broken", length, root, endless: isEndless };
}

/** All runs of at most so many events from a root. */
export function* histories(
  walker: Walker,
  root: string,
  events: number,
): Iterable<History & { length: number }> {
  const todo = [{ moments: [`enters ${root}`], at: walker.start(root), length: 0 }];
  for (const run of todo) {
    yield run;
    if (run.length === events) continue;
    for (const { moments, to } of walker.next(run.at))
      todo.push({ moments: [...run.moments, ...moments], at: to, length: run.length + 1 });
  }
}

/** The events of a run, one by one; undefined if it cannot take them. */
export function replay(walker: Walker, root: string, events: readonly string[]): readonly Sent[] | undefined {
  const taken: Sent[] = [];
  for (const event of events) {
    const at = taken.at(-1)?.to ?? walker.start(root);
    const sent = ends.includes(at) ? undefined : walker.next(at).find((each) => each.event === event);
    if (sent === undefined) return undefined;
    taken.push(sent);
  }
  return taken;
}

export const located = (text: string): Located => ({ text, start: 0, end: 0, pointer: "" });

export function propertyOf(pattern: Pattern, from: readonly string[] = []): Property {
  const start = { line: 1, column: 1 };
  const declaredAt = { message: "", pointer: "", range: { start, end: start } };
  const more = { severity: undefined, runtime: undefined, hasFiles: true, declaredAt };
  return { name: located("it"), pattern, from: from.map(located), ...more };
}

/** Properties about the names of a flow. */
export function randomProperty({ states, roots }: Flow): fc.Arbitrary<Property> {
  const names = states.map(({ name }) => name);
  const sends = states.flatMap(({ name, events }) => events.map(([event]) => ({ name, event })));
  const state = fc.constantFrom(...names);
  const entering = (name: string): Step => ({ kind: "state", state: located(name) });
  const kinds: { weight: number; arbitrary: fc.Arbitrary<Step> }[] = [
    { weight: 6, arbitrary: state.map(entering) },
    { weight: 1, arbitrary: fc.constant(entering("*")) },
    { weight: 3, arbitrary: state.map((name): Step => ({ kind: "spent", state: located(name) })) },
  ];
  if (sends.length > 0) {
    const sent = fc.constantFrom(...sends);
    const sending = (event: string, name?: string): Step => {
      return { kind: "event", event: located(event), state: name === undefined ? undefined : located(name) };
    };
    kinds.push({ weight: 3, arbitrary: sent.map(({ event }) => sending(event)) });
    kinds.push({ weight: 3, arbitrary: sent.map(({ event, name }) => sending(event, name)) });
  }
  const list = (step: fc.Arbitrary<Step>): fc.Arbitrary<Steps> =>
    fc.oneof(
      { weight: 3, arbitrary: step.map((only) => [only]) },
      { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 3 }) },
    );
  const of = list(fc.oneof(...kinds));
  const scope = fc.oneof(fc.constant<Steps>([]), of);
  const kind = <K extends Pattern["kind"]>(name: K) => fc.constant(name);
  const pattern: fc.Arbitrary<Pattern> = fc.oneof(
    fc.record({ kind: kind("never"), of }),
    fc.record({ kind: kind("never-before"), of, before: of, since: scope }),
    fc.record({ kind: kind("never-after"), of, after: of, until: scope }),
    fc.record({ kind: kind("eventually"), of, after: fc.option(of, { nil: undefined }) }),
    fc.record({ kind: kind("at-most"), of, times: fc.integer({ min: 0, max: 4 }), since: scope }),
    fc.record({ kind: kind("ends-in"), of: list(fc.oneof(state.map(entering), fc.constant(entering("*")))) }),
    fc.record({ kind: kind("always-possible"), of, until: scope }),
    fc.record({ kind: kind("possible"), of }),
  );
  const from = fc.oneof(fc.constant<string[]>([]), fc.shuffledSubarray([...roots], { minLength: 1 }));
  return fc.tuple(pattern, from).map(([each, some]) => {
    return propertyOf(each, some);
  });
}
