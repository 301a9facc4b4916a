import type { Severity } from "../diagnostic.js";

/** What is known of a rule before it is asked anything. The id names its file, its fixtures and its page. */
export interface RuleInfo {
  readonly id: string;
  /** What holds where the rule is silent, in one sentence. */
  readonly summary: string;
  readonly severity: Severity;
  /** Where findings of it can be fixed: whether `--fix` does, or only with `--unsafe-fixes`. */
  readonly fix?: "safe" | "unsafe";
  /** Who asks for it, and where: an RFC, the schema, the workflow guide, or we. */
  readonly source: string;
}

/** Who may ask for a rule, and whether that is the specification itself. The guide gives advice, and so do we. */
const sourceAuthorities = {
  RFC: true,
  "PromptPack schema": true,
  "workflow guide": false,
  promptpack: false,
};

/** Who asks for a rule, and where. */
export type RuleSource = `${keyof typeof sourceAuthorities}${string}`;

export function isSpecification(source: string): boolean {
  return Object.entries(sourceAuthorities).some(([name, isSpec]) => isSpec && source.startsWith(name));
}
