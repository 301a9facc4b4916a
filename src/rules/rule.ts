import type { Finding, Severity } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Facts } from "../machine/facts.js";
import type { Pack } from "../pack/pack.js";
import type { Spec } from "../pack/spec.js";
import type { Workflow } from "../pack/workflow.js";

/** What is known of a rule before it is asked anything. The id names its file, its fixtures and its page. */
export interface RuleInfo {
  readonly id: string;
  /** What holds where the rule is silent, in one sentence. */
  readonly summary: string;
  readonly severity: Severity;
  /** The RFC and clause it comes from. */
  readonly source: string;
}

/** What a rule may ask of the world around the file; absent where there is none, as for stdin. */
export interface Surroundings {
  /** Whether a relative path exists beside the pack. */
  readonly fileExists?: (relativePath: string) => boolean;
}

/** Asks about the file as a document, before anything is known of packs. */
export interface DocumentRule extends RuleInfo {
  readonly subject: "document";
  /** When it speaks, nothing else can be said about the file. */
  readonly stops?: true;
  check(document: Document, spec: Spec): Iterable<Finding>;
}

/** Asks about the pack. */
export interface PackRule extends RuleInfo {
  readonly subject: "pack";
  check(pack: Pack, surroundings: Surroundings): Iterable<Finding>;
}

/** Asks about the workflow and what its runs can do. */
export interface WorkflowRule extends RuleInfo {
  readonly subject: "workflow";
  check(workflow: Workflow, facts: Facts, pack: Pack): Iterable<Finding>;
}

/** Speaks about the linting itself; its findings are made where suppressions are applied. */
export interface LintingRule extends RuleInfo {
  readonly subject: "linting";
}

export type Rule = DocumentRule | PackRule | WorkflowRule | LintingRule;
