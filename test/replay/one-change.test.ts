import fc from "fast-check";
import { expect, it } from "vitest";
import type { Machine } from "../../src/machine/machine.js";
import { promptpack } from "../cli/harness.js";
import { randomMachine } from "../machine/random-machine.js";
import { isFull, runs } from "../runs.js";
import { artifactPack } from "./artifact-pack.js";
import { heldAgainst, linesOf } from "./held-against.js";

interface Line {
  readonly record: string;
  readonly from: string;
  readonly event: string;
  readonly to: string;
  readonly forced?: readonly string[];
  readonly step: number;
  readonly visit: number;
  readonly total: number;
  readonly artifacts: Readonly<Record<string, string>>;
}

interface Changed {
  readonly lines: readonly unknown[];
  /** Counted from 1. */
  readonly found: number;
  readonly rule: string;
}

type Change = (lines: readonly Line[], at: number, machine: Machine) => Changed | undefined;

/** Writes one property of one line anew. */
function rewrite(rule: string, write: (line: Line, machine: Machine) => Partial<Line> | undefined): Change {
  return (lines, at, machine) => {
    const line = lines[at];
    const part = line && write(line, machine);
    if (line === undefined || part === undefined) return undefined;
    return { lines: lines.with(at, { ...line, ...part }), found: at + 1, rule };
  };
}

const other = (name: string, { states }: Machine): string | undefined =>
  states.map((state) => state.name).find((each) => each !== name);

const foreign = ({ from }: Line): string => (Number(from.slice(1)) % 2 === 0 ? "note" : "log");

const changes: Readonly<Record<string, Change>> = {
  event: rewrite("run-unknown-event", () => ({ event: "Nope" })),
  "to a state": rewrite("run-wrong-state|run-guard", ({ to }, machine) => {
    const name = other(to, machine);
    return name === undefined ? undefined : { to: name };
  }),
  "to no state": rewrite("run-unknown-state", () => ({ to: "nowhere" })),
  from: rewrite("run-gap", ({ from }, machine) => {
    const name = other(from, machine);
    return name === undefined ? undefined : { from: name };
  }),
  "forced, but not so": rewrite("run-wrong-state", ({ forced }) => ({ forced: [...(forced ?? []), "s0"] })),
  "not forced, but so": rewrite("run-wrong-state", ({ forced }) =>
    forced === undefined ? undefined : ({ forced: undefined } as unknown as Partial<Line>),
  ),
  step: rewrite("run-counts", ({ step }) => ({ step: step + 1 })),
  visit: rewrite("run-counts", ({ visit }) => ({ visit: visit + 1 })),
  total: rewrite("run-counts", ({ total }) => ({ total: total + 1 })),
  "artifact value": rewrite("run-artifact-change", (line, { states }) => {
    if (states.length === 1) return undefined;
    const name = foreign(line);
    return { artifacts: { ...line.artifacts, [name]: `${line.artifacts[name] ?? ""}!` } };
  }),
  "artifact gone": (lines, at) => {
    const [line, before] = [lines[at], lines[at - 1]];
    const [gone] = Object.keys(before?.artifacts ?? {});
    if (line === undefined || gone === undefined) return undefined;
    const { [gone]: _, ...artifacts } = line.artifacts;
    return { lines: lines.with(at, { ...line, artifacts }), found: at + 1, rule: "run-artifact-change" };
  },
  "artifact name": rewrite("run-undeclared-artifact", ({ artifacts }) => ({
    artifacts: { ...artifacts, nothing: "at all" },
  })),
  ...Object.fromEntries(
    ["record", "step", "from", "event", "to", "visit", "total", "artifacts"].map((name) => [
      `without ${name}`,
      rewrite("run-record", () => ({ [name]: undefined })),
    ]),
  ),
  "kind of record": rewrite("run-record", () => ({ record: "transiton" })),
  dropped: (lines, at) => ({
    lines: lines.toSpliced(at, 1),
    found: at + 1,
    rule: "run-gap|run-counts|run-end",
  }),
  duplicated: (lines, at) => ({
    lines: lines.toSpliced(at, 0, lines[at] as Line),
    found: at + 2,
    rule: "run-gap|run-counts",
  }),
  swapped: (lines, at) => {
    const [one, two] = [lines[at], lines[at + 1]];
    if (one === undefined || two === undefined || at + 2 >= lines.length) return undefined;
    return { lines: lines.with(at, two).with(at + 1, one), found: at + 1, rule: "run-gap|run-counts" };
  },
};

it.each(Object.entries(changes))("finds a change of one record at its line: %s", async (name, change) => {
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(randomMachine(6), fc.nat({ max: 1000 }), fc.nat(), async (machine, seed, pick) => {
      const pack = artifactPack(machine);
      const names = machine.states.length > 1 ? ["log", "note"] : ["log"];
      const sets = ["a", "b", "c"].flatMap((value) => names.flatMap((each) => ["--set", `${each}=${value}`]));
      const args = ["simulate", "-", "--no-budget", "-f", "jsonl", "--random", "12", "--seed", String(seed)];
      const { stdout } = await promptpack([...args, ...sets], { stdin: pack, cwd: "/" });
      const lines = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line);
      if (lines.length === 2) return;
      const made = change(lines, 1 + (pick % (lines.length - 2)), machine);
      if (made === undefined) return;
      changed++;
      const text = made.lines.map((line) => JSON.stringify(line)).join("\n");
      const { diagnostics } = heldAgainst(pack, text, { budget: false });
      const shown = linesOf(diagnostics).join("\n");
      expect(shown, `${stdout}\n\n${text}`).toMatch(new RegExp(`^${made.found} (?:${made.rule}):`, "mu"));
      if (name !== "swapped") expect(diagnostics.length, `${shown}\n${text}\n${pack}`).toBe(1);
    }),
    { numRuns: runs(name === "not forced, but so" ? 600 : 150), seed: 9 },
  );
  if (isFull) expect(changed).toBeGreaterThan(name === "not forced, but so" ? 5 : 40);
});
