import { describe, expect, it } from "vitest";
import { parseAssignment } from "../../src/simulate/event-list.js";
import { type RenderedPrompt, renderPrompt } from "../../src/simulate/render-prompt.js";
import { isFull } from "../runs.js";
import { packOf } from "./open-text.js";

interface Given {
  readonly syntax?: string;
  readonly fragments?: Readonly<Record<string, string>>;
  readonly variables?: readonly object[];
  readonly vars?: readonly string[];
  readonly artifacts?: Readonly<Record<string, string>>;
}

function render(template: string, given: Given = {}): RenderedPrompt | undefined {
  const pack = packOf(
    JSON.stringify({
      template_engine: { version: "v1", syntax: given.syntax ?? "{{variable}}" },
      fragments: given.fragments ?? {},
      prompts: { p: { id: "p", system_template: template, variables: given.variables ?? [] } },
    }),
  );
  const prompt = pack.prompts.get("p");
  if (prompt === undefined) throw new Error("no prompt");
  return renderPrompt(pack, prompt, (given.vars ?? []).map(parseAssignment), {
    artifacts: new Map(Object.entries(given.artifacts ?? {})),
    artifactNames: new Set(["sha", "report", "test.report"]),
  });
}

const clean = (text: string): RenderedPrompt => ({ text, left: [], cut: false });
const numbers = { name: "items", type: "array", required: false };

