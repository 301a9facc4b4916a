import type { Severity } from "../diagnostic.js";

/** What a finding makes of a state or an edge, the gravest first. */
export const marks = ["loop", "trapped", "held", "incomplete", "missing", "unreachable"] as const;
export type Mark = (typeof marks)[number];

/** Where several findings meet, the graver one is seen. */
export function worstMark(met: readonly (Mark | undefined)[]): Mark | undefined {
  return marks.find((mark) => met.includes(mark));
}

/** What each mark says, for legends. */
export const markDescriptions: Readonly<Record<Mark, string>> = {
  loop: "may never end",
  trapped: "cannot reach an end",
  held: "ended by the budget only",
  incomplete: "never completes",
  missing: "not a state",
  unreachable: "never entered",
};

/** A workflow as it is drawn, whatever the format. */
export interface Picture {
  readonly title: string;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly findings: readonly PictureFinding[];
  /** Whether findings were left out, so that nothing is known of them. */
  readonly plain: boolean;
  readonly runs: readonly PictureRun[];
  /** States of the workflow, drawn or not. */
  readonly states: number;
  /** Present where only a part of the workflow is drawn. */
  readonly crop: Crop | undefined;
}

interface Crop {
  readonly drawn: number;
  readonly around: "findings" | "entry";
}

export type PictureNode = StateNode | GhostNode | StartNode;

interface BaseNode {
  /** Made of a letter and a number: safe in every format. */
  readonly id: string;
  readonly name: string;
  readonly mark: Mark | undefined;
}

export interface StateNode extends BaseNode {
  readonly kind: "state";
  /** Its number in file order. */
  readonly index: number;
  readonly line: number;
  readonly ends: boolean;
  readonly guard: Guard | undefined;
  /** Who else decides here; absent where only the model does. */
  readonly decider: "external" | "hybrid" | undefined;
  readonly artifacts: readonly string[];
  /** Numbers of findings. */
  readonly findings: readonly number[];
  /** Edges to states outside the part that is drawn. */
  readonly hiddenEdges: number;
}

/** A name that is used like a state's, and is none. */
interface GhostNode extends BaseNode {
  readonly kind: "ghost";
}

/** Where runs start: the workflow's own entry, or an agent's. Its name is the agent's. */
export interface StartNode extends BaseNode {
  readonly kind: "start";
  readonly agent: boolean;
}

interface Guard {
  readonly max: number;
  /** `on_max_visits`; without it the run stops. */
  readonly then: string | undefined;
}

export interface PictureEdge {
  readonly id: string;
  readonly kind: "event" | "forced" | "start";
  readonly from: string;
  readonly to: string;
  /** Every event that leads this way, in file order. */
  readonly events: readonly string[];
  readonly mark: Mark | undefined;
}

export interface PictureFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The nodes it speaks of. */
  readonly nodes: readonly string[];
  /** The number of the run that shows it. */
  readonly run: number | undefined;
}

export interface PictureRun {
  readonly title: string;
  readonly start: string;
  readonly steps: readonly PictureStep[];
  /** The steps from here on repeat for ever. */
  readonly loopFrom: number | undefined;
}

interface PictureStep {
  readonly event: string;
  /** The spent states that handed the run on. */
  readonly forced: readonly string[];
  readonly to: string;
  /** The edges taken: the event's, then the forced exits'. */
  readonly edges: readonly string[];
}

export function isStateNode(node: PictureNode): node is StateNode {
  return node.kind === "state";
}

/** The marks that are used, the gravest first. */
export function usedMarks({ nodes, edges }: Picture): readonly Mark[] {
  const used = new Set([...nodes, ...edges].map(({ mark }) => mark));
  return marks.filter((mark) => used.has(mark));
}

/** The marks that do not speak for themselves: a ghost says that it is no state. */
export function legendMarks(picture: Picture): readonly Mark[] {
  return usedMarks(picture).filter((mark) => mark !== "missing");
}

/** A sentence on what is missing from the picture, if anything is. */
export function cropNote({ crop, states }: Picture): string | undefined {
  if (crop === undefined) return undefined;
  const where = crop.around === "findings" ? "around the findings" : "nearest to the entry";
  return `${crop.drawn} of ${states} states are drawn: the part ${where}.`;
}

/** What a mark is painted in on a light page: the only one that DOT and Mermaid know. */
export const markColors: Readonly<Record<Mark, { readonly line: string; readonly fill: string }>> = {
  loop: { line: "#cf222e", fill: "#ffebe9" },
  trapped: { line: "#8250df", fill: "#fbefff" },
  held: { line: "#9a6700", fill: "#fff8c5" },
  incomplete: { line: "#bf3989", fill: "#ffeff7" },
  missing: { line: "#cf222e", fill: "#ffffff" },
  unreachable: { line: "#afb8c1", fill: "#f6f8fa" },
};
