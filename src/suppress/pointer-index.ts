import { addTo } from "../words/add-to.js";

/**
 * Notes what is found to cover something. A thousand findings under a thousand comments share their lists: each is
 * gone through once.
 */
export class Coverage<T extends { readonly reason?: string | undefined }> {
  private readonly reasons = new Map<readonly T[], string | undefined>();

  /** The first reason that is given; `note` is told of each value when it is first used. */
  use(lists: readonly (readonly T[])[], note: (value: T) => void): string | undefined {
    let reason: string | undefined;
    for (const list of lists) {
      if (!this.reasons.has(list)) this.open(list, note);
      reason ??= this.reasons.get(list);
    }
    return reason;
  }

  private open(list: readonly T[], note: (value: T) => void): void {
    for (const value of list) note(value);
    this.reasons.set(list, list.find((value) => value.reason !== undefined)?.reason);
  }
}

/** Values filed under a rule and a JSON Pointer, each meant for that place and everything below it. */
export class PointerIndex<T> {
  private readonly byRule = new Map<string, Map<string, T[]>>();

  add(rule: string, pointer: string, value: T): void {
    const byPointer = this.byRule.get(rule) ?? new Map<string, T[]>();
    this.byRule.set(rule, byPointer);
    addTo(byPointer, pointer, value);
  }

  /** What is filed for a rule at the place itself, then at what it is part of, outwards: one list for each place. */
  covering(rule: string, pointer: string): readonly (readonly T[])[] {
    const byPointer = this.byRule.get(rule);
    if (byPointer === undefined) return [];
    const covering: (readonly T[])[] = [];
    for (let end = pointer.length; end >= 0; end = end === 0 ? -1 : pointer.lastIndexOf("/", end - 1)) {
      const values = byPointer.get(pointer.slice(0, end));
      if (values !== undefined) covering.push(values);
    }
    return covering;
  }
}
