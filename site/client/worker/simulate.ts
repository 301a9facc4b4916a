import { plainPaint } from "../../../src/text/paint.js";
import { escapeInvisible } from "../../../src/text/escape.js";
import { stepText } from "../../../src/text/format-trace.js";
import { BadInput } from "../../../src/text/wording.js";
import {
  aboutState,
  formatEnding,
  outcomeText,
  questionText,
  renderCurrentPrompt,
  visitJson,
} from "../../../src/simulate/run-text.js";
import { Simulation } from "../../../src/simulate/simulation.js";
import { startState } from "../../../src/simulate/drive-simulation.js";
import type { RunnableAnalysis } from "../../../src/analysis.js";
import type { CompositionView, RunView, SimulationInput, SimulationView } from "./protocol.js";

/** More would only slow the page down. */
const maxListed = 200;
const maxPromptLength = 20_000;

/** Takes the moves that are still possible, and shows where the run is then. */
export function simulate(
  { pack, machine }: RunnableAnalysis,
  { agent, moves, answers }: SimulationInput,
): SimulationView {
  const { workflow } = pack;
  const agents = pack.agents.members
    .filter(({ state }) => state !== undefined && workflow.stateNamed(state.text) !== undefined)
    .map(({ name }) => name.text);
  const known = agent !== undefined && agents.includes(agent) ? agent : undefined;
  let start: number;
  try {
    start = startState(pack, workflow, known).index;
  } catch (error) {
    if (error instanceof BadInput) return { missing: error.message };
    throw error;
  }
  const simulation = new Simulation({
    pack,
    workflow,
    machine,
    startState: start,
    budget: workflow.budget,
    agent: known,
    variables: [],
    render: true,
  });
  const taken = known === agent ? takeMoves(simulation, moves) : 0;
  if (taken === moves.length) giveAnswers(simulation, answers);
  const rendered = renderCurrentPrompt(simulation);
  return {
    agents: agents.slice(0, maxListed),
    taken,
    state: escapeInvisible(simulation.current.name),
    about: aboutState(simulation).map(escapeInvisible),
    ending: endingOf(simulation),
    events: eventsOf(simulation),
    history: historyOf(simulation),
    composition: compositionOf(simulation),
    prompt: rendered && {
      name: escapeInvisible(rendered.prompt),
      text: rendered.text.slice(0, maxPromptLength).split(/\r?\n/u).map(escapeInvisible).join("\n").trim(),
    },
  };
}

/** Returns how many were possible. */
function takeMoves(simulation: Simulation, moves: SimulationInput["moves"]): number {
  for (const [index, { event, answers }] of moves.entries()) {
    const number = simulation.eventsByName.get(event);
    if (simulation.status !== "running" || number === undefined) return index;
    giveAnswers(simulation, answers);
    simulation.fire(number);
  }
  return moves.length;
}

function giveAnswers(simulation: Simulation, answers: SimulationInput["answers"]): void {
  for (const [branch, isYes] of Object.entries(answers)) simulation.turn.answers.set(branch, isYes);
}

function endingOf(simulation: Simulation): RunView["ending"] {
  const { status } = simulation;
  if (status === "running") return undefined;
  return { isComplete: status === "complete", text: formatEnding(simulation, plainPaint, Infinity) };
}

function eventsOf(simulation: Simulation): RunView["events"] {
  if (simulation.status !== "running") return [];
  return simulation.events.slice(0, maxListed).map((event) => {
    const name = simulation.current.edges[event]?.event ?? "";
    return { name, label: escapeInvisible(name), leadsTo: outcomeText(simulation, event) };
  });
}

function historyOf({ transitions, current, failure }: Simulation): readonly string[] {
  const failed =
    failure === undefined
      ? []
      : [stepText({ from: current.name, event: failure.event, to: failure.target ?? "?" })];
  return [
    ...transitions.map(({ from, event, to, forced = [] }) => stepText({ from, event, to, forced })),
    ...failed,
  ];
}

function compositionOf(simulation: Simulation): CompositionView | undefined {
  const { walk } = simulation;
  const visit = simulation.walks.at(-1);
  if (walk === undefined || visit === undefined) return undefined;
  const answerOf = new Map(walk.answers.map(({ branch, isYes }) => [branch, isYes]));
  const { ran, skipped, result, failure } = visitJson(visit);
  const rows = [
    { label: "ran", text: ran.join(", ") },
    { label: "skipped", text: skipped.join(", ") },
    { label: "result", text: result ?? "" },
    { label: "fails", text: failure ?? "" },
  ];
  return {
    questions: walk.asked.slice(0, maxListed).map((branch) => ({
      branch: branch.id.text,
      text: questionText(branch),
      isYes: answerOf.get(branch) ?? true,
    })),
    rows: rows
      .filter(({ text }) => text !== "")
      .map(({ label, text }) => ({ label, text: escapeInvisible(text) })),
  };
}
