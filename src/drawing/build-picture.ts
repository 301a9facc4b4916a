import { type Diagnostic, lapOf, type Trace, type TraceStep } from "../diagnostic.js";
import { type LocatedString, stringOf, unescapeSegment } from "../document/node.js";
import type { Facts } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import type { Pack } from "../pack/pack.js";
import type { State, Transition, Workflow } from "../pack/workflow.js";
import { appendTo } from "../text/collections.js";
import {
  type Mark,
  type Picture,
  type PictureEdge,
  type PictureFinding,
  type PictureNode,
  type PictureRun,
  type StateNode,
  worstMark,
} from "./picture.js";

/** A pack whose workflow has states: only such a one can be drawn. */
export interface DrawablePack extends Pack {
  readonly workflow: Workflow;
}

export function isDrawable(pack: Pack): pack is DrawablePack {
  return (pack.workflow?.states.length ?? 0) > 0;
}

/** The whole picture of a workflow, with its findings on it; a plain one without. */
export function buildPicture(
  pack: DrawablePack,
  facts: Facts,
  diagnostics: readonly Diagnostic[] | undefined,
): Picture {
  const plain = diagnostics === undefined;
  return { ...new PictureBuilder(pack, facts, diagnostics ?? []).build(), plain };
}

/** Rules whose findings are about a name that leads nowhere. */
const danglingNameRules = new Set([
  "unknown-event-target",
  "unknown-max-visits-target",
  "unknown-entry",
  "unknown-agent-state",
]);

class PictureBuilder {
  private readonly edges = new EdgeSet();
  private readonly ghosts = new Map<string, { id: string; reported: boolean }>();
  private readonly starts: { id: string; name: string; agent: boolean }[] = [];
  private readonly reportedPointers: ReadonlySet<string>;
  private readonly lookup: NodeLookup;

  constructor(
    private readonly pack: DrawablePack,
    private readonly facts: Facts,
    private readonly diagnostics: readonly Diagnostic[],
  ) {
    this.reportedPointers = new Set(
      diagnostics.flatMap(({ rule, pointer }) => (danglingNameRules.has(rule) ? pointer : [])),
    );
    const stateId = (name: string): string | undefined => {
      const state = pack.workflow.stateNamed(name);
      return state === undefined ? undefined : stateNodeId(state.index);
    };
    this.lookup = {
      stateId,
      stateIdAt: (pointer) => {
        const name = nameInPointer("/workflow/states/", pointer);
        return name === undefined ? undefined : stateId(name);
      },
    };
  }

