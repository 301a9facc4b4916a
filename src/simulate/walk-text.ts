import type { ChosenWalk, WalkFailure } from "../composition/choose-walk.js";
import type { Step } from "../composition/composition.js";
import { predicateText } from "../composition/predicate.js";
import { escapeInvisible } from "../text/escape.js";
import type { Paint } from "../text/paint.js";
import { wrapSegments, wrapText } from "../text/terminal-text.js";
import { yesOrNo } from "./drive-simulation.js";
import type { CompositionVisit, Simulation } from "./simulation.js";

const maxVisits = 20;
const maxSteps = 60;
const labelWidth = "  skipped  ".length;

/** The walks through the compositions of a run, by visit. */
export function walkTexts({ walks }: Simulation, width: number, paint: Paint): readonly string[] {
  const more = walks.length - maxVisits;
  const texts = walks.slice(0, maxVisits).map((visit) => `\n${visitText(visit, width, paint)}`);
  return more <= 0 ? texts : [...texts, `\n${paint.dim(`… and ${more} more; --format json has them.`)}\n`];
}

function visitText({ state, visit, walk }: CompositionVisit, width: number, paint: Paint): string {
  const name = escapeInvisible(walk.composition.key.text);
  const where = `"${escapeInvisible(state)}"${visit === 1 ? "" : `, visit ${visit}`}`;
  const title = wrapText(`Composition "${name}" in ${where}`, width).map((line) => `${paint.bold(line)}\n`);
  return title.join("") + walkLines(walk, width, paint);
}

/** Which steps ran, which were skipped, and the result or why there is none. */
export function walkLines(walk: ChosenWalk, width: number, paint: Paint): string {
  const { ran, skipped, answers, result, failure } = walk;
  const answerOf = new Map(answers.map(({ branch, isYes }) => [branch, yesOrNo(isYes)]));
  const rows: readonly (readonly [string, readonly string[], (text: string) => string])[] = [
    ["ran", stepTexts(ran, (step) => answerOf.get(step)), plain],
    ["skipped", stepTexts(skipped, () => undefined), paint.dim],
    ["result", result === undefined ? [] : [escapeInvisible(result.id.text)], plain],
    ["fails", failure === undefined ? [] : failureText(failure).split(" "), paint.severity.error],
  ];
  return rows
    .flatMap(([label, pieces, color]) =>
      wrapSegments(pieces, width - labelWidth).map(
        (line, index) => `${(index === 0 ? `  ${label}` : "").padEnd(labelWidth)}${color(line)}\n`,
      ),
    )
    .join("");
}

function plain(text: string): string {
  return text;
}

/** `route (no),`; a `parallel` with its branches. */
function stepTexts(steps: readonly Step[], answerOf: (step: Step) => string | undefined): readonly string[] {
  const shown = steps.slice(0, maxSteps).map((step) => {
    const inside = step.branches.slice(0, maxSteps).map(({ id }) => id.text);
    const note = answerOf(step) ?? inside.join(", ");
    return escapeInvisible(note === "" ? step.id.text : `${step.id.text} (${note})`);
  });
  const more = steps.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.map((text, index) => (index < all.length - 1 ? `${text},` : text));
}

/** A sentence without its full stop. */
function failureText(failure: WalkFailure): string {
  switch (failure.kind) {
    case "read": {
      const { reader, read, reference } = failure.read;
      return escapeInvisible(
        `"${reader.id.text}" reads \${${reference.text}}, and "${read.id.text}" was skipped`,
      );
    }
    case "output":
      return escapeInvisible(
        `"output" names "${failure.name}", which ${failure.isSkipped ? "was skipped" : "has no output here"}`,
      );
    case "no-output":
      return "no step that has an output ran";
  }
}

/** `route: kind.output.intent equals "refund"?` */
export function questionText({ id, predicate }: Step): string {
  const asked = predicate === undefined ? "" : `: ${predicateText(predicate)}`;
  return escapeInvisible(`${id.text}${asked}?`);
}

/** An entry of `walks` in `--format json`. */
export function visitJson({ state, visit, walk }: CompositionVisit) {
  const idOf = ({ id }: Step): string => id.text;
  const { composition, answers, ran, skipped, result, failure } = walk;
  return {
    state,
    visit,
    composition: composition.key.text,
    answers: answers.map(({ branch, isYes }) => ({ branch: branch.id.text, answer: isYes })),
    ran: ran.map(idOf),
    skipped: skipped.map(idOf),
    ...(result !== undefined && { result: idOf(result) }),
    ...(failure !== undefined && { failure: failureText(failure) }),
  };
}
