import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Trace } from "../../src/diagnostic.js";
import { findFacts } from "../../src/machine/exact-facts.js";
import { explore } from "../../src/machine/explore.js";
import type { Facts, Trap, WitnessedStates } from "../../src/machine/facts.js";
import { buildStructure, dropGuardsOnFinalStates } from "../../src/machine/structure.js";
import { type Edge, type Machine, rfcReading } from "../../src/machine/machine.js";
import { RunState } from "../../src/machine/run.js";
import { findShortestCompletion, structuralFacts } from "../../src/machine/structural-facts.js";
import { guardsSpentEarlier, stoppingGuards } from "../../src/machine/laps.js";
import { promptkit } from "../../src/runtimes/promptkit.js";
import { readingOf } from "../../src/runtimes/runtime.js";
import { isFull, runs } from "../runs.js";
import { bruteFacts, bruteMostWithin } from "./brute-force.js";
import { randomMachine } from "./random-machine.js";

const sorted = (numbers: Iterable<number> | undefined): number[] =>
  [...(numbers ?? [])].sort((a, b) => a - b);
const statesOf = (found: readonly WitnessedStates[]): number[] =>
  sorted(new Set(found.flatMap((each) => each.states)));

const least = (states: readonly number[], steps: number[]): number =>
  Math.min(...states.map((state) => steps[state] ?? Infinity));

const allBut = ({ states }: Machine, left?: number): ReadonlySet<number> =>
  new Set(states.map(({ index }) => index).filter((index) => index !== left));

function exactly(machine: Machine): Facts {
  const facts = findFacts(machine);
  if (!facts.exact) throw new Error("too large to explore");
  return facts;
}

/** The runs that take exactly these steps: one for each root they fit (a run of no steps fits them all). */
function follow(machine: Machine, trace: Trace): RunState[] {
  return machine.roots.flatMap((root) => {
    const run = new RunState(machine).enter(root);
    const taken = trace.steps.every((step) => {
      const event = run.current.edges.findIndex((edge) => edge.event === step.event);
      if (run.current.name !== step.from || event === -1 || run.status !== "running") return false;
      return JSON.stringify(run.advance(event)) === JSON.stringify(step);
    });
    return taken ? [run] : [];
  });
}

/** With forced exits that are entered, and events that are refused. */
const runtimeReading = readingOf(promptkit) ?? expect.unreachable();

const readings = [
  ["the RFC", rfcReading],
  ["a runtime", runtimeReading],
] as const;

