import type { OtherSchema } from "./check-schema.js";
import { explainer as explainEvent } from "./generated/explain-agentic-event.js";
import { explainer as explainState } from "./generated/explain-agentic-state.js";
import { explainer as explainRoutes } from "./generated/explain-routes.js";
import { explainer as explainRecord } from "./generated/explain-run-record.js";
import { explainer as explainContext } from "./generated/explain-workflow-context.js";
import type { Explainer } from "./validator.js";
import {
  contextWords,
  eventWords,
  recordWords,
  routesWords,
  stateWords,
  type Vocabulary,
} from "./describe-node.js";

export const routesSchema = (): OtherSchema => wholeSchema(explainRoutes(), routesWords);
export const contextSchema = (): OtherSchema => wholeSchema(explainContext(), contextWords);
export const agenticStateSchema = (): OtherSchema => wholeSchema(explainState(), stateWords);

function wholeSchema({ validate, schema }: Explainer, words: Vocabulary): OtherSchema {
  return { validate, schema, words };
}

/** The part of the event schema for one type of event. */
export function eventSchema(kind: string): OtherSchema | undefined {
  return branchNamed(explainEvent(), kind, eventWords);
}

export function recordKinds(): readonly string[] {
  return explainRecord().branches.map(({ ref }) => nameOf(ref));
}

/** The part of the record schema for one kind of line. */
export function recordSchema(kind: string): OtherSchema | undefined {
  return branchNamed(explainRecord(), kind, recordWords);
}

function branchNamed({ branches }: Explainer, name: string, words: Vocabulary): OtherSchema | undefined {
  const validate = branches.find(({ ref }) => nameOf(ref) === name)?.validate;
  return validate && { validate, words };
}

function nameOf(ref: string): string {
  return ref.replace("#/$defs/", "");
}
