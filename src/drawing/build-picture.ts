import type { Diagnostic, Trace } from "../diagnostic.js";
import { stringOf, type LocatedString } from "../document/spelled-values.js";
import type { Pack } from "../pack/pack.js";
import type { State, Transition, Workflow } from "../pack/workflow.js";
import type { Facts } from "../machine/facts.js";
import { verdictsOf } from "../machine/verdicts.js";
import { EdgeSet } from "./edge-set.js";
import { nameInPointer, attachFindings } from "./place-findings.js";
import { markFindings, type NodeLookup } from "./paint-findings.js";
import type { Mark, Picture, PictureNode, PictureRun, StateNode } from "./picture.js";

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
      ...states.map((state) => this.stateNode(state, markOf, indexesByNode.get(stateNodeId(state.index)) ?? [])),
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
  private collectRuns(): { readonly runs: readonly PictureRun[]; readonly runOf: ReadonlyMap<Diagnostic, number> } {
    const runs: PictureRun[] = [];
    const runOf = new Map<Diagnostic, number>();
    for (const found of this.diagnostics) {
      const run = found.trace && this.toPictureRun(`${found.rule}, line ${found.range.start.line}`, found.trace);
      if (run !== undefined) runOf.set(found, runs.push(run) - 1);
    }
    // Behind a name that leads nowhere there may be a shorter one.
    const { fullyResolved } = verdictsOf(this.pack.workflow, this.facts);
    const complete = this.facts.shortestComplete?.witness;
    const run = complete && this.toPictureRun(fullyResolved ? "shortest complete run" : "a complete run", complete);
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
