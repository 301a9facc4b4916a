import type { Composition } from "../composition/composition.js";
import { attemptedBy, type Diagnostic, lapOf, type Trace, type TraceStep } from "../diagnostic.js";
import { type LocatedString, stringOf, unescapeSegment } from "../document/node.js";
import type { Facts } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import type { Pack } from "../pack/pack.js";
import type { State, Transition, Workflow } from "../pack/workflow.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { type PictureComposition, pictureComposition } from "./composition-picture.js";
import {
  isStateNode,
  type Mark,
  type Picture,
  type PictureEdge,
  type PictureFinding,
  type PictureNode,
  type PictureRun,
  type StateNode,
  type TriedParts,
  worstMark,
} from "./picture.js";

export interface DrawablePack extends Pack {
  readonly workflow: Workflow;
}

export function isDrawable(pack: Pack): pack is DrawablePack {
  return (pack.workflow?.states.length ?? 0) > 0;
}

export interface PictureExtras {
  /** Painted instead of the findings. */
  readonly tried?: TriedParts | undefined;
  /** More runs to play. */
  readonly paths?: readonly Trace[];
}

/** Builds a plain picture if `diagnostics` is undefined. */
export function buildPicture(
  pack: DrawablePack,
  facts: Facts,
  diagnostics: readonly Diagnostic[] | undefined,
  { tried, paths = [] }: PictureExtras = {},
): Picture {
  const picture = new PictureBuilder(pack, facts, diagnostics ?? [], paths).build(diagnostics === undefined);
  return tried === undefined ? picture : paintTried(picture, tried);
}

/** What no run can do keeps no mark but that it is unreachable. */
function paintTried(picture: Picture, tried: TriedParts): Picture {
  const indexes = new Map(picture.nodes.filter(isStateNode).map(({ id, index }) => [id, index]));
  const triedBy = ({ kind, from, events }: PictureEdge): readonly boolean[] => {
    const index = indexes.get(from);
    if (index === undefined) return [];
    const all =
      kind === "forced" ? [tried.forcedExit(index)] : events.map((event) => tried.event(index, event));
    return all.flatMap((each) => each ?? []);
  };
  return {
    ...picture,
    nodes: picture.nodes.map((node): PictureNode => {
      const was = isStateNode(node) ? tried.state(node.index) : undefined;
      return { ...node, mark: triedMark(was === undefined ? [] : [was]) ?? fixedMark(node.mark) };
    }),
    edges: picture.edges.map((edge) => ({ ...edge, mark: triedMark(triedBy(edge)) ?? fixedMark(edge.mark) })),
  };
}

function triedMark(tried: readonly boolean[]): Mark | undefined {
  if (tried.length === 0) return undefined;
  return tried.every(Boolean) ? "tried" : tried.some(Boolean) ? "partly" : "untried";
}

function fixedMark(mark: Mark | undefined): Mark | undefined {
  return mark === "unreachable" || mark === "missing" ? mark : undefined;
}

/** The transitions that can happen, which excludes those of a terminal state. */
export function possibleTransitions({ terminal, transitions }: State): readonly Transition[] {
  return terminal?.value === true ? [] : transitions;
}

export function stateNodeId(index: number): string {
  return `s${index}`;
}

const danglingNameRules = new Set([
  "unknown-event-target",
  "unknown-max-visits-target",
  "unknown-entry",
  "unknown-agent-state",
]);

/** Findings of a prompt or composition shared by more states than this are listed but not attached to nodes. */
const maxSharers = 20;

class PictureBuilder {
  private readonly lookup: NodeLookup;
  private readonly edges: EdgeSet;
  private readonly ghosts = new Map<string, { readonly id: string; reported: boolean }>();
  private readonly starts: { id: string; name: string; agent: boolean }[] = [];
  private readonly danglingPointers: ReadonlySet<string>;
  private readonly compositions = new Map<Composition, PictureComposition>();

  constructor(
    private readonly pack: DrawablePack,
    private readonly facts: Facts,
    private readonly diagnostics: readonly Diagnostic[],
    private readonly paths: readonly Trace[],
  ) {
    this.lookup = new NodeLookup(pack.workflow);
    this.edges = new EdgeSet(this.lookup);
    this.danglingPointers = new Set(
      diagnostics.flatMap(({ rule, pointer }) => (danglingNameRules.has(rule) ? pointer : [])),
    );
  }

