import { names } from "./vocabulary.mjs";

/** A pack in which most turns can be taken. */
export const runnablePack = JSON.stringify({
  prompts: { p: { id: "p", name: "P", version: "1.0.0", system_template: "x" } },
  agents: { entry: "p", members: { p: { state: "plan" } } },
  workflow: {
    version: 1,
    entry: "a",
    states: {
      a: {
        prompt_task: "p",
        on_event: { Done: "plan", done: "a", "\u001b[31m": "b" },
        max_visits: 2,
        on_max_visits: "b",
        artifacts: { a: { type: "text/plain" }, "\u202ex": { type: "text/plain", mode: "append" } },
      },
      plan: { prompt_task: "p", on_event: { Done: "a", done: "b" } },
      b: { prompt_task: "p", terminal: true },
    },
  },
});

/** What `step` is told of a turn, and what it is asked for then. */
export function stepTurn(random) {
  const after = [[], [], ["--done"], ["--request", nameOf(random)], ["--request", "a", "--step", "2"]];
  return ["--run", random.chance(90) ? "run.json" : random.pick(["sub", "no/run.json", ""])].concat(
    random.pick(turns)(random),
    random.pick(after),
  );
}

const turns = [
  (random) => ["--start", ...random.list(2, () => random.pick(startFlags)).flat()],
  (random) => ["--event", nameOf(random), "--step", stepOf(random), ...random.list(1, () => setOf(random))],
  (random) => ["--result", random.pick(["ok", "ok", "error", "x"]), ...answerOf(random)],
];
const startFlags = [
  ["--run-id", "\u001b[2J"],
  ["--goal", "x\u202ey\n"],
  ["--agent", "p"],
  ["--agent", "a"],
  ["--max-steps", "1"],
  ["--max-steps", "x"],
  ["--max-depth", "3"],
  ["--max-size", "x"],
];

function nameOf(random) {
  return random.pick(random.chance(80) ? names.slice(0, 6) : names);
}

function stepOf(random) {
  return random.pick(random.chance(95) ? ["1", "1", "2"] : ["0", "x"]);
}

function setOf(random) {
  return `--set=${nameOf(random)}=${nameOf(random)}`;
}

function answerOf(random) {
  const attempt = random.list(1, () => `--attempt=${stepOf(random)}`);
  return ["--step", stepOf(random), "--tool", random.chance(70) ? "a" : nameOf(random), ...attempt];
}

/** A run that was begun before, with a chance of a mistake in every place. */
export function runText(random) {
  const name = () => nameOf(random);
  const odd = (value) =>
    random.chance(2) ? random.pick([null, -1, 1e9, "", "x", [], {}, [7], true]) : value;
  const isPending = random.chance(50);
  return JSON.stringify({
    run_id: odd(random.pick(["a", "\u001b[2J"])),
    status: odd(random.chance(85) ? "running" : random.pick(["done", "escalated"])),
    goal: odd("x"),
    state: odd(random.pick(["a", "a", "plan", "b", name()])),
    visit_counts: odd(Object.fromEntries(random.list(3, () => [name(), odd(1 + random.below(3))]))),
    artifacts: odd(Object.fromEntries(random.list(2, () => [name(), odd("x")]))),
    step: odd(isPending ? 1 : 0),
    max_steps: odd(random.pick([1, 2, 20])),
    attempt: odd(isPending ? 1 + random.below(2) : 0),
    completed_steps: odd(random.list(1, (index) => odd(index))),
    pending_step: odd(isPending ? 1 : null),
    pending_tool: odd(isPending ? random.pick(["a", name()]) : null),
    turns: odd(
      random.list(1, () => odd(JSON.stringify({ kind: "result", status: "error", step: 1, tool: "a" }))),
    ),
    outbox: odd(random.list(1, () => odd({ type: "x", payload: {}, dedupe_key: name() }))),
  });
}
