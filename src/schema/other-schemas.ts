import type { OtherSchema } from "./check-schema.js";
import { branches } from "./generated/validate-agentic-event.js";
import { validateAgenticState } from "./generated/validate-agentic-state.js";
import { validateRoutes } from "./generated/validate-routes.js";
import { eventWords, routesWords, stateWords } from "./vocabulary.js";

export const routesSchema: OtherSchema = { validate: validateRoutes, words: routesWords };
export const agenticStateSchema: OtherSchema = { validate: validateAgenticState, words: stateWords };

const byKind = new Map(branches.map(({ ref, validate }) => [ref.replace("#/$defs/", ""), validate]));

/** The part of the event schema for one kind of event: the type of the event has already told which is meant. */
export function eventSchema(kind: string): OtherSchema | undefined {
  const validate = byKind.get(kind);
  return validate === undefined ? undefined : { validate, words: eventWords };
}
