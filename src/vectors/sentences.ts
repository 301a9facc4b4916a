import { parseEventList } from "../simulate/event-list.js";
import { eventOf, packOf, type PackParts, type Scene } from "./vector.js";

type Targets = Readonly<Record<string, string>>;

const end = { terminal: true };
const on = (on_event: Targets) => ({ on_event });
const guarded = (max_visits: number, on_max_visits: string | undefined, on_event: Targets) => {
  return { max_visits, on_max_visits, on_event };
};
const budget = (limits: Readonly<Record<string, number>>) => ({ engine: { budget: limits } });

const line = { first: on({ Next: "second" }), second: on({ Next: "third" }), third: end };
const round = { ask: on({ Next: "check", Done: "done" }), check: on({ Next: "ask" }), done: end };
const again = { work: guarded(1, "done", { Again: "work" }), done: end };
const stopping = { work: guarded(1, undefined, { Again: "work", Done: "done" }), done: end };
const leaving = { work: on({ Done: "done" }), done: end };
const chained = (visits: number, exit?: string) => {
  return {
    a: guarded(1, "b", { Next: "b" }),
    b: guarded(visits, exit, { Back: "a", Done: "done" }),
    done: end,
  };
};
const retry = {
  work: guarded(3, "give_up", { Success: "complete", Error: "work" }),
  complete: end,
  give_up: end,
};
const search = { desk: on({ Done: "done" }), search: on({ Again: "search", Found: "desk" }), done: end };
const noted = (mode?: string, type = "text/plain") => ({ artifacts: { note: { type, mode } } });
const note = noted();
const notes = (mode?: string, type?: string) => ({
  work: { ...on({ Again: "work", Done: "done" }), ...noted(mode, type) },
  done: end,
});

const finder = { agents: { finder: "search" }, agent: "finder" };

