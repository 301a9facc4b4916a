import { fullFormats } from "ajv-formats/dist/formats.js";
import { asMapping, type Node, numberOf, type ScalarNode, stringOf } from "../document/node.js";
import { codePoints } from "../document/scan-text.js";
import { getOrCreate } from "../text/collections.js";
import { newestSpecVersion, type SpecVersion } from "../text/tool-info.js";
import { isLater, keywordsAt } from "./schema-at-version.js";

/** A JSON Schema, or a part of one, with the keywords that the schemas of this package use. */
export interface SchemaPart {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaPart>>;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: SchemaPart;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly additionalProperties?: boolean | SchemaPart;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly oneOf?: readonly SchemaPart[];
  readonly allOf?: readonly SchemaPart[];
  readonly if?: SchemaPart;
  readonly then?: SchemaPart;
  readonly else?: SchemaPart;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly "x-deprecated"?: string;
  /** The kind of thing that its value names, or its keys; and its usual values, where others are allowed. */
  readonly "x-names"?: string;
  readonly "x-keys"?: string;
  readonly "x-values"?: readonly string[];
  readonly "x-since"?: string;
  /** Whether older versions allowed anything there. */
  readonly "x-open"?: boolean;
  readonly "x-dotted-since"?: string;
}

export function typesOf(schema: SchemaPart): readonly string[] {
  return typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
}

export function knows({ properties = {} }: SchemaPart, name: string): boolean {
  return Object.hasOwn(properties, name);
}

/** The properties that a schema requires; for one with `then` and `else`, those that `else` requires. */
export function requiredIn({ required, then, else: otherwise }: SchemaPart): readonly string[] | undefined {
  return required ?? (then?.required && otherwise?.required);
}

/** A subschema with references resolved: one form, or the alternatives of a `oneOf`. */
export function alternativesOf(part: SchemaPart, whole: SchemaPart): readonly SchemaPart[] {
  const form = definitionOf(part, whole);
  return form?.oneOf?.flatMap((each) => alternativesOf(each, whole)) ?? (form === undefined ? [] : [form]);
}

export function definitionOf(part: SchemaPart, whole: SchemaPart): SchemaPart | undefined {
  return part.$ref === undefined ? part : whole.$defs?.[part.$ref.replace("#/$defs/", "")];
}

export interface SchemaError {
  readonly node: Node;
  readonly keyword: string;
  /** The part of the newest schema with the keyword. */
  readonly part: SchemaPart;
  readonly property?: string | undefined;
}

export type SchemaErrors = readonly SchemaError[];

type Check = (node: Node, errors: SchemaError[]) => void;
type Fail = (errors: SchemaError[], node: Node, property?: string) => void;
type Keyword = (typeof keywords)[number];

/** Finds every error. Of a `oneOf` that no form or several forms match, only that. */
export class Validator {
  private readonly compiled = new Map<SchemaPart, Check>();

  constructor(
    readonly schema: SchemaPart,
    private readonly version: SpecVersion = newestSpecVersion,
  ) {}

  errorsIn(node: Node, part = this.schema): SchemaErrors {
    const errors: SchemaError[] = [];
    this.checkOf(part)(node, errors);
    return errors;
  }

  private accepts(part: SchemaPart, node: Node): boolean {
    return this.errorsIn(node, part).length === 0;
  }

  formsOf(node: Node, forms: readonly SchemaPart[]): readonly SchemaPart[] {
    return forms.filter((form) => this.accepts(form, node));
  }

  /** Compiled when the first value is checked: no pack has all that the schema has. */
  private checkOf(part: SchemaPart): Check {
    return getOrCreate(this.compiled, part, () => {
      let check: Check | undefined;
      return (node, errors) => (check ??= this.compile(part))(node, errors);
    });
  }

  private compile(written: SchemaPart): Check {
    // Values that came later are reported by a rule of their own.
    const part = written["x-dotted-since"] === undefined ? keywordsAt(written, this.version) : written;
    const checks = keywords.flatMap((keyword) => {
      const fail: Fail = (errors, node, property) => errors.push({ node, keyword, part: written, property });
      return part[keyword] === undefined ? [] : this.keywordCheck(keyword, part, fail);
    });
    return inTurn(checks);
  }

  private keywordCheck(keyword: Keyword, part: SchemaPart, fail: Fail): Check {
    switch (keyword) {
      case "$ref":
        return this.checkOf(definitionOf(part, this.schema) ?? {});
      case "oneOf":
        return (node, errors) => {
          if (this.formsOf(node, part.oneOf ?? []).length !== 1) fail(errors, node);
        };
      case "allOf":
        return inTurn((part.allOf ?? []).map((each) => this.compile(each)));
      case "if": {
        const { if: condition = {}, then = {}, else: otherwise = {} } = part;
        const [met, unmet] = [this.checkOf(then), this.checkOf(otherwise)];
        return (node, errors) => (this.accepts(condition, node) ? met : unmet)(node, errors);
      }
      case "items": {
        const each = this.checkOf(part.items ?? {});
        return (node, errors) => {
          if (node.kind === "sequence") for (const item of node.items) each(item, errors);
        };
      }
      case "required":
        return (node, errors) => {
          if (node.kind !== "mapping") return;
          for (const property of part.required ?? [])
            if (node.get(property) === undefined) fail(errors, node, property);
        };
      case "additionalProperties":
        return this.othersCheck(part, fail);
      case "properties":
        return this.propertiesCheck(part);
      default: {
        const isMet = tests[keyword]?.(part) ?? (() => true);
        return (node, errors) => {
          if (!isMet(node) && !isReported(errors.at(-1), node, keyword)) fail(errors, node);
        };
      }
    }
  }

