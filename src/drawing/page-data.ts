import { severities } from "../diagnostic.js";
import type { LineMap } from "../document/scan-text.js";
import type { State } from "../pack/workflow.js";
import { ruleDocsLink } from "../text/tool-info.js";
import { possibleTransitions } from "./build-picture.js";
import { fullName, guardText, longText, startLabels } from "./labels.js";
import { type CompositionStep, cropNote, isStateNode, type Picture, type PictureFinding } from "./picture.js";
import { maskSecrets } from "../text/secrets.js";

export type PageData = ReturnType<typeof pageData>;

const maxSteps = 1_000;
const maxListItems = 200;
const maxPromptLines = 14;
const maxPromptLength = 1_600;

/** Everything the page shows besides the drawing; its script inserts it as text, never as markup. */
export function pageData(picture: Picture) {
  const states = picture.nodes.filter(isStateNode);
  const drawn = new Set(picture.nodes.map(({ id }) => id));
  const selected = selectForPage(picture, drawn);
  const findings = picture.findings.filter((_, index) => selected.findings.has(index));
  const undrawn = [...picture.sources].filter(([id]) => !drawn.has(id));
  const ids = new Map(states.map(({ name, id }) => [name, id]));
  return {
    note: cropNote(picture),
    plain: picture.plain,
    noun: picture.noun,
    states: states.map((node) => {
      const { state, lines } = picture.sources.get(node.id) ?? {};
      return {
        id: node.id,
        name: fullName(node.name),
        line: node.line,
        isOld: node.mark === "gone" || undefined,
        ends: node.ends,
        decider: node.decider,
        guard: guardText(node),
        starts: startLabels(picture, node.id),
        prompt: state && promptData(state),
        composition: node.composition && { ...node.composition, name: fullName(node.composition.name) },
        events: state && lines && eventData(state, lines, ids),
        artifacts: state?.artifacts.slice(0, maxListItems).map(({ name, type, mode }) => ({
          name: fullName(name.text),
          about: [type, mode].flatMap((each) => (each === undefined ? [] : longText(each.text))).join(", "),
        })),
        findings: node.findings.flatMap((index) => selected.findings.get(index) ?? []),
      };
    }),
    compositions: picture.compositions.map(({ id, steps, line }) => ({
      id,
      line,
      steps: steps.slice(0, maxListItems).map(stepData),
      more: Math.max(0, steps.length - maxListItems),
    })),
    findings: findings.map((finding) => ({
      ...finding,
      ...(picture.noun === "finding" && ruleDocsLink(finding.rule)),
      message: longText(finding.message),
      nodes: finding.nodes.filter((id) => drawn.has(id)).slice(0, maxListItems),
      run: finding.run === undefined ? undefined : selected.runs.get(finding.run),
    })),
    unlisted: picture.findings.length - findings.length,
    runs: picture.runs.flatMap(({ title, start, steps, loopFrom }, index) => {
      if (!selected.runs.has(index)) return [];
      const shown = steps
        .slice(0, maxSteps)
        .map(({ event, ...step }) => ({ event: fullName(event), ...step }));
      return { title, start, steps: shown, loopFrom, cut: Math.max(0, steps.length - maxSteps) };
    }),
    // A run may pass these, and a reader may search for them.
    undrawn: Object.fromEntries(undrawn.map(([id, { state }]) => [id, fullName(state.name.text)])),
  };
}

type StepData = ReturnType<typeof ownStepData> & { readonly branches: readonly StepData[] };

/** Deeper branches do not run. */
function stepData(step: CompositionStep): StepData {
  const branches = step.branches.slice(0, maxListItems);
  return { ...ownStepData(step), branches: branches.map((each) => ({ ...ownStepData(each), branches: [] })) };
}

function ownStepData({ name, kind, line, about, dependsOn, isResult, ...targets }: CompositionStep) {
  const shown = (text: string | undefined): string | undefined => text && fullName(text);
  return {
    name: fullName(name),
    kind: fullName(kind),
    line,
    about: shown(about),
    after: dependsOn.slice(0, maxListItems).map(fullName).join(", ") || undefined,
    then: shown(targets.then),
    else: shown(targets.else),
    result: isResult || undefined,
  };
}

function promptData({ promptTask, prompt, runsComposition }: State) {
  if (promptTask === undefined || runsComposition) return undefined;
  const text = maskSecrets(prompt?.systemTemplate?.text.text ?? "");
  const shown = text.slice(0, maxPromptLength).split(/\r\n|\r|\n/u, maxPromptLines + 1);
  const lines = shown.slice(0, maxPromptLines).map(longText);
  return {
    task: fullName(promptTask.text),
    known: prompt !== undefined,
    text: lines.join("\n").trimEnd(),
    cut: text.length > maxPromptLength || shown.length > maxPromptLines,
  };
}

function eventData(from: State, lines: LineMap, ids: ReadonlyMap<string, string>) {
  const transitions = possibleTransitions(from).slice(0, maxListItems);
  return transitions.map(({ event, target }) => ({
    event: fullName(event.text),
    to: fullName(target?.text ?? "?"),
    id: ids.get(target?.text ?? ""),
    line: lines.locate(event).range.start.line,
  }));
}

const maxFindings = 2_000;
const maxRuns = 50;

/** Maps old to new indexes: the most severe findings, those of drawn states first, and their runs. */
function selectForPage({ findings, runs }: Picture, drawn: ReadonlySet<string>) {
  const priority = ({ severity, nodes }: PictureFinding): number =>
    severities.indexOf(severity) * 2 + (nodes.length > 0 && !nodes.some((id) => drawn.has(id)) ? 1 : 0);
  const ordered = findings
    .map((finding, index) => ({ index, run: finding.run, priority: priority(finding) }))
    .sort((a, b) => a.priority - b.priority);
  const runsOfFindings = ordered.flatMap(({ run }) => run ?? []);
  const hasFinding = new Set(runsOfFindings);
  const [completeRun, ...paths] = [...runs.keys()].filter((run) => !hasFinding.has(run));
  const wanted = [completeRun, ...runsOfFindings, ...paths].filter((run) => run !== undefined);
  return {
    findings: renumber(ordered.slice(0, maxFindings).map(({ index }) => index)),
    runs: renumber(wanted.slice(0, maxRuns)),
  };
}

function renumber(kept: readonly number[]): ReadonlyMap<number, number> {
  return new Map([...kept].sort((a, b) => a - b).map((old, index) => [old, index]));
}
