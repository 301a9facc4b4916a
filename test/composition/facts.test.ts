import { defaultTarget } from "../../src/runtimes/index.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Composition } from "../../src/composition/composition.js";
import { factsOf } from "../../src/composition/facts.js";
import type { Answer } from "../../src/composition/walk.js";
import type { Pack } from "../../src/pack/pack.js";
import type { RuleFor } from "../../src/rules/rule.js";
import { packRule } from "../rules/pack-rule.js";
import { runs } from "../runs.js";
import {
  type Answers,
  askedBy,
  consistentWalks,
  failingReads,
  isConsistent,
  plainWalk,
  type PlainWalk,
  runningOn,
} from "./brute-force.js";
import {
  compositions,
  constantAnswers,
  mainOf,
  packOf,
  type PlainComposition,
  type PlainStep,
} from "./random-composition.js";

/** What every walk has to agree with, by ids. */
function expectedFacts(composition: PlainComposition) {
  const walks = consistentWalks(composition);
  const ids = composition.steps.map(({ id }) => id);
  const { output } = composition;
  const reads = failingReads(composition).flatMap(({ reader, read }) => {
    const whileRunning = walks.filter(({ ran }) => ran.has(reader));
    const skipped = whileRunning.filter(({ ran }) => !ran.has(read));
    return skipped.length === 0 ? [] : [{ reader, read, isEvery: skipped.length === whileRunning.length }];
  });
  return {
    unreachable: ids.filter((id) => !walks.some(({ ran }) => ran.has(id))),
    certain: ids.filter((id) => walks.every(({ ran }) => ran.has(id))),
    results: ids.filter((id) => walks.some(({ result }) => result === id)),
    reads,
    isOutputSkipped: output !== undefined && walks.some(({ ran }) => !ran.has(output)),
    isWithoutResult: output === undefined && walks.some(({ result }) => result === undefined),
  };
}

function actualFacts(composition: Composition): ReturnType<typeof expectedFacts> {
  const facts = factsOf(composition);
  const idsOf = (holds: (step: Composition["steps"][number]) => boolean) =>
    composition.steps.filter(holds).map(({ id }) => id.text);
  return {
    unreachable: idsOf((step) => !facts.mayRun(step)),
    certain: idsOf(facts.mustRun),
    results: idsOf(facts.mayBeResult),
    reads: facts.skippedReads.map(({ reader, read, isEvery }) => {
      return { reader: (reader.parent ?? reader).id.text, read: read.id.text, isEvery };
    }),
    isOutputSkipped: facts.outputSkipped !== undefined,
    isWithoutResult: facts.withoutResult !== undefined,
  };
}

/** The walks that the answers of a trace leave open, and the first of them that does not show the fault. */
function unshown(
  plain: PlainComposition,
  answers: readonly Answer[],
  shows: (walk: PlainWalk) => boolean,
): readonly unknown[] {
  const traced = new Map(answers.map(({ branch, isYes }) => [branch.id.text, isYes]));
  const matching = consistentWalks(plain).filter((walk) =>
    [...traced].every(([id, isYes]) => walk.asked.includes(id) && walk.answers.get(id) === isYes),
  );
  if (matching.length === 0) return [["no walk goes like that", traced]];
  return matching.filter((walk) => !shows(walk)).map((walk) => [traced, walk]);
}

function reported(rule: RuleFor<"pack">, pack: Pack): readonly string[] {
  const isOn = (): boolean => true;
  const steps = mainOf(pack).steps;
  return [...rule.check({ pack, isOn, target: defaultTarget })].map(({ at }) => {
    const step = steps.find(
      (each) => each.at.pointer === at.pointer || `${each.at.pointer}/predicate` === at.pointer,
    );
    return step?.id.text ?? at.pointer;
  });
}

const small = compositions({ steps: [1, 8], branches: [0, 5] });