  build(): Omit<Picture, "plain"> {
    const { states } = this.pack.workflow;
    this.addStarts();
    for (const state of states) this.addEdges(state);
    const painted = markFindings(this.diagnostics, this.edges, this.lookup);
    const { runs, runOf } = this.collectRuns();
    const { findings, indexesByNode } = attachFindings(this.diagnostics, runOf, this.pack, this.lookup);
    const ghostMark = new Map(
      [...this.ghosts.values()].flatMap(({ id, reported }) => (reported ? [[id, "missing" as const]] : [])),
    );
    const markOf = (id: string): Mark | undefined => painted.get(id) ?? ghostMark.get(id);
    const nodes: PictureNode[] = [
      ...this.starts.map((start) => ({ kind: "start" as const, ...start, mark: undefined })),
      ...states.map((state) =>
        this.stateNode(state, markOf, indexesByNode.get(stateNodeId(state.index)) ?? []),
      ),
      ...[...this.ghosts].map(([name, { id }]) => ({ kind: "ghost" as const, id, name, mark: markOf(id) })),
    ];
    const edges = this.edges
      .all()
      .map((edge) => ({ ...edge, mark: markOf(edge.id) ?? ghostMark.get(edge.to) }));
    return {
      title: packTitle(this.pack),
      nodes,
      edges,
      findings,
      runs,
      states: states.length,
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

  /** The state a name stands for, or the ghost of one. */
  private targetId(name: LocatedString): string {
    const id = this.lookup.stateId(name.text);
    if (id !== undefined) return id;
    const ghost = this.ghosts.get(name.text) ?? { id: `g${this.ghosts.size}`, reported: false };
    ghost.reported ||= this.reportedPointers.has(name.pointer);
    this.ghosts.set(name.text, ghost);
    return ghost.id;
  }

  private stateNode(
    state: State,
    markOf: (id: string) => Mark | undefined,
    findings: readonly number[],
  ): StateNode {
    const id = stateNodeId(state.index);
    const decider = state.orchestration?.text;
    return {
      kind: "state",
      id,
      name: state.name.text,
      mark: markOf(id),
      index: state.index,
      line: this.pack.document.lines.position(state.name.start).line,
      ends: this.facts.machine.states[state.index]?.ends ?? false,
      guard:
        state.maxVisits === undefined
          ? undefined
          : { max: state.maxVisits.value, then: state.onMaxVisits?.text },
      decider: decider === "external" || decider === "hybrid" ? decider : undefined,
      artifacts: state.artifacts.map(({ name }) => name.text),
      findings,
      hiddenEdges: 0,
    };
  }

  /** The runs that findings show, then the shortest complete one; and which of them each finding shows. */
  private collectRuns(): {
    readonly runs: readonly PictureRun[];
    readonly runOf: ReadonlyMap<Diagnostic, number>;
  } {
    const runs: PictureRun[] = [];
    const runOf = new Map<Diagnostic, number>();
    for (const found of this.diagnostics) {
      const run =
        found.trace && this.toPictureRun(`${found.rule}, line ${found.range.start.line}`, found.trace);
      if (run !== undefined) runOf.set(found, runs.push(run) - 1);
    }
    // Behind a name that leads nowhere there may be a shorter one.
    const { fullyResolved } = verdictsOf(this.pack.workflow, this.facts);
    const complete = this.facts.shortestComplete?.witness;
    const run =
      complete && this.toPictureRun(fullyResolved ? "shortest complete run" : "a complete run", complete);
    return { runs: run === undefined ? runs : [...runs, run], runOf };
  }

  /** Nothing for a run of no step, or of a state that is not drawn. */
  private toPictureRun(title: string, { steps, loopFrom }: Trace): PictureRun | undefined {
    const { stateId } = this.lookup;
    const start = steps[0] === undefined ? undefined : stateId(steps[0].from);
    if (start === undefined) return undefined;
    const taken = steps.map((step) => ({
      event: step.event,
      forced: (step.forced ?? []).flatMap((name) => stateId(name) ?? []),
      to: stateId(step.to) ?? start,
      edges: this.edges.edgesOfStep(step, stateId).map(({ id }) => id),
    }));
    return { title, start, steps: taken, loopFrom };
  }
}

/** The transitions that can happen: those of a terminal state never do. */
export function possibleTransitions({ terminal, transitions }: State): readonly Transition[] {
  return terminal?.value === true ? [] : transitions;
}

export function stateNodeId(index: number): string {
  return `s${index}`;
}

function packTitle({ root }: Pack): string {
  return stringOf(root.get("name")) ?? stringOf(root.get("id")) ?? "Workflow";
}

export type UnmarkedEdge = Omit<PictureEdge, "mark">;

interface MutableEdge extends UnmarkedEdge {
  readonly events: string[];
}

/** The edges of a picture: events between the same two states share one. */
export class EdgeSet {
  private readonly edges = new Map<string, MutableEdge>();

  add(kind: PictureEdge["kind"], from: string, to: string, event?: string): void {
    const key = `${kind} ${from} ${to}`;
    const edge = this.edges.get(key) ?? { id: `e${this.edges.size}`, kind, from, to, events: [] };
    this.edges.set(key, edge);
    if (event !== undefined) edge.events.push(event);
  }

  find(kind: PictureEdge["kind"], from: string, to: string): UnmarkedEdge | undefined {
    return this.edges.get(`${kind} ${from} ${to}`);
  }

  all(): readonly UnmarkedEdge[] {
    return [...this.edges.values()];
  }

  /** The edges a step takes: its event's to the state attempted, then forced exits from spent state to spent state. */
  edgesOfStep(step: TraceStep, idOf: (name: string) => string | undefined): readonly UnmarkedEdge[] {
    const way = [step.from, ...(step.forced ?? []), step.to].map(idOf);
    return way.slice(1).flatMap((to, index) => {
      const from = way[index];
      if (from === undefined || to === undefined) return [];
      return this.find(index === 0 ? "event" : "forced", from, to) ?? [];
    });
  }
}

/** How names and places of the pack are found on the picture. */
export interface NodeLookup {
  readonly stateId: (name: string) => string | undefined;
  /** The state that a JSON Pointer leads into. */
  readonly stateIdAt: (pointer: string) => string | undefined;
}

/** The colours of nodes and edges, by their id. */
export function markFindings(
  diagnostics: readonly Diagnostic[],
  edges: EdgeSet,
  where: NodeLookup,
): ReadonlyMap<string, Mark> {
  const painter = new FindingMarker(edges, where);
  for (const diagnostic of diagnostics) painter.markFinding(diagnostic);
  painter.markInnerEdges();
  return painter.markById;
}

/** The states a finding names in its data. */
export function statesInData({ data }: Diagnostic): readonly string[] {
  const states = data?.["states"];
  return Array.isArray(states) ? states.filter((name) => typeof name === "string") : [];
}

/** The states that a loop passes on each lap, spent ones too. */
export function lapStates(diagnostic: Diagnostic): readonly string[] {
  return (lapOf(diagnostic.trace) ?? []).flatMap((step) => [step.from, ...(step.forced ?? []), step.to]);
}

class FindingMarker {
  readonly markById = new Map<string, Mark>();
  /** States that are trapped, or stuck, together: the edges between them are painted, too. */
  private readonly trapped = new Map<string, Diagnostic>();
  private readonly stuck = new Map<string, Diagnostic>();

  constructor(
    private readonly edges: EdgeSet,
    private readonly where: NodeLookup,
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
        return this.addMark(this.where.stateIdAt(diagnostic.pointer), "unreachable");
    }
  }

  markInnerEdges(): void {
    if (this.trapped.size + this.stuck.size === 0) return;
    const together = (groups: ReadonlyMap<string, Diagnostic>, from: string, to: string): boolean =>
      groups.has(from) && groups.get(from) === groups.get(to);
    for (const { id, kind, from, to } of this.edges.all()) {
      if (kind !== "start" && together(this.trapped, from, to)) this.addMark(id, "trapped");
      if (kind === "forced" && together(this.stuck, from, to)) this.addMark(id, "loop");
    }
  }

  /** A loop is shown along its witness; without one, by its states. */
  private markLoop(diagnostic: Diagnostic, mark: Mark): void {
    const lap = lapOf(diagnostic.trace) ?? [];
    if (lap.length === 0) this.markStates(diagnostic, mark);
    for (const name of lapStates(diagnostic)) this.addMark(this.where.stateId(name), mark);
    for (const step of lap) {
      for (const { id } of this.edges.edgesOfStep(step, this.where.stateId)) this.addMark(id, mark);
    }
  }

  private markStates(diagnostic: Diagnostic, mark: Mark, groups?: Map<string, Diagnostic>): void {
    for (const name of statesInData(diagnostic)) {
      const id = this.where.stateId(name);
      if (id === undefined) continue;
      this.addMark(id, mark);
      groups?.set(id, diagnostic);
    }
  }

  private addMark(id: string | undefined, mark: Mark): void {
    if (id === undefined) return;
    this.markById.set(id, worstMark([mark, this.markById.get(id)]) ?? mark);
  }
}

export interface AttachedFindings {
  readonly findings: readonly PictureFinding[];
  /** The numbers of the findings that speak of a node. */
  readonly indexesByNode: ReadonlyMap<string, readonly number[]>;
}

/** A prompt that more states than this share is nobody's own: its findings stand in the list only. */
const maxPromptSharers = 20;

/** Which nodes each finding speaks of: where it stands, whom it names, and who runs the prompt it is about. */
export function attachFindings(
  diagnostics: readonly Diagnostic[],
  runOf: ReadonlyMap<Diagnostic, number>,
  pack: Pack,
  where: NodeLookup,
): AttachedFindings {
  const runners = statesByPrompt(pack, where);
  const indexesByNode = new Map<string, number[]>();
  const findings = diagnostics.map((diagnostic, index) => {
    const { rule, severity, message, pointer, range } = diagnostic;
    const sharers = runners.get(nameInPointer("/prompts/", pointer) ?? "") ?? [];
    const nodes = new Set([
      ...[where.stateIdAt(pointer)].flatMap((id) => id ?? []),
      ...[...statesInData(diagnostic), ...lapStates(diagnostic)].flatMap((name) => where.stateId(name) ?? []),
      ...(sharers.length > maxPromptSharers ? [] : sharers),
    ]);
    for (const id of nodes) appendTo(indexesByNode, id, index);
    const { line, column } = range.start;
    return { rule, severity, message, line, column, nodes: [...nodes], run: runOf.get(diagnostic) };
  });
  return { findings, indexesByNode };
}

function statesByPrompt(pack: Pack, { stateId }: NodeLookup): ReadonlyMap<string, readonly string[]> {
  const runners = new Map<string, string[]>();
  for (const { name, prompt } of pack.workflow?.states ?? []) {
    const id = stateId(name.text);
    if (prompt === undefined || id === undefined) continue;
    appendTo(runners, prompt.key.text, id);
  }
  return runners;
}

/** The name of the entry of a section that a JSON Pointer leads into. */
export function nameInPointer(
  section: "/prompts/" | "/workflow/states/",
  pointer: string,
): string | undefined {
  if (!pointer.startsWith(section)) return undefined;
  const [name = ""] = pointer.slice(section.length).split("/", 1);
  return unescapeSegment(name);
}
