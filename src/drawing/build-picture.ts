import type { Composition, Step } from "../composition/composition.js";
import { factsOf, flowsOf } from "../composition/facts.js";
import { predicateText } from "../composition/predicate.js";
import { attemptedBy, type Diagnostic, lapOf, type Trace, type TraceStep } from "../diagnostic.js";
import { type LocatedString, stringOf, unescapeSegment } from "../document/node.js";
import type { LineMap } from "../document/scan-text.js";
import { type Facts, verdictsOf } from "../machine/facts.js";
import type { Pack } from "../pack/pack.js";
import type { State, Transition, Workflow } from "../pack/workflow.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { allMarks, type CompositionStep, type Direction, type Mark, type Picture } from "./picture.js";
import type { PictureComposition, PictureEdge, PictureFinding, PictureRun } from "./picture.js";
import type { StateNode, StepEdge, TriedParts } from "./picture.js";

export interface DrawingInput {
  readonly pack: Pack & { readonly workflow: Workflow };
  readonly facts: Facts;
  /** Undefined for a plain drawing without findings. */
  readonly diagnostics: readonly Diagnostic[] | undefined;
  readonly direction?: Direction;
  /** Painted instead of the findings. */
  readonly tried?: TriedParts | undefined;
  /** More runs to play. */
  readonly paths?: readonly Trace[];
}

export function buildPicture(input: DrawingInput): Picture {
  const { pack, facts, diagnostics, direction = "auto", tried, paths = [] } = input;
  const { workflow, root } = pack;
  const { lines } = pack.document;
  const shape = new Shape(pack);
  const { findings, findingsOf, runs } = attachFindings(shape, workflow, diagnostics ?? []);
  const marks = marksOf(shape, diagnostics ?? []);
  // If some name leads nowhere, the run that its author has in mind may be shorter.
  const completeRun = verdictsOf(workflow, facts).fullyResolved ? "shortest complete run" : "a complete run";
  const moreRuns = [
    [completeRun, facts.shortestComplete?.witness] as const,
    ...paths.map((path, index) => [`path ${index + 1} of ${paths.length}`, path] as const),
  ].flatMap(([title, trace]) => (trace && shape.run(title, trace)) ?? []);
  const compositions = new Map<Composition, PictureComposition>();
  const compositionOf = ({ runsComposition, compositionName, composition }: State) => {
    if (!runsComposition || compositionName === undefined) return undefined;
    const drawn =
      composition &&
      getOrCreate(compositions, composition, () =>
        pictureComposition(composition, `c${compositions.size}`, lines),
      );
    return { name: compositionName.text, id: drawn?.id };
  };
  const states = workflow.states.map((state): StateNode => {
    const { index, name, maxVisits, onMaxVisits, orchestration, artifacts } = state;
    const id = stateNodeId(index);
    const decider = orchestration?.text;
    return {
      kind: "state",
      id,
      name: name.text,
      mark: tried ? triedMark(marks.get(id), [tried.state(index)]) : marks.get(id),
      line: lines.locate(name).range.start.line,
      ends: facts.machine.states[index]?.ends ?? false,
      guard: maxVisits && { max: maxVisits.value, then: onMaxVisits?.text },
      decider: decider === "external" || decider === "hybrid" ? decider : undefined,
      composition: compositionOf(state),
      artifacts: artifacts.map((artifact) => artifact.name.text),
      findings: findingsOf.get(id) ?? [],
      hiddenEdges: 0,
    };
  });
  const ghosts = [...shape.ghosts].map(([name, { id }]) => {
    return { kind: "ghost", id, name, mark: marks.get(id) } as const;
  });
  const sources = new Map(workflow.states.map((state) => [stateNodeId(state.index), { state, lines }]));
  return {
    title: stringOf(root.get("name")) ?? stringOf(root.get("id")) ?? "Workflow",
    direction,
    nodes: [...shape.starts, ...states, ...ghosts],
    edges: [...shape.edges.values()].map((edge) => {
      const mark = marks.get(edge.id);
      const from = sources.get(edge.from)?.state.index;
      return { ...edge, mark: tried ? triedMark(mark, triedParts(edge, from, tried)) : mark };
    }),
    findings,
    plain: diagnostics === undefined,
    noun: "finding",
    runs: [...runs, ...moreRuns],
    compositions: [...compositions.values()],
    closedCompositions: 0,
    states: states.length,
    sources,
    crop: undefined,
  };
}

