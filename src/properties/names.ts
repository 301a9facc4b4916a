import type { Located } from "../diagnostic.js";
import type { Workflow } from "../pack/workflow.js";
import { createGuesser, uniqueNearestName } from "../text/names.js";
import type { Property, Step, Steps } from "./property.js";

export interface NameInProperty {
  readonly kind: "state" | "event" | "starting state";
  /** In the config. */
  readonly name: Located;
}

interface MissingName extends NameInProperty {
  /** The likely correct name. */
  readonly nearest: string | undefined;
}

/** Which names of a property a workflow has. */
export interface NamesInPack {
  readonly property: Property;
  readonly isConcerned: boolean;
  readonly missing: readonly MissingName[];
}

/** Whether the property is about this workflow and can be judged. */
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
      property,
      isConcerned: property.hasFiles || names.length === 0 || missing.length < names.length,
      missing: missing.map(({ kind, name }) => ({ kind, name, nearest: guess(name.text, known[kind]) })),
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
  const states = step.state === undefined || isAny ? [] : [step.state];
  const events = step.kind === "event" ? [step.event] : [];
  return [
    ...states.map((name) => ({ kind: "state" as const, name })),
    ...events.map((name) => ({ kind: "event" as const, name })),
  ];
}
