import fc from "fast-check";
import { expect, it } from "vitest";
import type { Trace } from "../../src/diagnostic.js";
import { promptpack } from "../cli/harness.js";
import { randomMachine } from "../machine/random-machine.js";
import { isFull, runs } from "../runs.js";
import { workflowOf } from "../simulate/open-text.js";
import { artifactPack } from "./artifact-pack.js";
import { heldAgainst, linesOf } from "./held-against.js";

async function simulated(pack: string, args: readonly string[]): Promise<string> {
  const all = ["simulate", "-", "--no-budget", "--format", "jsonl", ...args];
  return (await promptpack(all, { stdin: pack, cwd: "/" })).stdout;
}

function expectClean(pack: string, record: string): void {
  expect(linesOf(heldAgainst(pack, record, { budget: false }).diagnostics), record).toEqual([]);
}

it("every witness replays clean", async () => {
  let witnesses = 0;
  await fc.assert(
    fc.asyncProperty(randomMachine(6), async (machine) => {
      const pack = artifactPack(machine);
      const { facts, workflow } = workflowOf(pack);
      const faults = [...facts.unboundedLoops, ...facts.trapped, ...facts.forcedExitCycles];
      if (facts.neverCompletes !== undefined) faults.push(facts.neverCompletes);
      for (const trace of [facts.shortestComplete?.witness, ...faults.map(({ witness }) => witness)]) {
        if (trace === undefined || trace.steps.length === 0) continue;
        witnesses++;
        const steps = twiceAround(trace);
        const start = steps[0]?.from ?? "";
        const agent = workflow.entry?.text === start ? [] : ["--agent", start];
        const events = steps.map(({ event }) => event).join(",");
        expectClean(pack, await simulated(pack, ["--events", events, ...agent]));
      }
    }),
    { numRuns: runs(300), seed: 6 },
  );
  if (isFull) expect(witnesses).toBeGreaterThan(200);
});

it("every random simulation replays clean", async () => {
  const endings = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(randomMachine(6), fc.integer({ min: 1, max: 1000 }), async (machine, seed) => {
      const pack = artifactPack(machine);
      const names = machine.states.length > 1 ? ["log", "note"] : ["log"];
      const sets = ["a", "b", "c"].flatMap((value) => names.flatMap((name) => ["--set", `${name}=${value}`]));
      const record = await simulated(pack, ["--random", "25", "--seed", String(seed), ...sets]);
      const last = JSON.parse(record.trimEnd().split("\n").at(-1) ?? "") as { status: unknown };
      endings.add(last.status);
      expectClean(pack, record);
    }),
    { numRuns: runs(300), seed: 8 },
  );
  if (isFull)
    expect([...endings].sort()).toEqual(["budget-exhausted", "complete", "lost", "running", "stuck"]);
});

/** A loop can be gone round again, with the same steps. */
function twiceAround({ steps, loopFrom }: Trace): Trace["steps"] {
  return loopFrom === undefined ? steps : [...steps, ...steps.slice(loopFrom)];
}