/** The place in the RFC, "?" if it leaves room for another reading, and what it says. */
const sentences = {
  entry: "RFC 0005, entry: A run starts in the state that `entry` names, wherever it is in the file.",
  event: "RFC 0005, on_event: An event leads to the state that it names in the current state.",
  "event-to-itself": "RFC 0005, on_event: A state may lead back to itself.",
  "event-back": "RFC 0005, on_event: A state may lead back to an earlier one.",
  "one-state": "RFC 0005, unresolved question 5: Exactly one state is active, and only its events count.",
  "same-prompt": "RFC 0005, prompt_task: States that run the same prompt are states of their own.",
  external: "RFC 0005, orchestration: `external` says who sends the events of a state, not where they lead.",
  hybrid: "RFC 0005, orchestration: `hybrid` does not say where events lead, either.",
  persistence: "RFC 0005, persistence: `transient` and `persistent` change neither states nor counts.",
  engine: "RFC 0005, engine: Settings of a runtime's own change nothing about the states of a run.",
  terminal: "RFC 0009, terminal: A run is complete in a terminal state.",
  "terminal-events": "RFC 0009, rule 1: Events that are written on a terminal state never happen.",
  "terminal-false": "RFC 0009, terminal: `false` is the same as nothing.",
  "terminal-entry": "RFC 0009, terminal: A run that starts in a terminal state is complete at once.",
  "terminal-output":
    "RFC 0009, unresolved question 5: ? A terminal state runs its prompt, so it can still write the output.",
  "no-events": "RFC 0009, rule 7: ? A state without `on_event` ends the run, which is complete.",
  "empty-events": "RFC 0009, rule 7: ? A state with an empty `on_event` ends the run, which is complete.",
  "max-visits": "RFC 0009, max_visits: After so many entries, the next attempt leads to `on_max_visits`.",
  "max-visits-last":
    "RFC 0009, max_visits: ? The last entry that is allowed is like any other: the prompt runs, and an event may follow.",
  "start-counts": "RFC 0009, max_visits: The start of a run is the first entry of its state.",
  "counts-apart":
    "RFC 0009, max_visits: Each state has a count of its own, which goes on after visits of others.",
  "forced-entry-counts":
    "RFC 0009, on_max_visits: A forced exit enters its target, which counts as a visit there.",
  "attempt-counts-not": "RFC 0009, on_max_visits: An attempt to enter a spent state is no visit of it.",
  "forced-exit-goes-on":
    "RFC 0009, on_max_visits: After a forced exit, the run goes on with the events of the state it entered.",
  "spent-stops":
    "RFC 0009, on_max_visits: Without one, the attempt to enter a spent state ends the run, budget-exhausted.",
  "spent-other-event":
    "RFC 0009, max_visits: In a state whose visits are spent, the events that lead elsewhere are not affected.",
  chain:
    "RFC 0009, rule 2: ? If the target of a forced exit is spent, too, its own `on_max_visits` comes next.",
  "chain-open-link": "RFC 0009, rule 2: A forced exit enters a guarded state that has visits left.",
  "chain-stops":
    "RFC 0009, rule 2: ? A chain that ends in a spent state without `on_max_visits` ends the run, budget-exhausted.",
  "chain-circle":
    "RFC 0009, rule 2: ? Forced exits that go round in a circle of spent states enter none: the run is stuck.",
  "chain-to-itself":
    "RFC 0009, rule 2: ? A spent state that names itself in `on_max_visits` leaves the run stuck as well.",
  "guard-of-one-state":
    "RFC 0009, loop guards: A guard bounds the visits of its own state, and not the loop that it is on.",
  unguarded: "RFC 0009, rule 6: Without `max_visits`, a state can be entered any number of times.",
  "version-1": "RFC 0009, unresolved question 1: ? Guards count in a workflow of version 1, too.",
  waiting: "RFC 0009, human in the loop: A run that waits for an event from outside has not ended.",
  "waiting-guarded": "RFC 0009, human in the loop: Guards hold for states that wait for a person, too.",
  "budget-visits":
    "RFC 0009, max_total_visits: ? Every entry of every state counts, the start included; one more ends the run.",
  "budget-last-visit":
    "RFC 0009, max_total_visits: ? The last visit that is allowed may still complete the run.",
  "budget-before-guard":
    "RFC 0009, max_total_visits: It is independent of `max_visits`: what is reached first counts.",
  "budget-forced": "RFC 0009, max_total_visits: An entry by a forced exit counts, and an attempt does not.",
  "tool-calls-allowed": "RFC 0009, max_tool_calls: ? A run may make as many tool calls as the budget allows.",
  "tool-calls-over":
    "RFC 0009, max_tool_calls: The calls of all states count together, and more of them end the run.",
  "seconds-allowed": "RFC 0009, max_wall_time_sec: ? A run may take as long as the budget allows.",
  "seconds-over":
    "RFC 0009, max_wall_time_sec: The time of all states counts together, and more of it ends the run.",
  "budget-one-limit": "RFC 0009, budget: A limit that is left out is none.",
  "artifact-captured":
    "RFC 0009, artifact lifecycle 3: A transition captures the values, with what the state that is left has written.",
  "artifact-unset": "RFC 0009, artifact lifecycle 4: An artifact that was never written has no value.",
  "artifact-kept": "RFC 0009, artifact lifecycle 5: A visit may leave an artifact as it is.",
  "artifact-other-states": "RFC 0009, artifacts: A value outlives visits of states that do not declare it.",
  "artifact-shared": "RFC 0009, artifacts: States that declare the same name share one artifact.",
  "artifact-default-mode": "RFC 0009, mode: Without a mode, a new value takes the place of the old one.",
  "artifact-replace": "RFC 0009, mode: With `replace`, a new value takes the place of the old one.",
  "artifact-append":
    "RFC 0009, mode: ? `append` puts the new value after the old one; text gets a line of its own.",
  "artifact-append-json": "RFC 0009, mode: ? What is appended to JSON makes a list.",
  "artifact-forced":
    "RFC 0009, artifact lifecycle 3: A transition by a forced exit captures the values, and names the state it entered.",
  "artifact-trace":
    "RFC 0009, relationship to runtime memory: The transitions with their artifacts are the trace that the RFC shows.",
  "artifact-final": "RFC 0009, artifact lifecycle 6: The values are the output of a run that is complete.",
  "artifact-exhausted":
    "RFC 0009, artifact lifecycle 6: The values are the output of a run that the budget has ended, too.",
  "agent-start": "RFC 0011, state: A run of an agent starts in the agent's state.",
  "agent-transitions":
    "RFC 0011, behavior: A run of an agent follows the transitions of the one workflow, up to a terminal state.",
  "agent-guard": "RFC 0011, non-goals: Guards count as in any run, and the start of an agent is a visit.",
  "agent-budget": "RFC 0011, behavior: The budget ends a run of an agent, too.",
  "agent-several": "RFC 0011, state: Each agent has a state of its own to start in.",
  "entry-beside-agents": "RFC 0011, state: A run without an agent still starts in `entry`.",
  "plain-agent": "RFC 0011, rule 4: An agent without a state changes nothing about the workflow.",
};

