import { describe, expect, it } from "vitest";
import { linesOf } from "./findings-of.js";

const newest = "v1.4.1 is the newest version known here.";

/** A valid pack but for the given properties, each beside those of the part that it is named after. */
function packWith(properties: Readonly<Record<string, string>>): string {
  const more = (part: string) => properties[part] ?? "";
  return `
id: a
name: A
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  p:
    { id: p, name: P, version: 1.0.0, system_template: Hi,
      validators: [{ type: length, ${more("validator")} }], ${more("prompt")} }
tools: { t: { name: t, description: T, parameters: { type: object, properties: {} }, ${more("tool")} } }
evals: [{ id: e, type: t, trigger: every_turn, ${more("eval")} }]
agents: { entry: p, members: { p: { ${more("agent")} } } }
workflow: { version: 1, entry: s, states: { s: { prompt_task: p, ${more("state")} } } }
${more("pack")}
`;
}

/** What is said of one property too many. */
function saidOf(part: string, property: string): readonly string[] {
  return linesOf(packWith({ [part]: property })).map((line) => line.split(" | ")[3] ?? "");
}

describe("a property of a later version", () => {
  it("is looked for in a pack that is valid without it", () => {
    expect(linesOf(packWith({}))).toEqual([]);
  });

  it.each([
    ["pack", "compositions: {}", "1.5"],
    ["pack", "requires: { providers: [default] }", "1.5.1"],
    ["state", "composition: analyze", "1.5"],
    ["state", "control: agent", "1.7"],
    ["state", "extensions: {}", "1.8"],
    ["tool", "action_scope: { effect: read }", "1.6"],
    ["tool", "extensions: {}", "1.6"],
    ["agent", "governance: {}", "1.6"],
    ["agent", "extensions: {}", "1.8"],
    ["validator", "id: short", "1.8"],
    ["validator", "extensions: {}", "1.8"],
    ["eval", "extensions: {}", "1.8"],
    ["prompt", "extensions: {}", "1.8"],
    ["prompt", "provider: fast", "1.9"],
  ])("of a %s is named as one: %s", (part, property, since) => {
    const name = property.slice(0, property.indexOf(":"));
    const kind = /^[aeiou]/.test(part) ? `an ${part}` : `a ${part}`;
    expect(saidOf(part, property)).toEqual([
      `"${name}" is not a property of ${kind}. It came with v${since}; ${newest}`,
    ]);
  });

  it("is not taken for one where it has another form", () => {
    expect(saidOf("prompt", "provider: { name: openai }")).toEqual([
      '"provider" is not a property of a prompt.',
    ]);
    expect(saidOf("pack", "requires: [default]")).toEqual(['"requires" is not a property of a pack.']);
  });

  it("is named where its absence is right: a composition runs no prompt", () => {
    const composed = packWith({ state: "orchestration: composition" }).replace("prompt_task: p,", "");
    expect(linesOf(composed)).toEqual([
      `/workflow/states/s | s | required | State "s" has no "prompt_task". From v1.5 on, a composition needs none; ${newest}`,
    ]);
    expect(linesOf(composed.replace("composition", "hybrid"))).toEqual([
      '/workflow/states/s | s | required | State "s" has no "prompt_task".',
    ]);
  });
});