describe("rendering a prompt", () => {
  it.each<[string, string, Given, string]>([
    ["a variable", "Hi {{ name }}!", { vars: ["name=Ada"] }, "Hi Ada!"],
    [
      "a default",
      "Hi {{name}}!",
      { variables: [{ name: "name", type: "string", default: "you" }] },
      "Hi you!",
    ],
    ["a number as default", "{{n}}", { variables: [{ name: "n", type: "number", default: 3 }] }, "3"],
    ...["12345678901234567890", "0.1234567890123456789", "1e999", "-1e-400"].map(
      (written): [string, string, Given, string] => [
        `${written} as it is written`,
        "{{n}}",
        { variables: [{ name: "n", type: "number" }], vars: [`n=${written}`] },
        written,
      ],
    ),
    ...["1.50", "15e-1", " 1.5 ", "1.5E0"].map((written): [string, string, Given, string] => [
      `${written} as the number it is`,
      "{{n}}",
      { variables: [{ name: "n", type: "number" }], vars: [`n=${written}`] },
      "1.5",
    ]),
    ["an artifact", "See {{artifacts.sha}}.", { artifacts: { sha: "abc" } }, "See abc."],
    ["an artifact that is not filled yet", "See {{artifacts.sha}}.", {}, "See ."],
    [
      "a field of a JSON artifact",
      "{{artifacts.report.passed}}",
      { artifacts: { report: '{"passed":2}' } },
      "2",
    ],
    [
      "an artifact with a dot in its name",
      "{{artifacts.test.report}} {{artifacts.test.report.passed}}",
      { artifacts: { "test.report": '{"passed":2}' } },
      '{"passed":2} 2',
    ],
    [
      "a fragment with a dot in its name",
      "{{shared.header}} {{fragments.shared.header}}",
      { fragments: { "shared.header": "Hi" } },
      "Hi Hi",
    ],
    [
      "a field of a variable",
      "{{u.name}}",
      { variables: [{ name: "u", type: "object" }], vars: ['u={"name":"Al"}'] },
      "Al",
    ],
    [
      "a fragment",
      "{{fragments.f}} {{> f}} {{f}} {{fragment:f}}",
      { fragments: { f: "<{{x}}>" }, vars: ["x=1"] },
      "<1> <1> <1> <1>",
    ],
    [
      "a fragment however its name is written",
      `{{fragments["f.g"]}} {{> "f.g"}} {{> 'f.g' }} {{> shared/head}} {{fragments.shared/head}} {{{fragments.h}}} {{&fragments.h}}`,
      { fragments: { "f.g": "<{{x}}>", "shared/head": "H", h: "h" }, vars: ["x=1"] },
      "<1> <1> <1> H H h h",
    ],
    [
      "a fragment inside each",
      "{{#each items}}{{> f}} {{/each}}",
      { variables: [numbers], vars: ["items=[1,2]"], fragments: { f: "<{{this}}>" } },
      "<1> <2> ",
    ],
    ["a variable before a fragment of its name", "{{f}}", { fragments: { f: "no" }, vars: ["f=yes"] }, "yes"],
    ["a value that looks like a template", "{{a}}", { vars: ["a={{b}}", "b=1"] }, "{{b}}"],
    ["if", "{{#if a}}A{{else}}B{{/if}}", { vars: ["a=1"] }, "A"],
    ["else", "{{#if artifacts.sha}}A{{else}}B{{/if}}", {}, "B"],
    ["unless", "{{#unless artifacts.sha}}none{{/unless}}", {}, "none"],
    ["the word false", "{{#if a}}A{{/if}}.", { vars: ["a=false"] }, "."],
    [
      "each",
      "{{#each items}}{{@index}}:{{this}} {{/each}}",
      { variables: [numbers], vars: ["items=[5,6]"] },
      "0:5 1:6 ",
    ],
    [
      "each with fields, nested",
      "{{#each items}}{{n}}{{#if last}}.{{else}}, {{/if}}{{/each}}",
      { variables: [numbers], vars: ['items=[{"n":1,"last":false},{"n":2,"last":true}]'] },
      "1, 2.",
    ],
    [
      "fields of this",
      "{{#each items}}<{{this.t}}{{#if this.ok}}!{{/if}}{{#each this.sub}} {{this}}{{/each}}>{{/each}}",
      {
        variables: [numbers],
        vars: ['items=[{"t":"a","ok":true,"sub":[1,2]},{"t":"b","ok":false,"sub":[]}]'],
      },
      "<a! 1 2><b>",
    ],
    [
      "each of nothing",
      "{{#each items}}x{{else}}none{{/each}}",
      { variables: [numbers], vars: ["items=[]"] },
      "none",
    ],
    [
      "nothing for a comment",
      "{{! a }}Hi {{!-- {{name}} --}}{{name}}{{#if name}}{{!b}}!{{else}}{{!c}}{{/if}}{{!d}}{{{! e }}}",
      { vars: ["name=Ada"] },
      "Hi Ada!",
    ],
    [
      "other delimiters",
      'Hi {name}, {"a": 1} {{x}}',
      { syntax: "{variable}", vars: ["name=Ada"] },
      'Hi Ada, {"a": 1} {{x}}',
    ],
    [
      "dollar delimiters",
      "Hi ${name} and ${artifacts.sha}",
      { syntax: "${variable}", vars: ["name=Ada"], artifacts: { sha: "f" } },
      "Hi Ada and f",
    ],
  ])("fills in %s", (_, template, given, text) => {
    expect(render(template, given)).toEqual(clean(text));
  });

  it.each<[string, string, Given, readonly string[]]>([
    ["an unknown name", "Hi {{name}}", {}, ["{{name}}"]],
    ["an artifact nobody declares", "{{artifacts.nope}}", {}, ["{{artifacts.nope}}"]],
    [
      "a condition over an unknown name, and what is inside",
      "{{#if a}}{{b}}{{/if}}",
      { vars: ["b=1"] },
      ["{{#if a}}{{b}}{{/if}}"],
    ],
    ["a condition with operators", "{{#if a == 1}}x{{/if}}", { vars: ["a=1"] }, ["{{#if a == 1}}x{{/if}}"]],
    ["else if", "{{#if a}}1{{else if b}}2{{/if}}", { vars: ["a=1"] }, ["{{#if a}}1{{else if b}}2{{/if}}"]],
    ["a filter", "{{a | upper}}", { vars: ["a=1"] }, ["{{a | upper}}"]],
    ["a block of another kind", "{{#a}}x{{/a}}", { vars: ["a=1"] }, ["{{#a}}x{{/a}}"]],
    ["a list that is none", "{{#each a}}x{{/each}}", { vars: ["a=text"] }, ["{{#each a}}x{{/each}}"]],
    ["a fragment that is missing", "{{> f}}", {}, ["{{> f}}"]],
    ["a fragment with arguments", "{{> f x=1}}", { fragments: { f: "{{x}}" } }, ["{{> f x=1}}"]],
    ["a filtered fragment", "{{fragments.f | trim}}", { fragments: { f: "f" } }, ["{{fragments.f | trim}}"]],
    ["a part of a fragment", "{{fragments.f.g}}", { fragments: { f: "f" } }, ["{{fragments.f.g}}"]],
    [
      "a variable whose default is null, which is none",
      "{{name}}",
      { variables: [{ name: "name", type: "string", default: null }] },
      ["{{name}}"],
    ],
    ...["../a", ".a", "@root.a", "../this.a", '@root["this"].a', "this.a"].map(
      (path): [string, string, Given, readonly string[]] => [
        `${path}, whose context is not known,`,
        `{{${path}}}`,
        { variables: [{ name: "this", type: "object" }], vars: ["a=1", 'this={"a":1}'] },
        [`{{${path}}}`],
      ],
    ),
    ["an open block", "{{#if a}}x", { vars: ["a=1"] }, ["{{#if a}}"]],
    [
      "an open block with all its parts",
      "{{#if a}}x{{else if b}}y{{else}}z{{ else }}{{^}}",
      { vars: ["a=1"] },
      ["{{#if a}}", "{{else if b}}", "{{else}}", "{{ else }}", "{{^}}"],
    ],
    ["a stray close", "x{{/if}}", {}, ["{{/if}}"]],
  ])("leaves %s unchanged", (_, template, given, left) => {
    expect(render(template, given)).toEqual({ text: template, left, cut: false });
  });

  it("follows circular fragments once", () => {
    expect(render("{{a}}", { fragments: { a: "a{{b}}", b: "b{{a}}" } })).toEqual({
      text: "ab{{a}}",
      left: ["{{a}}"],
      cut: false,
    });
  });

  it("stops if fragments multiply", () => {
    const fragments = Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => [`f${i}`, `{{f${i + 1}}}`.repeat(9)]),
    );
    const rendered = render("{{f0}}", { fragments: { ...fragments, f15: "x".repeat(100) } });
    expect(rendered?.cut).toBe(true);
    expect(rendered?.text.length).toBe(200_000);
  });

  it("stops if lists multiply", () => {
    const list = `items=${JSON.stringify(Array.from({ length: 1000 }, () => ""))}`;
    const opened = "{{#each items}}".repeat(4) + "{{/each}}".repeat(4);
    expect(render(opened, { variables: [numbers], vars: [list] })).toEqual({
      text: "",
      left: [],
      cut: true,
    });
  });

  it("renders blocks up to a depth and leaves deeper ones unchanged", () => {
    const nested = (depth: number): string => "{{#if a}}".repeat(depth) + "x" + "{{/if}}".repeat(depth);
    expect(render(nested(5_000), { vars: ["a=1"] })).toEqual({
      text: nested(4_960),
      left: [nested(4_960)],
      cut: false,
    });
  });

  it.runIf(isFull)("takes no longer for a template with many open blocks", () => {
    const open = "{{#if a}}x{{else}}y".repeat(40_000);
    expect(render(open, { vars: ["a=1"] })).toMatchObject({ text: open.slice(0, 200_000), cut: true });
    const unclosed = "$${a ".repeat(200_000);
    expect(render(unclosed, { syntax: "${variable}" })).toEqual({
      text: unclosed.slice(0, 200_000),
      left: [],
      cut: true,
    });
  });

  it("reads a fragment once, however often it is included", () => {
    const fragments = { f: `{{#if a}}${"{{x}} ".repeat(50_000)}{{/if}}` };
    expect(render("{{> f}}".repeat(20_000), { fragments, vars: ["a="] })).toEqual(clean(""));
  });

  it("reads no property that an object does not own", () => {
    const given: Given = { variables: [{ name: "u", type: "object" }], vars: ["u={}"] };
    expect(render("{{u.constructor}}{{u.__proto__}}", given)).toEqual(clean(""));
  });
});
