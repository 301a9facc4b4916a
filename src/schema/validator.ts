import type { Node, ScalarNode } from "../document/node.js";
import { accepts } from "./generated/accept-pack-v1.4.js";
import { explainer } from "./generated/explain-pack-v1.4.js";

/** What our sentences need of a JSON Schema; the validator hands over the part that was broken. */
export interface SchemaPart {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaPart>>;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly required?: readonly string[];
  readonly then?: { readonly required?: readonly string[] };
  readonly items?: SchemaPart;
  readonly additionalProperties?: boolean | SchemaPart;
  readonly oneOf?: readonly SchemaPart[];
}

/** The types of which a value may be. */
export function typesOf(schema: SchemaPart): readonly string[] {
  return typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
}

/** Whether a schema names a property. */
export function knows({ properties = {} }: SchemaPart, name: string): boolean {
  return Object.hasOwn(properties, name);
}

/** What an object must have, or must have unless it is of another kind. */
export function requiredIn({ required = [], then = {} }: SchemaPart): readonly string[] {
  return [...required, ...(then.required ?? [])];
}

/** One error as a generated validator gives it. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema: SchemaPart;
}

export interface Validator {
  (value: unknown, at?: { readonly instancePath: string }): boolean;
  readonly errors?: readonly SchemaError[] | null;
}

/** A definition that a `oneOf` offers, with a validator of its own. */
export interface Branch {
  readonly ref: string;
  readonly validate: Validator;
  readonly schema: SchemaPart;
}

/** Finds every error, and those of each definition that a `oneOf` offers. */
export interface Explainer {
  readonly validate: Validator;
  readonly schema: SchemaPart;
  readonly branches: readonly Branch[];
}

/**
 * Every published version is held against v1.4: what is newer than a pack's own version has its own rule. To explain
 * takes longer than to accept: only who is not accepted asks for it.
 */
export const packSchema = { accepts, explainer };

/** What JSON Schema calls the types of values. */
export const types: readonly string[] = ["string", "number", "integer", "boolean", "array", "object", "null"];

/** Whether a value is the name of a type. */
export function isType(node: Node): node is ScalarNode {
  return node.kind === "scalar" && typeof node.value === "string" && types.includes(node.value);
}
