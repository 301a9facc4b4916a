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
