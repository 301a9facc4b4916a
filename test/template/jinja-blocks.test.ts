import { expect, it } from "vitest";
import { jinjaBlocks } from "../../src/template/jinja-blocks.js";

const shown = (text: string): readonly string[] =>
  jinjaBlocks(text).map(({ tag, helper, name, item, start, end }) =>
    [tag, helper, `reads ${name}`, `defines ${item ?? "nothing"}`, text.slice(start, end)].join(" | "),
  );

it("reads blocks with what they hold", () => {
  expect(shown("{% for a in b %}1{%- if  a.x -%}2{% endif %}3{% endfor %}4{% if not c %}5")).toEqual([
    "{% for a in b %} | each | reads b | defines a | {% for a in b %}1{%- if  a.x -%}2{% endif %}3",
    "{% if a.x %} | if | reads a | defines nothing | {%- if  a.x -%}2",
    "{% if not c %} | unless | reads c | defines nothing | {% if not c %}5",
  ]);
});

it.each([
  "if a and b",
  "if not a and not b",
  "if not not a",
  "if not (a)",
  "if a is not defined",
  "if a == 'b'",
  'if a == "b"',
  "if a[0]",
  "if a|length",
  "if 'a'",
  "if",
  "for k, v in a",
  "for k in a.items()",
  "for k in range(a)",
  "for k in a|sort",
  "for k in a if k",
  "for k",
])("does not read %j, and knows where it ends", (inside) => {
  const text = `{% if x %}1{% ${inside} %}2{% endif %}3{% endif %}4`;
  expect(shown(text)).toEqual([`{% if x %} | if | reads x | defines nothing | ${text.slice(0, -12)}`]);
});

it("takes nothing else for a block", () => {
  expect(shown("{% endif %}{% set a = b %}{%%}{% %}{% if a {% iffy b %}{{#if c}} 5 % } {if d}")).toEqual([]);
});

it("reads so many blocks, with their ends, and none that is too long", () => {
  const many = jinjaBlocks("{% if a %}".repeat(1_000) + "{% endif %}".repeat(1_000));
  expect(many).toHaveLength(200);
  expect(many[199]?.end).toBe(10_000 + 800 * 11);
  expect(jinjaBlocks(`{% if ${"a".repeat(1_000)} %}`)).toEqual([]);
});
