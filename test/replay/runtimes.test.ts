import fc from "fast-check";
import { expect, it } from "vitest";
import { defaultLimits } from "../../src/document/file-format.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { checkRun } from "../../src/lint/check-record.js";
import { buildMachine, rfcReading } from "../../src/machine/machine.js";
import { promptkit } from "../../src/runtimes/promptkit.js";
import { readingOf } from "../../src/runtimes/runtime.js";
import { recordJson, Simulation } from "../../src/simulate/simulation.js";
import { packTextOf, randomFlow } from "../machine/flow.js";
import { isFull, runs } from "../runs.js";
import { workflowOf } from "../simulate/open-text.js";

const reading = readingOf(promptkit) ?? expect.unreachable();

it("finds nothing in random records of the machine of PromptKit, and much by the RFC", () => {
  let wrongByTheRfc = 0;
  let refused = 0;
  const flowAndEvents = fc.tuple(randomFlow(5, 0), fc.array(fc.nat(), { minLength: 1, maxLength: 25 }));
  fc.assert(
    fc.property(flowAndEvents, ([flow, numbers]) => {
      const { pack, workflow } = workflowOf(packTextOf(flow));
      const machine = buildMachine(workflow, reading);
      const startState = workflow.roots[0]?.index ?? expect.unreachable();
      const setting = {
        pack,
        workflow,
        machine,
        startState,
        budget: undefined,
        variables: [],
        render: false,
      };
      const simulation = new Simulation(setting);
      for (const number of numbers) {
        if (simulation.status !== "running") break;
        simulation.fire(number % simulation.current.edges.length);
      }
      const lines = [simulation.start, ...simulation.transitions, simulation.end].map(
        (record) => `${JSON.stringify(recordJson(record))}\n`,
      );
      const document = readJsonLines(lines.join(""), defaultLimits);
      refused += lines.filter((line) => line.includes('"refused"')).length;
      const findingsBy = (by: typeof reading) => {
        const target = { kind: "transitions", document, pack, workflow, checksBudget: true } as const;
        return checkRun({ ...target, machine: buildMachine(workflow, by) }, {}).diagnostics;
      };
      expect(findingsBy(reading).map(({ message }) => message)).toEqual([]);
      if (findingsBy(rfcReading).length > 0) wrongByTheRfc++;
    }),
    { numRuns: runs(3_000) },
  );
  if (isFull) expect(Math.min(wrongByTheRfc, refused)).toBeGreaterThan(50);
});
