import type { Diagnostic, Suppressed, Suppression } from "../diagnostic.js";
import { appendTo, getOrCreate } from "../text/collections.js";

/** What silences rules, each at a JSON Pointer and everything below it. */
export class SuppressionIndex<T extends { readonly reason?: string | undefined }> {
  private readonly byRule = new Map<string, Map<string, T[]>>();
  /** A thousand findings under a thousand comments share their lists: each is gone through once. */
  private readonly reasons = new Map<readonly T[], string | undefined>();

  add(rule: string, pointer: string, value: T): void {
    const byPointer = getOrCreate(this.byRule, rule, () => new Map());
    appendTo(byPointer, pointer, value);
  }

  /** Takes out what is silenced; `note` is told of each value that silences something. */
  apply(
    diagnostics: readonly Diagnostic[],
    by: Suppressed["by"],
    note: (value: T, rule: string) => void,
    pointersOf = ({ pointer }: Diagnostic): readonly string[] => [pointer],
  ): Suppression {
    const kept: Diagnostic[] = [];
    const suppressed: Suppressed[] = [];
    for (const diagnostic of diagnostics) {
      const { rule } = diagnostic;
      const lists = pointersOf(diagnostic).flatMap((pointer) => this.covering(rule, pointer));
      const reasons = lists.map((list) => this.markUsed(list, (value) => note(value, rule)));
      const reason = reasons.find((each) => each !== undefined);
      if (lists.length === 0) kept.push(diagnostic);
      else suppressed.push({ diagnostic, by, ...(reason !== undefined && { reason }) });
    }
    return { kept, suppressed };
  }

  /** What is filed for a rule at the place itself, then at what it is part of, outwards: one list for each place. */
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

  /** The first reason that a list gives. */
  private markUsed(list: readonly T[], note: (value: T) => void): string | undefined {
    return getOrCreate(this.reasons, list, () => {
      list.forEach(note);
      return list.find((value) => value.reason !== undefined)?.reason;
    });
  }
}
