import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { validPack } from "./valid-pack.js";

interface Part {
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: unknown;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: Part | boolean;
  readonly oneOf?: readonly Part[];
  readonly $defs?: Readonly<Record<string, Part>>;
}

const file = new URL("../../schema/promptpack.schema.json", import.meta.url);
const schema = JSON.parse(readFileSync(file, "utf8")) as Part;
const parts = [...partsOf(schema, "#")];

describe("the schema file", () => {
  it("describes every property, for editors to show", () => {
    const properties = parts.filter(([path]) => /\/(properties|\$defs)\/[^/]+$/.test(path));
    expect(properties.length).toBeGreaterThan(200);
    expect(properties.filter(([, part]) => descriptionOf(part) === undefined).map(([path]) => path)).toEqual(
      [],
    );
  });

  it("says in words what each pattern asks for", () => {
    const patterns = parts.filter(([, part]) => part.pattern !== undefined);
    expect(patterns).toHaveLength(15);
    expect(patterns.filter(([, part]) => part.patternErrorMessage === undefined)).toEqual([]);
  });

  it("has oneOf only where nothing else is asked, which the merging of errors relies on", () => {
    const choices = parts.filter(([, part]) => part.oneOf !== undefined);
    expect(
      choices.map(([path, part]) => [
        path,
        Object.keys(part).filter((key) => !/^description$|^x-/.test(key)),
      ]),
    ).toEqual([
      ["#/$defs/Media/additionalProperties", ["oneOf"]],
      ["#/$defs/SkillSource", ["oneOf"]],
      ["#/$defs/ProviderRequirement", ["oneOf"]],
      ["#/$defs/Predicate", ["oneOf"]],
    ]);
  });

  it("gives examples and defaults that are valid themselves", () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default.default(ajv);
    ajv.addSchema(schema, "pack");
    for (const [path, part] of parts) {
      const samples = [...(part.examples ?? []), ...(part.default === undefined ? [] : [part.default])];
      if (samples.length === 0) continue;
      const validate = ajv.getSchema(`pack${encodeURI(path)}`);
      for (const sample of samples) expect([path, sample, validate?.(sample)]).toEqual([path, sample, true]);
    }
  });

  it("has no property that the valid pack of these tests leaves out", () => {
    const names = new Set(parts.flatMap(([, part]) => Object.keys(part.properties ?? {})));
    JSON.stringify(validPack(), (name, value: unknown) => {
      names.delete(name);
      return value;
    });
    expect([...names]).toEqual([]);
  });
});

function descriptionOf(part: Part): string | undefined {
  const name = part.$ref?.replace("#/$defs/", "");
  return part.description ?? (name === undefined ? undefined : schema.$defs?.[name]?.description);
}

function* partsOf(part: Part, path: string): Iterable<readonly [string, Part]> {
  yield [path, part];
  for (const group of ["properties", "$defs"] as const) {
    for (const [name, inner] of Object.entries(part[group] ?? {}))
      yield* partsOf(inner, `${path}/${group}/${name}`);
  }
  if (part.items !== undefined) yield* partsOf(part.items, `${path}/items`);
  const rest = part.additionalProperties;
  if (typeof rest === "object") yield* partsOf(rest, `${path}/additionalProperties`);
  for (const [index, branch] of (part.oneOf ?? []).entries())
    yield* partsOf(branch, `${path}/oneOf/${index}`);
}
