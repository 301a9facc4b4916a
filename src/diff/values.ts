import type { Place } from "../diagnostic.js";
import { itemsOf, Key, type MappingNode, type Node, placeOf, type ScalarValue } from "../document/node.js";
import { quoteValue } from "../schema/describe-node.js";
import { getOrCreate } from "../text/collections.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** All other lists are sets, except in data. */
const orderedLists = words("branches items middleware parts prefixItems stages steps");

/** Mappings whose keys are names that the author chose. */
const nameHolders = words(
  `$defs artifacts compositions definitions dependentSchemas fragments members model_overrides on_event
  patternProperties prompts properties states tools vocabularies`,
);

/** Everything below these is data: each list is in order, and no value is a default. */
const dataKeys = words("args config const default example examples extensions input params value when");

const defaults = words(
  `auto_populate=false control=user default_detail=auto enabled=true enforcement=advisory extraction_mode=text
  fail_on_violation=false max_rounds=5 max_tool_calls_per_turn=10 mode=replace orchestration=internal
  providers.required=true require_caption=false required=false sample_percentage=5 skills.preload=false terminal=false
  tool_choice=auto`,
);

/** Their keys are not those of other owners: `enabled` has no default there, and models read the description of a skill. */
const ownersOfKeys = words("media providers skills");

const nothing = -1;

export interface ValueDifference {
  readonly name: string;
  readonly side: "old" | "new";
  readonly at: Place;
  /** Follows the name of the value: `was 1 and is 2`. */
  readonly predicate: string;
}

/** Equal values have one number. Key order, `ignored` keys, empty values and written-out defaults do not count. */
export class Values {
  /** By the value of a scalar, or by the form of a list or a mapping. */
  private readonly numbers = new Map<ScalarValue, number>([null, "{}", "()"].map((form) => [form, nothing]));
  private readonly ids = new Map<Node, number>();

  constructor(
    roots: readonly MappingNode[],
    private readonly ignored: ReadonlySet<string>,
  ) {
    for (const root of roots) this.read(root, "", false);
  }

  /** Both are of the documents that were read, or absent. */
  isSame(one: Node | undefined, other: Node | undefined): boolean {
    return this.idOf(one) === this.idOf(other);
  }

  present(node: Node | undefined): Node | undefined {
    return this.idOf(node) === nothing ? undefined : node;
  }

  difference(name: string, before: Node | undefined, after: Node | undefined): ValueDifference | undefined {
    if (this.isSame(before, after)) return undefined;
    const [old, now] = [this.present(before), this.present(after)];
    const [was, is] = [shown(old), shown(now)];
    if (now === undefined)
      return { name, side: "old", at: keyOf(old), predicate: was ? `was ${was} and is gone` : "is gone" };
    if (old === undefined)
      return { name, side: "new", at: keyOf(now), predicate: is ? `is ${is} now` : "is new" };
    const [added, gone] = [this.lacking(now, old)[0], this.lacking(old, now)[0]];
    const [more, less] = [shown(added), shown(gone)];
    const items = [more ? `has ${more} now` : [], less ? `no longer has ${less}` : []].flat().join(" and ");
    const predicate = was && is ? `was ${was} and is ${is}` : items || "changed";
    return added === undefined && gone !== undefined
      ? { name, side: "old", at: placeOf(gone), predicate }
      : { name, side: "new", at: placeOf(added ?? now), predicate };
  }

  differences(names: readonly string[], before?: MappingNode, after?: MappingNode) {
    return names.flatMap((name) => this.difference(name, before?.get(name), after?.get(name)) ?? []);
  }

  lacking(list: Node, other: Node): readonly Node[] {
    const known = new Set(itemsOf(other).map((item) => this.idOf(item)));
    return other.kind === "sequence" ? itemsOf(list).filter((item) => !known.has(this.idOf(item))) : [];
  }

  idOf(node: Node | undefined): number {
    return (node && this.ids.get(node)) ?? nothing;
  }

  /** `owner` is the key of the value or of the list it is in; empty below a name that the author chose. */
  private read(node: Node, owner: string, isData: boolean): number {
    const id = this.number(this.formOf(node, owner, isData));
    this.ids.set(node, id);
    return id;
  }

  private number(form: ScalarValue): number {
    return getOrCreate(this.numbers, form, () => this.numbers.size);
  }

  private formOf(node: Node, owner: string, isData: boolean): ScalarValue {
    if (node.kind === "scalar") return typeof node.value === "string" ? `"${node.value}` : node.value;
    if (node.kind === "mapping") return this.mappingForm(node, owner, isData);
    const items = node.items.map((item) => this.readItem(item, owner, isData));
    if (isData || orderedLists.has(owner)) return `[${items.join()}]`;
    return `(${[...new Set(items)].sort((a, b) => a - b).join()})`;
  }

  private mappingForm(node: MappingNode, owner: string, isData: boolean): string {
    const hasNames = isData || nameHolders.has(owner);
    const parts = node.entries.flatMap(({ key: { text: key }, value }) => {
      const id = this.read(value, hasNames ? "" : key, isData || (!hasNames && dataKeys.has(key)));
      const name = ownersOfKeys.has(owner) ? `${owner}.${key}` : key;
      const isAbsent = id === nothing || this.ignored.has(name) || isDefault(name, value);
      if (hasNames || !isAbsent) return this.part(key, id);
      this.ids.set(value, nothing);
      return [];
    });
    return `${isData ? "data" : ""}{${parts.sort().join()}}`;
  }

  private part(key: string, id: number): string {
    return `${this.number(`"${key}`)}:${id}`;
  }

  /** `- ./skills` is short for `- path: ./skills`, and the key of a provider for one of a language model. */
  private readItem(item: Node, owner: string, isData: boolean): number {
    const id = this.read(item, owner, isData);
    if (item.kind !== "scalar" || (owner !== "skills" && owner !== "providers")) return id;
    const parts = [this.part("key", id), this.part("role", this.number('"llm'))].sort();
    return this.number(`{${owner === "skills" ? this.part("path", id) : parts.join()}}`);
  }
}

function isDefault(name: string, value: Node): boolean {
  return value.kind === "scalar" && defaults.has(`${name}=${String(value.value)}`);
}

export function keysOf(before?: MappingNode, after?: MappingNode): readonly string[] {
  const names = [after, before].flatMap((node) => node?.entries.map(({ key }) => key.text) ?? []);
  return [...new Set(names)];
}

function shown(node: Node | undefined): string | undefined {
  if (node?.kind !== "scalar") return undefined;
  return typeof node.value === "string" ? quoteValue(node.value) : String(node.value);
}

export function keyOf(node: Node | undefined): Place {
  if (node === undefined) return { pointer: "", start: 0, end: 0 };
  return node.key instanceof Key ? node.key : placeOf(node);
}
