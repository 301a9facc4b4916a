/** Values filed under a rule and a JSON Pointer, each meant for that place and everything below it. */
export class PointerIndex<T> {
  private readonly byRule = new Map<string, Map<string, T[]>>();

  add(rule: string, pointer: string, value: T): void {
    const byPointer = this.byRule.get(rule) ?? new Map<string, T[]>();
    this.byRule.set(rule, byPointer);
    const values = byPointer.get(pointer) ?? [];
    byPointer.set(pointer, values);
    values.push(value);
  }

  /** What is filed for a rule at the place itself, then at what it is part of, outwards. */
  covering(rule: string, pointer: string): readonly T[] {
    const byPointer = this.byRule.get(rule);
    if (byPointer === undefined) return [];
    const covering: T[] = [];
    for (let end = pointer.length; end >= 0; end = end === 0 ? -1 : pointer.lastIndexOf("/", end - 1)) {
      covering.push(...(byPointer.get(pointer.slice(0, end)) ?? []));
    }
    return covering;
  }
}
