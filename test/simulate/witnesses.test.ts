import fc from "fast-check";
import { expect, it } from "vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Trace, TraceStep } from "../../src/diagnostic.js";
import runRecordSchema from "../../schema/run-record.schema.json" with { type: "json" };
import { promptpack } from "../cli/harness.js";
import { randomMachine } from "../machine/random-machine.js";
import { isFull, runs } from "../runs.js";
import { machinePack } from "./machine-pack.js";
import { workflowOf } from "./open-text.js";

const isRecord = new Ajv2020().compile(runRecordSchema);

interface Simulated {
  readonly steps: readonly TraceStep[];
  readonly status: unknown;
  readonly code: number;
}

/** Runs the program on the events of a witness, the budget set aside, and reads the record it writes. */
async function simulate(pack: string, steps: readonly TraceStep[]): Promise<Simulated> {
  const start = steps[0]?.from ?? "";
  const { workflow } = workflowOf(pack);
  const agent = workflow.entry?.text === start ? [] : ["--agent", start];
  const events = steps.map(({ event }) => event).join(",");
  const args = ["simulate", "-", "--no-budget", "--format", "jsonl", "--events", events, ...agent];
  const { code, stdout, stderr } = await promptpack(args, { stdin: pack, cwd: "/" });
  expect(stderr.replace(/^promptpack: "<stdin>" has \d+ errors?, which .*\n/, "")).toBe("");
  const records = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const record of records)
    expect(isRecord(record), JSON.stringify([record, isRecord.errors])).toBe(true);
  expect(records.map(({ record }) => record)).toEqual(["start", ...steps.map(() => "transition"), "end"]);
  const taken = records.slice(1, -1).map(({ from, event, to, forced }) => ({
    from,
    event,
    to,
    ...(forced !== undefined && { forced }),
  })) as TraceStep[];
  return { steps: taken, status: records.at(-1)?.["status"], code };
}

it("every witness of the rules is a run that simulate repeats", async () => {
  let witnesses = 0;
  await fc.assert(
    fc.asyncProperty(randomMachine(6), async (machine) => {
      const pack = machinePack(machine);
      const { facts } = workflowOf(pack);
      const complete = facts.shortestComplete?.witness;
      const others = [
        ...facts.unboundedLoops,
        ...facts.trapped,
        ...facts.forcedExitCycles,
        ...(facts.neverCompletes === undefined ? [] : [facts.neverCompletes]),
      ].map(({ witness }) => witness);
      for (const trace of [complete, ...others]) {
        if (trace === undefined || trace.steps.length === 0) continue;
        witnesses++;
        const steps = twiceAround(trace);
        const status = trace === complete ? "complete" : "running";
        const code = trace === complete ? 0 : 1;
        expect(await simulate(pack, steps)).toEqual({ steps, status, code });
      }
    }),
    { numRuns: runs(300), seed: 6 },
  );
  if (isFull) expect(witnesses).toBeGreaterThan(200);
});

/** A loop can be gone round again, with the same steps. The record of a run has no places. */
function twiceAround({ steps, loopFrom = steps.length }: Trace): readonly TraceStep[] {
  return [...steps, ...steps.slice(loopFrom)].map(({ at: _, ...step }) => step);
}