function triedParts({ kind, events }: UnmarkedEdge, from: number | undefined, tried: TriedParts) {
  if (from === undefined) return [];
  return kind === "forced" ? [tried.forcedExit(from)] : events.map((event) => tried.event(from, event));
}

/** Where no run can get, only the marks that say so remain. */
function triedMark(mark: Mark | undefined, parts: readonly (boolean | undefined)[]): Mark | undefined {
  const tried = parts.filter((part) => part !== undefined);
  if (tried.length === 0) return mark === "unreachable" || mark === "missing" ? mark : undefined;
  return tried.every(Boolean) ? "tried" : tried.some(Boolean) ? "partly" : "untried";
}

export function possibleTransitions({ terminal, transitions }: State): readonly Transition[] {
  return terminal?.value === true ? [] : transitions;
}

export function stateNodeId(index: number): string {
  return `s${index}`;
}

type UnmarkedEdge = Omit<PictureEdge, "mark"> & { readonly events: string[] };

/** All events between the same two states share one edge. */
class Shape {
  readonly starts: { kind: "start"; id: string; name: string; agent: boolean; mark: undefined }[] = [];
  readonly ghosts = new Map<string, { readonly id: string; readonly pointers: string[] }>();
  /** By kind and ends. */
  readonly edges = new Map<string, UnmarkedEdge>();

  constructor(private readonly pack: DrawingInput["pack"]) {
    const { workflow, agents } = pack;
    if (workflow.entry !== undefined) this.addStart("", false, workflow.entry);
    for (const { name, state } of agents.members)
      if (state !== undefined) this.addStart(name.text, true, state);
    for (const state of workflow.states) {
      const from = stateNodeId(state.index);
      for (const { event, target } of possibleTransitions(state))
        if (target !== undefined) this.addEdge("event", from, target).events.push(event.text);
      const { maxVisits, onMaxVisits } = state;
      if (maxVisits !== undefined && onMaxVisits !== undefined) this.addEdge("forced", from, onMaxVisits);
    }
  }

  readonly stateId = (name: string): string | undefined => {
    const state = this.pack.workflow.stateNamed(name);
    return state && stateNodeId(state.index);
  };

  stateIdsAt({ pointer }: Diagnostic): readonly string[] {
    const [, section, part, name] = pointer.split("/", 4);
    const isState = section === "workflow" && part === "states" && name !== undefined;
    return isState ? this.stateIds([unescapeSegment(name)]) : [];
  }

