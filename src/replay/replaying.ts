import { Attempts, type Outcome } from "../machine/attempt.js";
import type { Edge, MachineState } from "../machine/machine.js";
import type { Node } from "../document/node.js";
import type { Text } from "../document/spelled-values.js";
import { knownEventsOf } from "../machine/known-events.js";
import { ArtifactWatch } from "./artifact-watch.js";
import { BudgetWatch } from "./budget-watch.js";
import type { Note } from "./deviation.js";
import { judgeArrival, judgeArrivalLoosely } from "./judge-arrival.js";
import type { Ground } from "./recorded-run.js";
import { isTwice, type RecordedMove, type Recording } from "./recording.js";
import { VisitWatch } from "./visit-watch.js";

/**
 * Walks along a record. Every step is the machine's own; where the record parts from it, that is reported, and the
 * walk goes on from what the record says.
 */
export class Replaying {
  readonly visits: VisitWatch;
  readonly artifacts: ArtifactWatch;
  /** Nothing is missing so far that would make the own counts wrong. */
  isSure = true;
  /** How the machine arrived, by the move, where the record does not tell the spent states on the way, and agrees. */
  readonly arrivals = new Map<Node, Outcome>();
  /** There were more visits than the record shows: where it has a gap, some were in it. */
  private readonly mayHaveMore: boolean;
  private standing: Standing | undefined;
  private readonly budget: BudgetWatch;
  /** Only the last entry is ever corrected, and that before the next attempt: so no count goes down between two. */
  private readonly attempts: Attempts;
  private readonly unclear: ReadonlySet<number>;

  constructor(
    readonly ground: Ground,
    recording: Recording,
    readonly note: Note,
    artifactsStartEmpty: boolean,
  ) {
    this.visits = new VisitWatch(note);
    this.attempts = new Attempts(ground.machine, (state) => this.visits.visits(state));
    const unclear = ground.workflow.states.filter(({ isUnclear }) => isUnclear);
    this.unclear = new Set(unclear.map(({ index }) => index));
    this.budget = new BudgetWatch(ground, note);
    this.artifacts = new ArtifactWatch(ground.pack, ground.workflow, note, artifactsStartEmpty);
    this.isSure = !recording.hasUnreadableStart;
    this.mayHaveMore = recording.context?.mayHaveMore === true;
  }

  stateNamed(name: string | undefined): MachineState | undefined {
    if (name === undefined) return undefined;
    const state = this.ground.workflow.stateNamed(name);
    return state === undefined ? undefined : this.ground.machine.states[state.index];
  }

  /** The state the run is in; nothing where it is unknown. */
  get current(): MachineState | undefined {
    return this.stateNamed(this.standing?.name);
  }

  /** The run starts here: what is said of it has been checked, and `instead` may be meant. */
  begin(name: string, instead: string | undefined): void {
    this.visits.begin(this.stateNamed(name)?.index, 1);
    this.standing = { name, instead };
  }

  /** The record comes in the middle of the run, in this state. */
  resume(name: string | undefined): void {
    this.standing = name === undefined ? undefined : { name, instead: undefined };
  }

  meet(move: RecordedMove): void {
    const { from, event, to } = move;
    if (from === undefined || event === undefined || to === undefined) return this.meetUnclear(move);
    if (this.visits.isOutOfStep(move)) this.isSure = false;
    if (!this.isIn(from.text)) return this.cross(move, from, event, to);
    const left = this.stateNamed(from.text);
    this.enter(move, to, left === undefined ? { isOdd: true } : this.judge(left, event, to, move));
    const state = left === undefined ? undefined : this.ground.workflow.states[left.index];
    this.artifacts.leave(move, state);
  }

  /** Whether the run is in this state; where that was in doubt, it is settled. */
  isIn(name: string): boolean {
    if (this.standing === undefined || this.standing.name === name) return true;
    const { name: entered, instead } = this.standing;
    if (instead !== name) return false;
    const state = this.stateNamed(name);
    if (state !== undefined) this.visits.correct(this.stateNamed(entered)?.index, state.index);
    this.standing = { name, instead: undefined };
    return true;
  }

  get standsIn(): string | undefined {
    return this.standing?.name;
  }

  edgeOf(state: MachineState, event: string): Edge | undefined {
    const number = knownEventsOf(state).byName.get(event);
    return number === undefined ? undefined : state.edges[number];
  }

  look(edge: Edge): Outcome {
    return this.attempts.of(edge.target);
  }

