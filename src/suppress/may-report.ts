import type { Levels } from "../lint/run-rules.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import type { Need } from "../rules/rule.js";

/** Whether the silence of a rule means that there is nothing to report; if not, a suppression of it is not stale. */
export type MayReport = (ruleId: string) => boolean;

const needs = new Map(rules.map((rule) => [rule.id, rule.needs]));
const stopping = new Set(rules.filter(({ stopsLinting }) => stopsLinting !== undefined).map(({ id }) => id));

/**
 * In a file with an error every rule may be silent because of it. `findings` are all there are, suppressed ones included;
 * `lacking` is what rules could not ask about.
 */
export function mayReportIn(
  { faults }: Document,
  findings: readonly Diagnostic[],
  levels: Levels,
  lacking: ReadonlySet<Need>,
): MayReport {
  if (faults.length > 0 || findings.some(({ severity }) => severity === "error")) return () => false;
  return (id) => {
    const need = needs.get(id);
    return levels.get(id) !== "off" && (need === undefined || !lacking.has(need));
  };
}

/** Whether these findings explain why no other rule ran. */
export function stoppedLinting(findings: readonly Diagnostic[]): boolean {
  return findings.some(({ rule }) => stopping.has(rule));
}