  stateIds(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => this.stateId(name) ?? []);
  }

  edgesOfStep(step: TraceStep): readonly string[] {
    const path = [step.from, ...attemptedBy(step)].map(this.stateId);
    return path.slice(1).flatMap((to, index) => {
      return this.edges.get(`${index === 0 ? "event" : "forced"} ${path[index]} ${to}`)?.id ?? [];
    });
  }

  /** Undefined for a run without steps, or one that starts in a state that is not drawn. */
  run(title: string, { steps, loopFrom }: Trace): PictureRun | undefined {
    const start = steps[0] && this.stateId(steps[0].from);
    if (start === undefined) return undefined;
    const pictureSteps = steps.map((step) => ({
      event: step.event,
      forced: this.stateIds(step.forced ?? []),
      to: this.stateId(step.to ?? step.from) ?? start,
      edges: this.edgesOfStep(step),
      ...(step.end !== undefined && { end: step.end }),
    }));
    return { title, start, steps: pictureSteps, loopFrom };
  }

  private addStart(name: string, agent: boolean, target: LocatedString): void {
    const id = `a${this.starts.length}`;
    this.starts.push({ kind: "start", id, name, agent, mark: undefined });
    this.addEdge("start", id, target);
  }

  private addEdge(kind: PictureEdge["kind"], from: string, target: LocatedString): UnmarkedEdge {
    const to = this.stateId(target.text) ?? this.ghostId(target);
    const id = `e${this.edges.size}`;
    return getOrCreate(this.edges, `${kind} ${from} ${to}`, () => ({ id, kind, from, to, events: [] }));
  }

  private ghostId({ text, pointer }: LocatedString): string {
    const id = `g${this.ghosts.size}`;
    const ghost = getOrCreate(this.ghosts, text, () => ({ id, pointers: [] }));
    ghost.pointers.push(pointer);
    return ghost.id;
  }
}

/** Findings of a prompt or composition shared by more states than this are listed but not attached to nodes. */
const maxSharers = 20;

/** The states that run each prompt and composition, by its pointer. */
function statesByWhatTheyRun({ states }: Workflow): ReadonlyMap<string, readonly string[]> {
  const running = new Map<string, string[]>();
  for (const { index, prompt, composition } of states) {
    for (const run of [prompt, composition])
      if (run !== undefined) appendTo(running, run.key.pointer, stateNodeId(index));
  }
  for (const { index, composition, prompts } of states) {
    const sharers = running.get(composition?.key.pointer ?? "")?.length ?? Infinity;
    if (sharers <= maxSharers)
      for (const { key } of prompts) appendTo(running, key.pointer, stateNodeId(index));
  }
  return running;
}

function attachFindings(shape: Shape, workflow: Workflow, diagnostics: readonly Diagnostic[]) {
  const running = statesByWhatTheyRun(workflow);
  const findingsOf = new Map<string, number[]>();
  const runs: PictureRun[] = [];
  const findings = diagnostics.map((diagnostic, index): PictureFinding => {
    const { rule, severity, message, pointer, range, trace } = diagnostic;
    const { line, column } = range.start;
    const run = trace && shape.run(`${rule}, line ${line}`, trace);
    const sharers = running.get(pointer.split("/", 3).join("/")) ?? [];
    const nodes = new Set([
      ...shape.stateIdsAt(diagnostic),
      ...shape.stateIds([...statesInData(diagnostic), ...lapStates(diagnostic)]),
      ...(sharers.length > maxSharers ? [] : sharers),
    ]);
    for (const id of nodes) appendTo(findingsOf, id, index);
    return { rule, severity, message, line, column, nodes: [...nodes], run: run && runs.push(run) - 1 };
  });
  return { findings, findingsOf, runs };
}

const danglingNameRules = new Set([
  "unknown-event-target",
  "unknown-max-visits-target",
  "unknown-entry",
  "unknown-agent-state",
]);