  /** Whether a part of the pack that could not be read decides what this attempt does. */
  isUnclear(edge: Edge, outcome: Outcome): boolean {
    if (edge.transition !== undefined && edge.transition.target === undefined) return true;
    return this.unclear.size > 0 && [edge.target, ...outcome.forced].some((state) => this.unclear.has(state));
  }

  /** From here on nothing is sure that rests on counts; what came before stays. */
  private meetUnclear(move: RecordedMove): void {
    const { to } = move;
    this.isSure = false;
    this.visits.lose();
    if (to !== undefined) this.visits.enter(this.stateNamed(to.text)?.index);
    this.standing = to === undefined ? undefined : { name: to.text, instead: undefined };
    this.artifacts.leave(move, undefined);
  }

  /**
   * The record leaves another state than it entered. If its event does in the run's own state what the record says, and
   * no visits are missing, only the name is wrong; otherwise transitions are missing, and counts are no longer sure.
   */
  private cross(move: RecordedMove, from: Text, event: Text, to: Text): void {
    if (this.stateNamed(from.text) === undefined) this.note({ kind: "unknown-state", name: from });
    else {
      const by = this.mayHaveMore ? undefined : this.standing?.by;
      const isRepeated = by !== undefined && isTwice(by, move);
      this.note({ kind: "gap", from, was: this.standing?.name ?? "", isRepeated });
    }
    const edge = this.current && this.edgeOf(this.current, event.text);
    const outcome = edge && this.look(edge);
    const fits = outcome?.kind === "entered" && this.stateNamed(to.text)?.index === outcome.state;
    if (!fits || this.mayHaveMore) this.isSure = false;
    this.enter(move, to, { isOdd: true });
    this.artifacts.leave(move, undefined);
  }

  /** Reports what is wrong with a move, if anything is. */
  private judge(left: MachineState, event: Text, to: Text, move: RecordedMove): Judged {
    if (left.ends) {
      this.note({ kind: "after-end", at: event, state: left });
      return { isOdd: true };
    }
    const edge = this.edgeOf(left, event.text);
    if (edge === undefined) {
      if (!this.hasUnclearPart(left.index)) this.note({ kind: "unknown-event", event, state: left });
      return { isOdd: true };
    }
    this.budget.check(event, this.totalAfter(move));
    const outcome = this.look(edge);
    const entered = this.stateNamed(to.text);
    if (entered === undefined) {
      this.note({ kind: "unknown-state", name: to });
      return { isOdd: true, instead: this.nameOf(outcome) };
    }
    if (this.isUnclear(edge, outcome)) return { isOdd: false };
    const { forced, forcedAt } = move;
    const arrival = { machine: this.ground.machine, left, edge, to, entered, forced, forcedAt };
    const isCounted = this.isSure && !this.visits.leavesOpen(outcome, this.ground.machine);
    const deviation = isCounted
      ? judgeArrival(arrival, outcome, this.visits.visits(entered.index))
      : judgeArrivalLoosely(arrival);
    if (deviation === undefined) {
      if (isCounted && forced === undefined) this.arrivals.set(move.node, outcome);
      return { isOdd: false };
    }
    this.note(deviation);
    return { isOdd: true, instead: this.nameOf(outcome) };
  }

  /** Whether the budget, where it counts, allows no further visit. */
  get isBudgetSpent(): boolean {
    return !this.budget.allows(this.totalAfter(undefined));
  }

  /** The visits after a move. Once moves are missing, or here twice, the record's own count is believed. */
  private totalAfter(move: RecordedMove | undefined): number {
    const { total, saidTotal } = this.visits;
    return this.isSure ? total + 1 : (move?.total?.value ?? saidTotal + 1);
  }

  private enter(move: RecordedMove, to: Text, { isOdd, instead }: Judged): void {
    const state = this.stateNamed(to.text)?.index;
    this.visits.enter(state);
    this.visits.compare(move, state, to.text, isOdd);
    this.standing = { name: to.text, instead, by: move };
  }

  private nameOf(outcome: Outcome): string | undefined {
    return outcome.kind === "entered" ? this.ground.machine.states[outcome.state]?.name : undefined;
  }

  hasUnclearPart(state: number): boolean {
    return this.unclear.has(state);
  }
}

/** The state that the record last entered, the one that the machine would have, and the move, if it could be read. */
interface Standing {
  readonly name: string;
  readonly instead: string | undefined;
  readonly by?: RecordedMove;
}

/** `instead` is the state that ought to have been entered. */
interface Judged {
  readonly isOdd: boolean;
  readonly instead?: string | undefined;
}
