import fc from "fast-check";
import { expect, it } from "vitest";
import { Tried } from "../../src/coverage/items.js";
import { findPaths } from "../../src/coverage/paths.js";
import type { TraceStep } from "../../src/diagnostic.js";
import { readJsonLines } from "../../src/document/json/read-json.js";
import { defaultLimits } from "../../src/document/file-format.js";
import type { ArtifactWrite } from "../../src/machine/artifact-values.js";
import { buildMachine, type Machine } from "../../src/machine/machine.js";
import { RunState, stepsOf } from "../../src/machine/run.js";
import type { Pack } from "../../src/pack/pack.js";
import type { Workflow } from "../../src/pack/workflow.js";
import { replayRun } from "../../src/replay/replay-run.js";
import { recordJson, Simulation } from "../../src/simulate/simulation.js";
import type { StepRun } from "../../src/step/step-run.js";
import { takeTurn, type TurnAction, type TurnInput, type TurnOutcome } from "../../src/step/take-turn.js";
import { heldAgainst, linesOf } from "../replay/held-against.js";
import { isFull, runs } from "../runs.js";
import { machinePack } from "../simulate/machine-pack.js";
import { workflowOf } from "../simulate/open-text.js";
import { randomMachine } from "./random-machine.js";

/** What the current state does, and the event that it then sends. */
interface Move {
  readonly event: number;
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly toolCalls: number;
  readonly seconds: number;
}

interface Opened {
  readonly text: string;
  readonly pack: Pack;
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly root: number;
}

const artifact = fc.record({
  type: fc.constantFrom("text/plain", "application/json"),
  mode: fc.constantFrom("append", "replace"),
});
const declared = fc.record({ log: artifact, list: artifact, note: artifact }, { requiredKeys: [] });
const limit = fc.integer({ min: 1, max: 12 });
const budget = fc.record(
  { max_total_visits: limit, max_tool_calls: limit, max_wall_time_sec: limit },
  { requiredKeys: [] },
);
const few = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 2 }));
const value = fc.constantFrom("a", "b\nc", "", "1", "[2, 3]", ' {"k": [4]} ', "[]", "[5", "null");
const move: fc.Arbitrary<Move> = fc.record({
  event: fc.nat(5),
  values: fc.array(fc.tuple(fc.constantFrom("log", "list", "note"), value), { maxLength: 3 }),
  toolCalls: few,
  seconds: few,
});
const packText = fc
  .tuple(randomMachine(6), fc.array(declared, { minLength: 6, maxLength: 6 }), budget)
  .map(([machine, artifacts, limits]) => {
    const pack = JSON.parse(machinePack(machine)) as {
      workflow: { states: Record<string, object>; engine: object };
    };
    const states = Object.entries(pack.workflow.states);
    pack.workflow.states = Object.fromEntries(
      states.map(([name, state], index) => [name, { ...state, artifacts: artifacts[index] }]),
    );
    pack.workflow.engine = { budget: limits };
    return JSON.stringify(pack);
  });

/** What a view says that a run did: the states it entered, what was counted and written, and how it ended. */
interface Told {
  readonly status: string;
  readonly state: string;
  readonly entered: readonly string[];
  readonly total: number;
  readonly artifacts: object;
}

function writesOf({ machine }: Opened, state: number, { values }: Move): readonly ArtifactWrite[] {
  const declared = machine.states[state]?.artifacts;
  return values.flatMap(([name, value]) => (declared?.has(name) ? { name, value } : []));
}