function marksOf(shape: Shape, diagnostics: readonly Diagnostic[]): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  const add = (mark: Mark, ids: readonly string[]): void => {
    for (const id of ids) {
      const worst = allMarks.find((each) => each === mark || each === marks.get(id));
      marks.set(id, worst ?? mark);
    }
  };
  /** The states of a finding, to mark the edges between them, too. */
  const groups = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { rule } = diagnostic;
    const states = shape.stateIds(statesInData(diagnostic));
    if (rule === "unbounded-loop" || rule === "loop-held-by-budget-only") {
      const lap = lapOf(diagnostic.trace) ?? [];
      const along = [
        ...shape.stateIds(lapStates(diagnostic)),
        ...lap.flatMap((step) => shape.edgesOfStep(step)),
      ];
      add(rule === "unbounded-loop" ? "loop" : "held", lap.length === 0 ? states : along);
    } else if (rule === "forced-exit-cycle" || rule === "trapped-states") {
      add(rule === "trapped-states" ? "trapped" : "loop", states);
      for (const id of states) groups.set(`${rule} ${id}`, diagnostic);
    } else if (rule === "never-completes") add("incomplete", states);
    else if (rule === "unreachable-state") add("unreachable", shape.stateIdsAt(diagnostic));
  }
  const dangling = new Set(
    diagnostics.flatMap(({ rule, pointer }) => (danglingNameRules.has(rule) ? pointer : [])),
  );
  for (const { id, pointers } of shape.ghosts.values())
    if (pointers.some((pointer) => dangling.has(pointer))) add("missing", [id]);
  for (const { id, kind, from, to } of shape.edges.values()) {
    const isWithin = (rule: string): boolean => {
      const group = groups.get(`${rule} ${from}`);
      return group !== undefined && group === groups.get(`${rule} ${to}`);
    };
    if (isWithin("trapped-states")) add("trapped", [id]);
    if (kind === "forced" && isWithin("forced-exit-cycle")) add("loop", [id]);
    if (marks.get(to) === "missing") add("missing", [id]);
  }
  return marks;
}

function statesInData({ data }: Diagnostic): readonly string[] {
  const states = data?.["states"];
  return Array.isArray(states) ? states.filter((name) => typeof name === "string") : [];
}

/** The states that a loop passes on each lap, including those already at max_visits. */
function lapStates({ trace }: Diagnostic): readonly string[] {
  return (lapOf(trace) ?? []).flatMap((step) => [step.from, ...attemptedBy(step)]);
}

function pictureComposition(composition: Composition, id: string, lines: LineMap): PictureComposition {
  const { steps, isClear, key } = composition;
  const lineOf = (start: number): number => lines.position(start).line;
  const pictureStep = (step: Step, stepId: string): CompositionStep => ({
    id: stepId,
    name: step.id.text,
    kind: step.kindText,
    line: lineOf(step.id.start),
    about: aboutStep(step),
    dependsOn: step.dependsOn.map(({ text }) => text),
    then: step.then?.text,
    else: step.otherwise?.text,
    isResult: isClear && step.parent === undefined && factsOf(composition).mayBeResult(step),
    branches: step.branches.map((nested, index) => pictureStep(nested, `${stepId}b${index}`)),
  });
  const idOf = ({ index }: Step): string => `${id}s${index}`;
  return {
    id,
    name: key.text,
    line: lineOf(key.start),
    steps: steps.map((step) => pictureStep(step, idOf(step))),
    edges: stepEdges(composition, idOf),
  };
}

function aboutStep({ promptTask, tool, predicate, reduce }: Step): string | undefined {
  if (predicate !== undefined) return predicateText(predicate);
  if (reduce !== undefined) return `${reduce.strategy.text} into ${reduce.into.text}`;
  return (promptTask ?? tool)?.text;
}

function stepEdges(composition: Composition, idOf: (step: Step) => string): readonly StepEdge[] {
  const edges = flowsOf(composition).map(({ from, to, answer }): StepEdge => ({
    from: idOf(from),
    to: idOf(to),
    kind: "next",
    label: answer === undefined ? undefined : answer ? "then" : "else",
  }));
  const drawn = new Set(edges.map(edgeKey));
  const targets = composition.steps.flatMap((from) =>
    (["then", "else"] as const).flatMap((label): readonly StepEdge[] => {
      const name = label === "then" ? from.then : from.otherwise;
      const to = name && composition.stepNamed(name.text);
      if (to === undefined || to.parent !== undefined) return [];
      const edge = { from: idOf(from), to: idOf(to), kind: "target", label } as const;
      return drawn.has(edgeKey(edge)) ? [] : [edge];
    }),
  );
  return [...edges, ...targets];
}

function edgeKey({ from, to, label }: Omit<StepEdge, "kind">): string {
  return `${from} ${to} ${label ?? ""}`;
}