  private othersCheck({ properties = {}, additionalProperties: others }: SchemaPart, fail: Fail): Check {
    if (others === true) return () => undefined;
    const known = new Set(Object.keys(properties));
    const other = typeof others === "object" ? this.checkOf(others) : undefined;
    return (node, errors) => {
      if (node.kind !== "mapping") return;
      for (const { key, value } of node.entries) {
        if (known.has(key.text)) continue;
        if (other === undefined) fail(errors, node, key.text);
        else other(value, errors);
      }
    };
  }

  private propertiesCheck({ properties = {} }: SchemaPart): Check {
    const isOpen = (each: SchemaPart) => each["x-open"] === true && isLater(each["x-since"], this.version);
    const checked = new Map(
      Object.entries(properties).flatMap(([name, each]) =>
        isOpen(each) ? [] : [[name, this.checkOf(each)]],
      ),
    );
    return (node, errors) => {
      if (node.kind !== "mapping") return;
      for (const { key, value } of node.entries) checked.get(key.text)?.(value, errors);
    };
  }
}

const valueKeywords = [
  ...["type", "const", "enum", "pattern", "format", "minLength", "maxLength", "minimum", "maximum"],
] as const satisfies readonly (keyof SchemaPart)[];
const aboutValue: ReadonlySet<string> = new Set(valueKeywords);

/** A value that breaks several of these keywords is one mistake. */
function isReported(last: SchemaError | undefined, node: Node, keyword: Keyword): boolean {
  return last?.node === node && aboutValue.has(last.keyword) && aboutValue.has(keyword);
}

/** In the order of their errors. */
const keywords = [
  ...["$ref", "oneOf", "allOf", "if"],
  ...valueKeywords,
  ...["minItems", "uniqueItems", "items"],
  ...["minProperties", "maxProperties", "required", "additionalProperties", "properties"],
] as const satisfies readonly (keyof SchemaPart)[];

function inTurn(checks: readonly Check[]): Check {
  const [first, ...more] = checks;
  if (first !== undefined && more.length === 0) return first;
  return (node, errors) => {
    for (const check of checks) check(node, errors);
  };
}

type Test = (node: Node) => boolean;

/** Values of other types meet a keyword. */
const tests: Readonly<Partial<Record<Keyword, (part: SchemaPart) => Test>>> = {
  type: (part) => {
    const allowed = typesOf(part);
    return (node) => hasType(node, allowed);
  },
  const: (part) => (node) => node.kind === "scalar" && node.value === part.const,
  enum: (part) => {
    const allowed = new Set(part.enum);
    return (node) => node.kind === "scalar" && allowed.has(node.value);
  },
  pattern: ({ pattern = "" }) => {
    const compiled = new RegExp(pattern, "u");
    return ofText((text) => compiled.test(text));
  },
  format: ({ format }) => ofText(formatTest(format)),
  minLength: ({ minLength = 0 }) => ofText((text) => codePoints(text) >= minLength),
  maxLength: ({ maxLength = 0 }) => ofText((text) => codePoints(text) <= maxLength),
  minimum: ({ minimum = 0 }) => ofNumber((value) => value >= minimum),
  maximum: ({ maximum = 0 }) => ofNumber((value) => value <= maximum),
  minItems: ({ minItems = 0 }) => ofItems((items) => items.length >= minItems),
  uniqueItems: () => ofItems(areUnique),
  minProperties: ({ minProperties = 0 }) => ofEntries((entries) => entries.length >= minProperties),
  maxProperties: ({ maxProperties = 0 }) => ofEntries((entries) => entries.length <= maxProperties),
};

const testOf =
  <Value>(valueOf: (node: Node) => Value | undefined) =>
  (isMet: (value: Value) => boolean): Test =>
  (node) => {
    const value = valueOf(node);
    return value === undefined || isMet(value);
  };
const ofText = testOf(stringOf);
const ofNumber = testOf(numberOf);
const ofItems = testOf((node) => (node.kind === "sequence" ? node.items : undefined));
const ofEntries = testOf((node) => asMapping(node)?.entries);

/** A format is a function, or an object with one. */
function formatTest(name = ""): (text: string) => boolean {
  const format: unknown = Reflect.get(fullFormats, name);
  const test: unknown =
    typeof format === "object" && format !== null ? Reflect.get(format, "validate") : format;
  return typeof test === "function" ? (text) => Reflect.apply(test, undefined, [text]) === true : () => true;
}

/** Only for scalars: lists of anything else have other errors. */
function areUnique(items: readonly Node[]): boolean {
  const scalars = items.flatMap((item) => (item.kind === "scalar" ? [item.value] : []));
  return new Set(scalars).size === scalars.length;
}

export const types: readonly string[] = ["string", "number", "integer", "boolean", "array", "object", "null"];

export function isType(node: Node): node is ScalarNode {
  return node.kind === "scalar" && typeof node.value === "string" && types.includes(node.value);
}

export function typeOf(node: Node): string {
  if (node.kind === "mapping") return "object";
  if (node.kind === "sequence") return "array";
  return node.value === null ? "null" : typeof node.value;
}

/** YAML has numbers that are not finite, which no schema allows. */
export function hasType(node: Node, allowed: readonly string[]): boolean {
  if (node.kind !== "scalar" || typeof node.value !== "number") return allowed.includes(typeOf(node));
  if (allowed.includes("number")) return Number.isFinite(node.value);
  return allowed.includes("integer") && Number.isInteger(node.value);
}
