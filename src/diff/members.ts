import type { Place } from "../diagnostic.js";
import { type ChangeRule, createChange } from "./catalogue.js";
import type { Change } from "./change.js";

/** A part of the pack whose members have names, such as its prompts. */
export interface Section<Member> {
  /** `prompt "a"`. */
  readonly title: (name: string) => string;
  /** Undefined if an addition is not a change. */
  readonly added: (member: Member) => ChangeRule | undefined;
  readonly removed: ChangeRule;
  readonly placeOf: (member: Member) => Place;
  readonly compare: (old: Member, member: Member, title: string) => Iterable<Change>;
}

/** The first of each name. */
export function byName<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): ReadonlyMap<string, Item> {
  return new Map(items.toReversed().map((item) => [nameOf(item), item]));
}

type Members<Member> = ReadonlyMap<string, Member>;

export function* compareMembers<Member>(
  before: Members<Member>,
  after: Members<Member>,
  { title, added, removed, placeOf, compare }: Section<Member>,
): Iterable<Change> {
  for (const [name, member] of after) {
    const old = before.get(name);
    const rule = added(member);
    if (old !== undefined) yield* compare(old, member, title(name));
    else if (rule !== undefined) yield createChange(rule, "new", placeOf(member), `${title(name)} is new`);
  }
  for (const [name, member] of before)
    if (!after.has(name)) yield createChange(removed, "old", placeOf(member), `${title(name)} is gone`);
}
