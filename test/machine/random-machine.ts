import fc from "fast-check";
import { type Machine, type MachineState, rfcReading } from "../../src/machine/machine.js";

interface Sketch {
  readonly terminal: boolean;
  readonly targets: readonly number[];
  readonly maxVisits: number | undefined;
  readonly forcedExit: number | undefined;
}

/** Small workflows with guards, forced exits, terminals, dangling names and several roots. */
export function randomMachine(largest: number, reading = rfcReading): fc.Arbitrary<Machine> {
  return fc.integer({ min: 1, max: largest }).chain((size) => {
    const target = fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: 0, max: size - 1 }) },
      { weight: 1, arbitrary: fc.constant(-1) },
    );
    const state: fc.Arbitrary<Sketch> = fc.record({
      terminal: fc.oneof(
        { weight: 5, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      targets: fc.array(target, { maxLength: 3 }),
      maxVisits: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 3 })),
      forcedExit: fc.oneof(fc.constant(undefined), target),
    });
    return fc
      .record({
        states: fc.array(state, { minLength: size, maxLength: size }),
        roots: fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { minLength: 1, maxLength: 3 }),
      })
      .map(({ states, roots }) => ({ states: states.map(toState), roots, reading }));
  });
}

function toState(sketch: Sketch, index: number): MachineState {
  const targets = sketch.terminal ? [] : sketch.targets;
  return {
    index,
    name: `s${index}`,
    ends: targets.length === 0,
    edges: targets.map((target, event) => ({ transition: undefined, event: `E${event}`, target })),
    maxVisits: sketch.maxVisits,
    forcedExit: sketch.forcedExit,
  };
}
