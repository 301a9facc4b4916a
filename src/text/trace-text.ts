import type { Trace, TraceStep } from "../diagnostic.js";
import { nameInRun } from "../words/wording.js";
import { repeatAt } from "./repeats.js";
import { textWidth } from "./text-width.js";
import { visible } from "./visible-text.js";
import { wrapPieces } from "./wrap-text.js";

/** A part of a printed run that stays on one line, and the steps it stands for. */
interface Piece {
  readonly step: TraceStep;
  /** What is said behind the step. */
  readonly note: string;
  readonly steps: number;
}

const mostPieces = 40;
const piecesBefore = 24;
const piecesAfter = 8;

/**
 * A run in words: `plan ─PlanReady→ implement`, forced exits as `spent ⇒ entered`. The part that repeats for ever
 * stands on its own line behind `↻`.
 */
export function traceLines(trace: Trace, width = Infinity): string[] {
  const { steps } = trace;
  const loopFrom = Math.min(trace.loopFrom ?? steps.length, steps.length);
  const pieces = new RunWriter(steps);
  const stem = loopFrom > 0 ? wrapRun(pieces.write(0, loopFrom), "", width) : [];
  const loop = loopFrom < steps.length ? wrapRun(pieces.write(loopFrom, steps.length), "↻ ", width) : [];
  return [...stem, ...loop];
}

/** One step: `review ─ChangesNeeded→ implement ⇒ review`. */
export function stepText(step: TraceStep): string {
  return `${name(step.from)} ${move(step)}`;
}

/** Writes parts of a run in their order, and counts the visits made so far. */
class RunWriter {
  private readonly visits = new Map<string, number>();

  constructor(private readonly steps: readonly TraceStep[]) {
    const [first] = steps;
    if (first !== undefined) this.enter(first.from, 1);
  }

  write(start: number, end: number): string[] {
    return shorten(this.pieces(start, end));
  }

  private pieces(start: number, end: number): Piece[] {
    const pieces: Piece[] = [];
    let at = start;
    while (at < end) {
      const repeat = repeatAt(this.steps, at, end, isSameStep);
      if (repeat === undefined) {
        const step = this.steps[at++];
        if (step === undefined) break;
        this.enter(step.to, 1);
        pieces.push({ step, note: "", steps: 1 });
        continue;
      }
      const { period, times } = repeat;
      const lap = this.steps.slice(at, at + period);
      for (const piece of this.pieces(at, at + period)) pieces.push(piece);
      for (const step of lap) this.enter(step.to, times - 1);
      const last = pieces.pop();
      if (last !== undefined) pieces.push(this.again(last, lap, period * (times - 1)));
      at += period * times;
    }
    return pieces;
  }

  /** A lap's last piece, saying how often its state has been visited once all laps are run. */
  private again(last: Piece, lap: readonly TraceStep[], steps: number): Piece {
    const visits = this.visits.get(lap[0]?.from ?? "") ?? 0;
    return { ...last, note: `${last.note} … (${visits} visits)`, steps: last.steps + steps };
  }

  private enter(state: string, times: number): void {
    this.visits.set(state, (this.visits.get(state) ?? 0) + times);
  }
}

function shorten(pieces: readonly Piece[]): string[] {
  const [first] = pieces;
  if (first === undefined) return [];
  if (pieces.length <= mostPieces) return [name(first.step.from), ...pieces.map(pieceText)];
  const middle = pieces.slice(piecesBefore, -piecesAfter);
  const tail = pieces.slice(-piecesAfter);
  const left = middle.reduce((sum, piece) => sum + piece.steps, 0);
  return [
    name(first.step.from),
    ...pieces.slice(0, piecesBefore).map(pieceText),
    `… (${left} more steps) …`,
    name(tail[0]?.step.from ?? ""),
    ...tail.map(pieceText),
  ];
}

function pieceText({ step, note }: Piece): string {
  return move(step) + note;
}

function isSameStep(a: TraceStep, b: TraceStep): boolean {
  return a.event === b.event && a.to === b.to && a.from === b.from && isSameWay(a.forced, b.forced);
}

function isSameWay(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

function wrapRun(pieces: readonly string[], lead: string, width: number): string[] {
  const indent = "  ";
  const room = width - indent.length;
  const whole = pieces.flatMap((piece) => (textWidth(piece) <= room ? [piece] : piece.split(" ")));
  return wrapPieces(whole, room).map((line, index) => (index === 0 ? lead : indent) + line);
}

function move(step: TraceStep): string {
  const passed = [...(step.forced ?? []), step.to].map(name);
  return `─${name(step.event)}→ ${passed.join(" ⇒ ")}`;
}

function name(text: string): string {
  return visible(nameInRun(text));
}
