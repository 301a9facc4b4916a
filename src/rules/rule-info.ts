import type { Severity } from "../diagnostic.js";

/** The metadata of a rule. The id names its fixtures and its page. */
export interface RuleInfo {
  readonly id: string;
  /** The requirement in one sentence. */
  readonly summary: string;
  readonly severity: Severity;
  /** Whether `--fix` can fix its findings, or only `--unsafe-fixes`; `proved` ones are found by trying edits. */
  readonly fix?: "safe" | "unsafe" | "proved";
  /** The version of the specification that it begins with: it is silent for packs held against an older one. */
  readonly since?: string;
  /** Where the rule comes from: a section of an RFC, the schema, the workflow guide, or this tool. */
  readonly source: string;
}

/** The kinds of sources, and whether each is part of the specification. */
const sourceKinds = {
  RFC: true,
  "PromptPack schema": true,
  "workflow guide": false,
  promptpack: false,
};

export type RuleSource = `${keyof typeof sourceKinds}${string}`;

export function isSpecification(source: string): boolean {
  return Object.entries(sourceKinds).some(([name, isSpec]) => isSpec && source.startsWith(name));
}
