import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../src/document/read.js";
import type { MappingNode } from "../../src/document/node.js";
import { fields, makes, spelled } from "../../src/meant/spelled.js";

const schema = JSON.parse(readFileSync("schema/promptpack-v1.4.schema.json", "utf8"));

function mapping(text: string): MappingNode {
  const { root } = readDocument(text, "yaml");
  return root?.kind === "mapping" ? root : expect.unreachable();
}

describe("fields", () => {
  it.each([
    ["pack", schema],
    ["templateEngine", schema.$defs.TemplateEngine],
    ["prompt", schema.$defs.Prompt],
    ["variable", schema.$defs.Variable],
    ["modelOverride", schema.$defs.ModelOverride],
    ["tool", schema.$defs.Tool],
    ["workflow", schema.$defs.Workflow],
    ["state", schema.$defs.State],
    ["artifact", schema.$defs.Artifact],
    ["budget", schema.$defs.Budget],
    ["agents", schema.$defs.Agents],
    ["agent", schema.$defs.Agent],
  ] as const)("of a %s are those of the schema", (name, { properties }) => {
    expect([...fields[name]]).toEqual(Object.keys(properties));
  });
});

describe("makes", () => {
  it.each([
    ["prompt", schema.$defs.Prompt],
    ["tool", schema.$defs.Tool],
    ["state", schema.$defs.State],
    ["agent", schema.$defs.Agent],
    ["artifact", schema.$defs.Artifact],
  ] as const)("of a %s require what the schema requires", (name, { required = [] }) => {
    expect(makes[name].required).toEqual(required);
  });
});

describe("spelled", () => {
  const names = (text: string) => spelled(mapping(text), fields.state).entries.map(({ key }) => key.text);

  it("reads a misspelt key as the one it stands for", () => {
    expect(names("onEvent: {}\nterminl: true\nmax-visits: 3")).toEqual([
      "on_event",
      "terminal",
      "max_visits",
    ]);
  });

  it("leaves a key that is there already, and one that is like no other", () => {
    expect(names("on_event: {}\nonEvent: {}\ncolour: red")).toEqual(["on_event", "onEvent", "colour"]);
    expect(names("onEvent: {}\nonEvents: {}")).toEqual(["on_event", "onEvents"]);
  });

  it("keeps what is written where it is written", () => {
    const written = mapping("states:\n  a:\n    terminl: true").get("states");
    const state = written?.kind === "mapping" ? written.get("a") : undefined;
    const read = state?.kind === "mapping" ? spelled(state, fields.state) : expect.unreachable();
    expect(read.pointer).toBe("/states/a");
    expect(read.entry("terminal")?.key).toMatchObject({ pointer: "/states/a/terminl", start: 17, end: 24 });
    expect(state).not.toBe(read);
  });

  it("is the mapping itself where nothing is misspelt", () => {
    const right = mapping("terminal: true\ncolour: red");
    expect(spelled(right, fields.state)).toBe(right);
  });
});
