import { defaultLimits } from "../../src/document/file-format.js";
import Ajv2020 from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withAdvice } from "../../src/diagnostic.js";
import type { MappingNode } from "../../src/document/node.js";
import { readDocument } from "../../src/document/read.js";
import { createGuesser } from "../../src/text/names.js";
import { jsonSchemaFindings } from "../../src/schema/json-schema.js";
import { isFull, runs } from "../runs.js";

function parse(text: string): MappingNode {
  const { root } = readDocument(text, "json", { ...defaultLimits });
  if (root?.kind !== "mapping") throw new Error("not an object");
  return root;
}

function findings(
  parameters: unknown,
  patternFault: (pattern: string) => string | undefined = () => undefined,
) {
  const source = JSON.stringify(parameters);
  return [...jsonSchemaFindings(parse(source), { source, patternFault, guess: createGuesser() })];
}

const said = (parameters: unknown) =>
  findings(parameters).map(({ at, ...words }) => `${at.pointer} ${withAdvice(words).message}`);

const dialect = "https://json-schema.org/draft/2020-12/schema";

const scalars = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  -1,
  2.5,
  "",
  "a",
  "string",
  "null",
  [],
  {},
  ["a"],
  ["a", "a"],
  [1],
);
const types = fc.constantFrom<unknown>(
  "string",
  "object",
  "array",
  "text",
  ["string", "null"],
  ["null", "null"],
  [],
  3,
);

const keyed = (value: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom("a", "b", "__proto__", "x/y~z"), value, {
    maxKeys: 3,
    noNullPrototype: true,
  });

/** Schemas of a few keywords, right and wrong. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const of = (value: fc.Arbitrary<unknown>, ...names: readonly string[]) =>
    fc.tuple(
      fc.constantFrom(...names),
      fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: scalars }),
    );
  const keyword = fc.oneof(
    of(types, "type"),
    of(keyed(tie("schema")), "properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
    of(fc.array(tie("schema"), { maxLength: 2 }), "allOf", "anyOf", "oneOf", "prefixItems"),
    of(
      tie("schema"),
      "not",
      "if",
      "then",
      "else",
      "items",
      "contains",
      "additionalProperties",
      "propertyNames",
    ),
    of(tie("schema"), "unevaluatedItems", "unevaluatedProperties", "contentSchema"),
    of(keyed(scalars), "dependentRequired"),
    of(keyed(fc.oneof(scalars, tie("schema"))), "dependencies"),
    of(
      scalars,
      "required",
      "title",
      "description",
      "format",
      "$comment",
      "contentEncoding",
      "contentMediaType",
    ),
    of(scalars, "uniqueItems", "readOnly", "writeOnly", "deprecated"),
    of(scalars, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    of(scalars, "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
    of(
      scalars,
      "minContains",
      "maxContains",
      "enum",
      "examples",
      "const",
      "default",
      "nullable",
      "unheardOf",
    ),
  );
  const object = fc.array(keyword, { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
  return { schema: fc.oneof({ maxDepth: 4 }, fc.boolean(), object) };
});

describe("jsonSchemaFindings", () => {
  it("agrees with the meta-schema of 2020-12", () => {
    const ajv = new Ajv2020.default({ strict: false, logger: false });
    const verdicts = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(schema, (part) => {
        const parameters = {
          $schema: dialect,
          type: "object",
          properties: { part },
          additionalProperties: {},
        };
        // What it asks beyond the meta-schema has tests of its own.
        const found = said(parameters).filter((line) => !line.includes('which is not in "properties"'));
        const isValid = ajv.validateSchema({ type: "object", properties: { part } }) === true;
        verdicts[isValid ? "valid" : "invalid"]++;
        expect(found.length === 0).toBe(isValid);
      }),
      { numRuns: runs(1000) },
    );
    // A generator that makes only one kind would prove nothing.
    if (isFull) expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(100);
  });

  it("points at a place inside the schema, once for each fault", () => {
    fc.assert(
      fc.property(schema, (part) => {
        const parameters = { type: "object", properties: { part } };
        const length = JSON.stringify(parameters).length;
        const places = findings(parameters, () => "it is odd").map(({ at, message }) => {
          expect(at.start).toBeLessThan(at.end);
          expect(at.end).toBeLessThanOrEqual(length);
          return `${at.pointer} ${message}`;
        });
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });

  it("says nothing of references where an $id may move them", () => {
    const properties = { a: { $ref: "#/nowhere" } };
    expect(said({ properties, $id: "https://example.org/tool" })).toEqual([]);
    expect(said({ properties })).toEqual([
      '/properties/a/$ref the "$ref" of "a" leads to "#/nowhere", which does not exist.',
    ]);
    expect(
      said({ properties: { a: { $ref: "#/%zz" }, b: { $ref: "#/properties/a" }, c: { $ref: "#anchor" } } }),
    ).toEqual([]);
  });

  it("takes deep and wide schemas in its stride", () => {
    const width = 5_000;
    const properties = Object.fromEntries(
      Array.from({ length: width }, (_, i) => [`p${i}`, { type: "strng" }]),
    );
    const required = Array.from({ length: width }, (_, i) => `q${i}`);
    expect(findings({ type: "object", properties, required })).toHaveLength(2 * width);
    let deep: unknown = { type: "strng" };
    for (let i = 0; i < 90; i++) deep = { not: deep };
    expect(findings({ properties: { deep } })).toHaveLength(1);
  });
});
