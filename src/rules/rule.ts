import type { AgenticLog } from "../agentic/agentic-log.js";
import type { PluginState } from "../agentic/loop-files.js";
import type { Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Facts } from "../machine/facts.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";
import type { Verdict } from "../properties/check-property.js";
import type { Property } from "../properties/property.js";
import type { ReplayedLog } from "../replay/replay-run.js";
import type { Replay } from "../replay/replay.js";
import type { Routes, RoutesFile } from "../routes/routes.js";
import type { Target } from "../runtimes/index.js";
import type { Runtime } from "../runtimes/runtime.js";
import type { Spec } from "../schema/spec-version.js";
import type { SchemaErrors } from "../schema/validator.js";
import type { Project } from "../sources/project.js";
import type { SpecVersion } from "../text/tool-info.js";
import type { RuleInfo, RuleSource } from "./rule-info.js";

/** Input outside the file that a rule cannot be checked without. */
export type Need =
  | "files beside"
  | "allowed plugins"
  | "every pipeline"
  | "other routes"
  | "routes of the record"
  | "max steps"
  | "workspace"
  | "pack of the record"
  | "properties";

/** The surroundings of a pack; none for stdin. */
export interface FileContext {
  /** Whether a relative path exists beside the pack. */
  readonly fileExists?: ((relativePath: string) => boolean) | undefined;
  /** The text of a file in the folder of the pack or below; undefined if it is not there, too large or not to be read. */
  readonly readFileBeside?: ((relativePath: string) => string | undefined) | undefined;
}

interface PackContext extends FileContext {
  readonly pack: Pack;
  readonly isOn: (rule: string) => boolean;
  /** Where the pack is to run. */
  readonly target: Target;
}

export interface WorkflowContext extends PackContext {
  readonly workflow: Workflow;
  readonly facts: Facts;
  /** Judges the properties of the config that are about this workflow and whose names it has. */
  readonly judgeProperties: () => readonly JudgedProperty[];
  /** Which states runs enter in a runtime, and how; undefined if it runs no workflows. */
  readonly entriesIn: (runtime: Runtime) => Facts | undefined;
}

export interface SourcesContext {
  readonly project: Project;
  readonly pack: Pack | undefined;
  readonly facts: Facts | undefined;
  readonly isOn: (rule: string) => boolean;
  readonly target: Target;
  readonly entriesIn: WorkflowContext["entriesIn"];
}

export interface JudgedProperty {
  readonly property: Property;
  readonly verdict: Verdict;
}

interface RuleBase extends RuleInfo {
  readonly source: RuleSource;
  readonly since?: SpecVersion;
  /** Without this input the rule cannot report, so suppressions of it are not stale. */
  readonly needs?: Need;
  /** The section of a pack that it is about: without that, it has nothing to check. */
  readonly section?: "compositions" | "requires";
  /** The rules that it leaves some mistakes to, unless they are off. */
  readonly defersTo?: readonly string[];
  /** Whether no other rule can check this file. */
  readonly stopsLinting?: (document: Document) => boolean;
}

interface RuleInputs {
  /** Any file, whatever its kind. */
  file: { readonly document: Document; readonly isPack: boolean };
  /** The file as a document, before it is read as a pack. */
  document: {
    readonly document: Document;
    readonly file: string;
    readonly spec: Spec;
    readonly schemaErrors: SchemaErrors;
  };
  /** The files that a pack is compiled from; places are on the number line, pointers those in the files. */
  sources: SourcesContext;
  pack: PackContext;
  /** The states of a workflow, one by one. */
  workflow: WorkflowContext;
  /** The runs of the workflow; skipped while part of the workflow breaks the schema. */
  graph: WorkflowContext;
  /** One file of an RFC-103 configuration; `routes` holds the others too. */
  routes: { readonly file: RoutesFile; readonly routes: Routes } & Pick<PackContext, "isOn">;
  agentic: { readonly log: AgenticLog };
  /** The state that the plugin of RFC-103 persists; `log` is what its runs did, in the workflow of a pack if there is one. */
  "agentic-state": {
    readonly state: PluginState;
    readonly log: AgenticLog | undefined;
    readonly replays?: ReplayedLog | undefined;
  };
  run: { readonly replay: Replay };
}

type CheckedSubject = keyof RuleInputs;

export interface RuleRow<Subject extends CheckedSubject> extends Omit<RuleBase, "id"> {
  check(input: RuleInputs[Subject]): Iterable<Finding>;
}

export interface CheckedRule<Subject extends CheckedSubject> extends RuleRow<Subject> {
  readonly id: string;
  readonly subject: Subject;
}

/** Checks the linting itself: its findings are made where suppressions are applied, and about a config. */
export interface LintingRule extends RuleBase {
  readonly subject: "linting";
}

export type RuleFor<Subject extends Rule["subject"]> = Extract<Rule, { readonly subject: Subject }>;

export type Rule = { [S in CheckedSubject]: CheckedRule<S> }[CheckedSubject] | LintingRule;

/** Rules as the rows of a table: the key of a row is the rule's id. */
export function rulesOf<Subject extends CheckedSubject>(
  about: Subject | (Pick<RuleBase, "since" | "section"> & { readonly subject: Subject }),
  rows: Readonly<Record<string, RuleRow<Subject>>>,
): readonly CheckedRule<Subject>[] {
  const common = typeof about === "object" ? about : { subject: about };
  return Object.entries(rows).map(([id, row]) => ({ ...common, ...row, id }));
}

/** Rules whose findings are made together, in one walk through a log or a recorded run, unless they have a `check`. */
export function walkedRules<Subject extends "agentic" | "run">(
  subject: Subject,
  rows: Readonly<Record<string, Omit<RuleRow<Subject>, "check"> & Partial<RuleRow<Subject>>>>,
): readonly CheckedRule<Subject>[] {
  return Object.entries(rows).map(([id, row]) => ({
    check: (input: RuleInputs["agentic" | "run"]) => ("log" in input ? input.log : input.replay).findings(id),
    ...row,
    id,
    subject,
  }));
}
