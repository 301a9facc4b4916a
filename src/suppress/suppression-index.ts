import type { Diagnostic, Suppressed, Suppression } from "../diagnostic.js";
import { appendTo, getOrCreate } from "../text/collections.js";

/** Suppressions by rule and JSON Pointer; each covers everything below its pointer. */
export class SuppressionIndex<T extends { readonly reason?: string | undefined }> {
  private readonly byRule = new Map<string, Map<string, T[]>>();
  /** By list, so that many findings under many comments process each list only once. */
  private readonly reasons = new Map<readonly T[], string | undefined>();

  add(rule: string, pointer: string, value: T): void {
    const byPointer = getOrCreate(this.byRule, rule, () => new Map());
    appendTo(byPointer, pointer, value);
  }

  /** Removes the findings that are silenced, and calls `onUse` with each suppression that silences some. */
  apply(
    diagnostics: readonly Diagnostic[],
    by: Suppressed["by"],
    onUse: (value: T, rule: string) => void,
    pointersOf = ({ pointer }: Diagnostic): readonly string[] => [pointer],
  ): Suppression {
    const kept: Diagnostic[] = [];
    const suppressed: Suppressed[] = [];
    for (const diagnostic of diagnostics) {
      const { rule } = diagnostic;
      const lists = pointersOf(diagnostic).flatMap((pointer) => this.covering(rule, pointer));
      const reasons = lists.map((list) => this.markUsed(list, (value) => onUse(value, rule)));
      const reason = reasons.find((each) => each !== undefined);
      if (lists.length === 0) kept.push(diagnostic);
      else suppressed.push({ diagnostic, by, ...(reason !== undefined && { reason }) });
    }
    return { kept, suppressed };
  }

  private covering(rule: string, pointer: string): readonly (readonly T[])[] {
    const byPointer = this.byRule.get(rule);
    if (byPointer === undefined) return [];
    const covering: (readonly T[])[] = [];
    for (let end = pointer.length; end >= 0; end = end === 0 ? -1 : pointer.lastIndexOf("/", end - 1)) {
      const values = byPointer.get(pointer.slice(0, end));
      if (values !== undefined) covering.push(values);
    }
    return covering;
  }

  private markUsed(list: readonly T[], onUse: (value: T) => void): string | undefined {
    return getOrCreate(this.reasons, list, () => {
      list.forEach(onUse);
      return list.find((value) => value.reason !== undefined)?.reason;
    });
  }
}
