import type { LintResult } from "../../src/index.js";

/** What is wrong with a result of `lint`, apart from what it says. */
export function faultOfResult(result: Pick<LintResult, "diagnostics">, bytes: Uint8Array): string | undefined;

/** What is wrong with how the program ended, whatever it was asked. */
export function faultOfOutput(
  ran: { readonly code: number; readonly stdout: string; readonly stderr: string },
  args?: readonly string[],
): string | undefined;
