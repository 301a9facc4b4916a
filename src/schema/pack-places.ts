import type { Node } from "../document/node.js";
import { places as generated } from "./generated/pack-places.js";

/** What messages call the parts of documents. */
export type Noun =
  | "agent"
  | "artifact"
  | "budget"
  | "capture"
  | "configuration"
  | "context"
  | "eval"
  | "event"
  | "example"
  | "fragment"
  | "log"
  | "media type"
  | "middleware"
  | "model override"
  | "pack"
  | "parameter"
  | "part"
  | "pipeline"
  | "plugin"
  | "prompt"
  | "record"
  | "run"
  | "skill"
  | "state"
  | "step"
  | "template engine"
  | "tested model"
  | "the target of event"
  | "tool"
  | "transition"
  | "validator"
  | "variable"
  | "workflow";

/** A place in a pack, as the schema describes it. The list is generated from the schema file. */
export interface PackPlace {
  /** The keys that lead to it; `*` stands for any key or index. */
  readonly path: readonly string[];
  readonly noun?: Noun;
  /** How messages name one of several: by its key, or by one of these properties. */
  readonly named?: "key" | readonly string[];
  readonly since?: string;
  /** Properties that versions newer than this schema added. */
  /** What to do about properties that authors expect there. */
  readonly advice?: Readonly<Record<string, string>>;
  readonly later?: Readonly<Record<string, { readonly since: string; readonly type: string }>>;
  /** Holds settings that depend on the `type` of its owner. */
  readonly holdsSettings?: true;
  /** The properties it may have, and the kind of node each takes, if only one. */
  readonly properties: Readonly<Record<string, Node["kind"] | "">>;
  readonly required: readonly string[];
}

export const places: readonly PackPlace[] = generated;

/** What an object may have and what it must have. */
export interface Shape {
  readonly has: (property: string) => boolean;
  readonly required: readonly string[];
}

const shapes = new Map<Noun, Shape>();
for (const { noun, properties, required } of places) {
  if (noun !== undefined && !shapes.has(noun))
    shapes.set(noun, { has: (property) => Object.hasOwn(properties, property), required });
}

const unknownShape: Shape = { has: () => false, required: [] };

export function shapeOf(noun: Noun): Shape {
  return shapes.get(noun) ?? unknownShape;
}

/** The sections at the top level that hold named things, such as prompts or, in the workflow, states. */
export const sections: readonly (readonly [name: string, kind: Node["kind"]])[] = Object.entries(
  places[0]?.properties ?? {},
).flatMap(([name, kind]) =>
  kind !== "" && places.some(({ path, named }) => path[0] === name && named !== undefined)
    ? [[name, kind] as const]
    : [],
);
