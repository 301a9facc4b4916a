import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rfcReading } from "../../src/machine/machine.js";
import { sentenceScenes } from "../../src/vectors/sentences.js";
import { play, type Scene } from "../../src/vectors/vector.js";
import { expectFile } from "../expected-file.js";

interface State {
  orchestration?: string;
  persistence?: string;
  terminal?: boolean;
  max_visits?: number;
  on_max_visits?: string;
  on_event?: Record<string, string>;
  artifacts?: Record<string, { type: string; mode?: string }>;
}

interface Pack {
  workflow: {
    version: number;
    entry: string;
    states: Record<string, State>;
    engine?: { budget?: Record<string, number> };
  };
  agents?: { members: Record<string, { state?: string }> };
}

/** Changes a copy of the pack. */
const inPack =
  (change: (workflow: Pack["workflow"], pack: Pack) => void) =>
  (scene: Scene): Scene => {
    const pack = structuredClone(scene.pack) as Pack;
    change(pack.workflow, pack);
    return { ...scene, pack };
  };
const inStates = (change: (state: State, name: string) => void) =>
  inPack(({ states }) => {
    for (const [name, state] of Object.entries(states)) change(state, name);
  });
const inBudget = (field: string, more: number) =>
  inPack(({ engine }) => {
    const { budget } = engine ?? {};
    const limit = budget?.[field];
    if (budget !== undefined && limit !== undefined) budget[field] = limit + more;
  });

const startOf = ({ workflow, agents }: Pack, agent: string | undefined): string =>
  (agent === undefined ? undefined : agents?.members[agent]?.state) ?? workflow.entry;