  build(plain: boolean): Picture {
    const { root, workflow } = this.pack;
    this.addStarts();
    for (const state of workflow.states) this.addEdges(state);
    const runs: PictureRun[] = [];
    const { findings, indexesByNode } = this.attachFindings(runs);
    this.addCompleteRun(runs);
    for (const [index, path] of this.paths.entries())
      runs.push(...[this.toPictureRun(`path ${index + 1} of ${this.paths.length}`, path) ?? []].flat());
    const marker = new FindingMarker(this.edges, this.lookup);
    for (const diagnostic of this.diagnostics) marker.markFinding(diagnostic);
    marker.markInnerEdges();
    const ghostMarks = new Map(
      [...this.ghosts.values()].flatMap(({ id, reported }) => (reported ? [[id, "missing" as const]] : [])),
    );
    const markOf = (id: string): Mark | undefined => marker.marks.get(id) ?? ghostMarks.get(id);
    const nodes: PictureNode[] = [
      ...this.starts.map((start) => ({ kind: "start" as const, ...start, mark: undefined })),
      ...workflow.states.map((state) => {
        const id = stateNodeId(state.index);
        return this.stateNode(state, markOf(id), indexesByNode.get(id) ?? []);
      }),
      ...[...this.ghosts].map(([name, { id }]) => ({ kind: "ghost" as const, id, name, mark: markOf(id) })),
    ];
    return {
      title: stringOf(root.get("name")) ?? stringOf(root.get("id")) ?? "Workflow",
      direction: "auto",
      nodes,
      edges: this.edges.all().map((edge) => ({ ...edge, mark: markOf(edge.id) ?? ghostMarks.get(edge.to) })),
      findings,
      plain,
      noun: "finding",
      runs,
      compositions: [...this.compositions.values()],
      closedCompositions: 0,
      states: workflow.states.length,
      crop: undefined,
    };
  }

  private addStarts(): void {
    const { workflow, agents } = this.pack;
    if (workflow.entry !== undefined) this.addStart("", false, workflow.entry);
    for (const { name, state } of agents.members) {
      if (state !== undefined) this.addStart(name.text, true, state);
    }
  }

  private addStart(name: string, agent: boolean, target: LocatedString): void {
    const id = `a${this.starts.length}`;
    this.starts.push({ id, name, agent });
    this.edges.add("start", id, this.targetId(target));
  }

  private addEdges(state: State): void {
    const from = stateNodeId(state.index);
    for (const { event, target } of possibleTransitions(state)) {
      if (target !== undefined) this.edges.add("event", from, this.targetId(target), event.text);
    }
    if (state.maxVisits === undefined || state.onMaxVisits === undefined) return;
    this.edges.add("forced", from, this.targetId(state.onMaxVisits));
  }

  /** The node for a name; a ghost node if no state has it. */
  private targetId(name: LocatedString): string {
    const id = this.lookup.stateId(name.text);
    if (id !== undefined) return id;
    const ghost = this.ghosts.get(name.text) ?? { id: `g${this.ghosts.size}`, reported: false };
    ghost.reported ||= this.danglingPointers.has(name.pointer);
    this.ghosts.set(name.text, ghost);
    return ghost.id;
  }

  private stateNode(state: State, mark: Mark | undefined, findings: readonly number[]): StateNode {
    const { index, name, maxVisits, onMaxVisits } = state;
    const decider = state.orchestration?.text;
    return {
      kind: "state",
      id: stateNodeId(index),
      name: name.text,
      mark,
      index,
      line: this.pack.document.lines.position(name.start).line,
      ends: this.facts.machine.states[index]?.ends ?? false,
      guard: maxVisits && { max: maxVisits.value, then: onMaxVisits?.text },
      decider: decider === "external" || decider === "hybrid" ? decider : undefined,
      composition: this.compositionOf(state),
      artifacts: state.artifacts.map((artifact) => artifact.name.text),
      findings,
      hiddenEdges: 0,
    };
  }

