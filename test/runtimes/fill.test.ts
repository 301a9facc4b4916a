import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { lint } from "../../src/index.js";
import { allRuntimes } from "../../src/runtimes/index.js";
import { fill, placeholdersIn } from "../../src/runtimes/fill.js";
import { langchainJs } from "../../src/runtimes/langchain.js";
import { promptkit } from "../../src/runtimes/promptkit.js";
import { renderAsSent } from "../../src/simulate/render-prompt.js";
import { defaultSyntax } from "../../src/template/read-template.js";
import { runs } from "../runs.js";
import { packOf } from "../simulate/open-text.js";

const none = new Set<string>();
const names = {
  variables: new Set(["name", "user"]),
  fragments: new Set(["tone"]),
  artifacts: new Set(["plan"]),
};
const values = new Map([
  ["name", "Ada"],
  ["user", "{{name}}"],
  ["artifacts.plan", "a plan"],
]);
const filledBy = (runtime: typeof promptkit, template: string) =>
  fill(runtime, template, defaultSyntax, names, values);

describe("filling a template", () => {
  it("sends it whole and unfilled, or leaves what nothing fills", () => {
    const template = "{{name}} {{ name }}";
    expect(filledBy(promptkit, template)).toEqual({ text: template, left: ["{{ name }}"] });
    expect(filledBy(langchainJs, template)).toEqual({ text: "Ada {{ name }}", left: ["{{ name }}"] });
  });

  it("fills placeholders in values, but not for ever", () => {
    expect(filledBy(promptkit, "{{user}} and {{{user}}}").text).toBe("Ada and {Ada}");
    const itself = new Map([["name", "{{name}}{{name}}"]]);
    expect(fill(promptkit, "{{name}}", defaultSyntax, names, itself).left).toEqual(["{{name}}"]);
    expect(filledBy(langchainJs, "{{user}}").text).toBe("{{name}}");
  });

  it("stops growing", () => {
    const big = new Map([["name", "{{name}}".repeat(10_000)]]);
    expect(fill(promptkit, "{{name}}".repeat(1_000), defaultSyntax, names, big).text.length).toBeLessThan(
      1e6,
    );
  });

  it("reads a long text in one pass", () => {
    for (const text of ["{{".repeat(1e6), "}}".repeat(1e6), "{{ x ".repeat(1e5) + "}}".repeat(1e5)])
      expect([...placeholdersIn(text, defaultSyntax, names)].length).toBeLessThan(2);
  });

  it.each([
    ["{{name}}", "variable"],
    ["{{ user }}", "blanks"],
    ["{{artifacts.plan}}", "artifact"],
    ["{{artifacts.plan.title}}", "path"],
    ["{{tone}}", "fragment"],
    ["{{fragments.tone}}", "fragment"],
    ["{{> tone}}", "fragment"],
    ["{{name | upper}}", "filter"],
    ["{{#if name}}", "block"],
    ["{{else if name}}", "block"],
    ["{{! name }}", "comment"],
    ['{{"a": 1}}', "other"],
  ])("knows the form of %s", (source, form) => {
    const found = [...placeholdersIn(`a {{ ${source} b`, defaultSyntax, names)];
    expect(found).toMatchObject([{ source, form }]);
  });
});

const parts = [
  "Hi ",
  "{{name}}",
  "{{ name }}",
  "{{#if name}}",
  "{{/if}}",
  "{{name | upper}}",
  "{{name.first}}",
].concat([
  "{{artifacts.plan}}",
  "{{fragments.tone}}",
  "{{! a }}",
  '{{"a": 1}}',
  "{{upper name}}",
  "{name}",
  "}}",
]);

/** A pack whose only state runs the prompt. */
const packWith = (template: string) =>
  JSON.stringify({
    fragments: { tone: "Be kind." },
    prompts: {
      p: { system_template: template, variables: [{ name: "name", type: "string", required: true }] },
    },
    workflow: {
      version: 2,
      entry: "a",
      states: { a: { prompt_task: "p", artifacts: { plan: { type: "text/plain" } }, on_event: { A: "a" } } },
    },
  });

it("a prompt is filled if everything is bound and template-not-filled is silent, and only then", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 6 }), (chosen) => {
      const text = packWith(chosen.join(" "));
      const { diagnostics } = lint(text, { file: "a.pack.json", runtimes: ["promptkit"] });
      const isReported = diagnostics.some(({ rule }) => rule === "template-not-filled");
      const pack = packOf(text);
      const prompt = pack.prompts.get("p");
      const sent =
        prompt &&
        renderAsSent(
          pack,
          prompt,
          [{ name: "name", value: "Ada" }],
          { artifacts: new Map([["plan", "a plan"]]) },
          { runtime: promptkit, isOpened: true },
        );
      expect(sent?.why !== undefined).toBe(isReported);
      if (isReported) expect(sent?.text).toBe(chosen.join(" "));
    }),
    { numRuns: runs(500) },
  );
});

it("every runtime fills a bare variable", () => {
  for (const runtime of allRuntimes)
    expect(fill(runtime, "Hi {{name}}", defaultSyntax, { ...names, fragments: none }, values).text).toBe(
      "Hi Ada",
    );
});
