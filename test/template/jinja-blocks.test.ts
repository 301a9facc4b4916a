import { expect, it } from "vitest";
import { jinjaBlocks } from "../../src/template/jinja-blocks.js";

const shown = (text: string): readonly string[] =>
  jinjaBlocks(text).map(({ tag, names, locals, start, end }) =>
    [tag, `reads ${names.join(",")}`, `defines ${locals.join(",")}`, text.slice(start, end)].join(" | "),
  );

it("reads blocks with what they hold", () => {
  expect(shown("{% for a in b %}1{%- if  a.x -%}2{% endif %}3{% endfor %}4{% if not c %}5")).toEqual([
    "{% for a in b %} | reads b | defines a | {% for a in b %}1{%- if  a.x -%}2{% endif %}3",
    "{% if a.x %} | reads a | defines  | {%- if  a.x -%}2",
    "{% if not c %} | reads c | defines  | {% if not c %}5",
  ]);
});

it("shows only paths as they are", () => {
  expect(shown("{% if a and b.c == 2 %}{% for k, v in d.items() %}{% for i in range(e) %}")).toEqual([
    "{% if … %} | reads a,and,b | defines  | {% if a and b.c == 2 %}{% for k, v in d.items() %}{% for i in range(e) %}",
    "{% for … %} | reads d | defines k,v | {% for k, v in d.items() %}{% for i in range(e) %}",
    "{% for … %} | reads  | defines i | {% for i in range(e) %}",
  ]);
});

it("takes nothing else for a block", () => {
  expect(shown("{% endif %}{% set a = b %}{%%}{% %}{% if a {% iffy b %}{{#if c}} 5 % } {if d}")).toEqual([]);
});

it("reads so many blocks, and none that is too long", () => {
  expect(jinjaBlocks("{% if a %}".repeat(1_000))).toHaveLength(200);
  expect(jinjaBlocks(`{% if ${"a".repeat(1_000)} %}`)).toEqual([]);
});
