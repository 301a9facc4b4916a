import { LEFT_OUT, type Monitor } from "../machine/explore.js";
import type { Machine } from "../machine/machine.js";
import type { Outcome } from "../machine/run.js";
import type { Pattern, Steps } from "./property.js";

/** One transition is several moments: the event is sent, spent states are attempted, a state is entered. */
export interface Moment {
  readonly kind: "sent" | "spent" | "entered";
  readonly state: number;
  readonly event?: number;
}

export type RunEnd = "complete" | "stopped" | "stuck" | undefined;

/** Watches the moments of a run, and remembers in a tag what a pattern needs to know of them. */
export interface Watch {
  readonly tags: number;
  readonly initial: number;
  observe(tag: number, moment: Moment): number;
  /** Whether a run that is here, or has ended here, breaks the pattern. */
  breaks(tag: number, end: RunEnd, state: number): boolean;
}

export type StepTest = (moment: Moment) => boolean;

export function stepTest({ states }: Machine, steps: Steps): StepTest {
  const entered = new Set<string>();
  const spent = new Set<string>();
  const sent = new Set<string>();
  const sentIn = new Map<string, Set<string>>();
  for (const step of steps) {
    if (step.kind === "state") entered.add(step.state.text);
    else if (step.kind === "spent") spent.add(step.state.text);
    else if (step.state === undefined) sent.add(step.event.text);
    else sentIn.set(step.state.text, (sentIn.get(step.state.text) ?? new Set()).add(step.event.text));
  }
  return ({ kind, state: index, event = -1 }) => {
    const state = states[index];
    if (state === undefined) return false;
    if (kind === "entered") return entered.has("*") || entered.has(state.name);
    if (kind === "spent") return spent.has(state.name);
    const name = state.edges[event]?.event ?? "";
    return sent.has(name) || sentIn.get(state.name)?.has(name) === true;
  };
}

/** The tags of `eventually`. */
const SETTLED = 0;
/** Awaited, and not done in the last transition. */
export const AWAITED = 1;
/** Awaited since a moment of the last transition, in which it was done before. */
const AWAITED_ANEW = 2;

/** The tags of `always-possible`: what was done in the last transition, and what was done at any time. */
export const DONE_LAST = 1;
export const RELEASED = 2;

/** No exploration gets as far. */
const maxCount = 2 ** 22;

export function watchFor(machine: Machine, pattern: Pattern): Watch {
  const test = (steps: Steps): StepTest => stepTest(machine, steps);
  const does = test(pattern.of);
  switch (pattern.kind) {
    case "never":
    case "possible":
      return countingWatch(1, (_, moment) => (does(moment) ? 1 : 0));
    case "never-before": {
      const [allows, resets] = [test(pattern.before), test(pattern.since)];
      return countingWatch(2, (tag, moment) => {
        if (tag === 0 && does(moment)) return 2;
        return !resets(moment) && (tag === 1 || allows(moment)) ? 1 : 0;
      });
    }
    case "never-after": {
      const [forbids, lifts] = [test(pattern.after), test(pattern.until)];
      return countingWatch(2, (tag, moment) => {
        if (tag === 1 && does(moment)) return 2;
        return forbids(moment) || (tag === 1 && !lifts(moment)) ? 1 : 0;
      });
    }
    case "at-most": {
      const resets = test(pattern.since);
      const times = Math.min(pattern.times, maxCount);
      return countingWatch(times + 1, (tag, moment) => {
        const count = does(moment) ? tag + 1 : tag;
        return count <= times && resets(moment) ? 0 : count;
      });
    }
    case "eventually": {
      const asks = pattern.after && test(pattern.after);
      return {
        tags: 3,
        initial: asks === undefined ? AWAITED : SETTLED,
        observe(before, moment) {
          let tag = moment.kind === "sent" && before === AWAITED_ANEW ? AWAITED : before;
          if (does(moment)) tag = SETTLED;
          if (tag === SETTLED && asks === undefined) return LEFT_OUT;
          return tag === SETTLED && asks?.(moment) === true ? AWAITED_ANEW : tag;
        },
        breaks: (tag, end) => end !== undefined && tag !== SETTLED,
      };
    }
    case "ends-in":
      return {
        tags: 1,
        initial: 0,
        observe: () => 0,
        breaks: (_, end, state) =>
          end !== undefined && !(end === "complete" && does({ kind: "entered", state })),
      };
    case "always-possible": {
      const releases = test(pattern.until);
      return {
        tags: 4,
        initial: 0,
        observe(before, moment) {
          const tag = moment.kind === "sent" ? before & RELEASED : before;
          return tag | (does(moment) ? DONE_LAST : 0) | (releases(moment) ? RELEASED : 0);
        },
        breaks: () => false,
      };
    }
  }
}

/** A watch whose last tag is the broken pattern. */
function countingWatch(broken: number, observe: (tag: number, moment: Moment) => number): Watch {
  return {
    tags: broken + 1,
    initial: 0,
    observe: (tag, moment) => (tag === broken ? broken : observe(tag, moment)),
    breaks: (tag) => tag === broken,
  };
}

/** Watches the runs of a machine until one breaks the pattern. */
export function monitorOf({ states }: Machine, watch: Watch): Monitor {
  let isBroken = false;
  const judge = (tag: number, end: RunEnd, state: number): number => {
    if (tag !== LEFT_OUT && watch.breaks(tag, end, state)) isBroken = true;
    return tag;
  };
  const enter = (tag: number, state: number): number => {
    const after = watch.observe(tag, { kind: "entered", state });
    return judge(after, states[state]?.ends === true ? "complete" : undefined, state);
  };
  return {
    tags: watch.tags,
    start: (root) => enter(watch.initial, root),
    next(before, from, event, outcome: Outcome) {
      let tag = watch.observe(before, { kind: "sent", state: from, event });
      for (const state of outcome.forced)
        if (tag !== LEFT_OUT) tag = watch.observe(tag, { kind: "spent", state });
      if (tag === LEFT_OUT) return LEFT_OUT;
      if (outcome.kind === "entered") return enter(tag, outcome.state);
      return judge(tag, outcome.kind === "stuck" ? "stuck" : "stopped", states.length);
    },
    isDone: () => isBroken,
  };
}
