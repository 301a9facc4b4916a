import { branches, validatePackV14 } from "./generated/validate-pack-v1.4.js";

/** What our sentences need of a JSON Schema; the validator hands over the part that was broken. */
export interface SchemaPart {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
  readonly oneOf?: readonly SchemaPart[];
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

export interface PackSchema {
  readonly validate: Validator;
  branch(ref: string): Branch | undefined;
}

const branchesByRef = new Map(branches.map((branch) => [branch.ref, branch]));
const v14: PackSchema = { validate: validatePackV14, branch: (ref) => branchesByRef.get(ref) };

/** By `major.minor`. A version that is not here is held against v1.4. */
const packSchemas: ReadonlyMap<string, PackSchema> = new Map([["1.4", v14]]);

export function packSchemaFor(specVersion: string): PackSchema {
  return packSchemas.get(specVersion.split(".", 2).join(".")) ?? v14;
}