/** The run itself. Also returns its steps, and the events it sent. */
function ran(opened: Opened, moves: readonly Move[]) {
  const { machine, workflow, root } = opened;
  const run = new RunState(machine, workflow.budget).enter(root);
  const found = findPaths(machine);
  const tried = new Tried(found.items);
  tried.start(root);
  const steps: TraceStep[] = [];
  const sent: (Move & { readonly number: number })[] = [];
  for (const move of moves) {
    if (run.status !== "running") {
      if (run.status === "complete") run.write(writesOf(opened, run.current.index, move));
      break;
    }
    const { current } = run;
    const number = move.event % current.edges.length;
    if (run.usedUpLimit(move) === undefined)
      tried.send(current, current.edges[number]?.event ?? "", run.peek(number));
    steps.push(run.advance(number, { ...move, artifacts: writesOf(opened, current.index, move) }));
    sent.push({ ...move, number });
  }
  const told: Told = {
    status: run.status,
    state: run.current.name,
    entered: steps.flatMap(({ to }) => to ?? []),
    total: run.totalVisits,
    artifacts: Object.fromEntries(run.artifacts),
  };
  return { told, steps, sent, found, tried, limit: run.limit, last: moves[sent.length] };
}

type Ran = ReturnType<typeof ran>;

function simulated(opened: Opened, { sent, last }: Ran): { readonly told: Told; readonly record: string } {
  const { budget } = opened.workflow;
  const simulation = new Simulation({
    ...opened,
    startState: opened.root,
    budget,
    variables: [],
    render: false,
  });
  for (const move of sent) {
    for (const { name, value } of writesOf(opened, simulation.current.index, move))
      simulation.setArtifact(name, value);
    simulation.spend(move);
    simulation.fire(move.number);
  }
  if (last !== undefined && simulation.status === "complete")
    for (const { name, value } of writesOf(opened, simulation.current.index, last))
      simulation.setArtifact(name, value);
  const { start, transitions, end } = simulation;
  const told: Told = {
    status: end.status,
    state: end.state,
    entered: transitions.flatMap(({ to }) => to ?? []),
    total: end.total,
    artifacts: Object.fromEntries(end.artifacts),
  };
  const lines = [start, ...transitions, end].map((record) => JSON.stringify(recordJson(record)));
  return { told, record: lines.join("\n") };
}

/** Turn by turn, with a request and an answer for each tool call; where it can, one turn enters the last state and fills it. */
class Stepped {
  private run: StepRun | undefined;
  private readonly entered: string[] = [];
  private seconds = 0;
  private status = "running";

  constructor(
    private readonly opened: Opened,
    { sent, last, told }: Ran,
  ) {
    const rest = last !== undefined && told.status === "complete" ? last : undefined;
    const end = opened.workflow.stateNamed(told.state)?.index ?? -1;
    const output = rest === undefined ? [] : writesOf(opened, end, rest);
    const start: TurnInput = { kind: "start", runId: "R", goal: "go", maxSteps: 1e6 };
    this.take(start, sent[0]?.toolCalls ?? (rest && { kind: "done", artifacts: output }));
    for (const [index, move] of sent.entries()) {
      const { number, seconds } = move;
      if (this.run?.status !== "running") break;
      this.seconds += seconds;
      const state = opened.workflow.stateNamed(this.run.state)?.index ?? -1;
      const event = opened.machine.states[state]?.edges[number]?.event ?? "";
      const own = writesOf(opened, state, move).map(({ name, value }) => [name, value] as const);
      const isLast = index === sent.length - 1 && rest !== undefined;
      // The first value of a name goes to the state that is left, if it declares it.
      const [left, entered] = [state, end].map((each) => opened.machine.states[each]?.artifacts);
      const names = own.map(([name]) => name);
      const isClear =
        output.every(({ name }) => left?.has(name) !== true || names.includes(name)) &&
        names.every((name, at) => entered?.has(name) !== true || names.indexOf(name) === at);
      const artifacts =
        isLast && isClear ? [...own, ...output.map(({ name, value }) => [name, value] as const)] : own;
      const input: TurnInput = { kind: "event", event, step: this.run.step + 1, artifacts };
      if (!isLast) this.take(input, sent[index + 1]?.toolCalls);
      else if (isClear) this.take(input, { kind: "done" });
      else {
        this.take(input, undefined);
        this.take({ kind: "done", step: this.run.step }, { kind: "done", artifacts: output });
      }
    }
  }