  private compositionOf({ runsComposition, compositionName, composition }: State): StateNode["composition"] {
    if (!runsComposition || compositionName === undefined) return undefined;
    if (composition === undefined) return { name: compositionName.text, id: undefined };
    const { id } = getOrCreate(this.compositions, composition, () =>
      pictureComposition(composition, `c${this.compositions.size}`, this.pack.document),
    );
    return { name: compositionName.text, id };
  }

  private addCompleteRun(runs: PictureRun[]): void {
    // If some name leads nowhere, the run that its author has in mind may be shorter.
    const { fullyResolved } = verdictsOf(this.pack.workflow, this.facts);
    const witness = this.facts.shortestComplete?.witness;
    const title = fullyResolved ? "shortest complete run" : "a complete run";
    const run = witness && this.toPictureRun(title, witness);
    if (run !== undefined) runs.push(run);
  }

  /** Undefined for a run without steps, or one that starts in a state that is not drawn. */
  private toPictureRun(title: string, { steps, loopFrom }: Trace): PictureRun | undefined {
    const { stateId } = this.lookup;
    const start = steps[0] && stateId(steps[0].from);
    if (start === undefined) return undefined;
    const pictureSteps = steps.map((step) => ({
      event: step.event,
      forced: (step.forced ?? []).flatMap((name) => stateId(name) ?? []),
      to: stateId(step.to ?? step.from) ?? start,
      edges: this.edges.edgesOfStep(step).map(({ id }) => id),
      ...(step.end !== undefined && { end: step.end }),
    }));
    return { title, start, steps: pictureSteps, loopFrom };
  }

  /** The states that run each prompt and composition, by its pointer. */
  private statesByWhatTheyRun(): ReadonlyMap<string, readonly string[]> {
    const { states } = this.pack.workflow;
    const running = new Map<string, string[]>();
    const add = (pointer: string, { name }: State): void => {
      const id = this.lookup.stateId(name.text);
      if (id !== undefined) appendTo(running, pointer, id);
    };
    for (const state of states) {
      if (state.prompt !== undefined) add(state.prompt.key.pointer, state);
      if (state.composition !== undefined) add(state.composition.key.pointer, state);
    }
    for (const state of states) {
      const sharers = running.get(state.composition?.key.pointer ?? "")?.length ?? Infinity;
      if (sharers <= maxSharers) for (const { key } of state.prompts) add(key.pointer, state);
    }
    return running;
  }

  /** Attaches each finding to the state it is in, the states it names, and those that run its prompt or composition. Adds its run. */
  private attachFindings(runs: PictureRun[]) {
    const { stateId } = this.lookup;
    const running = this.statesByWhatTheyRun();
    const indexesByNode = new Map<string, number[]>();
    const findings = this.diagnostics.map((diagnostic, index): PictureFinding => {
      const { rule, severity, message, pointer, range, trace } = diagnostic;
      const { line, column } = range.start;
      const run = trace && this.toPictureRun(`${rule}, line ${line}`, trace);
      const runIndex = run && runs.push(run) - 1;
      const sharers = running.get(pointer.split("/", 3).join("/")) ?? [];
      const nodes = new Set([
        ...[this.lookup.stateIdAt(pointer)].flatMap((id) => id ?? []),
        ...[...statesInData(diagnostic), ...lapStates(diagnostic)].flatMap((name) => stateId(name) ?? []),
        ...(sharers.length > maxSharers ? [] : sharers),
      ]);
      for (const id of nodes) appendTo(indexesByNode, id, index);
      return { rule, severity, message, line, column, nodes: [...nodes], run: runIndex };
    });
    return { findings, indexesByNode };
  }
}

class NodeLookup {
  constructor(private readonly workflow: Workflow) {}

  readonly stateId = (name: string): string | undefined => {
    const state = this.workflow.stateNamed(name);
    return state && stateNodeId(state.index);
  };

  stateIdAt(pointer: string): string | undefined {
    const [, section, part, name] = pointer.split("/", 4);
    const isState = section === "workflow" && part === "states" && name !== undefined;
    return isState ? this.stateId(unescapeSegment(name)) : undefined;
  }
}

