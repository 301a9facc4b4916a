import type { State } from "../../pack/workflow.js";
import { type DrawablePack, stateNodeId, possibleTransitions } from "../build-picture.js";
import { fullName, longText, guardText, startLabels } from "../labels.js";
import { isStateNode, markDescriptions, cropNote, type Picture, type PictureRun, usedMarks } from "../picture.js";
import { selectForPage } from "./chosen-findings.js";

const maxSteps = 1_000;
const maxListItems = 200;
const maxPromptLines = 14;
const maxPromptLength = 1_600;

/** Everything the page shows besides the drawing. All of it is text; the page never takes it for markup. */
export function pageData(picture: Picture, pack: DrawablePack): unknown {
  const drawn = new Set(picture.nodes.map(({ id }) => id));
  const chosen = selectForPage(picture, drawn);
  const findings = picture.findings.filter((_, index) => chosen.findings.has(index));
  return {
    note: cropNote(picture),
    plain: picture.plain,
    states: picture.nodes.filter(isStateNode).map((node) => {
      const state = pack.workflow.states[node.index];
      return {
        id: node.id,
        name: fullName(node.name),
        line: node.line,
        ends: node.ends,
        decider: node.decider,
        guard: guardText(node),
        starts: startLabels(picture, node.id),
        prompt: state === undefined ? undefined : promptData(state),
        ...(state !== undefined && { events: eventData(state, pack), artifacts: artifactData(state) }),
        findings: node.findings.flatMap((index) => chosen.findings.get(index) ?? []),
      };
    }),
    findings: findings.map((finding) => ({
      ...finding,
      message: longText(finding.message),
      nodes: finding.nodes.filter((id) => drawn.has(id)).slice(0, maxListItems),
      run: finding.run === undefined ? undefined : chosen.runs.get(finding.run),
    })),
    unlisted: picture.findings.length - findings.length,
    runs: picture.runs.filter((_, index) => chosen.runs.has(index)).map(runData),
    paints: usedMarks(picture).map((mark) => [mark, markDescriptions[mark]]),
    undrawn: hiddenStateNames(drawn, pack),
  };
}

function promptData({ promptTask, prompt }: State): unknown {
  if (promptTask === undefined) return undefined;
  const text = prompt?.systemTemplate?.text.text ?? "";
  const shown = text.slice(0, maxPromptLength).split(/\r\n|\r|\n/u, maxPromptLines + 1);
  const lines = shown.slice(0, maxPromptLines).map(longText);
  const cut = text.length > maxPromptLength || shown.length > maxPromptLines;
  return {
    task: fullName(promptTask.text),
    known: prompt !== undefined,
    text: lines.join("\n").trimEnd(),
    cut,
  };
}

function eventData(from: State, { workflow, document }: DrawablePack): unknown {
  return possibleTransitions(from)
    .slice(0, maxListItems)
    .map(({ event, target }) => {
      const state = target === undefined ? undefined : workflow.stateNamed(target.text);
      return {
        event: fullName(event.text),
        to: fullName(target?.text ?? "?"),
        id: state === undefined ? undefined : stateNodeId(state.index),
        line: document.lines.position(event.start).line,
      };
    });
}

function artifactData({ artifacts }: State): unknown {
  return artifacts.slice(0, maxListItems).map(({ name, type, mode }) => ({
    name: fullName(name.text),
    about: [type?.text, mode?.text].flatMap((text) => (text === undefined ? [] : longText(text))).join(", "),
  }));
}

function runData({ title, start, steps, loopFrom }: PictureRun): unknown {
  return {
    title,
    start,
    steps: steps
      .slice(0, maxSteps)
      .map(({ event, forced, to, edges }) => ({ event: fullName(event), forced, to, edges })),
    loopFrom,
    cut: Math.max(0, steps.length - maxSteps),
  };
}

/** The names of the states outside the part that is drawn: a run may pass them, a reader may look for them. */
function hiddenStateNames(drawn: ReadonlySet<string>, { workflow }: DrawablePack): Readonly<Record<string, string>> {
  const names = workflow.states.map(({ index, name }) => [stateNodeId(index), fullName(name.text)] as const);
  return Object.fromEntries(names.filter(([id]) => !drawn.has(id)));
}
