import { existsSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as formats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import { toValue } from "../../src/document/node.js";
import { packSchema } from "../../src/schema/validator.js";
import { runs } from "../runs.js";
import { damagedPack } from "./damage.js";
import { findingsOf } from "./findings-of.js";
import { validPack } from "./valid-pack.js";

const published = new URL("../../../shared/spec/promptpack-v1.4.0.schema.json", import.meta.url);
const { validate } = packSchema.explainer();

describe("the schema check", { timeout: 60_000 }, () => {
  it("finds something exactly in the packs that are invalid", () => {
    fc.assert(
      fc.property(damagedPack, (text) => {
        expect(findingsOf(text, "json").length > 0).toBe(!validate(JSON.parse(text)));
      }),
      { numRuns: runs(400) },
    );
  });

  it("says one thing once, and never in the validator's words", () => {
    fc.assert(
      fc.property(damagedPack, (text) => {
        const said = findingsOf(text, "json").map(({ at, message }) => `${at.pointer} ${message}`);
        expect(new Set(said).size).toBe(said.length);
        for (const line of said) expect(line).not.toMatch(/undefined|NaN|must match|must NOT|\[object/);
      }),
      { numRuns: runs(400) },
    );
  });
});

describe("the quick check", { timeout: 60_000 }, () => {
  it("accepts exactly what the thorough one finds no error in", () => {
    expect(packSchema.accepts(validPack())).toBe(true);
    fc.assert(
      fc.property(damagedPack, (text) => {
        const { root } = readDocument(text, "json");
        const value = root === undefined ? expect.unreachable() : toValue(root);
        expect(packSchema.accepts(value)).toBe(validate(JSON.parse(text)));
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe.skipIf(!existsSync(published))("the published schema", { timeout: 60_000 }, () => {
  it("accepts and rejects the same packs", () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default.default(ajv);
    const validatePublished = ajv.compile(JSON.parse(readFileSync(published, "utf8")) as object);
    expect(validatePublished(withoutAgentStates(validPack()))).toBe(true);
    fc.assert(
      fc.property(damagedPack, (text) => {
        expect(validate(JSON.parse(text))).toBe(validatePublished(withoutAgentStates(JSON.parse(text))));
      }),
      { numRuns: runs(1500) },
    );
  });
});

/** `AgentDef.state` came with v1.4.1. */
function withoutAgentStates(pack: unknown): unknown {
  const members = property(property(pack, "agents"), "members");
  if (typeof members !== "object" || members === null || Array.isArray(members)) return pack;
  for (const agent of Object.values(members) as unknown[]) {
    const isAgent = typeof agent === "object" && agent !== null && !Array.isArray(agent);
    if (isAgent && typeof property(agent, "state") === "string") Reflect.deleteProperty(agent, "state");
  }
  return pack;
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}
