import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../src/simulate/drive-simulation.js";
import { Simulation } from "../../src/simulate/simulation.js";
import { workflowOf } from "./open-text.js";

const text = `
workflow:
  entry: a
  states:
    a:
      artifacts: { log: { type: text/plain, mode: append }, last: { type: text/plain } }
      on_event: { Again: a, Next: b }
    b: { artifacts: { last: { type: text/plain } }, on_event: { Back: a, End: c } }
    c: { terminal: true }
`;

function start(): Simulation {
  const { pack, workflow, facts } = workflowOf(text);
  return new Simulation({
    pack,
    workflow,
    machine: facts.machine,
    startState: 0,
    budget: undefined,
    variables: [],
    render: false,
  });
}

function fire(simulation: Simulation, event: string): void {
  simulation.fire(simulation.eventsByName.get(event) ?? -1);
}

describe("a simulation", () => {
  it("replaces and appends, and shows a value only once its state is left", () => {
    const simulation = start();
    simulation.setArtifact("log", "one");
    simulation.setArtifact("log", "two");
    simulation.setArtifact("last", "one");
    simulation.setArtifact("last", "two");
    expect([...simulation.artifacts]).toEqual([]);
    fire(simulation, "Again");
    expect([...simulation.artifacts]).toEqual([
      ["log", "one\ntwo"],
      ["last", "two"],
    ]);
    simulation.setArtifact("log", "");
    fire(simulation, "Next");
    simulation.setArtifact("last", "three");
    fire(simulation, "End");
    expect(simulation.transitions.map(({ artifacts }) => Object.fromEntries(artifacts))).toEqual([
      { log: "one\ntwo", last: "two" },
      { log: "one\ntwo\n", last: "two" },
      { log: "one\ntwo\n", last: "three" },
    ]);
  });

  it("undoes a step exactly, also at an end", () => {
    const simulation = start();
    simulation.setArtifact("log", "one");
    fire(simulation, "Next");
    const recordsOf = ({ start, transitions, end }: Simulation) => [start, ...transitions, end];
    const before = recordsOf(simulation);
    simulation.setArtifact("last", "x");
    fire(simulation, "End");
    expect(simulation.status).toBe("complete");
    const [back, first] = [simulation.undone(), simulation.undone()?.undone()];
    expect(back && recordsOf(back)).toEqual(before);
    expect(back?.turn.artifacts).toEqual([{ name: "last", value: "x" }]);
    expect(first?.turn.artifacts).toEqual([{ name: "log", value: "one" }]);
    expect(first?.totalVisits).toBe(1);
    expect(first?.undone()).toBeUndefined();
  });

  it("lets a state fill only the artifacts it declares", () => {
    const simulation = start();
    fire(simulation, "Next");
    expect(() => simulation.setArtifact("log", "x")).toThrow('"b" does not declare "log"');
  });
});

describe("random numbers", () => {
  it("are the same for the same seed, and spread", () => {
    const draw = (seed: number): number[] => {
      const random = new SeededRandom(seed);
      return Array.from({ length: 8 }, () => random.below(10));
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const counts = new Array<number>(4).fill(0);
    const random = new SeededRandom(3);
    for (let i = 0; i < 40_000; i++) {
      const drawn = random.below(4);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    expect(counts.every((count) => count > 9_700 && count < 10_300)).toBe(true);
  });
});
