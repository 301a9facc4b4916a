import type { Outcome } from "../../machine/attempt.js";
import type { Machine } from "../../machine/machine.js";
import type { WrongState } from "../../replay/deviation.js";
import { listNamed, listNames } from "../../words/wording.js";

/** What the machine does instead of what the record says. */
export function wrongStateMessage(deviation: WrongState, machine: Machine, place: string): string {
  const { to, from, edge, outcome, early } = deviation;
  const way = `"${edge.event}" leads from "${from.name}" ${wayText(deviation, machine)}${place}`;
  if (early !== undefined && outcome.kind === "entered" && outcome.forced.length === 0) {
    return `${way}, which is not spent, but the record takes its forced exit to "${to.text}".`;
  }
  return `${way}, but the record enters "${to.text}".`;
}

export function forcedMessage(said: readonly string[], { forced }: Outcome, machine: Machine): string {
  const is = listNamed(forced, (state) => machine.states[state]?.name ?? "");
  const were = (states: number): string => (states > 1 ? "were" : "was");
  if (said.length === 0) return `The record does not say that ${is} ${were(forced.length)} spent.`;
  const claim = `The record says that ${listNames(said)} ${were(said.length)} spent on the way`;
  return forced.length === 0 ? `${claim}, but none was.` : `${claim}, but ${is} ${were(forced.length)}.`;
}

/** Where the run should have gone after an attempt that met spent states. */
export function insteadText(outcome: Outcome, machine: Machine): string {
  switch (outcome.kind) {
    case "entered":
      return `The run should have gone on to "${machine.states[outcome.state]?.name ?? ""}".`;
    case "stopped":
      return "The run should have stopped.";
    case "stuck":
      return "The run should be stuck: forced exits go round in a circle.";
    case "dangling":
      return "The run should have ended: on_max_visits does not name a state.";
  }
}

function wayText({ edge, outcome }: WrongState, machine: Machine): string {
  const nameOf = (state: number): string => `"${machine.states[state]?.name ?? ""}"`;
  const { forced } = outcome;
  const passed = forced.map(nameOf).join(" and ");
  const spent = passed === "" ? "" : `through ${passed}, which ${forced.length > 1 ? "are" : "is"} spent, `;
  switch (outcome.kind) {
    case "entered":
      return `${spent}to ${nameOf(outcome.state)}`;
    case "stopped":
      return `to ${passed}, where a guard without on_max_visits stops the run`;
    case "stuck":
      return `to ${passed}, where forced exits go round in a circle and the run is stuck`;
    case "dangling":
      return passed === ""
        ? `to "${edge.transition?.target?.text ?? ""}", which is not a state`
        : `to ${passed}, whose on_max_visits is not a state`;
  }
}