/** Machines that read one sentence of the RFCs otherwise, each made by a change to the pack or to the run. */
const mistakes: Readonly<Record<string, (scene: Scene) => Scene>> = {
  "starts in the first state": inPack((workflow) => {
    workflow.entry = Object.keys(workflow.states)[0] ?? "";
  }),
  "knows no agents": (scene) => ({ ...scene, agent: undefined }),
  "starts agents alone at entry": inPack((workflow, { agents }) => {
    for (const member of Object.values(agents?.members ?? {}))
      if (member.state !== undefined) member.state = workflow.entry;
  }),
  "starts in the state of an agent without being asked": (scene) =>
    inPack((workflow, { agents }) => {
      const [first] = Object.values(agents?.members ?? {});
      if (scene.agent === undefined)
        workflow.entry = first?.state ?? Object.keys(workflow.states).at(-1) ?? "";
    })(scene),
  "leads every event to the next state": inPack(({ states }) => {
    const names = Object.keys(states);
    for (const [index, state] of Object.values(states).entries())
      for (const event of Object.keys(state.on_event ?? {}))
        state.on_event = { ...state.on_event, [event]: names[(index + 1) % names.length] ?? "" };
  }),
  "leads no event back": inPack(({ states }) => {
    const names = Object.keys(states);
    for (const [index, state] of Object.values(states).entries())
      state.on_event = Object.fromEntries(
        Object.entries(state.on_event ?? {}).map(([event, to]) => [
          event,
          names.indexOf(to) > index ? to : (names.at(-1) ?? ""),
        ]),
      );
  }),
  "ignores terminal": inStates((state) => {
    delete state.terminal;
    state.on_event ??= { Again: "work" };
  }),
  "ends in every state that says something of terminal": inStates((state) => {
    if (state.terminal !== undefined) state.terminal = true;
  }),
  "waits in a state without events": inStates((state, name) => {
    if (state.terminal !== true && Object.keys(state.on_event ?? {}).length === 0)
      state.on_event = { Never: name };
  }),
  "ends where it waits for a person": inStates((state) => {
    if (state.orchestration === "external") state.terminal = true;
  }),
  "ignores guards": inStates((state) => {
    delete state.max_visits;
  }),
  "ignores guards of external states": inStates((state) => {
    if (state.orchestration !== undefined) delete state.max_visits;
  }),
  "ignores guards in version 1": inPack(({ version, states }) => {
    if (version === 1) for (const state of Object.values(states)) delete state.max_visits;
  }),
  "allows one visit more": inStates((state) => {
    if (state.max_visits !== undefined) state.max_visits++;
  }),
  "allows one visit less": inStates((state) => {
    if (state.max_visits !== undefined && state.max_visits > 1) state.max_visits--;
  }),
  "does not count the start": (scene) =>
    inPack((workflow, pack) => {
      const state = workflow.states[startOf(pack, scene.agent)];
      if (state?.max_visits !== undefined) state.max_visits++;
    })(scene),
  "counts by prompt": inStates((state, name) => {
    if (name === "second" && state.max_visits !== undefined) {
      delete state.max_visits;
      state.terminal = true;
    }
  }),
  "guards every state": inStates((state) => {
    state.max_visits ??= 3;
  }),
  "ends at a spent state": inStates((state) => {
    delete state.on_max_visits;
  }),
  "goes on from a spent state": inStates((state, name) => {
    if (state.max_visits !== undefined) state.on_max_visits ??= name;
  }),
  "ends where a guard is spent, not at the next attempt": inStates((state) => {
    if (state.max_visits === 1 && state.on_max_visits === undefined) state.on_event = {};
  }),
  "ends after a forced exit": inPack(({ states }) => {
    for (const { on_max_visits: exit } of Object.values(structuredClone(states))) {
      const state = exit === undefined ? undefined : states[exit];
      if (state !== undefined) state.terminal = true;
    }
  }),
  "ignores the budget": inPack((workflow) => {
    delete workflow.engine;
  }),
  "takes settings of its own for limits": inPack(({ engine }) => {
    if (engine !== undefined && engine.budget === undefined) engine.budget = { max_total_visits: 1 };
  }),
  "limits what the budget does not name": inPack(({ engine }) => {
    if (engine?.budget !== undefined) engine.budget["max_total_visits"] ??= 3;
  }),
  "allows one visit more in all": inBudget("max_total_visits", 1),
  "allows one visit less in all": inBudget("max_total_visits", -1),
  "allows as many tool calls again": inBudget("max_tool_calls", 3),
  "ends at the last tool call": inBudget("max_tool_calls", -1),
  "allows as many seconds again": inBudget("max_wall_time_sec", 30),
  "ends at the last second": inBudget("max_wall_time_sec", -1),
  "writes nothing": (scene) => ({
    ...scene,
    output: undefined,
    events: scene.events.map(({ event }) => ({ event })),
  }),
  "writes in every visit": (scene) => ({
    ...scene,
    events: scene.events.map((each) => ("artifacts" in each ? each : { ...each, artifacts: { note: "" } })),
  }),
  "replaces what should be appended": inStates(({ artifacts = {} }) => {
    for (const artifact of Object.values(artifacts)) delete artifact.mode;
  }),
  "appends to everything": inStates(({ artifacts = {} }) => {
    for (const artifact of Object.values(artifacts)) artifact.mode = "append";
  }),
  "appends to JSON as to text": inStates(({ artifacts = {} }) => {
    for (const artifact of Object.values(artifacts)) artifact.type = "text/plain";
  }),
};

/** The record, without the name of the pack. */
const recordOf = (scene: Scene, reading = rfcReading): string => JSON.stringify(play(scene, reading));

/** These say that something changes nothing. */
const unchanging: Readonly<Record<string, (scene: Scene) => Scene>> = {
  external: inStates((state) => {
    delete state.orchestration;
  }),
  hybrid: inStates((state) => {
    delete state.orchestration;
  }),
  persistence: inStates((state) => {
    delete state.persistence;
  }),
  engine: inPack((workflow) => {
    delete workflow.engine;
  }),
  "terminal-events": inStates((state) => {
    if (state.terminal === true) delete state.on_event;
  }),
  "terminal-false": inStates((state) => {
    if (state.terminal === false) delete state.terminal;
  }),
  "plain-agent": inPack((_, pack) => {
    delete pack.agents;
  }),
};

it.each(sentenceScenes.map((scene) => [scene.name, scene] as const))(
  "%s depends on its sentence",
  (name, scene) => {
    const record = recordOf(scene);
    const noticed = Object.entries(mistakes).filter(([, mistake]) => recordOf(mistake(scene)) !== record);
    expect(noticed.map(([mistake]) => mistake)).not.toEqual([]);
    const same = unchanging[name];
    if (same !== undefined) expect(recordOf(same(scene))).toBe(record);
  },
);