type Run = Pick<PackParts, "states"> & { readonly events: string } & More;
type More = Partial<Omit<PackParts, "states">> & Pick<Scene, "agent" | "output">;

const run = (states: PackParts["states"], events: string, more: More = {}): Run => ({
  states,
  events,
  ...more,
});

const runs: Readonly<Record<keyof typeof sentences, Run>> = {
  entry: run({ last: on({ Back: "first" }), first: on({ Go: "last" }) }, "", { entry: "first" }),
  event: run({ first: on({ Stop: "third", Next: "second" }), second: end, third: end }, "Next"),
  "event-to-itself": run({ ask: on({ More: "ask", Done: "done" }), done: end }, "More,More,Done"),
  "event-back": run(round, "Next,Next,Done"),
  "one-state": run(line, "Next,Next"),
  "same-prompt": run(
    { first: on({ Next: "second" }), second: guarded(1, "third", { Next: "second" }), third: end },
    "Next,Next",
  ),
  external: run({ ...line, first: { ...line.first, orchestration: "external" } }, "Next,Next"),
  hybrid: run({ ...line, second: { ...line.second, orchestration: "hybrid" } }, "Next,Next"),
  persistence: run(
    { work: { ...again.work, persistence: "transient" }, done: { ...end, persistence: "persistent" } },
    "Again",
  ),
  engine: run(line, "Next,Next", { engine: { max_state_duration_ms: 1, telemetry: { log_level: "info" } } }),
  terminal: run(leaving, "Done"),
  "terminal-events": run({ ...leaving, done: { ...end, on_event: { Again: "work" } } }, "Done"),
  "terminal-false": run({ work: { terminal: false, ...on({ Done: "done" }) }, done: end }, "Done"),
  "terminal-entry": run({ done: end }, ""),
  "terminal-output": run({ ...leaving, done: { ...end, ...note } }, "Done", {
    output: { note: "all is well" },
  }),
  "no-events": run({ ...leaving, done: {} }, "Done"),
  "empty-events": run({ ...leaving, done: on({}) }, "Done"),
  "max-visits": run(retry, "Error,Error,Error"),
  "max-visits-last": run(retry, "Error,Error,Success"),
  "start-counts": run(again, "Again"),
  "counts-apart": run(
    { a: guarded(2, "done", { Next: "b" }), b: guarded(2, "done", { Next: "a" }), done: end },
    "Next,Next,Next,Next",
  ),
  "forced-entry-counts": run(
    { a: guarded(1, "b", { Again: "a" }), b: guarded(1, "done", { Again: "b" }), done: end },
    "Again,Again",
  ),
  "attempt-counts-not": run(
    { a: guarded(1, "b", { Again: "a" }), b: on({ Again: "a", Done: "done" }), done: end },
    "Again,Again,Done",
  ),
  "forced-exit-goes-on": run(
    { a: guarded(1, "b", { Again: "a" }), b: on({ Done: "done" }), done: end },
    "Again,Done",
  ),
  "spent-stops": run(stopping, "Again"),
  "spent-other-event": run(stopping, "Done"),
  chain: run(chained(1, "done"), "Next,Back"),
  "chain-open-link": run(chained(2, "done"), "Next,Back"),
  "chain-stops": run(chained(1), "Next,Back"),
  "chain-circle": run(chained(1, "a"), "Next,Back"),
  "chain-to-itself": run({ work: guarded(1, "work", { Again: "work" }) }, "Again"),
  "guard-of-one-state": run(
    {
      code: guarded(1, "review", { Ready: "review" }),
      review: on({ Rejected: "code", Approved: "done" }),
      done: end,
    },
    "Ready,Rejected,Rejected,Rejected,Approved",
  ),
  unguarded: run(round, "Next,Next,Next,Next,Next,Next"),
  "version-1": run(again, "Again", { version: 1 }),
  waiting: run({ ...line, second: { ...line.second, orchestration: "external" } }, "Next"),
  "waiting-guarded": run({ ...again, work: { ...again.work, orchestration: "external" } }, "Again"),
  "budget-visits": run(round, "Next,Next,Next", budget({ max_total_visits: 3 })),
  "budget-last-visit": run(line, "Next,Next", budget({ max_total_visits: 3 })),
  "budget-before-guard": run(retry, "Error,Error", budget({ max_total_visits: 2 })),
  "budget-forced": run(
    { a: guarded(1, "b", { Again: "a" }), b: on({ Next: "a", Done: "done" }), done: end },
    "Again,Next,Done",
    budget({ max_total_visits: 3 }),
  ),
  "tool-calls-allowed": run(line, "Next[tools 2],Next[tools 1]", budget({ max_tool_calls: 3 })),
  "tool-calls-over": run(line, "Next[tools 2],Next[tools 2]", budget({ max_tool_calls: 3 })),
  "seconds-allowed": run(line, "Next[seconds 20],Next[seconds 10]", budget({ max_wall_time_sec: 30 })),
  "seconds-over": run(line, "Next[seconds 20],Next[seconds 20]", budget({ max_wall_time_sec: 30 })),
  "budget-one-limit": run(round, "Next[seconds 90000],Next,Next,Next,Done", budget({ max_tool_calls: 1 })),
  "artifact-captured": run(notes(), "Again[note=abc]"),
  "artifact-unset": run(notes(), "Again,Again[note=abc]"),
  "artifact-kept": run(notes(), "Again[note=abc],Again,Done"),
  "artifact-other-states": run({ ...line, first: { ...line.first, ...note } }, "Next[note=abc],Next"),
  "artifact-shared": run(
    { first: { ...line.first, ...note }, second: { ...line.second, ...note }, third: end },
    "Next[note=abc],Next[note=def]",
  ),
  "artifact-default-mode": run(notes(), "Again[note=abc],Done[note=def]"),
  "artifact-replace": run(notes("replace"), "Again[note=abc],Done[note=def]"),
  "artifact-append": run(notes("append"), "Again[note=abc],Done[note=def]"),
  "artifact-append-json": run(
    notes("append", "application/json"),
    'Again[note={"found": 1}],Done[note={"found": 2}]',
  ),
  "artifact-forced": run({ ...again, work: { ...again.work, ...note } }, "Again[note=abc]"),
  "artifact-trace": run(
    {
      plan: on({ PlanReady: "implement" }),
      implement: { ...on({ CodeReady: "test" }), artifacts: { commit_sha: { type: "text/plain" } } },
      test: {
        ...on({ TestsFailed: "implement", TestsPassed: "review" }),
        artifacts: { test_report: { type: "application/json" } },
      },
      review: on({ Approved: "done" }),
      done: end,
    },
    "PlanReady,CodeReady[commit_sha=abc123],TestsFailed[test_report=2/5 pass],CodeReady[commit_sha=def456],TestsPassed[test_report=5/5 pass],Approved",
  ),
  "artifact-final": run(notes(), "Done[note=abc]"),
  "artifact-exhausted": run(notes(), "Again[note=abc],Again[note=def]", budget({ max_total_visits: 2 })),
  "agent-start": run(search, "", finder),
  "agent-transitions": run(search, "Again,Found,Done", finder),
  "agent-guard": run(
    { desk: on({ Go: "search" }), search: guarded(1, "desk", { Again: "search" }) },
    "Again,Go",
    finder,
  ),
  "agent-budget": run(search, "Again,Again", {
    ...finder,
    ...budget({ max_total_visits: 2 }),
  }),
  "agent-several": run(search, "Done", {
    agents: { finder: "search", clerk: "desk" },
    agent: "clerk",
    entry: "search",
  }),
  "entry-beside-agents": run(search, "Done", { agents: { finder: "search" } }),
  "plain-agent": run(search, "Done", { agents: { writer: null } }),
};

/** A vector for each sentence of the RFCs that a run can be held against. */
export const sentenceScenes: readonly Scene[] = Object.entries(runs).map(
  ([name, { states, events, agent, output, entry, ...parts }]) => {
    const [, source = "", open, says = ""] =
      /^(.*?): (\? )?(.*)$/u.exec(sentences[name as keyof typeof sentences]) ?? [];
    return {
      name,
      sentence: { source, says, isOpen: open !== undefined },
      pack: packOf(name, { entry: entry ?? Object.keys(states)[0] ?? "", states, ...parts }),
      agent,
      events: parseEventList(events).map(eventOf),
      output,
    };
  },
);
