import type { Composition, Step } from "./composition.js";
import { mayHoldResult } from "./reads.js";

/** The course of one walk through a composition. */
export interface Walk {
  /** Whether each step ran, by its index. */
  readonly ran: readonly boolean[];
  /** The answers that branches were asked for, in order. */
  readonly answers: readonly Answer[];
  /** The step whose output is the result; undefined where there is none, and the composition fails. */
  readonly result: Step | undefined;
}

export interface Answer {
  readonly branch: Step;
  readonly isYes: boolean;
}

/** Answers a branch; `ran` says which steps before it ran. */
export type AnswerBranch = (branch: Step, ran: readonly boolean[]) => boolean;

export function walk(composition: Composition, answer: AnswerBranch): Walk {
  return new Walker(composition).walk(answer);
}

/** The steps that decide whether a step runs, by index. */
interface Visit {
  readonly step: Step;
  /** Empty also if one of them always counts as run: it is unknown, nested, or not before this step. */
  readonly dependencies: readonly number[];
  readonly then: number | undefined;
  readonly otherwise: number | undefined;
}

/**
 * Walks through a composition: every step is visited once, in file order, and is skipped if a branch marked it, or if it
 * depends on steps that were all skipped. A branch marks the target that was not chosen, and only that.
 */
export class Walker {
  /** The branches, and the steps that are not sure to run. */
  readonly visits: readonly Visit[];
  private readonly allRan: readonly boolean[];
  /** The last of the steps that are sure to run and have an output. */
  private readonly lastSure: Step | undefined;

  constructor(private readonly composition: Composition) {
    const { steps } = composition;
    const all = steps.map((step) => this.planVisit(step));
    const targets = new Set(all.flatMap(({ then, otherwise }) => [then, otherwise]));
    this.visits = all.filter(
      ({ step, dependencies }) =>
        step.kind === "branch" || dependencies.length > 0 || targets.has(step.index),
    );
    const unsure = new Set(this.visits.map(({ step }) => step));
    this.allRan = steps.map(() => true);
    this.lastSure = steps.findLast((step) => !unsure.has(step));
  }

  walk(answer: AnswerBranch): Walk {
    const ran = this.allRan.slice();
    const marked = new Set<number>();
    const answers: Answer[] = [];
    let last = this.lastSure;
    for (const { step, dependencies, then, otherwise } of this.visits) {
      const isCut = dependencies.length > 0 && dependencies.every((index) => ran[index] === false);
      if (marked.has(step.index) || isCut) ran[step.index] = false;
      else if (step.kind === "branch") {
        const isYes = answer(step, ran);
        answers.push({ branch: step, isYes });
        const other = isYes ? otherwise : then;
        if (other !== undefined && then !== otherwise) marked.add(other);
      } else if (step.index >= (last?.index ?? 0)) last = step;
    }
    return { ran, answers, result: this.resultOf(ran, last) };
  }

  private planVisit(step: Step): Visit {
    const { dependsOn, then, otherwise } = step;
    const dependencies = dependsOn.map(({ text }) => this.indexOf(text) ?? step.index);
    return {
      step,
      dependencies: dependencies.every((index) => index < step.index) ? dependencies : [],
      then: then && this.indexOf(then.text),
      otherwise: otherwise && this.indexOf(otherwise.text),
    };
  }

  private indexOf(id: string): number | undefined {
    const step = this.composition.stepNamed(id);
    return step?.parent === undefined ? step?.index : undefined;
  }

  private resultOf(ran: readonly boolean[], last: Step | undefined): Step | undefined {
    const { output, stepNamed } = this.composition;
    if (output === undefined) return last;
    const named = stepNamed(output.text);
    return named !== undefined && mayHoldResult(named) && ran[named.index] === true ? named : undefined;
  }
}
