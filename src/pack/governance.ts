import {
  asMapping,
  itemsOf,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  placeOf,
} from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";
import { appendTo, lazy } from "../text/collections.js";
import type { PackParts } from "./pack-parts.js";

/** Declarations about a pack and its agents (RFC 0013, RFC 0016). */
export type Governance = Readonly<ReturnType<typeof readGovernance>>;

export function readGovernance({ root, prompts, evals }: PackParts, unclear: Unclear) {
  const metadata = asMapping(root.get("metadata"));
  const node = asMapping(metadata?.get("governance"));
  const isPackUnclear =
    unclear.has(node) ||
    unclear.hasProperty(metadata ?? root, metadata === undefined ? "metadata" : "governance");
  const ofPack = isPackUnclear
    ? anything
    : node === undefined
      ? nothing
      : declarationsOf(node, unclear, nothing);
  const objects: GovernanceObject[] = [];
  if (node !== undefined && !isPackUnclear)
    objects.push(readObject("The governance of the pack", node, ofPack, unclear));
  for (const { key, value } of asMapping(asMapping(root.get("agents"))?.get("members"))?.entries ?? []) {
    const own = asMapping(asMapping(value)?.get("governance"));
    if (own === undefined || unclear.has(own)) continue;
    const effective = declarationsOf(own, unclear, ofPack);
    objects.push(readObject(`The governance of agent "${key.text}"`, own, effective, unclear));
  }
  const all = [...prompts.values()];
  const areClear = (name: string): boolean =>
    !unclear.hasProperty(root, "prompts") &&
    all.every(({ node }) => node !== undefined && unclear.isClearList(node, name, "id"));
  return {
    /** That of the pack, then those of its agents. */
    objects,
    /** The prefixes for terms outside of the objects. */
    ofPack,
    /** The validators and evals of a pack and its prompts. `hasAll` is false while one is unclear: any id may then exist. */
    validators: { byId: byId(all.flatMap(({ validators }) => validators)), hasAll: areClear("validators") },
    evals: {
      byId: byId([...evals, ...all.flatMap((prompt) => prompt.evals)]),
      hasAll: unclear.isClearList(root, "evals", "id") && areClear("evals"),
    },
  };
}

function byId<Target extends { readonly id: LocatedString | undefined }>(targets: readonly Target[]) {
  const found = new Map<string, Target[]>();
  for (const target of targets) if (target.id !== undefined) appendTo(found, target.id.text, target);
  return found;
}

/** The names of one kind that are declared; all of them where that is unclear. */
interface Names {
  has(name: string): boolean;
  all(): Iterable<string>;
}

export type Declarations = Readonly<Record<"prefixes" | "fields" | "obligations", Names>>;

const noNames: Names = { has: () => false, all: () => [] };
const anyName: Names = { has: () => true, all: () => [] };
const nothing: Declarations = { prefixes: noNames, fields: noNames, obligations: noNames };
const anything: Declarations = { prefixes: anyName, fields: anyName, obligations: anyName };

function declarationsOf(node: MappingNode, unclear: Unclear, inherited: Declarations): Declarations {
  const isUnclear = (name: string): boolean => unclear.hasProperty(node, name);
  const vocabularies = asMapping(node.get("vocabularies"));
  const list = node.get("obligations");
  const ids = lazy(() => new Set(itemsOf(list).flatMap((item) => idOf(item)?.text ?? [])));
  const ownObligations: Names = {
    has: (id) => ids().has(id) || !unclear.isClearList(node, "obligations", "id"),
    all: ids,
  };
  return {
    prefixes: addKeys(vocabularies, () => isUnclear("vocabularies"), inherited.prefixes),
    fields: addKeys(node, isUnclear, inherited.fields),
    obligations:
      list !== undefined ? ownObligations : isUnclear("obligations") ? anyName : inherited.obligations,
  };
}

/** Asks the object, and then what it inherits: copies for each of many agents would take quadratic time. */
function addKeys(
  own: MappingNode | undefined,
  isUnclear: (name: string) => boolean,
  inherited: Names,
): Names {
  return {
    has: (name) => own?.get(name) !== undefined || isUnclear(name) || inherited.has(name),
    *all() {
      for (const { key } of own?.entries ?? []) yield key.text;
      yield* inherited.all();
    },
  };
}

const termFields = ["operator_role", "risk_classification", "intended_deployment_contexts", "capabilities"];
const triggerFields = ["capability", "data_class", "risk_classification"];
const controlKinds = ["field", "validator", "eval"] as const;

export type GovernanceObject = Readonly<ReturnType<typeof readObject>>;

function readObject(owner: string, node: MappingNode, effective: Declarations, unclear: Unclear) {
  const obligations = namedItems(unclear.get(node, "obligations"), unclear);
  const reviews = namedItems(unclear.get(node, "reviews"), unclear);
  return {
    /** The subject of a sentence. */
    owner,
    /** The values that may be terms of a vocabulary, those of obligations and reviews included. */
    terms: [
      ...termFields.map((name) => unclear.get(node, name)),
      ...obligations.flatMap(({ item }) => {
        const triggers = asMapping(item.get("applies_to"));
        return [unclear.get(item, "obligation"), ...triggerFields.map((name) => unclear.get(triggers, name))];
      }),
      ...reviews.map(({ item }) => unclear.get(item, "type")),
    ].flatMap(stringsOf),
    obligations: obligations.map(({ item, id }) => ({
      at: placeOf(item),
      id,
      controls: itemsOf(unclear.get(item, "controls")).flatMap((control) => readControl(control, unclear)),
    })),
    reviews: reviews.map(({ item, id }) => ({
      at: placeOf(item),
      id,
      eval: LocatedString.of(unclear.get(item, "eval")),
      satisfies: locatedStringsOf(unclear.get(item, "satisfies")),
    })),
    /** In the effective object: a property of an agent replaces the pack's, but its vocabularies are added to them. */
    effective,
  };
}

function namedItems(list: Node | undefined, unclear: Unclear) {
  return itemsOf(list).flatMap((item) => {
    const id = unclear.has(item) ? undefined : LocatedString.of(unclear.get(asMapping(item), "id"));
    return item.kind !== "mapping" || id === undefined ? [] : [{ item, id }];
  });
}

/** A way to discharge an obligation; an `external` one names nothing. */
export type Control = ReturnType<typeof readControl>[number];

function readControl(node: Node, unclear: Unclear) {
  return controlKinds.flatMap((kind) => {
    const name = LocatedString.of(unclear.get(asMapping(node), kind));
    return name === undefined ? [] : [{ kind, name }];
  });
}

function idOf(item: Node): LocatedString | undefined {
  return LocatedString.of(asMapping(item)?.get("id"));
}

function stringsOf(node: Node | undefined): readonly LocatedString[] {
  const text = LocatedString.of(node);
  return text === undefined ? locatedStringsOf(node) : [text];
}
