import {
  attemptedBy,
  type BranchOutcome,
  type Diagnostic,
  type Trace,
  type TraceStep,
} from "../diagnostic.js";
import { escapeInvisible } from "./escape.js";
import { besideLabel, wrapSegments } from "./terminal-text.js";
import { commaSeparated, quoteForTrace } from "./wording.js";

/** A part of a printed run that stays on one line, and the steps it covers. */
interface Segment {
  readonly step: TraceStep;
  readonly note: string;
  readonly steps: number;
}

const maxSegments = 40;
const headSegments = 24;
const tailSegments = 8;

/** The run of a finding, or those of a change: the one before it, and the one that takes the same events now. */
export function runLines(
  { trace, change }: Pick<Diagnostic, "trace" | "change">,
  width = Infinity,
): readonly string[] {
  const runs = change?.runs;
  if (runs === undefined) return trace === undefined ? [] : traceLines(trace, width);
  const labelled = [
    ["before: ", runs.old],
    ["now:    ", runs.new],
  ] as const;
  return labelled.flatMap(([label, run]) =>
    besideLabel(label, isEmptyTrace(run) ? ["–"] : traceLines(run, width - label.length)),
  );
}

/** `plan ─PlanReady→ implement`, forced exits as `spent ⇒ entered`; what repeats forever is on a line after `↻`. */
export function traceLines(trace: Trace, width = Infinity): readonly string[] {
  const { root, steps, outcomes = [] } = trace;
  if (outcomes.length > 0) return outcomeLines(outcomes, width);
  if (steps.length === 0 && root !== undefined) return wrapTrace([displayName(root)], "", width);
  const loopFrom = Math.min(trace.loopFrom ?? steps.length, steps.length);
  const pieces = new TraceWriter(steps);
  const stem = loopFrom > 0 ? wrapTrace(pieces.write(0, loopFrom), "", width) : [];
  const loop = loopFrom < steps.length ? wrapTrace(pieces.write(loopFrom, steps.length), "↻ ", width) : [];
  return [...stem, ...loop];
}

/** `when route is false, urgent is true`. */
function outcomeLines(outcomes: readonly BranchOutcome[], width: number): readonly string[] {
  const shown = outcomes
    .slice(0, maxSegments)
    .map(({ branch, answer }) => `${displayName(branch)} is ${answer}`);
  const more = outcomes.length - shown.length;
  const parts = more > 0 ? [...shown, `and ${more} more`] : shown;
  return wrapTrace(commaSeparated(parts), "when ", width);
}

/** One step: `review ─ChangesNeeded→ implement ⇒ review`. */
export function stepText(step: TraceStep): string {
  return `${displayName(step.from)} ${arrowText(step)}`;
}

class TraceWriter {
  private readonly visits = new Map<string, number>();

  constructor(private readonly steps: readonly TraceStep[]) {
    const [first] = steps;
    if (first !== undefined) this.enter(first.from, 1);
  }

  write(start: number, end: number): string[] {
    return elideMiddle(this.segments(start, end));
  }

  private segments(start: number, end: number): Segment[] {
    const pieces: Segment[] = [];
    let at = start;
    while (at < end) {
      const repeat = longestRepeatAt(this.steps, at, end);
      if (repeat === undefined) {
        const step = this.steps[at++];
        if (step === undefined) break;
        this.enter(step.to, 1);
        pieces.push({ step, note: "", steps: 1 });
        continue;
      }
      const { period, times } = repeat;
      const lap = this.steps.slice(at, at + period);
      for (const piece of this.segments(at, at + period)) pieces.push(piece);
      for (const step of lap) this.enter(step.to, times - 1);
      const visits = this.visits.get(lap[0]?.from ?? "") ?? 0;
      const last = pieces.pop();
      if (last !== undefined) {
        const note = `${last.note} … (${visits} visits)`;
        pieces.push({ ...last, note, steps: last.steps + period * (times - 1) });
      }
      at += period * times;
    }
    return pieces;
  }

  private enter(state: string | null, times: number): void {
    if (state === null) return;
    this.visits.set(state, (this.visits.get(state) ?? 0) + times);
  }
}

function elideMiddle(pieces: readonly Segment[]): string[] {
  if (pieces.length <= maxSegments) return writeSegments(pieces);
  const middle = pieces.slice(headSegments, -tailSegments);
  const left = middle.reduce((sum, piece) => sum + piece.steps, 0);
  return [
    ...writeSegments(pieces.slice(0, headSegments)),
    `… (${left} more steps) …`,
    ...writeSegments(pieces.slice(-tailSegments)),
  ];
}

/** Where the segments start, and where each leads. */
function writeSegments(pieces: readonly Segment[]): string[] {
  const start = pieces.slice(0, 1).map(({ step }) => displayName(step.from));
  return [...start, ...pieces.map(({ step, note }) => arrowText(step) + note)];
}

function isSameStep(a: TraceStep, b: TraceStep): boolean {
  const [forced, others] = [a.forced ?? [], b.forced ?? []];
  const isSameWay = forced.length === others.length && forced.every((name, index) => name === others[index]);
  return a.event === b.event && a.to === b.to && a.from === b.from && isSameWay;
}

function wrapTrace(pieces: readonly string[], lead: string, width: number): readonly string[] {
  const indent = "  ";
  return besideLabel(lead, wrapSegments(pieces, width - indent.length), indent);
}

const endTexts = { stopped: "(the run stops)", stuck: "(the run is stuck)", refused: "(refused)" };

function arrowText(step: TraceStep): string {
  const passed = attemptedBy(step).map(displayName);
  const end = step.end === undefined ? [] : [endTexts[step.end]];
  return `─${displayName(step.event)}→ ${[...passed, ...end].join(" ⇒ ")}`;
}

function displayName(text: string): string {
  return escapeInvisible(quoteForTrace(text));
}

/** A run as it is in JSON reports, without the source positions of its steps. */
export function traceJson({ root, steps, loopFrom, outcomes }: Trace): Trace {
  return {
    ...(root !== undefined && { root }),
    steps: steps.map(stepJson),
    ...(loopFrom !== undefined && { loopFrom }),
    ...(outcomes !== undefined && { outcomes }),
  };
}

export function isEmptyTrace({ root, steps, outcomes = [] }: Trace): boolean {
  return root === undefined && steps.length === 0 && outcomes.length === 0;
}

export function stepJson<S extends TraceStep>({ at: _, ...step }: S): Omit<S, "at"> {
  return step;
}

const maxPeriod = 64;
const minTimes = 3;

/** The block of steps, and how often it repeats, that covers the most steps from `start` to `end`; of equals, the one with the shortest block. */
function longestRepeatAt(steps: readonly TraceStep[], start: number, end: number) {
  const isRepeated = (at: number, period: number) => {
    const before = steps[at - period];
    const step = at < end ? steps[at] : undefined;
    return before !== undefined && step !== undefined && isSameStep(before, step);
  };
  let best: { readonly period: number; readonly times: number } | undefined;
  for (let period = 1; period <= maxPeriod && start + period * minTimes <= end; period++) {
    let alike = 0;
    while (isRepeated(start + period + alike, period)) alike++;
    const times = 1 + Math.floor(alike / period);
    if (times >= minTimes && period * times > (best?.period ?? 0) * (best?.times ?? 0)) {
      best = { period, times };
    }
  }
  return best;
}
