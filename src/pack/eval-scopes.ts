import type { Eval } from "./eval.js";
import type { Pack } from "./pack.js";

/** Evals whose ids have to differ: a prompt's own may take the place of the pack's (RFC 0006). */
export interface EvalScope {
  /** Who has them, to begin a sentence. */
  readonly owner: string;
  readonly evals: readonly Eval[];
}

export function* evalScopes({ evals, prompts }: Pack): Iterable<EvalScope> {
  if (evals.length > 0) yield { owner: "The pack", evals };
  for (const prompt of prompts.values())
    if (prompt.evals.length > 0) yield { owner: `Prompt "${prompt.key.text}"`, evals: prompt.evals };
}
