import type { AgenticLog } from "../agentic/agentic-log.js";
import type { PluginState } from "../agentic/plugin-state.js";
import type { Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Facts } from "../machine/facts.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";
import type { RunReplay } from "../replay/run-replay.js";
import type { Routes, RoutesFile } from "../routes/routes.js";
import type { Spec } from "../schema/spec-version.js";
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
  | "workspace";

/** The surroundings of a pack; none for stdin. */
export interface FileContext {
  /** Whether a relative path exists beside the pack. */
  readonly fileExists?: ((relativePath: string) => boolean) | undefined;
  /** The text of a file in the folder of the pack or below; undefined if it is not there, too large or not to be read. */
  readonly readFileBeside?: ((relativePath: string) => string | undefined) | undefined;
}

export interface RuleContext extends FileContext {
  readonly isOn: (rule: string) => boolean;
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

interface CheckedRule<Subject extends string, Input extends readonly unknown[]> extends RuleBase {
  readonly subject: Subject;
  check(...input: Input): Iterable<Finding>;
}

/** Checks any file, whatever its kind. */
export type FileRule = CheckedRule<"file", [document: Document, isPack: boolean]>;
/** Checks the file as a document, before it is read as a pack. */
export type DocumentRule = CheckedRule<"document", [document: Document, file: string, spec: Spec]>;
export type PackRule = CheckedRule<"pack", [pack: Pack, context: RuleContext]>;
/** Checks the states of a workflow one by one. */
export type WorkflowRule = CheckedRule<
  "workflow",
  [workflow: Workflow, facts: Facts, pack: Pack, context: RuleContext]
>;
/** Checks what runs of the workflow can do; skipped while part of the workflow breaks the schema. */
export type GraphRule = CheckedRule<
  "graph",
  [workflow: Workflow, facts: Facts, pack: Pack, context: RuleContext]
>;
/** Checks one file of an RFC-103 configuration; `routes` holds the others too. */
export type RoutesRule = CheckedRule<"routes", [file: RoutesFile, routes: Routes]>;
/** Checks a log of RFC-103 events. */
export type AgenticRule = CheckedRule<"agentic", [log: AgenticLog]>;
/** Checks the state that the plugin of RFC-103 persists; `log` is what its runs did. */
export type AgenticStateRule = CheckedRule<
  "agentic-state",
  [state: PluginState, log: AgenticLog | undefined]
>;
/** Checks a recorded run of a workflow. */
export type RunRule = CheckedRule<"run", [replay: RunReplay]>;

/** Checks the linting itself: its findings are made where suppressions are applied. */
export interface SuppressionRule extends RuleBase {
  readonly subject: "linting";
}

export type Rule =
  | FileRule
  | DocumentRule
  | PackRule
  | WorkflowRule
  | GraphRule
  | RoutesRule
  | AgenticRule
  | AgenticStateRule
  | RunRule
  | SuppressionRule;

/** The rules about one subject. */
export type RuleFor<Subject extends Rule["subject"]> = Extract<Rule, { readonly subject: Subject }>;

/** The rules about one subject as the rows of a table: the key of a row is the rule's id. */
export type RuleRows<R extends Rule> = Readonly<Record<string, Omit<R, "id" | "subject">>>;

/** Runs several checks, one after the other. */
export function combineChecks<Subject>(
  ...checks: readonly ((subject: Subject) => Iterable<Finding>)[]
): (subject: Subject) => Iterable<Finding> {
  return function* (subject) {
    for (const check of checks) yield* check(subject);
  };
}
