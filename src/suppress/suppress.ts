import type { Diagnostic, Suppressed, Suppression } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { groupDiagnostics, ungroupDiagnostics } from "../lint/collect-diagnostics.js";
import type { Levels } from "../lint/run-rules.js";
import { rules } from "../rules/index.js";
import type { Need } from "../rules/rule.js";
import { appendTo, getOrCreate } from "../text/collections.js";

/** The comments of a file, the entries of a config, or a baseline. */
export interface Suppressor {
  readonly by: Suppressed["by"];
  /** Returns a function that says whether, and why, one of these findings is suppressed. */
  readonly match: (findings: readonly Diagnostic[]) => (finding: Diagnostic) => Match | undefined;
}

interface Match {
  readonly reason?: string | undefined;
}

export function suppress({ kept, suppressed }: Suppression, { by, match }: Suppressor): Suppression {
  const left: Diagnostic[] = [];
  const moved: Suppressed[] = [];
  const all = ungroupDiagnostics(kept);
  const matchOf = match(all);
  for (const diagnostic of all) {
    const found = matchOf(diagnostic);
    if (found === undefined) left.push(diagnostic);
    else moved.push({ diagnostic, by, ...(found.reason !== undefined && { reason: found.reason }) });
  }
  return { kept: groupDiagnostics(left), suppressed: [...suppressed, ...moved] };
}

/** Suppresses by rule and JSON Pointer; each entry covers everything below its pointer. */
export class PointerSuppressor<Entry extends Match> implements Suppressor {
  private readonly byRule = new Map<string, Map<string, Entry[]>>();
  /** By list, so that many findings under many comments process each list only once. */
  private readonly reasons = new Map<readonly Entry[], string | undefined>();
  private readonly used = new Map<Entry, Set<string>>();

  constructor(
    readonly by: Suppressed["by"],
    private readonly pointersOf = ({ pointer }: Diagnostic): readonly string[] => [pointer],
  ) {}

  add(rule: string, pointer: string, entry: Entry): void {
    const byPointer = getOrCreate(this.byRule, rule, () => new Map());
    appendTo(byPointer, pointer, entry);
  }

  readonly match = () => (finding: Diagnostic) => {
    const { rule } = finding;
    const lists = this.pointersOf(finding).flatMap((pointer) => this.covering(rule, pointer));
    if (lists.length === 0) return undefined;
    const reasons = lists.map((list) => this.markUsed(list, rule));
    return { reason: reasons.find((each) => each !== undefined) };
  };

  hasUsed(entry: Entry, rule: string): boolean {
    return this.used.get(entry)?.has(rule) === true;
  }

  private covering(rule: string, pointer: string): readonly (readonly Entry[])[] {
    const byPointer = this.byRule.get(rule);
    if (byPointer === undefined) return [];
    const covering: (readonly Entry[])[] = [];
    for (let end = pointer.length; end >= 0; end = end === 0 ? -1 : pointer.lastIndexOf("/", end - 1)) {
      const entries = byPointer.get(pointer.slice(0, end));
      if (entries !== undefined) covering.push(entries);
    }
    return covering;
  }

  private markUsed(list: readonly Entry[], rule: string): string | undefined {
    return getOrCreate(this.reasons, list, () => {
      for (const entry of list) getOrCreate(this.used, entry, () => new Set()).add(rule);
      return list.find(({ reason }) => reason !== undefined)?.reason;
    });
  }
}

/** The rules that could not report in a file, so that an unused suppression of them is not stale. */
export type SilentRules = "all" | readonly string[];

/** An error may keep any rule from reporting. `findings` include suppressed ones; rules needed what is `lacking`. */
export function silentRulesIn(
  { faults }: Document,
  findings: readonly Diagnostic[],
  levels: Levels,
  lacking: ReadonlySet<Need>,
): SilentRules {
  if (faults.length > 0 || findings.some(({ severity }) => severity === "error")) return "all";
  return rules.flatMap(({ id, needs }) =>
    levels.get(id) === "off" || (needs !== undefined && lacking.has(needs)) ? id : [],
  );
}

export function isSilent(silent: SilentRules, rule: string): boolean {
  return silent === "all" || silent.includes(rule);
}
