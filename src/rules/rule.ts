import type { AgenticLog } from "../agentic/agentic-log.js";
import type { PluginState } from "../agentic/plugin-state.js";
import type { Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Facts } from "../machine/facts.js";
import type { Pack } from "../pack/pack.js";
import type { Workflow } from "../pack/workflow.js";
import type { RunReplay } from "../replay/run-replay.js";
import type { Routes, RoutesFile } from "../routes/routes.js";
import type { RuleInfo, RuleSource } from "./rule-info.js";

/** What a rule may ask about that is not in its file. */
export type Need =
  | "files beside"
  | "allowed plugins"
  | "every pipeline"
  | "other routes"
  | "routes of the record"
  | "max steps"
  | "workspace";

/** What a rule tells of itself to the pipeline. */
interface RuleBase extends RuleInfo {
  readonly source: RuleSource;
  /** Cannot be checked without this: where it is not at hand, suppressions of the rule are not stale. */
  readonly needs?: Need;
  /** Whether no other rule can check this file. */
  readonly stopsLinting?: (document: Document) => boolean;
}

/** What a rule may ask of the world around the file; absent where there is none, as for stdin. */
export interface FileContext {
  /** Whether a relative path exists beside the pack. */
  readonly fileExists?: ((relativePath: string) => boolean) | undefined;
}

/** Asks about any file, of whatever kind. */
export interface FileRule extends RuleBase {
  readonly subject: "file";
  check(document: Document, isPack: boolean): Iterable<Finding>;
}

/** Asks about the file as a document, before anything is known of packs. */
export interface DocumentRule extends RuleBase {
  readonly subject: "document";
  check(document: Document): Iterable<Finding>;
}

/** Asks about the pack. */
export interface PackRule extends RuleBase {
  readonly subject: "pack";
  check(pack: Pack, surroundings: FileContext): Iterable<Finding>;
}

/** Checks the states of a workflow one by one. */
export interface WorkflowRule extends RuleBase {
  readonly subject: "workflow";
  check(workflow: Workflow, facts: Facts, pack: Pack): Iterable<Finding>;
}

/** Checks what runs of the workflow can do; skipped while part of the workflow breaks the schema. */
export interface GraphRule extends RuleBase {
  readonly subject: "graph";
  check(workflow: Workflow, facts: Facts, pack: Pack): Iterable<Finding>;
}

/** Asks about one file of an RFC-103 configuration, knowing the others. */
export interface RoutesRule extends RuleBase {
  readonly subject: "routes";
  check(file: RoutesFile, routes: Routes): Iterable<Finding>;
}

/** Asks about a log of RFC-103 events. */
export interface AgenticRule extends RuleBase {
  readonly subject: "agentic";
  check(log: AgenticLog): Iterable<Finding>;
}

/** Asks about the state that the plugin of RFC-103 persists. */
export interface AgenticStateRule extends RuleBase {
  readonly subject: "agentic-state";
  check(state: PluginState): Iterable<Finding>;
}

/** Asks about a recorded run of a workflow. */
export interface RunRule extends RuleBase {
  readonly subject: "run";
  check(replay: RunReplay): Iterable<Finding>;
}

/** Speaks about the linting itself; its findings are made where suppressions are applied. */
export interface SuppressionRule extends RuleBase {
  readonly subject: "linting";
}

/** The rules that ask about this. */
export type RuleFor<Subject extends Rule["subject"]> = Extract<Rule, { readonly subject: Subject }>;

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
