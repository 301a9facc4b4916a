import type { Levels } from "../diagnose.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import type { Rule } from "../rules/rule.js";

const hiding = new Set(["newer-field", "spec-version", "template-engine"]);

/** An error, a name that leads nowhere, a version or syntax that is not meant: what follows from it is not reported. */
function mayHide({ id, severity }: Rule): boolean {
  return severity === "error" || /^(?:undeclared|unknown)-/u.test(id) || hiding.has(id);
}

const hiders = new Set(rules.filter(mayHide).map(({ id }) => id));

/** These keep parts of a file from being read at all. */
const documentHiders = new Set(
  rules.filter((rule) => rule.subject === "document" && mayHide(rule)).map(({ id }) => id),
);

/** Rules that look up a name wherever it can be read. */
const lookups = new Set([
  "unknown-agent-entry",
  "unknown-agent-member",
  "unknown-entry",
  "unknown-event-target",
  "unknown-max-visits-target",
  "unknown-prompt-task",
]);

/** Rules that leave it to others to speak of the same runs. */
const deferring = new Map([
  ["loop-without-budget", ["trapped-states", "unbounded-loop"]],
  ["never-completes", ["no-terminal-state", "trapped-states"]],
  ["trapped-states", ["no-terminal-state"]],
  ["unbounded-loop", ["trapped-states"]],
  ["unguarded-reentry", ["loop-held-by-budget-only", "trapped-states", "unbounded-loop"]],
]);

/**
 * Tells of a rule whether its silence means that there is nothing to say. If not, what silences it may be needed again
 * and is not stale. The findings are all there are, silenced ones as well.
 */
export function whoCouldSpeak(
  { faults }: Document,
  findings: readonly Diagnostic[],
  levels: Levels,
): (ruleId: string) => boolean {
  const spoke = new Set(findings.map(({ rule }) => rule));
  const isUnread = faults.length > 0 || [...spoke].some((id) => documentHiders.has(id));
  const isUnclear = [...spoke].some((id) => hiders.has(id));
  return (id) => {
    if (levels.get(id) === "off" || isUnread || (isUnclear && !lookups.has(id))) return false;
    return deferring.get(id)?.some((other) => spoke.has(other)) !== true;
  };
}

const stoppers = new Set(
  rules.flatMap((rule) => (rule.subject === "document" && rule.stops !== undefined ? rule.id : [])),
);

/** Whether these say why nothing else is said about a file. */
export function areLast(findings: readonly Diagnostic[]): boolean {
  return findings.some(({ rule }) => stoppers.has(rule));
}