describe.each(readings)("exact facts of %s", (_name, reading) => {
  it("agree with brute force", () => {
    fc.assert(
      fc.property(randomMachine(6, reading), (machine) => {
        const facts = exactly(machine);
        const {
          cannotComplete: _,
          onEscapableLoop,
          stepsToStuck,
          stoppedBy,
          ...others
        } = bruteFacts(machine);
        const { stepsRound, stepsRoundOpen, onLoopWithout, isCaughtOnce, ...brute } = others;
        expect({
          entered: sorted(facts.certainlyEntered),
          reentered: sorted(facts.reentered),
          stepsToReentry: machine.states.map(({ index }) => facts.findReentry([index])?.steps.length),
          statesAfter: machine.states.map(({ index }) => sorted(facts.statesAfter([index]))),
          metSpent: sorted(facts.attemptedWhileSpent),
          onUnboundedLoop: statesOf(facts.unboundedLoops),
          trapped: statesOf(facts.trapped),
          neverCompletes: sorted(facts.neverCompletes?.states),
          onForcedExitCycle: statesOf(facts.forcedExitCycles),
          shortestComplete: facts.shortestComplete?.entries,
          worstCase: facts.worstCase,
          worstCaseOf: machine.states.map((state) => facts.worstCaseOf(state.index)),
        }).toEqual(brute);
        for (const { states, witness, canAvoid, onEveryLap } of facts.unboundedLoops) {
          expect(witness?.steps.length).toBe(least(states, stepsRound));
          const isAvoided = (index: number): boolean =>
            states.some((state) => onLoopWithout[index]?.includes(state) === true);
          for (const { index } of machine.states) expect(canAvoid(new Set([index]))).toBe(isAvoided(index));
          expect(onEveryLap(states)).toEqual(states.filter((state) => !isAvoided(state)));
        }
        expect(sorted(facts.escapableLoops.flatMap(({ states }) => states))).toEqual(onEscapableLoop);
        expect(statesOf(facts.loopsAmong(allBut(machine), true))).toEqual(onEscapableLoop);
        for (const { index } of machine.states) {
          const loops = facts.loopsAmong(allBut(machine, index), false);
          expect(statesOf(loops)).toEqual(sorted(onLoopWithout[index]));
          for (const loop of loops) checkLasso(machine, loop);
        }
        for (const { states, witness } of facts.escapableLoops)
          expect(witness?.steps.length).toBe(least(states, stepsRoundOpen));
        for (const { states, closedBy } of facts.trapped) {
          expect(sorted(closedBy().flatMap((closure) => closure.states))).toEqual(states);
          for (const { states: some, guards } of closedBy())
            for (const state of guards === undefined ? [] : some)
              expect(isCaughtOnce(state, guards ?? [])).toBe(true);
        }
        for (const trap of facts.trapped) checkPits(machine, trap);
        const caught = facts.neverCompletes?.states ?? [];
        expect(stoppingGuards(facts, caught)).toEqual(
          expect.arrayContaining(caught.flatMap((state) => stoppedBy[state] ?? [])),
        );
        const before = guardsSpentEarlier(facts);
        for (const { index, maxVisits } of machine.states) {
          const isDead = maxVisits !== undefined && !brute.metSpent.includes(index);
          if (isDead && (brute.worstCaseOf[index] ?? 0) > 1) expect(before(index)).not.toEqual([]);
        }
        for (const { states, witness } of facts.forcedExitCycles) {
          for (const state of states) expect(witness?.steps.length).toBe(stepsToStuck[state]);
        }
      }),
      { numRuns: runs(5000) },
    );
  });

  it("carry witnesses that the machine repeats and that end where they say", () => {
    fc.assert(
      fc.property(randomMachine(6, reading), (machine) => {
        const facts = exactly(machine);
        for (const loop of [...facts.unboundedLoops, ...facts.escapableLoops]) checkLasso(machine, loop);
        for (const region of facts.trapped) {
          checkEndsIn(machine, region);
          checkShutIn(machine, region);
          checkLasso(machine, region);
        }
        if (facts.neverCompletes !== undefined) checkEndsIn(machine, facts.neverCompletes);
        for (const cycle of facts.forcedExitCycles) {
          if (cycle.witness === undefined) continue;
          const { edge } = cycle.stuckBy ?? {};
          const isStuck = (run: RunState): boolean => {
            const event = run.current.edges.findIndex((each) => each === edge);
            const outcome = event === -1 ? undefined : run.peek(event);
            return outcome?.kind === "stuck" && cycle.states.every((state) => outcome.forced.includes(state));
          };
          expect(follow(machine, cycle.witness).some(isStuck)).toBe(true);
        }
        for (const state of facts.reentered) checkComesBack(machine, facts, [state]);
        checkComesBack(machine, facts, facts.reentered);
        checkCompletes(machine, facts);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("a guard that every lap finds spent", () => {
  it("ends the loop once it leads out, and every state is entered as before", () => {
    let told = 0;
    fc.assert(
      fc.property(randomMachine(6), (machine) => {
        const guarded = machine.states.flatMap(({ maxVisits, index }) =>
          maxVisits === undefined ? [] : index,
        );
        const { entered } = bruteFacts(machine);
        for (const factsOf of [exactly, structuralFacts]) {
          for (const { states, spentOnEveryLap } of factsOf(machine).unboundedLoops) {
            for (const guard of spentOnEveryLap(guarded)) {
              const brute = bruteFacts(leadingOut(machine, guard));
              const goesOn = brute.onUnboundedLoop.some((state) => states.includes(state));
              expect(goesOn).toBe(false);
              expect(brute.entered).toEqual(entered);
              told++;
            }
          }
        }
      }),
      { numRuns: runs(2000) },
    );
    if (isFull) expect(told).toBeGreaterThan(20);
  });

  it("is not told where it is the only way to a state, as to the person who is asked in the end", () => {
    const spentOf = (others: Record<string, number>): readonly number[] => {
      const machine: Machine = {
        states: [
          { ...guardedState, index: 0, name: "work", edges: edgesTo({ Retry: 0, Done: 2, ...others }) },
          { ...plainState, index: 1, name: "human", edges: edgesTo({ SendBack: 0, Approved: 2 }) },
          { ...plainState, index: 2, name: "end", ends: true, edges: [] },
        ],
        roots: [0],
        reading: rfcReading,
      };
      const [loop] = exactly(machine).unboundedLoops;
      return loop?.spentOnEveryLap([0]) ?? [];
    };
    expect(spentOf({})).toEqual([]);
    expect(spentOf({ Ask: 1 })).toEqual([0]);
  });

  const plainState = { ends: false, maxVisits: undefined, forcedExit: undefined };
  const guardedState = { ends: false, maxVisits: 3, forcedExit: 1 };

  function leadingOut({ states, roots }: Machine, guard: number): Machine {
    return {
      states: states.map((state) => (state.index === guard ? { ...state, forcedExit: undefined } : state)),
      roots,
      reading: rfcReading,
    };
  }
});

describe("runs that are cut short", () => {
  const weights = fc.array(fc.nat(3), { minLength: 6, maxLength: 6 });

  it("make as many entries as brute force finds, and no more than the structure allows", () => {
    fc.assert(
      fc.property(randomMachine(6), weights, fc.integer({ min: 1, max: 6 }), (machine, weigh, entries) => {
        const most = bruteMostWithin(machine, weigh, entries);
        const weightOf = (state: number): number => weigh[state] ?? 0;
        const facts = exactly(machine);
        const shape = structuralFacts(machine);
        expect(facts.weightedWorstCase(weightOf, entries)).toBe(most);
        expect(shape.weightedWorstCase(weightOf, entries)).toBeGreaterThanOrEqual(most);
        for (const { index } of machine.states) {
          const alone = machine.states.map((state) => (state.index === index ? 1 : 0));
          const mostOfOne = bruteMostWithin(machine, alone, entries);
          expect(facts.worstCaseOf(index, entries)).toBe(mostOfOne);
          expect(shape.worstCaseOf(index, entries)).toBeGreaterThanOrEqual(mostOfOne);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it("are bounded by their length where too many would have to be looked at", () => {
    const hub = edgesTo({ A: 0, B: 1 });
    const plain = { ends: false, edges: hub, maxVisits: undefined, forcedExit: undefined };
    const machine: Machine = {
      states: [
        { ...plain, index: 0, name: "a" },
        { ...plain, index: 1, name: "b" },
      ],
      roots: [0],
      reading: rfcReading,
    };
    const facts = exactly(machine);
    expect(facts.worstCaseOf(1, 1_000_000)).toBe(999_999);
    expect(facts.worstCaseOf(1, 1_000_000_000)).toBe(1_000_000_000);
    expect(facts.weightedWorstCase(() => 1, Infinity)).toBe(Infinity);
  });
});

describe("structural facts", () => {
  it.each(readings)(
    "claim nothing that brute force denies, and miss no unbounded loop, for %s",
    (_, reading) => {
      fc.assert(
        fc.property(randomMachine(6, reading), (machine) => {
          const facts = structuralFacts(machine);
          const brute = bruteFacts(machine);
          const within = (some: Iterable<number>, all: number[]): void => {
            for (const state of some) expect(all).toContain(state);
          };
          within(brute.entered, sorted(facts.entered));
          within(facts.certainlyEntered, brute.entered);
          machine.states.forEach(({ index }) =>
            within(brute.statesAfter[index] ?? [], sorted(facts.statesAfter([index]))),
          );
          within(facts.reentered, brute.reentered);
          const exact = exactly(machine);
          for (const { index } of machine.states) {
            expect(facts.worstCaseOf(index) ?? Infinity).toBeGreaterThanOrEqual(
              exact.worstCaseOf(index) ?? 0,
            );
          }
          for (const state of facts.reentered) checkComesBack(machine, facts, [state]);
          checkComesBack(machine, facts, facts.reentered);
          if (facts.shortestComplete !== undefined)
            expect(facts.shortestComplete.entries).toBe(brute.shortestComplete);
          checkCompletes(machine, facts);
          within(statesOf(facts.trapped), brute.trapped);
          for (const trap of facts.trapped) checkWayOut(machine, trap);
          within(facts.neverCompletes?.states ?? [], brute.cannotComplete);
          expect(statesOf(facts.forcedExitCycles)).toEqual(brute.onForcedExitCycle);
          within(brute.onUnboundedLoop, statesOf(facts.unboundedLoops));
          within(brute.onEscapableLoop, statesOf(facts.escapableLoops));
          for (const loop of facts.unboundedLoops) {
            for (const { index } of machine.states) {
              const without = brute.onLoopWithout[index] ?? [];
              if (!loop.canAvoid(new Set([index])))
                expect(without.filter((state) => loop.states.includes(state))).toEqual([]);
            }
            if (!loop.certain) continue;
            expect(loop.witness).toBeDefined();
            checkLasso(machine, loop);
          }
          within(brute.onEscapableLoop, statesOf(facts.loopsAmong(allBut(machine), true)));
          for (const { index } of machine.states) {
            const loops = facts.loopsAmong(allBut(machine, index), false);
            within(brute.onLoopWithout[index] ?? [], statesOf(loops));
            for (const loop of loops.filter(({ certain }) => certain)) {
              expect(loop.witness).toBeDefined();
              checkLasso(machine, loop);
            }
          }
          for (const region of facts.trapped) {
            checkEndsIn(machine, region);
            checkShutIn(machine, region);
            for (const { states, guards } of region.closedBy())
              for (const state of states) expect(brute.isCaughtOnce(state, guards ?? [])).toBe(true);
          }
        }),
        { numRuns: runs(5000) },
      );
    },
  );

  it("tell of nearly every trap that exploration finds", () => {
    const all = { shut: 0, told: 0, missed: 0 };
    fc.assert(
      fc.property(randomMachine(6), (machine) => {
        const { trapped } = structuralFacts(machine);
        for (const { states } of exactly(machine).trapped) {
          const told = trapped.find((trap) => trap.states.some((state) => states.includes(state)));
          all[told === undefined ? "missed" : "told"]++;
          if (told?.closedBy().some(({ guards = [] }) => guards.length > 0) === true) all.shut++;
        }
      }),
      { numRuns: runs(5000) },
    );
    if (isFull) expect(all.shut).toBeGreaterThan(10);
    expect(all.missed).toBeLessThan(all.told / 50);
  });
});

describe("a trap where not every run is explored", () => {
  const plain = { ends: false, maxVisits: undefined, forcedExit: undefined };
  const start = { ...plain, index: 0, name: "start", edges: edgesTo({ Go: 2, End: 1 }) };
  const done = { ...plain, index: 1, name: "done", ends: true, edges: [] };
  const trapsOf = (...inside: Machine["states"]): unknown[] => {
    const machine = { states: [start, done, ...inside], roots: [0], reading: rfcReading };
    const { trapped, escapableLoops } = structuralFacts(machine);
    expect(escapableLoops.map(({ states }) => states)).toEqual([]);
    return trapped.map(({ states, witness }) => [states, witness?.steps.map(({ to }) => to)]);
  };

  it("names also the states that are entered by forced exits alone", () => {
    expect(
      trapsOf(
        { ...plain, index: 2, name: "retry", edges: edgesTo({ Again: 2 }), maxVisits: 2, forcedExit: 3 },
        { ...plain, index: 3, name: "parked", edges: edgesTo({ Wait: 3 }) },
      ),
    ).toEqual([[[2, 3], ["retry"]]]);
  });

  it("names no state whose guard is never met spent", () => {
    expect(
      trapsOf(
        { ...plain, index: 2, name: "retry", edges: edgesTo({ Ask: 3 }), maxVisits: 5, forcedExit: 5 },
        { ...plain, index: 3, name: "ask", edges: edgesTo({ Back: 2 }), maxVisits: 1, forcedExit: 4 },
        { ...plain, index: 4, name: "parked", edges: edgesTo({ Wait: 4 }) },
        { ...plain, index: 5, name: "never", edges: edgesTo({ On: 4 }) },
      ),
    ).toEqual([[[2, 3, 4], ["retry"]]]);
  });

  const shut = (...inside: Machine["states"]): unknown => {
    const facts = structuralFacts({ states: [start, done, ...inside], roots: [0], reading: rfcReading });
    return {
      trapped: facts.trapped.map(({ states, closedBy }) => [states, closedBy()[0]?.guards]),
      runs: facts.trapped.map(({ witness }) => witness?.steps.map(({ to }) => to).join(" ")),
      openLoops: facts.escapableLoops.map(({ states }) => states),
      neverCompletes: facts.neverCompletes?.states ?? [],
    };
  };
  const tried = { ...plain, name: "try", maxVisits: 2, forcedExit: 2 };

  it("may become one once a guard is spent, and its laps are no news", () => {
    const hub = { ...plain, index: 2, name: "hub", edges: edgesTo({ Try: 3 }) };
    expect(shut(hub, { ...tried, index: 3, edges: edgesTo({ End: 1, Back: 2 }) })).toEqual({
      trapped: [[[2], [3]]],
      runs: ["hub try hub try hub"],
      openLoops: [],
      neverCompletes: [],
    });
  });

  it("has laps that are news where they leave a guard alone that still leads out", () => {
    const hub = { ...plain, index: 2, name: "hub", edges: edgesTo({ Try: 3, Ask: 4 }) };
    const ask = { ...tried, index: 4, name: "ask", maxVisits: 1, edges: edgesTo({ End: 1, Back: 2 }) };
    expect(shut(hub, { ...tried, index: 3, edges: edgesTo({ End: 1, Back: 2 }) }, ask)).toEqual({
      trapped: [[[2], [3, 4]]],
      runs: ["hub try hub try hub ask hub"],
      openLoops: [[2]],
      neverCompletes: [],
    });
  });

  it("is worse than to be stopped", () => {
    const hub = { ...plain, index: 2, name: "hub", edges: edgesTo({ Try: 3 }) };
    const stop = { ...plain, index: 4, name: "stop", edges: edgesTo({ Wait: 4 }), maxVisits: 1 };
    expect(shut(hub, { ...tried, index: 3, edges: edgesTo({ Stop: 4, Back: 2 }) }, stop)).toEqual({
      trapped: [[[2], [3]]],
      runs: ["hub try hub try hub"],
      openLoops: [],
      neverCompletes: [4],
    });
  });

  it("is not told where a guard leads out once it is spent, or is spent later than a run is shown", () => {
    const hub = { ...plain, index: 2, name: "hub", edges: edgesTo({ Try: 3 }) };
    const edges = edgesTo({ End: 1, Back: 2 });
    expect(shut(hub, { ...tried, index: 3, edges, forcedExit: 1 })).toMatchObject({ trapped: [] });
    expect(shut(hub, { ...tried, index: 3, edges, maxVisits: 251 })).toMatchObject({
      trapped: [],
      openLoops: [[2]],
    });
  });

  it("is named as far as runs certainly get into it where it holds too many itself", () => {
    const ring = Array.from({ length: 9 }, (_, i) => i + 2);
    const all = edgesTo(Object.fromEntries(ring.map((index) => [`E${index}`, index])));
    const guards = ring.map((index) => ({
      ...{ ...plain, index, name: `s${index}`, edges: all, maxVisits: 40, forcedExit: 11 },
    }));
    const parked = { ...plain, index: 11, name: "parked", edges: edgesTo({ Wait: 11 }) };
    expect(trapsOf(...guards, parked)).toEqual([[ring, ["s2"]]]);
  });
});

describe("a guard on a state that ends the run", () => {
  it("is never met spent, so that its forced exit closes no loop", () => {
    const state = { maxVisits: undefined, forcedExit: undefined };
    const machine: Machine = {
      states: [
        { ...state, index: 0, name: "start", ends: false, edges: edgesTo({ Go: 1, Close: 2 }) },
        { index: 1, name: "work", ends: false, edges: edgesTo({ Again: 1 }), maxVisits: 3, forcedExit: 2 },
        { index: 2, name: "done", ends: true, edges: [], maxVisits: 1, forcedExit: 0 },
      ],
      roots: [0],
      reading: rfcReading,
    };
    expect(structuralFacts(machine).unboundedLoops).toEqual([]);
    expect(structuralFacts(machine).forcedExitEnds[1]).toEqual({ kind: "enters", state: 2 });
  });
});

describe("a guard to which only its own forced exit leads back", () => {
  const plain = { ends: false, maxVisits: undefined, forcedExit: undefined };
  const spin = { index: 0, name: "spin", ends: false, edges: edgesTo({ More: 0, Go: 1 }), forcedExit: 1 };
  const machine = (most: number): Machine => ({
    states: [
      { ...spin, maxVisits: most },
      { ...plain, index: 1, name: "once", edges: edgesTo({ Done: 3 }), maxVisits: 2, forcedExit: 2 },
      { ...plain, index: 2, name: "alt", edges: edgesTo({ Retry: 1, Out: 3 }) },
      { ...plain, index: 3, name: "end", ends: true, edges: [] },
    ],
    roots: [0],
    reading: rfcReading,
  });

  it("is never met spent, so that what is behind it is not entered and goes round in no loop", () => {
    const facts = findFacts(machine(5_000_000));
    expect(facts.exact).toBe(false);
    expect(facts.unboundedLoops).toEqual([]);
    expect(sorted(facts.entered)).toEqual(bruteFacts(machine(3)).entered);
  });
});

describe("the shortest complete run", () => {
  /** By events it makes `length` entries; a guard that is spent forces a run of five. */
  const twoWays = (length: number): Machine => ({
    states: Array.from({ length }, (_, index) => ({
      index,
      name: `s${index}`,
      ends: index === length - 1,
      edges: index === length - 1 ? [] : edgesTo({ Next: index + 1, ...(index === 1 && { Back: 0 }) }),
      maxVisits: index === 0 ? 2 : undefined,
      forcedExit: index === 0 ? length - 1 : undefined,
    })),
    roots: [0],
    reading: rfcReading,
  });

  it.each([
    [3, 3],
    [4, 4],
    [5, 5],
    [6, 5],
  ])("is known where not every run is explored, by forced exits too: %i", (length, entries) => {
    const machine = twoWays(length);
    expect(structuralFacts(machine).shortestComplete?.entries).toBe(entries);
    expect(bruteFacts(machine).shortestComplete).toBe(entries);
  });

  it("is searched for where an end is nearest, as brute force finds it, until that takes too much work", () => {
    let found = 0;
    fc.assert(
      fc.property(randomMachine(6), fc.nat(200), (machine, work) => {
        const structure = buildStructure(dropGuardsOnFinalStates(machine));
        const whole = findShortestCompletion(structure);
        expect(whole?.entries).toBe(bruteFacts(machine).shortestComplete);
        checkCompletes(machine, { shortestComplete: whole });
        const part = findShortestCompletion(structure, work);
        if (part === undefined) return;
        found++;
        expect(part).toEqual(whole);
      }),
      { numRuns: runs(5000) },
    );
    if (isFull) expect(found).toBeGreaterThan(1000);
  });

  it("is found among more runs than can be explored, by the first event that will do", () => {
    const workers = Array.from({ length: 12 }, (_, i) => i + 1);
    const chain = Array.from({ length: 20 }, (_, i) => i + 13);
    const plain = { ends: false, maxVisits: undefined, forcedExit: undefined };
    const events = Object.fromEntries([...workers, 13].map((index) => [`E${index}`, index]));
    const machine: Machine = {
      states: [
        { ...plain, index: 0, name: "hub", edges: edgesTo(events) },
        ...workers.map((index) => ({
          ...{ index, name: `w${index}`, ends: false, edges: edgesTo({ Back: 0 }) },
          ...{ maxVisits: 3, forcedExit: 26 },
        })),
        ...chain.map((index) => ({
          ...plain,
          index,
          name: `s${index}`,
          edges: edgesTo({ Next: index + 1 }),
        })),
        { ...plain, index: 33, name: "end", ends: true, edges: [] },
      ],
      roots: [0],
      reading: rfcReading,
    };
    const facts = findFacts(machine);
    expect(facts.exact).toBe(false);
    expect(facts.shortestComplete?.entries).toBe(15);
    expect(facts.shortestComplete?.witness?.steps.map(({ event }) => event).slice(0, 7)).toEqual([
      ...["E1", "Back", "E1", "Back", "E1", "Back", "E1"],
    ]);
    checkCompletes(machine, facts);
  });
});

describe("a workflow too large to explore", () => {
  const size = 40;
  const dense: Machine = {
    states: Array.from({ length: size }, (_, index) => ({
      index,
      name: `s${index}`,
      ends: false,
      edges: Array.from({ length: size }, (_, target) => ({
        transition: undefined,
        event: `E${target}`,
        target,
      })),
      maxVisits: 50,
      forcedExit: undefined,
    })),
    roots: [0],
    reading: rfcReading,
  };

  it("may be written by hand", () => {
    const names = ["plan", "implement", "test", "review", "document", "deploy", "done", "failed"];
    const written: Machine = {
      states: names.map((name, index) => ({
        index,
        name,
        ends: index >= 6,
        edges: index >= 6 ? [] : edgesTo({ Solved: index + 1, Back: Math.max(index - 1, 0), Restart: 0 }),
        maxVisits: index >= 6 ? undefined : 10,
        forcedExit: index >= 6 ? undefined : 7,
      })),
      roots: [0],
      reading: rfcReading,
    };
    const facts = findFacts(written);
    expect(facts.exact).toBe(false);
    expect(sorted(facts.reentered)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(facts.findReentry([5])?.steps.map(({ to }) => to)).toEqual([
      ...["implement", "test", "review", "document", "deploy", "document", "deploy"],
    ]);
    expect(facts.shortestComplete?.entries).toBe(7);
    checkCompletes(written, facts);
  });

  it("is answered by its structure", () => {
    expect(explore(dense)).toBeUndefined();
    const facts = findFacts(dense);
    expect(facts.exact).toBe(false);
    expect(facts.entered.size).toBe(size);
    expect(facts.unboundedLoops).toEqual([]);
    expect(facts.neverCompletes?.states.length).toBe(size);
  });
});

describe("a loop where not every run is explored", () => {
  it("is shown by the event whose guard is spent soonest", () => {
    const plain = { ends: false, maxVisits: undefined, forcedExit: undefined };
    const guard = { ends: false, edges: edgesTo({ Back: 0 }), forcedExit: 0 };
    const machine: Machine = {
      states: [
        { ...plain, index: 0, name: "hub", edges: edgesTo({ Long: 1, Short: 2, End: 3 }) },
        { ...guard, index: 1, name: "long", maxVisits: 900 },
        { ...guard, index: 2, name: "short", maxVisits: 1 },
        { ...plain, index: 3, name: "done", ends: true, edges: [] },
      ],
      roots: [0],
      reading: rfcReading,
    };
    const [loop] = structuralFacts(machine).unboundedLoops;
    expect(loop?.witness?.steps.map(({ event }) => event)).toEqual(["Short", "Back", "Short"]);
  });
});

describe("a ring of forced exits", () => {
  it("has its run however many other runs get stuck before", () => {
    const length = 40;
    const plain = { ends: false, maxVisits: undefined, forcedExit: undefined };
    const guard = (index: number, maxVisits: number, forcedExit?: number) => ({
      ...{ index, name: `s${index}`, ends: false, edges: edgesTo({ Back: 0 }), maxVisits, forcedExit },
    });
    // More than a thousand configurations of the hub, in each of which `s1` gets stuck, are nearer than the far ring.
    const machine: Machine = {
      states: [
        { ...plain, index: 0, name: "s0", edges: edgesTo({ Near: 1, A: 2, B: 3, C: 4, Far: 5 }) },
        guard(1, 1, 1),
        ...[2, 3, 4].map((index) => guard(index, 12)),
        ...Array.from({ length }, (_, i) => i + 5).map((index) => {
          const isLast = index === length + 4;
          const edges = edgesTo({ Next: isLast ? index : index + 1 });
          return { index, name: `s${index}`, ...(isLast ? guard(index, 1, index) : plain), edges };
        }),
      ],
      roots: [0],
      reading: rfcReading,
    };
    const [near, far] = exactly(machine).forcedExitCycles;
    expect(near?.witness?.steps.length).toBe(2);
    expect(far?.witness?.steps.length).toBe(length);
  });
});

describe.runIf(isFull)("a chain of 100,000 states", () => {
  const size = 100_000;
  const chain: Machine = {
    states: Array.from({ length: size }, (_, index) => ({
      index,
      name: `s${index}`,
      ends: index === size - 1,
      edges: index === size - 1 ? [] : [{ transition: undefined, event: "Next", target: index + 1 }],
      maxVisits: undefined,
      forcedExit: undefined,
    })),
    roots: [0],
    reading: rfcReading,
  };

  it("is explored without overflowing the stack", () => {
    const facts = findFacts(chain);
    expect(facts.exact).toBe(true);
    expect(facts.worstCase).toBe(size);
    expect(facts.shortestComplete?.entries).toBe(size);
    expect(structuralFacts(chain).entered.size).toBe(size);
  });

  it("is asked for the way back to each, and shows as many as can be written down", () => {
    const states = chain.states.map((state) => ({
      ...state,
      maxVisits: 2,
      edges: state.ends
        ? []
        : [...state.edges, { transition: undefined, event: "Again", target: state.index }],
    }));
    const facts = structuralFacts({ ...chain, states });
    const shown = states.filter(({ index }) => facts.findReentry([index]) !== undefined);
    // 1 + 2 + 3 + … steps, as long as there are 200,000.
    expect(shown.map(({ index }) => index)).toEqual(Array.from({ length: 631 }, (_, index) => index));
  });
});

function checkLasso(machine: Machine, loop: WitnessedStates): void {
  const { witness } = loop;
  if (witness?.loopFrom === undefined) throw new Error("a loop needs a witness with loopFrom");
  const around = witness.steps.slice(witness.loopFrom);
  expect(around.length).toBeGreaterThan(0);
  const again = Array.from({ length: 4 }, () => around).flat();
  const runs = follow(machine, { steps: [...witness.steps, ...again] });
  expect(runs.map((run) => run.status)).toEqual(["running"]);
  for (const step of around) expect(loop.states).toContain(indexOf(machine, step.to ?? ""));
}

/** The shortest of the runs that enter one of the states twice. */
function checkComesBack(machine: Machine, facts: Facts, states: Iterable<number>): void {
  const all = [...states];
  const trace = facts.findReentry(all);
  if (trace === undefined) return expect(all).toEqual([]);
  const last = trace.steps.at(-1)?.to ?? "";
  expect(all).toContain(indexOf(machine, last));
  const entries = [trace.steps[0]?.from, ...trace.steps.map(({ to }) => to)];
  expect(entries.filter((name) => name === last)).toHaveLength(2);
  expect(follow(machine, trace)).toHaveLength(1);
  const each = all.map((state) => facts.findReentry([state])?.steps.length ?? Infinity);
  expect(trace.steps.length).toBe(Math.min(...each));
}

function checkCompletes(machine: Machine, facts: Pick<Facts, "shortestComplete">): void {
  const { shortestComplete: shortest } = facts;
  if (shortest?.witness === undefined) return expect(shortest).toBeUndefined();
  const run = follow(machine, shortest.witness).find(({ status }) => status === "complete");
  expect(run?.totalVisits).toBe(shortest.entries);
}

function edgesTo(targets: Record<string, number>): Edge[] {
  return Object.entries(targets).map(([event, target]) => ({ transition: undefined, event, target }));
}

function checkEndsIn(machine: Machine, found: WitnessedStates): void {
  if (found.witness === undefined) throw new Error("a witness is missing");
  const ends = follow(machine, found.witness).map((run) => run.current.index);
  expect(ends.some((state) => found.states.includes(state))).toBe(true);
}

/** The guards that are named first for a trap are spent in the run that is shown for it. */
/** A way out of each pit frees every run. */
function checkWayOut(machine: Machine, { states, sinkLoops }: Trap): void {
  if (sinkLoops().length === 0) return;
  expect(stillCaught(machine, states, ...sinkLoops().flatMap(([state]) => state ?? []))).toEqual([]);
  expect(stillCaught(machine, states, ...sinkLoops().flatMap((pit) => pit.at(-1) ?? []))).toEqual([]);
}

/** One from anywhere else does not. */
function checkPits(machine: Machine, trap: Trap): void {
  const { states, sinkLoops } = trap;
  checkWayOut(machine, trap);
  expect(sinkLoops()).not.toEqual([]);
  for (const pit of sinkLoops())
    expect(stillCaught(machine, states, ...states.filter((state) => !pit.includes(state)))).toEqual(
      expect.arrayContaining([...pit]),
    );
}

function stillCaught(machine: Machine, states: readonly number[], ...leaving: number[]): number[] {
  const { trapped } = exactly(withWayOut(machine, leaving));
  return statesOf(trapped).filter((state) => states.includes(state));
}

/** The same machine, with an event that leads from each of these states to an end. */
function withWayOut({ roots, states, reading }: Machine, leaving: readonly number[]): Machine {
  const end = states.length;
  const event = { transition: undefined, event: "Out", target: end };
  return {
    roots,
    reading,
    states: [
      ...states.map((state) => ({
        ...state,
        edges: leaving.includes(state.index) ? [...state.edges, event] : state.edges,
      })),
      { index: end, name: "end", ends: true, edges: [], maxVisits: undefined, forcedExit: undefined },
    ],
  };
}

function checkShutIn(machine: Machine, { witness, closedBy }: Trap): void {
  const isSpent = (run: RunState, state: number): boolean =>
    run.visits(state) >= (machine.states[state]?.maxVisits ?? Infinity);
  const runs = follow(machine, witness ?? { steps: [] });
  const guards = closedBy()[0]?.guards ?? [];
  expect(runs.some((run) => guards.every((state) => isSpent(run, state)))).toBe(true);
}

function indexOf(machine: Machine, name: string): number {
  return machine.states.findIndex((state) => state.name === name);
}