  get told(): Told {
    const { state = "", visit_counts = {}, artifacts = {} } = this.run ?? {};
    const total = Object.values(visit_counts).reduce((sum, count) => sum + count, 0);
    return { status: this.status, state, entered: this.entered, total, artifacts };
  }

  private take(input: TurnInput, next: TurnAction | number | undefined): void {
    const action: TurnAction | undefined =
      typeof next !== "number"
        ? next
        : next > 0
          ? { kind: "request", tool: "t", step: undefined }
          : undefined;
    this.accept(takeTurn(this.run, { input, action }, this.context));
    for (let left = typeof next === "number" ? next : 0; left > 0 && this.run?.status === "running"; left--) {
      const result: TurnInput = { kind: "result", status: "ok", step: this.run.step, tool: "t" };
      const again = left > 1 ? action : undefined;
      this.accept(takeTurn(this.run, { input: result, action: again }, this.context));
    }
  }

  private get context() {
    const { workflow, machine, root } = this.opened;
    const now = new Date(Date.UTC(2026, 0, 1) + this.seconds * 1000).toISOString();
    return { workflow, machine, root, budget: workflow.budget, now };
  }

  private accept(outcome: TurnOutcome): void {
    if (outcome.kind !== "taken") {
      this.status = outcome.kind;
      return;
    }
    const { run } = outcome;
    this.run = run;
    for (const { payload } of run.outbox) {
      const result = payload["result"] as { readonly to: string } | undefined;
      if (result !== undefined) this.entered.push(result.to);
    }
    const isOver = this.opened.workflow.stateNamed(run.state)?.index;
    const ends = this.opened.machine.states[isOver ?? -1]?.ends === true;
    this.status = run.status === "escalated" ? (run.reason ?? "") : ends ? "complete" : "running";
  }
}

it("all views of a run agree on what it does, counts and writes, and how it ends", () => {
  const ends = new Set<string>();
  fc.assert(
    fc.property(packText, fc.array(move, { maxLength: 15 }), (text, moves) => {
      const { pack, workflow } = workflowOf(text);
      const machine = buildMachine(workflow);
      const opened = { text, pack, workflow, machine, root: machine.roots[0] ?? -1 };
      const run = ran(opened, moves);
      const { told, steps, limit, found, tried } = run;
      ends.add(limit ?? told.status);
      const { told: simulation, record } = simulated(opened, run);
      expect(simulation).toEqual(told);
      const stepped = new Stepped(opened, run).told;
      // Refused, so that the run can go on once the pack is fixed.
      if (told.status === "lost")
        expect({ ...stepped, artifacts: {} }).toEqual({ ...told, status: "refused", artifacts: {} });
      // The call that is one too many ends the run before the state has written.
      else if (limit === "max_tool_calls")
        expect({ ...stepped, artifacts: {} }).toEqual({ ...told, artifacts: {} });
      else expect(stepped).toEqual(told);
      expect(
        linesOf(heldAgainst(text, record, { levels: new Map([["run-incomplete", "off"]]) }).diagnostics),
      ).toEqual([]);
      const document = readJsonLines(record, defaultLimits);
      const recorded = new Tried(tried.items);
      recorded.walkRecord(replayRun({ ...opened, kind: "transitions", document, checksBudget: true }));
      expect(recorded.measure(found)).toEqual(tried.measure(found));
      const guarded = limit === undefined ? steps : steps.slice(0, -1);
      expect(
        stepsOf(
          machine,
          opened.root,
          guarded.map(({ event }) => event),
        ),
      ).toEqual(guarded);
    }),
    { numRuns: runs(2000), seed: 45 },
  );
  if (isFull)
    expect([...ends].sort()).toEqual(
      "budget-exhausted complete lost max_tool_calls max_total_visits max_wall_time_sec running stuck".split(
        " ",
      ),
    );
});
