import type { Levels } from "../diagnose/diagnose.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { rules } from "../rules/index.js";
import type { Need } from "../rules/rule.js";

const stopping = rules.filter(({ stops }) => stops !== undefined).map(({ id }) => id);
const hidingOthers = [...stopping, ...rules.filter(({ hidesOthers }) => hidesOthers).map(({ id }) => id)];

const needs = new Map(rules.map((rule) => [rule.id, rule.needs]));
const heldBackBy = new Map(rules.map(({ id, heldBackBy = [] }) => [id, heldBackBy]));

/**
 * Tells of a rule whether its silence means that there is nothing to say. If not, what silences it may be needed again
 * and is not stale.
 */
export type CouldSpeak = (ruleId: string) => boolean;

/** The findings are all there are, silenced ones as well; what is lacking could not be asked about. */
export function whoCouldSpeak(
  { faults }: Document,
  findings: readonly Diagnostic[],
  levels: Levels,
  lacking: ReadonlySet<Need>,
): CouldSpeak {
  // Few files have anything that could be stale.
  let found: ReadonlySet<string> | undefined;
  return (id) => {
    if (levels.get(id) === "off" || faults.length > 0) return false;
    const need = needs.get(id);
    if (need !== undefined && lacking.has(need)) return false;
    const spoke = (found ??= new Set(findings.map(({ rule }) => rule)));
    return !hidingOthers.some((other) => spoke.has(other)) && !isHeldBack(id, spoke, new Set());
  };
}

/** Who holds it back may be held back as well. */
function isHeldBack(id: string, spoke: ReadonlySet<string>, asked: Set<string>): boolean {
  asked.add(id);
  return (heldBackBy.get(id) ?? []).some(
    (other) => spoke.has(other) || (!asked.has(other) && isHeldBack(other, spoke, asked)),
  );
}

/** Whether these say why nothing else is said about a file. */
export function areLast(findings: readonly Diagnostic[]): boolean {
  return findings.some(({ rule }) => stopping.includes(rule));
}
