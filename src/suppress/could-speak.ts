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
  // Few files have anything that could be stale.
  let heard: Heard | undefined;
  return (id) => {
    const { spoke, isUnread, isUnclear } = (heard ??= hear(findings));
    if (levels.get(id) === "off" || faults.length > 0 || isUnread) return false;
    if (isUnclear && !lookups.has(id)) return false;
    return deferring.get(id)?.some((other) => spoke.has(other)) !== true;
  };
}

interface Heard {
  readonly spoke: ReadonlySet<string>;
  readonly isUnread: boolean;
  readonly isUnclear: boolean;
}

function hear(findings: readonly Diagnostic[]): Heard {
  const spoke = new Set(findings.map(({ rule }) => rule));
  const some = (rules: ReadonlySet<string>) => [...spoke].some((id) => rules.has(id));
  return { spoke, isUnread: some(documentHiders), isUnclear: some(hiders) };
}

const stoppers = new Set(
  rules.flatMap((rule) => (rule.subject === "document" && rule.stops !== undefined ? rule.id : [])),
);

/** Whether these say why nothing else is said about a file. */
export function areLast(findings: readonly Diagnostic[]): boolean {
  return findings.some(({ rule }) => stoppers.has(rule));
}
