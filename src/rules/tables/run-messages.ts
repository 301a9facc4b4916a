import type { Place } from "../../diagnostic.js";
import type { Outcome } from "../../machine/run.js";
import type { Machine } from "../../machine/machine.js";
import type { DeviationOf } from "../../replay/deviation.js";
import type { RunReplay } from "../../replay/run-replay.js";
import { listNames, listNamesOf, pluralize } from "../../text/wording.js";

export function countText({ what, recorded, actual, state = "" }: DeviationOf<"count">): string {
  switch (what) {
    case "step":
      return `The record calls this step ${recorded}, but it is step ${actual}.`;
    case "visit":
      return `The record calls this visit ${recorded} of "${state}", but it is visit ${actual}.`;
    case "total":
      return `The record counts ${pluralize(recorded, "visit")} in all, but there have been ${actual}.`;
    case "steps":
      return `The end counts ${pluralize(recorded, "transition")}, but the record shows ${actual}.`;
    case "visit_counts":
      return `The visit counts say ${recorded} for "${state}", but the history enters it ${pluralize(actual, "time")}.`;
    case "left-out":
      return `The visit counts leave out "${state}", which the history enters ${pluralize(actual, "time")}.`;
  }
}

/** The change in the present and in the past tense. */
export function changeText({ names, change, mode }: DeviationOf<"artifact">): readonly [string, string] {
  switch (change) {
    case "set":
      return ["is set", "was set"];
    case "changed":
      return mode === "append" ? ["is overwritten", "was overwritten"] : ["changes", "has changed"];
    case "gone":
      return names.length > 1 ? ["disappear", "have disappeared"] : ["disappears", "has disappeared"];
  }
}

export function objectionText({ names, left, mode, change }: DeviationOf<"artifact">): string {
  const [it, they] = names.length > 1 ? ["them", "they"] : ["it", "it"];
  if (mode === undefined) return `, although "${left}" does not declare ${it}`;
  if (mode === "replace") return ": a state can overwrite an artifact, not remove it";
  const rule = change === "gone" ? `${they} may only grow` : "the new value must begin with the old one";
  return `, although "${left}" declares ${it} with the mode "append": ${rule}`;
}

/** Findings are shown in the record, so messages add the line of the pack. */
export function inPack({ target }: RunReplay, place: Place | undefined): string {
  if (place === undefined) return "";
  return ` (line ${target.pack.document.lines.position(place.start).line} of the pack)`;
}

export function wrongStateMessage(
  deviation: DeviationOf<"wrong-state">,
  machine: Machine,
  place: string,
): string {
  const { to, from, edge, outcome, unspent } = deviation;
  const way = `"${edge.event}" leads from "${from.name}" ${wayText(deviation, machine)}${place}`;
  if (unspent !== undefined && outcome.kind === "entered" && outcome.forced.length === 0) {
    return `${way}, which is not spent, but the record takes its forced exit to "${to.text}".`;
  }
  return `${way}, but the record enters "${to.text}".`;
}

export function forcedMessage(recorded: readonly string[], { forced }: Outcome, machine: Machine): string {
  const actual = listNamesOf(forced, (state) => machine.states[state]?.name ?? "");
  const were = (states: number): string => (states > 1 ? "were" : "was");
  if (recorded.length === 0) return `The record does not say that ${actual} ${were(forced.length)} spent.`;
  const claim = `The record says that ${listNames(recorded)} ${were(recorded.length)} spent on the way`;
  return forced.length === 0 ? `${claim}, but none was.` : `${claim}, but ${actual} ${were(forced.length)}.`;
}

/** Where the run should have gone after an attempt that passed spent states. */
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

function wayText({ edge, outcome }: DeviationOf<"wrong-state">, machine: Machine): string {
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
