import type { OtherSchema } from "./check-schema.js";
import { branches } from "./generated/validate-agentic-event.js";
import { validateAgenticState } from "./generated/validate-agentic-state.js";
import { validateRoutes } from "./generated/validate-routes.js";
import { branches as recordBranches } from "./generated/validate-run-record.js";
import { validateWorkflowContext } from "./generated/validate-workflow-context.js";
import { contextWords, eventWords, recordWords, routesWords, stateWords } from "./vocabulary.js";

export const routesSchema: OtherSchema = { validate: validateRoutes, words: routesWords };
export const contextSchema: OtherSchema = { validate: validateWorkflowContext, words: contextWords };
export const agenticStateSchema: OtherSchema = { validate: validateAgenticState, words: stateWords };

const byKind = new Map(branches.map(({ ref, validate }) => [ref.replace("#/$defs/", ""), validate]));

/** The part of the event schema for one kind of event: the type of the event has already told which is meant. */
export function eventSchema(kind: string): OtherSchema | undefined {
  const validate = byKind.get(kind);
  return validate === undefined ? undefined : { validate, words: eventWords };
}

const byRecord = new Map(recordBranches.map(({ ref, validate }) => [ref.replace("#/$defs/", ""), validate]));

export const recordKinds: readonly string[] = [...byRecord.keys()];

/** The part of the schema of recorded runs for one kind of line. */
export function recordSchema(kind: string): OtherSchema | undefined {
  const validate = byRecord.get(kind);
  return validate === undefined ? undefined : { validate, words: recordWords };
}
