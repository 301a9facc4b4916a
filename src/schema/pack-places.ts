import type { Node } from "../document/node.js";
import { places as generated } from "./generated/pack-places.js";

/** A place in a pack, as the schema describes it. The list is generated from the schema file. */
export interface PackPlace {
  /** The keys that lead to it; `*` stands for any key or index. */
  readonly path: readonly string[];
  readonly noun?: string;
  /** How messages name one of several: by its key, or by one of these properties. */
  readonly named?: "key" | readonly string[];
  readonly since?: string;
  /** The version that added its values with a dot, which are a vendor's. */
  readonly dottedSince?: string;
  readonly advice?: Readonly<Record<string, string>>;
  /** The properties that only objects of some kinds have, by kind. */
  readonly kinds?: Readonly<Record<string, readonly string[]>>;
  /** The properties it may have, and the kind of node each takes, if only one. */
  readonly properties: Readonly<Record<string, Node["kind"] | "">>;
}

export const places: readonly PackPlace[] = generated;

export function isPropertyOf(noun: string, property: string): boolean {
  return Object.hasOwn(places.find((place) => place.noun === noun)?.properties ?? {}, property);
}

const stepPlace = places.find(({ noun, kinds }) => noun === "step" && kinds !== undefined);

/** The kinds of steps that have a field; undefined if every step has it, none if it is unknown. */
export function kindsWithField(field: string): readonly string[] | undefined {
  const { kinds = {}, properties = {} } = stepPlace ?? {};
  const found = Object.keys(kinds).filter((kind) => kinds[kind]?.includes(field));
  return found.length === 0 && Object.hasOwn(properties, field) ? undefined : found;
}

export function fieldsOfStep(kind: string): readonly string[] {
  return Object.keys(stepPlace?.properties ?? {}).filter(
    (field) => kindsWithField(field)?.includes(kind) !== false,
  );
}
