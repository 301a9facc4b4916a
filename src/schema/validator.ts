import type { Node, ScalarNode } from "../document/node.js";
import { accepts } from "./generated/accept-pack.js";
import { explainer } from "./generated/explain-pack.js";

/** The parts of a JSON Schema that messages need. */
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
  readonly items?: SchemaPart;
  readonly additionalProperties?: boolean | SchemaPart;
  readonly oneOf?: readonly SchemaPart[];
}

export function typesOf(schema: SchemaPart): readonly string[] {
  return typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
}

export function knows({ properties = {} }: SchemaPart, name: string): boolean {
  return Object.hasOwn(properties, name);
}

/** A subschema with references resolved: one form, or the alternatives of a `oneOf`. */
export function alternativesOf(part: SchemaPart, whole: SchemaPart): readonly SchemaPart[] {
  if (part.$ref !== undefined) {
    const definition = whole.$defs?.[part.$ref.replace("#/$defs/", "")];
    return definition === undefined ? [] : alternativesOf(definition, whole);
  }
  return part.oneOf === undefined ? [part] : part.oneOf.flatMap((form) => alternativesOf(form, whole));
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

/** An alternative of a `oneOf`, with a validator of its own. */
export interface Branch {
  readonly ref: string;
  readonly validate: Validator;
  readonly schema: SchemaPart;
}

/** Finds all errors, also those of each alternative of a `oneOf`. */
export interface Explainer {
  readonly validate: Validator;
  readonly schema: SchemaPart;
  readonly branches: readonly Branch[];
}

/** Accepting is fast; the explainer is only created for packs with errors. Newer fields have a rule of their own. */
export const packSchema = { accepts, explainer };

/** The types of JSON Schema. */
export const types: readonly string[] = ["string", "number", "integer", "boolean", "array", "object", "null"];

export function isType(node: Node): node is ScalarNode {
  return node.kind === "scalar" && typeof node.value === "string" && types.includes(node.value);
}
