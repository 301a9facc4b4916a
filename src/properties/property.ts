import type { Located, RelatedPlace, Severity } from "../diagnostic.js";
import type { Runtime } from "../runtimes/runtime.js";
import type { Workflow } from "../pack/workflow.js";
import { createGuesser, uniqueNearestName } from "../text/names.js";

/** A single moment of a run. */
export type Step =
  /** Enters the state; "*" is any state. */
  | { readonly kind: "state"; readonly state: Located }
  /** Sends the event, in any state or in this one. */
  | { readonly kind: "event"; readonly event: Located; readonly state: Located | undefined }
  /** Attempts the state while it is spent. */
  | { readonly kind: "spent"; readonly state: Located };

/** A list of steps means any of them. */
export type Steps = readonly Step[];

export type Pattern =
  | { readonly kind: "never"; readonly of: Steps }
  | { readonly kind: "never-before"; readonly of: Steps; readonly before: Steps; readonly since: Steps }
  | { readonly kind: "never-after"; readonly of: Steps; readonly after: Steps; readonly until: Steps }
  /** Without `after`, counted from the start. */
  | { readonly kind: "eventually"; readonly of: Steps; readonly after: Steps | undefined }
  | { readonly kind: "at-most"; readonly of: Steps; readonly times: number; readonly since: Steps }
  | { readonly kind: "ends-in"; readonly of: Steps }
  | { readonly kind: "always-possible"; readonly of: Steps; readonly until: Steps }
  | { readonly kind: "possible"; readonly of: Steps };

/** A promise about the runs of a workflow. Places are in the config. */
export interface Property {
  readonly name: Located;
  readonly pattern: Pattern;
  /** The roots to look at; all of them if empty. */
  readonly from: readonly Located[];
  readonly severity: Severity | undefined;
  /** Whose machine it is about; undefined for that of the RFCs. */
  readonly runtime: Runtime | undefined;
  /** Whether the config names its files; otherwise it does not concern packs with none of its names. */
  readonly hasFiles: boolean;
  readonly declaredAt: RelatedPlace;
}

export interface NameInProperty {
  readonly kind: "state" | "event" | "starting state";
  /** In the config. */
  readonly name: Located;
}

/** Which names of a property a workflow has. Both are given as pointers in the config. */
export interface NamesInPack {
  readonly property: string;
  readonly isConcerned: boolean;
  /** With the likely correct name. */
  readonly missing: readonly { readonly name: string; readonly nearest: string | undefined }[];
}

export function isJudged({ isConcerned, missing }: NamesInPack): boolean {
  return isConcerned && missing.length === 0;
}

export function findNames(properties: readonly Property[], workflow: Workflow): readonly NamesInPack[] {
  if (properties.length === 0) return [];
  const known = {
    state: new Set(workflow.stateNames()),
    "starting state": new Set(rootNames(workflow)),
    event: new Set(workflow.states.flatMap(({ transitions }) => transitions.map(({ event }) => event.text))),
  };
  const guess = createGuesser(undefined, uniqueNearestName);
  return properties.map((property) => {
    const names = namesOf(property);
    const missing = names.filter(({ kind, name }) => !known[kind].has(name.text));
    return {
      property: property.name.pointer,
      isConcerned: property.hasFiles || names.length === 0 || missing.length < names.length,
      missing: missing.map(({ kind, name }) => ({
        name: name.pointer,
        nearest: guess(name.text, known[kind]),
      })),
    };
  });
}

/** While a root is missing, any state may be one. */
function rootNames({ roots, hasUnknownRoot, states }: Workflow): readonly string[] {
  return (hasUnknownRoot ? states : roots).map(({ name }) => name.text);
}

export function namesOf({ pattern, from }: Property): readonly NameInProperty[] {
  const parts: readonly (string | number | Steps | undefined)[] = Object.values(pattern);
  const steps = parts.flatMap((part) => (typeof part === "object" ? part : []));
  return [...steps.flatMap(namesInStep), ...from.map((name) => ({ kind: "starting state" as const, name }))];
}

function namesInStep(step: Step): readonly NameInProperty[] {
  const isAny = step.kind === "state" && step.state.text === "*";
  return [
    ...(step.state === undefined || isAny ? [] : [{ kind: "state" as const, name: step.state }]),
    ...(step.kind === "event" ? [{ kind: "event" as const, name: step.event }] : []),
  ];
}
