import type { Diagnostic, Position, TraceStep } from "../diagnostic.js";
import type { LineMap } from "../document/scan-text.js";
import type { State } from "../pack/workflow.js";
import { pluralize } from "../text/wording.js";

type Colors = readonly [line: string, fill: string];

const red = { light: ["#cf222e", "#ffebe9"], dark: ["#f85149", "#3a1d1f"] } as const;
const yellow = { light: ["#9a6700", "#fff8c5"], dark: ["#d29922", "#302812"] } as const;

/** How findings mark states and edges, most severe first; then another version, drawn over this one, and recorded runs. */
export const marks = {
  loop: { words: "may never end", ...red },
  trapped: { words: "cannot reach an end", light: ["#8250df", "#fbefff"], dark: ["#a371f7", "#2a2140"] },
  held: { words: "ended by the budget only", ...yellow },
  incomplete: { words: "never completes", light: ["#bf3989", "#ffeff7"], dark: ["#db61a2", "#371d2e"] },
  missing: { words: "not a state", light: ["#cf222e", "#ffffff"], dark: ["#f85149", "#0d1117"] },
  unreachable: { words: "never entered", light: ["#afb8c1", "#f6f8fa"], dark: ["#3d444d", "#151b23"] },
  gone: { words: "− gone: only in the old version", ...red },
  new: {
    words: "+ new: only in the new version",
    light: ["#1a7f37", "#dafbe1"],
    dark: ["#3fb950", "#12301b"],
  },
  changed: { words: "± in both, but not the same", ...yellow },
  untried: { words: "never tried", ...red },
  partly: { words: "tried in part", ...yellow },
  tried: { words: "tried", light: ["#1a7f37", "#dafbe1"], dark: ["#3fb950", "#12261e"] },
} as const satisfies Readonly<Record<string, { words: string; light: Colors; dark: Colors }>>;
export type Mark = keyof typeof marks;
export const allMarks = Object.keys(marks) as readonly Mark[];

/** Which of the things that a run can do recorded runs have done; undefined where none can. */
export interface TriedParts {
  state(index: number): boolean | undefined;
  event(state: number, event: string): boolean | undefined;
  forcedExit(state: number): boolean | undefined;
}

export const directions = ["auto", "tb", "lr"] as const;
export type Direction = (typeof directions)[number];

export interface Picture {
  readonly title: string;
  readonly direction: Direction;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly findings: readonly PictureFinding[];
  /** Drawn without linting, so that the absence of findings means nothing. */
  readonly plain: boolean;
  readonly noun: "finding" | "change";
  readonly runs: readonly PictureRun[];
  /** Those that a drawn state runs; only these show their steps. */
  readonly compositions: readonly PictureComposition[];
  /** Compositions whose steps are left out, for lack of room. */
  readonly closedCompositions: number;
  /** States of the workflow, drawn or not. */
  readonly states: number;
  /** Every state, drawn or not, by the id of its node, with the text it is in. */
  readonly sources: ReadonlyMap<string, { readonly state: State; readonly lines: LineMap }>;
  /** Present if only a part of the workflow is drawn. */
  readonly crop: { readonly drawn: number; readonly around: "findings" | "entry" } | undefined;
}

export type PictureNode =
  | StateNode
  /** A name that is used like a state's, but that no state has. */
  | (BaseNode & { readonly kind: "ghost" })
  /** The workflow's entry, or the start of the agent it is named after. */
  | (BaseNode & { readonly kind: "start"; readonly agent: boolean });

interface BaseNode {
  /** A letter and a number, which is safe in every format. */
  readonly id: string;
  readonly name: string;
  readonly mark: Mark | undefined;
}

export interface StateNode extends BaseNode {
  readonly kind: "state";
  readonly line: number;
  readonly ends: boolean;
  /** `max_visits` and `on_max_visits`; without the latter the run stops. */
  readonly guard: { readonly max: number; readonly then: string | undefined } | undefined;
  /** `orchestration`, unless the model alone chooses the event. */
  readonly decider: "external" | "hybrid" | undefined;
  /** The composition that it runs; without an id, none has this name. */
  readonly composition: { readonly name: string; readonly id: string | undefined } | undefined;
  readonly artifacts: readonly string[];
  /** Indexes into `Picture.findings`. */
  readonly findings: readonly number[];
  /** Edges to states outside the part that is drawn. */
  readonly hiddenEdges: number;
}

export interface PictureEdge {
  readonly id: string;
  readonly kind: "event" | "forced" | "start";
  readonly from: string;
  readonly to: string;
  /** In file order. */
  readonly events: readonly string[];
  readonly mark: Mark | undefined;
}

export interface PictureFinding extends Pick<Diagnostic, "rule" | "severity" | "message">, Position {
  readonly isOld?: true;
  readonly nodes: readonly string[];
  /** Index into `Picture.runs`. */
  readonly run: number | undefined;
}

export interface PictureRun {
  readonly title: string;
  readonly start: string;
  readonly steps: readonly PictureStep[];
  readonly loopFrom: number | undefined;
}

interface PictureStep extends Pick<TraceStep, "event" | "end"> {
  /** States at max_visits that redirected the run. */
  readonly forced: readonly string[];
  readonly to: string;
  /** The edge of the event, then those of the forced exits. */
  readonly edges: readonly string[];
}

export interface PictureComposition {
  readonly id: string;
  readonly name: string;
  readonly line: number;
  readonly steps: readonly CompositionStep[];
  readonly edges: readonly StepEdge[];
}

export interface CompositionStep {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  /** The prompt or tool that it runs, or what a branch asks, or how a `parallel` merges its outputs. */
  readonly about: string | undefined;
  readonly dependsOn: readonly string[];
  readonly then: string | undefined;
  readonly else: string | undefined;
  /** Whether some outcome of the branches ends with its output. */
  readonly isResult: boolean;
  readonly branches: readonly CompositionStep[];
}

export interface StepEdge {
  readonly from: string;
  readonly to: string;
  /** `next`: may run right after it. `target`: named by a branch, but something else runs in between. */
  readonly kind: "next" | "target";
  readonly label: "then" | "else" | undefined;
}

export function isStateNode(node: PictureNode): node is StateNode {
  return node.kind === "state";
}

export function usedMarks({ nodes, edges }: Picture): readonly Mark[] {
  const used = new Set([...nodes, ...edges].map(({ mark }) => mark));
  return allMarks.filter((mark) => used.has(mark));
}

export function cropNote({ crop, states, closedCompositions }: Picture): string | undefined {
  const where = crop?.around === "findings" ? "around the findings" : "nearest to the entry";
  const sentences = [
    crop && `${crop.drawn} of ${states} states are drawn: the part ${where}.`,
    closedCompositions > 0 && `The steps of ${pluralize(closedCompositions, "composition")} are not drawn.`,
  ];
  return sentences.filter(Boolean).join(" ") || undefined;
}
