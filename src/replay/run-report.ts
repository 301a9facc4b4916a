import type { Finding, Place } from "../diagnostic.js";
import type { Key, LocatedCount, LocatedString } from "../document/node.js";
import type { Edge, MachineState } from "../machine/machine.js";
import type { Outcome } from "../machine/run.js";
import { workflowRuntimes } from "../runtimes/index.js";
import { appendTo } from "../text/collections.js";
import { createGuesser, nameAdvice } from "../text/names.js";
import { listNames, pluralize } from "../text/wording.js";
import type { RecordedRun } from "./recording.js";

export class RunReport {
  readonly findings = new Map<string, Finding[]>();
  deviations = 0;
  // Guesses at names are limited per rule.
  private readonly guessState = createGuesser();
  private readonly guessEvent = createGuesser();
  private readonly guessArtifact = createGuesser();

  constructor(private readonly target: Pick<RecordedRun, "pack" | "workflow" | "machine">) {}

  add(
    rule: string,
    at: Place,
    message: string,
    more: Pick<Finding, "advice" | "related" | "severity"> = {},
  ): void {
    if (rule !== "run-incomplete") this.deviations++;
    appendTo(this.findings, rule, { at, message, ...more });
  }

  /** Reports whether a recorded value differs from the actual one, if both are known. */
  compare<Value>(
    rule: string,
    recorded: (Place & { readonly value: Value }) | undefined,
    actual: Value | undefined,
    messageOf: (value: Value) => string,
  ): boolean {
    if (recorded === undefined || actual === undefined || recorded.value === actual) return false;
    this.add(rule, recorded, messageOf(recorded.value));
    return true;
  }

  compareTotal(recorded: LocatedCount | undefined, actual: number): boolean {
    return this.compare(
      "run-counts",
      recorded,
      actual,
      (total) => `The record counts ${pluralize(total, "visit")} in all, but there have been ${actual}.`,
    );
  }

  unknownState(name: LocatedString | Key): void {
    const advice = nameAdvice(name.text, this.target.workflow.stateNames(), this.guessState);
    this.add("run-unknown-state", name, `"${name.text}" is not a state of the workflow.`, { advice });
  }

  unknownEvent(event: LocatedString, state: MachineState): void {
    const names = state.edges.map((edge) => edge.event);
    const message = `State "${state.name}" has no event "${event.text}", only ${listNames(names)}${this.declaredIn(state)}.`;
    this.add("run-unknown-event", event, message, { advice: nameAdvice(event.text, names, this.guessEvent) });
  }

  undeclaredArtifact(name: Key): void {
    const advice = nameAdvice(name.text, this.target.pack.artifacts.declared.keys(), this.guessArtifact);
    this.add("run-undeclared-artifact", name, `No state declares the artifact "${name.text}".`, { advice });
  }

  eventAfterEnd(at: Place, state: MachineState): void {
    const message = `An event happens in "${state.name}", which ends the run${this.declaredIn(state)}.`;
    this.add("run-after-end", at, message);
  }

  wrongState(to: LocatedString, from: MachineState, edge: Edge, outcome: Outcome): void {
    const place = this.inPack(edge.transition?.event);
    const way = `"${edge.event}" leads from "${from.name}" ${this.wayText(edge, outcome)}${place}`;
    const target = this.target.machine.states[edge.target];
    const exit = target?.maxVisits === undefined ? undefined : target.forcedExit;
    const isEarly = outcome.forced.length === 0 && exit !== undefined && this.nameOf(exit) === to.text;
    const fault = isEarly
      ? "which is not spent, but the record takes its forced exit to"
      : "but the record enters";
    this.add("run-wrong-state", to, `${way}, ${fault} "${to.text}".`);
  }

  wrongRefusal(at: Place, from: MachineState, edge: Edge, outcome: Outcome): void {
    const way = `"${edge.event}" leads from "${from.name}" ${this.wayText(edge, outcome)}`;
    this.add("run-wrong-state", at, `${way}, but the record says that it was refused.`);
  }

  /** A spent state was entered; `by` is the spent state whose forced exit led there. */
  spentState(
    to: LocatedString,
    state: MachineState,
    visit: number,
    by: number | undefined,
    outcome: Outcome,
  ): void {
    const how =
      by === undefined
        ? `"${to.text}" is entered although it is spent`
        : `The forced exit of "${this.nameOf(by)}" enters "${to.text}" without checking its guard`;
    const instead = outcome.kind === "entered" ? `gone on to "${this.nameOf(outcome.state)}"` : "ended";
    const message = `${how}: this is visit ${visit}, but ${this.guardText(state)}. The run should have ${instead}.`;
    const lenient = workflowRuntimes.filter(({ facts }) => facts.forcedExit?.value === "entered");
    const [{ name, title } = {}] = by === undefined ? [] : lenient;
    const advice = name && `${title} runs so: check its records with --runtime ${name}.`;
    this.add("run-guard", to, message, { advice });
  }

  /** Reports wrong forced exits. The state that stops a run has none, so a record need not name it. */
  checkForcedStates(recorded: readonly LocatedString[] | undefined, at: Place, outcome: Outcome): boolean {
    if (recorded === undefined) return true;
    const names = recorded.map(({ text }) => text);
    const actual = outcome.forced.map(this.nameOf);
    const areNamed = names.every((name, index) => name === actual[index]);
    const unnamed = actual.length - names.length;
    if (areNamed && (unnamed === 0 || (unnamed === 1 && outcome.kind === "stopped"))) return true;
    const were = (states: readonly string[]): string =>
      states.length === 0 ? "no state was" : `${listNames(states)} ${states.length > 1 ? "were" : "was"}`;
    const message = `The record says that ${were(names)} spent on the way, but ${were(actual)}.`;
    this.add("run-wrong-state", at, message);
    return false;
  }

  /** `max_visits allows 3 (line 7 of the pack)`. */
  guardText({ index }: MachineState): string {
    const guard = this.target.workflow.states[index]?.maxVisits;
    return `max_visits allows ${guard?.value ?? 0}${this.inPack(guard)}`;
  }

  /** Findings are shown in the record, so messages add the line of the pack. */
  inPack(place: Place | undefined): string {
    if (place === undefined) return "";
    return ` (line ${this.target.pack.document.lines.position(place.start).line} of the pack)`;
  }

  readonly nameOf = (state: number): string => this.target.machine.states[state]?.name ?? "";

  private declaredIn({ index }: MachineState): string {
    return this.inPack(this.target.workflow.states[index]?.name);
  }

  private wayText({ transition }: Edge, outcome: Outcome): string {
    const { forced } = outcome;
    const passed = forced.map((state) => `"${this.nameOf(state)}"`).join(" and ");
    const spent = passed === "" ? "" : `through ${passed}, which ${forced.length > 1 ? "are" : "is"} spent, `;
    switch (outcome.kind) {
      case "entered":
        return `${spent}to "${this.nameOf(outcome.state)}"`;
      case "stopped":
        return this.target.machine.reading.stops === "run ends"
          ? `to ${passed}, where a guard without on_max_visits stops the run`
          : `to ${passed}, which refuses it, as it is spent without on_max_visits`;
      case "stuck":
        return `to ${passed}, where forced exits go round in a circle and the run is stuck`;
      case "dangling":
        return passed === ""
          ? `to "${transition?.target?.text ?? ""}", which is not a state`
          : `to ${passed}, whose on_max_visits is not a state`;
    }
  }
}