type UnmarkedEdge = Omit<PictureEdge, "mark">;

/** The edges of a picture: all events between the same two states share one edge. */
class EdgeSet {
  private readonly edges = new Map<string, UnmarkedEdge & { readonly events: string[] }>();

  constructor(private readonly lookup: NodeLookup) {}

  add(kind: PictureEdge["kind"], from: string, to: string, event?: string): void {
    const key = `${kind} ${from} ${to}`;
    const edge = this.edges.get(key) ?? { id: `e${this.edges.size}`, kind, from, to, events: [] };
    this.edges.set(key, edge);
    if (event !== undefined) edge.events.push(event);
  }

  all(): readonly UnmarkedEdge[] {
    return [...this.edges.values()];
  }

  edgesOfStep(step: TraceStep): readonly UnmarkedEdge[] {
    const path = [step.from, ...attemptedBy(step)].map(this.lookup.stateId);
    return path.slice(1).flatMap((to, index) => {
      const from = path[index];
      if (from === undefined || to === undefined) return [];
      return this.edges.get(`${index === 0 ? "event" : "forced"} ${from} ${to}`) ?? [];
    });
  }
}

class FindingMarker {
  readonly marks = new Map<string, Mark>();
  /** States by the finding that traps them together; the edges between them are marked too. */
  private readonly trapped = new Map<string, Diagnostic>();
  private readonly stuck = new Map<string, Diagnostic>();

  constructor(
    private readonly edges: EdgeSet,
    private readonly lookup: NodeLookup,
  ) {}

  markFinding(diagnostic: Diagnostic): void {
    switch (diagnostic.rule) {
      case "unbounded-loop":
        return this.markLoop(diagnostic, "loop");
      case "loop-held-by-budget-only":
        return this.markLoop(diagnostic, "held");
      case "forced-exit-cycle":
        return this.markStates(diagnostic, "loop", this.stuck);
      case "trapped-states":
        return this.markStates(diagnostic, "trapped", this.trapped);
      case "never-completes":
        return this.markStates(diagnostic, "incomplete");
      case "unreachable-state":
        return this.addMark(this.lookup.stateIdAt(diagnostic.pointer), "unreachable");
    }
  }

  markInnerEdges(): void {
    const isInside = (groups: ReadonlyMap<string, Diagnostic>, { from, to }: UnmarkedEdge): boolean =>
      groups.has(from) && groups.get(from) === groups.get(to);
    for (const edge of this.edges.all()) {
      if (edge.kind !== "start" && isInside(this.trapped, edge)) this.addMark(edge.id, "trapped");
      if (edge.kind === "forced" && isInside(this.stuck, edge)) this.addMark(edge.id, "loop");
    }
  }

  /** Marks a loop along its witness; without one, its states. */
  private markLoop(diagnostic: Diagnostic, mark: Mark): void {
    const lap = lapOf(diagnostic.trace) ?? [];
    if (lap.length === 0) this.markStates(diagnostic, mark);
    for (const name of lapStates(diagnostic)) this.addMark(this.lookup.stateId(name), mark);
    for (const step of lap) {
      for (const { id } of this.edges.edgesOfStep(step)) this.addMark(id, mark);
    }
  }

  private markStates(diagnostic: Diagnostic, mark: Mark, groups?: Map<string, Diagnostic>): void {
    for (const name of statesInData(diagnostic)) {
      const id = this.lookup.stateId(name);
      if (id === undefined) continue;
      this.addMark(id, mark);
      groups?.set(id, diagnostic);
    }
  }

  private addMark(id: string | undefined, mark: Mark): void {
    if (id !== undefined) this.marks.set(id, worstMark(mark, this.marks.get(id)));
  }
}

function statesInData({ data }: Diagnostic): readonly string[] {
  const states = data?.["states"];
  return Array.isArray(states) ? states.filter((name) => typeof name === "string") : [];
}

/** The states that a loop passes on each lap, including those already at max_visits. */
function lapStates({ trace }: Diagnostic): readonly string[] {
  return (lapOf(trace) ?? []).flatMap((step) => [step.from, ...attemptedBy(step)]);
}
