import { describe, expect, it } from "vitest";
import type { Range } from "../src/diagnostic.js";
import { lint, rules } from "../src/index.js";

const rule = "undeclared-artifact";
const alone = Object.fromEntries(rules.map(({ id }) => [id, id === rule ? "warning" : "off"] as const));

/** The findings as `pointer line:column-line:column source`, with the source text at that place. */
function found(file: string, text: string): readonly string[] {
  return lint(text, { file, rules: alone }).diagnostics.map(({ pointer, range }) => {
    const { start, end } = range;
    return `${pointer} ${start.line}:${start.column}-${end.line}:${end.column} ${sourceAt(text, range)}`;
  });
}

/** Counts lines and columns as an editor does: a BOM does not count, a tab is one column. */
function sourceAt(text: string, { start, end }: Range): string {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const taken = lines.slice(start.line - 1, end.line);
  const last = taken.length - 1;
  return taken
    .map((line, i) => line.slice(i === 0 ? start.column - 1 : 0, i === last ? end.column - 1 : undefined))
    .join("⏎");
}

/** A pack whose `system_template` starts in line 3, column 22. */
const yaml = (template: string): string =>
  `prompts:\n  p:\n    system_template: ${template}\nworkflow: { states: { s: { prompt_task: p } } }\n`;
/** The same in one line of JSON; the string starts in column 39. */
const json = (template: string): string =>
  `{"prompts": {"p": {"system_template": ${template}}}, "workflow": {"states": {"s": {"prompt_task": "p"}}}}`;

const own = "/prompts/p/system_template";

describe("a reference in a YAML template", () => {
  it.each([
    ["plain", yaml("Say {{artifacts.x}}."), `${own} 3:28-3:39 artifacts.x`],
    ["plain, with spaces inside", yaml("Say {{  artifacts.x  }}."), `${own} 3:30-3:41 artifacts.x`],
    ["plain on lines", yaml("Say\n      this   \n\n     {{artifacts.x}}"), `${own} 6:8-6:19 artifacts.x`],
    ["single quotes", yaml("'It''s, ''{{artifacts.x}}'''"), `${own} 3:34-3:45 artifacts.x`],
    ["single quotes on lines", yaml("'It''s\n\n\n      {{artifacts.x}}'"), `${own} 6:9-6:20 artifacts.x`],
    ["double quotes", yaml('"Say {{artifacts.x}}."'), `${own} 3:29-3:40 artifacts.x`],
    [
      "double quotes with escapes",
      yaml('"\\t\\x41\\u00e9\\U0001F600\\"{{artifacts.x}}"'),
      `${own} 3:49-3:60 artifacts.x`,
    ],
    [
      "double quotes on lines",
      yaml('"Say  \n\n      this\n     {{artifacts.x}}"'),
      `${own} 6:8-6:19 artifacts.x`,
    ],
    [
      "double quotes with an escaped break",
      yaml('"Say \\\n      \\  this \\\n     {{artifacts.x}}"'),
      `${own} 5:8-5:19 artifacts.x`,
    ],
    ["an escape inside the reference", yaml('"{{artif\\x61cts.x}}"'), `${own} 3:25-3:39 artif\\x61cts.x`],
    [
      "a break inside the reference",
      yaml('"{{artifacts.\\\n      x}}"'),
      `${own} 3:25-4:8 artifacts.\\⏎      x`,
    ],
    ["a literal block", yaml("|\n      Say\n\n      this: {{artifacts.x}}"), `${own} 6:15-6:26 artifacts.x`],
    ["a deeper line", yaml("|\n      Say\n        - {{artifacts.x}}"), `${own} 5:13-5:24 artifacts.x`],
    [
      "a block with its indentation given",
      yaml("|2-\n        a\n      {{artifacts.x}}"),
      `${own} 5:9-5:20 artifacts.x`,
    ],
    [
      "a block that keeps its end",
      yaml("|+ # why\n      {{artifacts.x}}\n\n"),
      `${own} 4:9-4:20 artifacts.x`,
    ],
    ["backslashes in a block", yaml("|\n      \\n\\u0041{{artifacts.x}}"), `${own} 4:17-4:28 artifacts.x`],
    [
      "a folded block",
      yaml(">\n      Say\n      this\n\n      {{artifacts.x}}"),
      `${own} 7:9-7:20 artifacts.x`,
    ],
    [
      "a folded block with deeper lines",
      yaml(">-\n      Say\n        this\n      and {{artifacts.x}}"),
      `${own} 6:13-6:24 artifacts.x`,
    ],
    ["tabs", yaml("|\n      \tSay\t{{artifacts.x}}"), `${own} 4:14-4:25 artifacts.x`],
    ["characters of two units", yaml("|\n      😀é{{artifacts.x}}"), `${own} 4:12-4:23 artifacts.x`],
    ["a combining mark", yaml("'e\u0301 {{artifacts.x}}'"), `${own} 3:28-3:39 artifacts.x`],
    [
      "flow style",
      "{prompts: {p: {system_template: 'a {{artifacts.x}}'}}, workflow: {states: {s: {prompt_task: p}}}}",
      `${own} 1:38-1:49 artifacts.x`,
    ],
  ])("%s", (_, text, place) => {
    expect(found("pack.yaml", text)).toEqual([place]);
    // Line endings and a BOM do not change the place that an editor shows.
    for (const end of ["\r\n", "\r"]) expect(found("pack.yaml", text.replaceAll("\n", end))).toEqual([place]);
    expect(found("pack.yaml", `\uFEFF${text}`)).toEqual([place]);
  });
});

