import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validateJsonSchemaDraft07 } from "../../src/schema/generated/validate-json-schema-draft-07.js";
import { validateJsonSchema } from "../../src/schema/generated/validate-json-schema.js";

describe("the generated validators", () => {
  it("compile nothing at run time", () => {
    const folder = new URL("../../src/schema/generated/", import.meta.url);
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(scripts).toHaveLength(8);
    for (const name of scripts) {
      expect(readFileSync(new URL(name, folder), "utf8")).not.toMatch(/new Function|\beval\(|\brequire\(/);
    }
  });

  it.each([
    [
      { type: "object", properties: { path: { type: "string", minLength: 1 } }, required: ["path"] },
      true,
      true,
    ],
    [true, true, true],
    [{ definitions: { a: {} }, dependencies: { a: ["b"] } }, true, true],
    [{ items: [{}, {}] }, false, true],
    [{ $defs: { a: { type: "strin" } } }, false, true],
    [{ type: "objec" }, false, false],
    [{ properties: { a: { minimum: "x" } } }, false, false],
    [{ required: "path" }, false, false],
    [5, false, false],
  ])("judge %j", (schema, as202012, asDraft07) => {
    expect([validateJsonSchema(schema), validateJsonSchemaDraft07(schema)]).toEqual([as202012, asDraft07]);
  });

  it("say where a JSON Schema is wrong", () => {
    validateJsonSchema({ properties: { a: { minimum: "x" } } });
    expect(validateJsonSchema.errors?.map(({ instancePath, keyword }) => [instancePath, keyword])).toEqual([
      ["/properties/a/minimum", "type"],
    ]);
  });
});
