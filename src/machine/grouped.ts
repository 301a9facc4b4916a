import { at } from "../graph/digraph.js";

/** Groups in the order of their first member; members keep their order. */
export function grouped(
  members: readonly number[],
  groupOf: readonly number[],
): readonly (readonly number[])[] {
  const groups = new Map<number, number[]>();
  for (const member of members) {
    const group = groups.get(at(groupOf, member));
    if (group === undefined) groups.set(at(groupOf, member), [member]);
    else group.push(member);
  }
  return [...groups.values()];
}