describe("a reference in a JSON template", () => {
  it.each([
    ["as it is", json('"Say {{artifacts.x}}."'), `${own} 1:46-1:57 artifacts.x`],
    ["after line breaks", json('"Say\\n\\r\\n{{artifacts.x}}"'), `${own} 1:51-1:62 artifacts.x`],
    ["after \\u0041", json('"\\u0041{{artifacts.x}}"'), `${own} 1:48-1:59 artifacts.x`],
    ["after an escaped pair", json('"\\ud83d\\ude00{{artifacts.x}}"'), `${own} 1:54-1:65 artifacts.x`],
    ["after half a pair", json('"\\ud83d {{artifacts.x}}"'), `${own} 1:49-1:60 artifacts.x`],
    ["after a pair", json('"😀 {{artifacts.x}}"'), `${own} 1:45-1:56 artifacts.x`],
    ["after quotes and slashes", json('"\\"a\\/b\\\\\\"{{artifacts.x}}"'), `${own} 1:52-1:63 artifacts.x`],
    ["escaped itself", json('"\\u007b{artifacts.\\u0078}}"'), `${own} 1:47-1:63 artifacts.\\u0078`],
    ["in brackets", json('"{{ artifacts[\\"x\\"] }}"'), `${own} 1:43-1:59 artifacts[\\"x\\"]`],
    [
      "on a later line",
      `\n\n\t${json('"\t{{artifacts.x}}"').replace("\t", "\\t")}`,
      `${own} 3:45-3:56 artifacts.x`,
    ],
  ])("%s", (_, text, place) => {
    expect(found("pack.json", text)).toEqual([place]);
    expect(found("pack.json", `\uFEFF${text}`)).toEqual([place]);
    expect(found("pack.json", text.replaceAll("\n", "\r\n"))).toEqual([place]);
    // YAML includes JSON, except for some escapes.
    if (!text.includes("\\ud83d")) expect(found("pack.yaml", text.replaceAll("\t", " "))).toEqual([place]);
  });
});

describe("a reference in a shared template", () => {
  it("is reported once, at the anchor", () => {
    const text = `prompts:
  p:
    system_template: &shared |
      Say

      {{artifacts.x}}
  q: { system_template: *shared }
workflow: { states: { s: { prompt_task: p }, t: { prompt_task: q } } }
`;
    expect(found("pack.yaml", text)).toEqual([`${own} 6:9-6:20 artifacts.x`]);
  });

  it("has the pointer of the alias if only the alias is a template", () => {
    const text = `metadata: { note: &shared "\\tSay {{artifacts.x}}" }
prompts:
  p: { system_template: *shared }
workflow: { states: { s: { prompt_task: p } } }
`;
    expect(found("pack.yaml", text)).toEqual([`${own} 1:36-1:47 artifacts.x`]);
  });

  it("is reported in merged content, unless that is overridden", () => {
    const text = `prompts:
  p: &base
    system_template: >
      Say
      {{artifacts.x}}
  q:
    <<: *base
    name: Q
  r:
    <<: *base
    system_template: 'r: {{artifacts.y}}'
workflow: { states: { s: { prompt_task: q }, t: { prompt_task: r } } }
`;
    expect(found("pack.yaml", text)).toEqual([
      "/prompts/q/system_template 5:9-5:20 artifacts.x",
      "/prompts/r/system_template 11:28-11:39 artifacts.y",
    ]);
  });

  it("is reported in the fragment or override that holds it", () => {
    const text = `fragments:
  inner: "\\u00e9 {{artifacts.x}}"
  outer: |
    {{artifacts.y}} {{fragments.inner}}
prompts:
  p:
    system_template: "{{outer}}"
    model_overrides:
      small: { system_template_prefix: 'a {{artifacts.z}} b {{artifacts.z}}' }
workflow: { states: { s: { prompt_task: p } } }
`;
    expect(found("pack.yaml", text)).toEqual([
      "/fragments/inner 2:20-2:31 artifacts.x",
      "/fragments/outer 4:7-4:18 artifacts.y",
      "/prompts/p/model_overrides/small/system_template_prefix 9:45-9:56 artifacts.z",
      "/prompts/p/model_overrides/small/system_template_prefix 9:63-9:74 artifacts.z",
    ]);
  });
});
