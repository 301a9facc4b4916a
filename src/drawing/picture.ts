import type { Severity } from "../diagnostic.js";
import { pluralize } from "../text/wording.js";
import type { PictureComposition } from "./composition-picture.js";

/** How a finding marks a state or an edge, most severe first. */
export const marks = ["loop", "trapped", "held", "incomplete", "missing", "unreachable"] as const;
/** With those of another version, drawn over this one, and those of recorded runs. */
export const allMarks = [...marks, "gone", "new", "changed", "untried", "partly", "tried"] as const;
export type Mark = (typeof allMarks)[number];

export function worstMark(mark: Mark, other: Mark | undefined): Mark {
  return other !== undefined && allMarks.indexOf(other) < allMarks.indexOf(mark) ? other : mark;
}

export const markDescriptions: Readonly<Record<Mark, string>> = {
  loop: "may never end",
  trapped: "cannot reach an end",
  held: "ended by the budget only",
  incomplete: "never completes",
  missing: "not a state",
  unreachable: "never entered",
  gone: "− gone: only in the old version",
  new: "+ new: only in the new version",
  changed: "± in both, but not the same",
  untried: "never tried",
  partly: "tried in part",
  tried: "tried",
};

/** Which of the things that a run can do recorded runs have done; undefined where none can. */
export interface TriedParts {
  state(index: number): boolean | undefined;
  event(state: number, event: string): boolean | undefined;
  forcedExit(state: number): boolean | undefined;
}

/** From top to bottom, from left to right, or whichever fits a screen better. */
export const directions = ["auto", "tb", "lr"] as const;
export type Direction = (typeof directions)[number];

/** A drawing of a workflow, independent of the format. */
export interface Picture {
  readonly title: string;
  readonly direction: Direction;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly findings: readonly PictureFinding[];
  /** Drawn without linting, so that the absence of findings means nothing. */
  readonly plain: boolean;
  /** What the findings are called. */
  readonly noun: "finding" | "change";
  readonly runs: readonly PictureRun[];
  /** Those that a drawn state runs; only these show their steps. */
  readonly compositions: readonly PictureComposition[];
  /** Compositions whose steps are left out, for lack of room. */
  readonly closedCompositions: number;
  /** States of the workflow, drawn or not. */
  readonly states: number;
  /** Present if only a part of the workflow is drawn. */
  readonly crop: { readonly drawn: number; readonly around: "findings" | "entry" } | undefined;
}

export type PictureNode = StateNode | GhostNode | StartNode;

interface BaseNode {
  /** A letter and a number, which is safe in every format. */
  readonly id: string;
  readonly name: string;
  readonly mark: Mark | undefined;
}

export interface StateNode extends BaseNode {
  readonly kind: "state";
  /** In file order. */
  readonly index: number;
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

/** A name that is used like a state's, but that no state has. */
interface GhostNode extends BaseNode {
  readonly kind: "ghost";
}

/** The workflow's entry, or the start of the agent it is named after. */
export interface StartNode extends BaseNode {
  readonly kind: "start";
  readonly agent: boolean;
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

export interface PictureFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** Whether the line is one of the old version. */
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

interface PictureStep {
  readonly event: string;
  /** How the event ended the run, if it entered no state. */
  readonly end?: "stopped" | "stuck";
  /** States at max_visits that redirected the run. */
  readonly forced: readonly string[];
  readonly to: string;
  /** The edge of the event, then those of the forced exits. */
  readonly edges: readonly string[];
}

export function isStateNode(node: PictureNode): node is StateNode {
  return node.kind === "state";
}

export function usedMarks({ nodes, edges }: Picture): readonly Mark[] {
  const used = new Set([...nodes, ...edges].map(({ mark }) => mark));
  return allMarks.filter((mark) => used.has(mark));
}

/** Says which part of the workflow is drawn, if not all of it. */
export function cropNote({ crop, states, closedCompositions }: Picture): string | undefined {
  const where = crop?.around === "findings" ? "around the findings" : "nearest to the entry";
  const sentences = [
    ...(crop === undefined ? [] : [`${crop.drawn} of ${states} states are drawn: the part ${where}.`]),
    ...(closedCompositions === 0
      ? []
      : [`The steps of ${pluralize(closedCompositions, "composition")} are not drawn.`]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** Colours for a light background, the only one that DOT and Mermaid support. */
export const markColors: Readonly<Record<Mark, { readonly line: string; readonly fill: string }>> = {
  loop: { line: "#cf222e", fill: "#ffebe9" },
  trapped: { line: "#8250df", fill: "#fbefff" },
  held: { line: "#9a6700", fill: "#fff8c5" },
  incomplete: { line: "#bf3989", fill: "#ffeff7" },
  missing: { line: "#cf222e", fill: "#ffffff" },
  unreachable: { line: "#afb8c1", fill: "#f6f8fa" },
  gone: { line: "#cf222e", fill: "#ffebe9" },
  new: { line: "#1a7f37", fill: "#dafbe1" },
  changed: { line: "#9a6700", fill: "#fff8c5" },
  untried: { line: "#cf222e", fill: "#ffebe9" },
  partly: { line: "#9a6700", fill: "#fff8c5" },
  tried: { line: "#1a7f37", fill: "#dafbe1" },
};