it.each([
  ["does not count the start", ["start-counts", "agent-guard", "chain", "spent-stops"]],
  ["ignores terminal", ["terminal", "terminal-events", "terminal-entry"]],
  ["waits in a state without events", ["no-events", "empty-events"]],
  ["allows one visit more", ["max-visits", "counts-apart", "version-1"]],
  ["allows one visit less", ["max-visits-last", "chain-open-link"]],
  ["ignores guards of external states", ["waiting-guarded"]],
  ["ignores guards in version 1", ["version-1"]],
  ["starts agents alone at entry", ["agent-start", "agent-transitions", "agent-several"]],
  ["allows one visit less in all", ["budget-last-visit", "budget-before-guard", "budget-forced"]],
  ["ends at the last tool call", ["tool-calls-allowed"]],
  ["ends at the last second", ["seconds-allowed"]],
  ["limits what the budget does not name", ["budget-one-limit"]],
  ["replaces what should be appended", ["artifact-append", "artifact-append-json"]],
  ["appends to everything", ["artifact-default-mode", "artifact-replace", "artifact-shared"]],
  ["appends to JSON as to text", ["artifact-append-json"]],
] as const)("a machine that %s fails where it should", (mistake, names) => {
  const failed = sentenceScenes.filter(
    (scene) => recordOf(mistakes[mistake]?.(scene) ?? scene) !== recordOf(scene),
  );
  expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
});

it("chains of one link, and refused events, change just the records about them", () => {
  const differing = (reading: typeof rfcReading) =>
    sentenceScenes.filter((scene) => recordOf(scene, reading) !== recordOf(scene)).map(({ name }) => name);
  expect(differing({ ...rfcReading, forcedExits: "entered" })).toEqual([
    "chain",
    "chain-stops",
    "chain-circle",
    "chain-to-itself",
  ]);
  expect(differing({ ...rfcReading, stops: "event refused" })).toEqual(["spent-stops", "chain-stops"]);
});

it("the trace of RFC 0009 is the one in its table", () => {
  const scene = sentenceScenes.find(({ name }) => name === "artifact-trace") ?? expect.fail();
  const { record } = play(scene, rfcReading);
  const rows = record.slice(1, -1) as { to: string; visit: number; event: string; artifacts: object }[];
  expect(rows.map(({ to, visit, event, artifacts }) => [to, visit, event, artifacts])).toEqual([
    ["implement", 1, "PlanReady", {}],
    ["test", 1, "CodeReady", { commit_sha: "abc123" }],
    ["implement", 2, "TestsFailed", { commit_sha: "abc123", test_report: "2/5 pass" }],
    ["test", 2, "CodeReady", { commit_sha: "def456", test_report: "2/5 pass" }],
    ["review", 1, "TestsPassed", { commit_sha: "def456", test_report: "5/5 pass" }],
    ["done", 1, "Approved", { commit_sha: "def456", test_report: "5/5 pass" }],
  ]);
});

it("every mistake is noticed by some vector", () => {
  const records = new Map(sentenceScenes.map((scene) => [scene, recordOf(scene)]));
  const unnoticed = Object.entries(mistakes).filter(([, mistake]) =>
    sentenceScenes.every((scene) => recordOf(mistake(scene)) === records.get(scene)),
  );
  expect(unnoticed.map(([name]) => name)).toEqual([]);
});

it("the page lists every sentence", () => {
  const path = "docs/conformance.md";
  const rows = sentenceScenes.map(
    ({ name, sentence }) =>
      `| ${sentence?.source} | ${sentence?.says} | ${sentence?.isOpen === true ? "yes" : ""} | \`${name}\` |`,
  );
  const table = ["| place | what it says | open | vector |", "| --- | --- | --- | --- |", ...rows].join("\n");
  expectFile(
    path,
    readFileSync(path, "utf8").replace(
      /(<!-- sentences:start -->\n)[^]*?(<!-- sentences:end -->)/,
      (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
    ),
  );
});
