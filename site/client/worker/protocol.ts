import type { Fix, Range, Severity, TextEdit } from "../../../src/diagnostic.js";

/**
 * The tasks of the worker. What it is asked about is a pack, or what `joinFiles` makes of a project. Invisible characters are
 * already escaped in every text to be shown, except in the names of files, by which the page knows them.
 */
export interface Tasks {
  readonly lint: { readonly input: string; readonly output: LintView };
  readonly prove: { readonly input: ProofInput; readonly output: readonly FixView[] };
  readonly draw: { readonly input: string; readonly output: DrawingView };
  readonly simulate: { readonly input: SimulationInput; readonly output: SimulationView };
}

export type TaskName = keyof Tasks;

export interface Request<Name extends TaskName = TaskName> {
  readonly task: Name;
  readonly input: Tasks[Name]["input"];
}

export type Response = { readonly output: unknown } | { readonly error: string } | "ready";

export interface LintView {
  readonly specVersion: string;
  readonly findings: readonly FindingView[];
  /** All findings, also those that are not listed. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** The files that the project names and does not have. */
  readonly missing: readonly string[];
}

export interface FindingView {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** The name of its file; that of a text by itself is empty. */
  readonly file: string;
  readonly range: Range;
  /** The run that shows it, one line for each part. */
  readonly run: readonly string[];
  readonly fix: FixView | undefined;
  /** Whether edits can be tried that would remove it. */
  readonly isProvable: boolean;
}

export interface FixView extends Omit<Fix, "edits"> {
  readonly edits: readonly (TextEdit & Pick<FindingView, "file">)[];
}

/** A finding by its number in the list. */
export interface ProofInput {
  readonly text: string;
  readonly number: number;
}

/** A page of its own, or why there is none. */
export type DrawingView = { readonly page: string } | { readonly missing: string };

/** Answers to the branches of a composition, by their ids. */
export type Answers = Readonly<Record<string, boolean>>;

export interface Move {
  readonly event: string;
  readonly answers: Answers;
}

export interface SimulationInput {
  readonly text: string;
  /** The agent whose state the run starts in; undefined for the entry. */
  readonly agent: string | undefined;
  readonly moves: readonly Move[];
  /** Given in the state that the run is in. */
  readonly answers: Answers;
}

export type SimulationView = RunView | { readonly missing: string };

export interface RunView {
  /** The agents that have a state to start in. */
  readonly agents: readonly string[];
  /** How many of the moves were possible. */
  readonly taken: number;
  readonly state: string;
  readonly about: readonly string[];
  /** How the run ended; undefined while it runs. */
  readonly ending: { readonly isComplete: boolean; readonly text: string } | undefined;
  readonly events: readonly { readonly name: string; readonly label: string; readonly leadsTo: string }[];
  readonly history: readonly string[];
  readonly composition: CompositionView | undefined;
  readonly prompt: { readonly name: string; readonly text: string } | undefined;
}

export interface CompositionView {
  readonly questions: readonly { readonly branch: string; readonly text: string; readonly isYes: boolean }[];
  /** `ran`, `skipped` and so on, each with the steps. */
  readonly rows: readonly { readonly label: string; readonly text: string }[];
}
