import type { State } from "../../pack/workflow.js";
import { type DrawnPack, idOfState, transitionsOf } from "../build-picture.js";
import { fullName, fullText, guardText, startsAt } from "../labels.js";
import { isState, markWords, partNote, type Picture, type PictureRun, usedMarks } from "../picture.js";
import { chooseFindings } from "./chosen-findings.js";

const mostSteps = 1_000;
const mostEvents = 200;
const mostLines = 14;
const mostCharacters = 1_600;

/** Everything the page shows besides the drawing. All of it is text; the page never takes it for markup. */
export function pageData(picture: Picture, pack: DrawnPack): unknown {
  const drawn = new Set(picture.nodes.map(({ id }) => id));
  const chosen = chooseFindings(picture, drawn);
  const findings = picture.findings.filter((_, index) => chosen.findings.has(index));
  return {
    note: partNote(picture),
    plain: picture.plain,
    states: picture.nodes.filter(isState).map((node) => {
      const state = pack.workflow.states[node.index];
      return {
        id: node.id,
        name: fullName(node.name),
        line: node.line,
        ends: node.ends,
        decider: node.decider,
        guard: guardText(node),
        starts: startsAt(picture, node.id),
        prompt: state === undefined ? undefined : promptOf(state),
        ...(state !== undefined && { events: eventsOf(state, pack), artifacts: artifactsOf(state) }),
        findings: node.findings.flatMap((index) => chosen.findings.get(index) ?? []),
      };
    }),
    findings: findings.map((finding) => ({
      ...finding,
      message: fullText(finding.message),
      nodes: finding.nodes.filter((id) => drawn.has(id)).slice(0, mostEvents),
      run: finding.run === undefined ? undefined : chosen.runs.get(finding.run),
    })),
    unlisted: picture.findings.length - findings.length,
    runs: picture.runs.filter((_, index) => chosen.runs.has(index)).map(runOf),
    paints: usedMarks(picture).map((mark) => [mark, markWords[mark]]),
    undrawn: undrawnNames(drawn, pack),
  };
}

function promptOf({ promptTask, prompt }: State): unknown {
  if (promptTask === undefined) return undefined;
  const text = prompt?.systemTemplate?.text.text ?? "";
  const shown = text.slice(0, mostCharacters).split(/\r\n|\r|\n/u, mostLines + 1);
  const lines = shown.slice(0, mostLines).map(fullText);
  const cut = text.length > mostCharacters || shown.length > mostLines;
  return {
    task: fullName(promptTask.text),
    known: prompt !== undefined,
    text: lines.join("\n").trimEnd(),
    cut,
  };
}

function eventsOf(from: State, { workflow, document }: DrawnPack): unknown {
  return transitionsOf(from)
    .slice(0, mostEvents)
    .map(({ event, target }) => {
      const state = target === undefined ? undefined : workflow.stateNamed(target.text);
      return {
        event: fullName(event.text),
        to: fullName(target?.text ?? "?"),
        id: state === undefined ? undefined : idOfState(state.index),
        line: document.lines.position(event.start).line,
      };
    });
}

function artifactsOf({ artifacts }: State): unknown {
  return artifacts.slice(0, mostEvents).map(({ name, type, mode }) => ({
    name: fullName(name.text),
    about: [type?.text, mode?.text].flatMap((text) => (text === undefined ? [] : fullText(text))).join(", "),
  }));
}

function runOf({ title, start, steps, loopFrom }: PictureRun): unknown {
  return {
    title,
    start,
    steps: steps
      .slice(0, mostSteps)
      .map(({ event, forced, to, edges }) => ({ event: fullName(event), forced, to, edges })),
    loopFrom,
    cut: Math.max(0, steps.length - mostSteps),
  };
}

/** The names of the states outside the part that is drawn: a run may pass them, a reader may look for them. */
function undrawnNames(drawn: ReadonlySet<string>, { workflow }: DrawnPack): Readonly<Record<string, string>> {
  const names = workflow.states.map(({ index, name }) => [idOfState(index), fullName(name.text)] as const);
  return Object.fromEntries(names.filter(([id]) => !drawn.has(id)));
}
