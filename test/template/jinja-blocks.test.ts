import { expect, it } from "vitest";
import { jinjaBlocks } from "../../src/template/jinja-blocks.js";

const shown = (text: string): readonly string[] =>
  jinjaBlocks(text).map(({ tag, helper, name, item, start, end }) =>
    [tag, helper, `reads ${name}`, `defines ${item ?? "nothing"}`, text.slice(start, end)].join(" | "),
  );

it("reads blocks that can be written anew as they are", () => {
  expect(
    shown("{% for a in b %}1{% endfor %}2{%- if  a.x -%}3{%- endif %}4{% if not c %}5{% endif %}"),
  ).toEqual([
    "{% for a in b %} | each | reads b | defines a | {% for a in b %}1",
    "{% if a.x %} | if | reads a | defines nothing | {%- if  a.x -%}3",
    "{% if not c %} | unless | reads c | defines nothing | {% if not c %}5",
  ]);
});

it.each([
  "{% if b %}2{% endif %}",
  "{% else %}",
  "{% elif b %}",
  "{% set b = a %}",
  "{% for c in d %}{% endfor %}",
])("leaves out what holds %j", (inside) => {
  const text = `{% for a in b %}1${inside}3{% endfor %}`;
  expect(shown(text).filter((block) => block.startsWith("{% for a"))).toEqual([]);
});

it("leaves out what is not closed, or by something else", () => {
  expect(shown("{% if a %}1")).toEqual([]);
  expect(shown("{% if a %}1{% endfor %}")).toEqual([]);
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
])("does not read %j", (inside) => {
  expect(shown(`{% ${inside} %}2{% endif %}3{% endfor %}`)).toEqual([]);
});

it("takes nothing else for a block", () => {
  expect(shown("{% endif %}{% set a = b %}{%%}{% %}{% if a {% iffy b %}{{#if c}} 5 % } {if d}")).toEqual([]);
});

it("reads so many blocks, and none that is too long", () => {
  expect(jinjaBlocks("{% if a %}{% endif %}".repeat(1_000))).toHaveLength(200);
  expect(jinjaBlocks(`{% if ${"a".repeat(1_000)} %}{% endif %}`)).toEqual([]);
});
