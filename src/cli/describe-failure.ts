import { RuleFailure } from "../lint.js";
import { BrokenConfig } from "./config/load-config.js";
import { describeIoError, Unreadable } from "./read-file.js";

/** Why a file could not be linted, in one sentence or several. */
export function describeFailure(file: string, error: unknown): readonly string[] {
  if (error instanceof BrokenConfig) return error.lines;
  if (error instanceof Unreadable) return [`"${file}" ${describeIoError(error)}.`];
  const rule = error instanceof RuleFailure ? ` in the rule "${error.rule}"` : "";
  const cause: unknown = error instanceof RuleFailure ? error.cause : error;
  const detail = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/u, "");
  return [`"${file}" met an internal error${rule}: ${detail}. Please report it, with the file if you can.`];
}
