import type { Place } from "../diagnostic.js";
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
import type { Eval, Validator } from "./prompt.js";

/** Declarations about a pack and its agents (RFC 0013, RFC 0016). */
export interface Governance {
  /** That of the pack, then those of its agents. */
  readonly objects: readonly GovernanceObject[];
  /** The prefixes for terms outside of the objects. */
  readonly ofPack: Declarations;
  readonly validators: ControlTargets<Validator>;
  readonly evals: ControlTargets<Eval>;
}

export interface GovernanceObject {
  /** The subject of a sentence. */
  readonly owner: string;
  /** The values that may be terms of a vocabulary, those of obligations and reviews included. */
  readonly terms: readonly LocatedString[];
  readonly obligations: readonly Obligation[];
  readonly reviews: readonly Review[];
  /** In the effective object: a property of an agent replaces the pack's, but its vocabularies are added to them. */
  readonly effective: Declarations;
}

/** The names of one kind that are declared; all of them where that is unclear. */
interface Names {
  has(name: string): boolean;
  all(): Iterable<string>;
}

export type Declarations = Readonly<Record<"prefixes" | "fields" | "obligations", Names>>;

export interface Obligation {
  readonly at: Place;
  readonly id: LocatedString;
  readonly controls: readonly Control[];
}

/** A way to discharge an obligation; an `external` one names nothing. */
export interface Control {
  readonly kind: "field" | "validator" | "eval";
  readonly name: LocatedString;
}

export interface Review {
  readonly at: Place;
  readonly id: LocatedString;
  readonly eval: LocatedString | undefined;
  readonly satisfies: readonly LocatedString[];
}

/** The validators or evals of a pack and its prompts. */
export interface ControlTargets<Target> {
  readonly byId: ReadonlyMap<string, readonly Target[]>;
  /** False while one is unclear: any id may then exist. */
  readonly hasAll: boolean;
}

export function readGovernance({ root, prompts, evals }: PackParts, unclear: Unclear): Governance {
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
    all.every(({ node }) => node && isClearList(node, name, unclear));
  return {
    objects,
    ofPack,
    validators: targetsOf(
      all.flatMap(({ validators }) => validators),
      areClear("validators"),
    ),
    evals: targetsOf(
      [...evals, ...all.flatMap((prompt) => prompt.evals)],
      isClearList(root, "evals", unclear) && areClear("evals"),
    ),
  };
}

function isClearList(owner: MappingNode, name: string, unclear: Unclear): boolean {
  const list = owner.get(name);
  return list === undefined ? !unclear.hasProperty(owner, name) : !unclear.hasWithin(list);
}

function targetsOf<Target extends { readonly id: LocatedString | undefined }>(
  targets: readonly Target[],
  hasAll: boolean,
): ControlTargets<Target> {
  const byId = new Map<string, Target[]>();
  for (const target of targets) if (target.id !== undefined) appendTo(byId, target.id.text, target);
  return { byId, hasAll };
}

const noNames: Names = { has: () => false, all: () => [] };
const anyName: Names = { has: () => true, all: () => [] };
const nothing: Declarations = { prefixes: noNames, fields: noNames, obligations: noNames };
const anything: Declarations = { prefixes: anyName, fields: anyName, obligations: anyName };

/** Asks the object, and then what it inherits: copies for each of many agents would take quadratic time. */
function declarationsOf(node: MappingNode, unclear: Unclear, inherited: Declarations): Declarations {
  const vocabularies = asMapping(node.get("vocabularies"));
  const obligations = node.get("obligations");
  const ids = lazy(() => new Set(itemsOf(obligations).flatMap((item) => idOf(item)?.text ?? [])));
  return {
    prefixes: {
      has: (name) =>
        unclear.hasProperty(node, "vocabularies") ||
        vocabularies?.get(name) !== undefined ||
        inherited.prefixes.has(name),
      *all() {
        for (const { key } of vocabularies?.entries ?? []) yield key.text;
        yield* inherited.prefixes.all();
      },
    },
    fields: {
      has: (name) =>
        node.get(name) !== undefined || unclear.hasProperty(node, name) || inherited.fields.has(name),
      *all() {
        for (const { key } of node.entries) yield key.text;
        yield* inherited.fields.all();
      },
    },
    obligations:
      obligations === undefined
        ? unclear.hasProperty(node, "obligations")
          ? anyName
          : inherited.obligations
        : { has: (name) => ids().has(name) || unclear.hasWithin(obligations), all: () => ids() },
  };
}

const termFields = ["operator_role", "risk_classification", "intended_deployment_contexts", "capabilities"];
const triggerFields = ["capability", "data_class", "risk_classification"];
const controlKinds = ["field", "validator", "eval"] as const;

function readObject(
  owner: string,
  node: MappingNode,
  effective: Declarations,
  unclear: Unclear,
): GovernanceObject {
  const obligations = namedItems(node.get("obligations"), unclear);
  const reviews = namedItems(node.get("reviews"), unclear);
  return {
    owner,
    terms: [
      ...termFields.flatMap((name) => stringsOf(node.get(name))),
      ...obligations.flatMap(({ item }) => {
        const triggers = asMapping(item.get("applies_to"));
        return [item.get("obligation"), ...triggerFields.map((name) => triggers?.get(name))].flatMap(
          stringsOf,
        );
      }),
      ...reviews.flatMap(({ item }) => stringsOf(item.get("type"))),
    ],
    obligations: obligations.map(({ item, id }) => ({
      at: placeOf(item),
      id,
      controls: itemsOf(item.get("controls")).flatMap(readControl),
    })),
    reviews: reviews.map(({ item, id }) => ({
      at: placeOf(item),
      id,
      eval: LocatedString.of(item.get("eval")),
      satisfies: locatedStringsOf(item.get("satisfies")),
    })),
    effective,
  };
}

function namedItems(
  list: Node | undefined,
  unclear: Unclear,
): readonly { readonly item: MappingNode; readonly id: LocatedString }[] {
  return itemsOf(list).flatMap((item) => {
    const id = idOf(item);
    return item.kind !== "mapping" || id === undefined || unclear.has(item) ? [] : [{ item, id }];
  });
}

function readControl(node: Node): readonly Control[] {
  return controlKinds.flatMap((kind) => {
    const name = LocatedString.of(asMapping(node)?.get(kind));
    return name === undefined ? [] : [{ kind, name }];
  });
}

function idOf(item: Node): LocatedString | undefined {
  return LocatedString.of(asMapping(item)?.get("id"));
}

/** A string, or the strings of a list. */
function stringsOf(node: Node | undefined): readonly LocatedString[] {
  const text = LocatedString.of(node);
  return text === undefined ? locatedStringsOf(node) : [text];
}
