import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type * as Explore from "../../src/machine/explore.js";
import type * as Machine from "../../src/machine/machine.js";
import type * as ReadPack from "../../src/pack/pack.js";
import { folderOf, promptpack } from "./harness.js";

const counts = vi.hoisted(() => ({ read: 0, built: 0, explored: 0 }));

vi.mock("../../src/pack/pack.js", async (load) => {
  const real = await load<typeof ReadPack>();
  const readPack: typeof ReadPack.readPack = (...args) => (counts.read++, real.readPack(...args));
  return { ...real, readPack };
});
vi.mock("../../src/machine/machine.js", async (load) => {
  const real = await load<typeof Machine>();
  const buildMachine: typeof Machine.buildMachine = (workflow) => (
    counts.built++,
    real.buildMachine(workflow)
  );
  return { ...real, buildMachine };
});
vi.mock("../../src/machine/explore.js", async (load) => {
  const real = await load<typeof Explore>();
  const explore: typeof Explore.explore = (...args) => (counts.explored++, real.explore(...args));
  return { ...real, explore };
});

const pack = (event: string): string => `id: a
name: A
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  p: { id: p, name: P, version: 1.0.0, system_template: "Emit ${event}." }
workflow:
  version: 2
  entry: plan
  states:
    plan: { prompt_task: p, max_visits: 2, on_max_visits: end, on_event: { ${event}: plan } }
    end: { prompt_task: p, terminal: true }
`;

const none = { read: 0, built: 0, explored: 0 };
const once = { read: 1, built: 1, explored: 1 };
const twice = { read: 2, built: 2, explored: 2 };

it.each<[command: string, expected: typeof counts]>([
  ["lint a.pack.yaml", once],
  ["lint -f markdown a.pack.yaml", once],
  ["graph -f html a.pack.yaml", once],
  ["graph --no-findings a.pack.yaml", once],
  ["inspect a.pack.yaml", once],
  ["simulate a.pack.yaml --events Go", once],
  ["lint -f markdown a.pack.yaml b.pack.yaml", twice],
  ["lint -f sarif a.pack.yaml", once],
  ["validate a.pack.yaml", once],
  ["paths a.pack.yaml", once],
  ["coverage a.pack.yaml run.jsonl", once],
  ["replay run.jsonl --pack a.pack.yaml", once],
  ["step a.pack.yaml --run runs.json --start", once],
  ["diff a.pack.yaml b.pack.yaml", twice],
  ["diff -f html a.pack.yaml b.pack.yaml", twice],
])("%s reads, builds and explores once per pack", async (command, expected) => {
  const cwd = folderOf({ "a.pack.yaml": pack("Go"), "b.pack.yaml": pack("Next") });
  const simulated = await promptpack(["simulate", "a.pack.yaml", "-e", "Go", "-f", "jsonl"], { cwd });
  writeFileSync(join(cwd, "run.jsonl"), simulated.stdout);
  Object.assign(counts, none);
  const { stderr } = await promptpack(command.split(" "), { cwd });
  expect({ ...counts, stderr }).toEqual({ ...expected, stderr });
});
