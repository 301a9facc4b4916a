import { shown } from "../document/refusal.js";
import { listNames } from "../wording.js";
import type { Directive, MisspeltDirective } from "./directives.js";

export const namesNothing = "This comment names no rule, so it silences nothing.";

export function describeWord({ word, meant }: MisspeltDirective): string {
  if (meant !== undefined) return `"${word}" silences nothing. Did you mean "${meant}"?`;
  return (
    `"${word}" does nothing: no comment switches a rule on again. ` +
    'To silence a rule for one part of the file only, put "promptpack-disable-next-line" above it.'
  );
}

export function describeName(name: string, meant: string): string {
  return `No rule is called "${name}". Did you mean "${meant}"?`;
}

export function describeStrays(strays: readonly string[]): string {
  return `${shown(strays.join(", "))} names no rule; put "--" before a reason.`;
}

export function describeStale({ scope }: Directive, stale: readonly string[], areAll: boolean): string {
  const where = scope === "file" ? "in this file" : "here";
  const part = stale.length === 1 ? "the name" : "these names";
  const advice = areAll ? "remove the comment" : `remove ${part} from the comment`;
  return `There is no finding of ${listNames(stale)} ${where} to silence: ${advice}.`;
}