describe("the facts of a composition with few branches", () => {
  it("are those of every consistent walk", () => {
    fc.assert(
      fc.property(small, (plain) => {
        expect(actualFacts(mainOf(packOf(plain)))).toEqual(expectedFacts(plain));
      }),
      { numRuns: runs(8_000) },
    );
  });

  it("come with answers that show the fault, whatever other branches answer", () => {
    fc.assert(
      fc.property(small, (plain) => {
        const { skippedReads, outputSkipped, withoutResult } = factsOf(mainOf(packOf(plain)));
        for (const { reader, read, answers } of skippedReads) {
          const name = (reader.parent ?? reader).id.text;
          const isShown = ({ ran }: PlainWalk) => ran.has(name) && !ran.has(read.id.text);
          expect(unshown(plain, answers, isShown)).toEqual([]);
        }
        const isFailed = ({ result }: PlainWalk) => result === undefined;
        for (const answers of [outputSkipped, withoutResult])
          if (answers !== undefined) expect(unshown(plain, answers, isFailed)).toEqual([]);
      }),
      { numRuns: runs(4_000) },
    );
  });

  it("are what the rules report", () => {
    fc.assert(
      fc.property(small, (plain) => {
        const pack = packOf(plain);
        const { unreachable } = expectedFacts(plain);
        const dead = deadTargets(plain.steps);
        expect(reported(packRule("unreachable-step"), pack)).toEqual(
          unreachable.filter((id) => !dead.has(id)),
        );
        expect(reported(packRule("arm-runs-on"), pack)).toEqual(runningOn(plain));
        const constant = plain.steps.filter(isConstant).map(({ id }) => id);
        expect(reported(packRule("predicate-constant"), pack)).toEqual(constant);
      }),
      { numRuns: runs(4_000) },
    );
  });

  it("say that what is between two arms runs in every walk", () => {
    fc.assert(
      fc.property(small, (plain) => {
        const walks = consistentWalks(plain);
        for (const id of runningOn(plain)) expect(walks.every(({ ran }) => ran.has(id))).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

function isConstant({ predicate, then, else: otherwise }: PlainStep): boolean {
  return predicate !== undefined && (constantAnswers.has(predicate) || then === otherwise);
}

/** The targets that a predicate with one answer never chooses. */
function deadTargets(steps: readonly PlainStep[]): ReadonlySet<string | undefined> {
  return new Set(
    steps.flatMap(({ predicate, then, else: otherwise }) => {
      const answer = predicate && constantAnswers.get(predicate);
      if (answer === undefined || then === otherwise) return [];
      return [answer ? otherwise : then];
    }),
  );
}

describe("the facts of a composition with many branches", () => {
  const large = compositions({ steps: [20, 60], branches: [13, 25] });

  it("claim nothing that a walk contradicts", () => {
    fc.assert(
      fc.property(large, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), (plain, seeds) => {
        const composition = mainOf(packOf(plain));
        expect(factsOf(composition).isExact).toBe(false);
        const walks = seeds.map((seed) => randomWalk(plain, seed));
        expect(walks.flatMap((walk) => contradictions(composition, walk))).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

/** The claims that a walk disproves. */
function contradictions(composition: Composition, { ran, result }: PlainWalk): readonly string[] {
  const { mayRun, mustRun, mayBeResult, skippedReads, outputSkipped, withoutResult } = factsOf(composition);
  const found: string[] = [];
  for (const step of composition.steps) {
    const id = step.id.text;
    if (!mayRun(step) && ran.has(id)) found.push(`${id} never runs`);
    if (mustRun(step) && !ran.has(id)) found.push(`${id} always runs`);
    if (!mayBeResult(step) && result === id) found.push(`${id} is never the result`);
  }
  for (const { reader, read } of skippedReads)
    if (!ran.has((reader.parent ?? reader).id.text) || ran.has(read.id.text))
      found.push(`${reader.id.text} always reads ${read.id.text} in vain`);
  if ((outputSkipped ?? withoutResult) !== undefined && result !== undefined)
    found.push("there is no result");
  return found;
}

/** A consistent walk: each question gets one answer, and of the values of one path at most one is right. */
function randomWalk(plain: PlainComposition, seed: number): PlainWalk {
  let state = seed;
  const toss = (): boolean => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % 2 === 0;
  };
  const asked = plain.steps.filter(({ kind }) => kind === "branch").map(askedBy);
  const known = new Map<string, boolean>();
  const taken = new Set<string>();
  const answers = new Map<string, boolean>();
  for (const { branch, question, isTurned, constant, outputOf, equals } of asked) {
    let answer = known.get(question);
    if (answer === undefined) {
      answer = toss() && (equals === undefined || !taken.has(equals));
      if (outputOf === undefined && constant === undefined) {
        known.set(question, answer);
        if (equals !== undefined && answer) taken.add(equals);
      }
    }
    // What ran before this branch does not depend on its answer.
    if (outputOf !== undefined) answer = plainWalk(plain, answers).ran.has(outputOf);
    answers.set(branch.id, constant ?? answer !== isTurned);
  }
  const walk = plainWalk(plain, answers);
  expect(isConsistent(asked, answers satisfies Answers, walk)).toBe(true);
  return walk;
}
