import { existsSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as formats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { checkSchema } from "../../src/schema/check-schema.js";
import { places } from "../../src/schema/pack-places.js";
import { newerFields, resolveSpec } from "../../src/schema/spec-version.js";
import { schemaAtVersion } from "../../src/schema/schema-at-version.js";
import { type SpecVersion, specVersions } from "../../src/text/tool-info.js";
import { runs } from "../runs.js";
import { damagedPack, damagedPackOf } from "./damage.js";
import { findingsOf } from "./findings-of.js";
import { validPack } from "./valid-pack.js";

const wholeSchema = JSON.parse(readFileSync("schema/promptpack.schema.json", "utf8")) as Record<
  string,
  unknown
>;
const accepts = newAjv().compile(wholeSchema);

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  formats.default.default(ajv);
  return ajv;
}

describe("the schema check", { timeout: 60_000 }, () => {
  it("finds something exactly in the packs that another validator rejects", () => {
    fc.assert(
      fc.property(damagedPack, (text) => {
        expect(findingsOf(text, "json").length > 0).toBe(!accepts(JSON.parse(text)));
      }),
      { numRuns: runs(400, 80) },
    );
  });

  it("says one thing once, and never in the validator's words", () => {
    fc.assert(
      fc.property(damagedPack, (text) => {
        const said = findingsOf(text, "json").map(({ at, message }) => `${at.pointer} ${message}`);
        expect(new Set(said).size).toBe(said.length);
        for (const line of said) expect(line).not.toMatch(/undefined|NaN|must match|must NOT|\[object/);
      }),
      { numRuns: runs(400, 80) },
    );
  });
});

/** The versions with a published file that the check agrees with. What 1.0 and 1.2 accept is accepted. */
const versions = specVersions.filter((version) => version !== "1.8.0" && existsSync(publishedFile(version)));

function publishedFile(version: string): URL {
  return new URL(`../../../shared/spec/promptpack-v${version}.schema.json`, import.meta.url);
}

describe.each(versions)("the published schema of %s", { timeout: 60_000 }, (version) => {
  const accepted = newAjv().compile(JSON.parse(readFileSync(publishedFile(version), "utf8")) as object);
  const isLoose = version === "1.0.0" || version === "1.2.0";
  const judge = (text: string) => {
    const document = readDocument(text, "json");
    const spec = resolveSpec(document.root, version);
    const fields = document.root?.kind === "mapping" ? [...newerFields(document.root, spec)] : [];
    return { isValid: checkSchema(document, spec).length === 0, hasNewer: fields.length > 0 };
  };

  it("accepts a pack with everything that the version has", () => {
    const text = JSON.stringify(packOf(version));
    if (!isLoose) expect(accepted(JSON.parse(text))).toBe(true);
    expect(judge(text)).toEqual({ isValid: true, hasNewer: false });
  });

  it.skipIf(isLoose)("accepts and rejects what the schema printed for it does", () => {
    const printed = schemaAtVersion(wholeSchema, version);
    const accepts = newAjv().compile(printed);
    fc.assert(
      fc.property(damagedPackOf(packOf(version)), (text) => {
        expect(accepts(JSON.parse(text))).toBe(accepted(JSON.parse(text)));
      }),
      { numRuns: runs(1500, 200) },
    );
  });

  it("accepts and rejects the same packs, but for fields that came later", () => {
    fc.assert(
      fc.property(damagedPackOf(packOf(version)), (text) => {
        const { isValid, hasNewer } = judge(text);
        const isPublished = accepted(JSON.parse(text));
        if (isPublished) expect(isValid).toBe(true);
        else if (!isLoose && isValid) expect(hasNewer).toBe(true);
      }),
      { numRuns: runs(1500, 200) },
    );
  });
});

/** The valid pack without the fields that came after a version. */
function packOf(version: SpecVersion): Record<string, unknown> {
  const pack = validPack();
  for (const { path, since } of places) {
    const added = specVersions.find((each) => each === since);
    if (added !== undefined && specVersions.indexOf(added) > specVersions.indexOf(version))
      remove(pack, path);
  }
  const workflow = pack["workflow"] as { states: Record<string, unknown> } | undefined;
  if (specVersions.indexOf(version) < specVersions.indexOf("1.5.0")) delete workflow?.states["check"];
  if (specVersions.indexOf(version) < specVersions.indexOf("1.8.0")) withoutVendorSteps(pack);
  return pack;
}

function remove(value: unknown, [name, ...rest]: readonly string[]): void {
  if (typeof value !== "object" || value === null || name === undefined) return;
  const keys = name === "*" ? Object.keys(value) : [name];
  for (const key of keys) {
    if (rest.length === 0) Reflect.deleteProperty(value, key);
    else remove(Reflect.get(value, key), rest);
  }
}

function withoutVendorSteps(value: unknown): void {
  JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "object" && part !== null && Reflect.get(part, "kind") === "acme.lint")
      Object.assign(part, { kind: "prompt", prompt_task: "writer" });
    return part;
  });
}
