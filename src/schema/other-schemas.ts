import { lazy } from "../text/collections.js";
import type { OtherSchema } from "./check-schema.js";
import { type Vocabulary, vocabulary } from "./describe-node.js";
import * as schemas from "./generated/schemas.js";
import { definitionOf, type SchemaPart, Validator } from "./validator.js";

const routesWords = vocabulary("configuration", {
  "/pipelines/*": { noun: "pipeline", named: ["name", "on"] },
  "/pipelines/*/steps/*": { noun: "step", named: ["id", "uses"] },
  "/plugins/*": { noun: "plugin", named: "key" },
});
const eventWords = vocabulary("log", {
  "/*": { noun: "event", named: ["type"] },
});
const stateWords = vocabulary("state", {
  "/runs/*": { noun: "run", named: "key" },
});
const protocolWords = vocabulary("request", {
  "/event": { noun: "event", named: ["type"] },
  "/config/decisions/*": { noun: "decision" },
  "/event/payload/decision": { noun: "decision" },
  "/event/payload/decision/*": { noun: "decision" },
});
const recordWords = vocabulary("record", {
  "/*": { noun: "record", named: ["record"] },
});
const contextWords = vocabulary("context", {
  "/history/*": { noun: "transition", named: ["event"] },
  "/artifact_history/*": { noun: "capture", named: ["event"] },
});

const sourceWords: Readonly<Record<string, Vocabulary>> = {
  Arena: vocabulary("head", {
    "/spec/prompt_configs/*": { noun: "prompt", named: ["id", "file"] },
    "/spec/tools/*": { noun: "tool", named: ["file"] },
    "/spec/scenarios/*": { noun: "scenario", named: ["file"] },
    "/spec": { noun: "spec" },
  }),
  PromptConfig: vocabulary("prompt", {
    "/spec": { noun: "prompt" },
    "/spec/variables/*": { noun: "variable", named: ["name"] },
    "/spec/fragments/*": { noun: "fragment", named: ["name"] },
  }),
  Tool: vocabulary("tool", { "/spec": { noun: "tool" } }),
  BareTool: vocabulary("tool", {}),
};

export const routesSchema = wholeSchema(schemas.routesSchema, routesWords);
export const contextSchema = wholeSchema(schemas.contextSchema, contextWords);
export const agenticStateSchema = wholeSchema(schemas.stateSchema, stateWords);

const events = lazy(() => new Validator(schemas.eventSchema()));
const sources = lazy(() => new Validator(schemas.sourcesSchema()));
const records = lazy(() => new Validator(schemas.recordSchema()));

export const eventSchema = (type: string): OtherSchema | undefined => partNamed(type, events(), eventWords);

/** The shape of a source, by its kind. */
export const sourceSchema = (kind: string): OtherSchema | undefined =>
  partNamed(kind, sources(), sourceWords[kind] ?? routesWords);

export const stepRequestSchema = (): OtherSchema | undefined =>
  partNamed("request", new Validator(schemas.protocolSchema()), protocolWords);

export const recordSchema = (kind: string): OtherSchema | undefined =>
  partNamed(kind, records(), recordWords);

export function recordKinds(): readonly string[] {
  return (records().schema.oneOf ?? []).map(nameOf);
}

function wholeSchema(read: () => SchemaPart, words: Vocabulary): () => OtherSchema {
  return lazy(() => ({ validator: new Validator(read()), words }));
}

function partNamed(name: string, validator: Validator, words: Vocabulary): OtherSchema | undefined {
  const { schema } = validator;
  const named = schema.oneOf?.find((part) => nameOf(part) === name);
  return named && { validator, part: definitionOf(named, schema), words };
}

function nameOf({ $ref = "" }: SchemaPart): string {
  return $ref.replace("#/$defs/", "");
}
