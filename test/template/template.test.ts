import { expect, it } from "vitest";
import { parseSyntax } from "../../src/template/read-template.js";

it.each([
  ["{{variable}}", "{{", "}}"],
  ["{{ name }}", "{{", "}}"],
  [" {{user.name}} ", "{{", "}}"],
  ["${variable}", "${", "}"],
  ["${ var_name }", "${", "}"],
  ["{variable}", "{", "}"],
  ["{x}", "{", "}"],
])("understands %s", (declared, open, close) => {
  expect(parseSyntax(declared)).toEqual({ open, close });
});

it.each([
  "",
  "{{}}",
  "{}",
  "{",
  "{{",
  "mustache",
  "$variable",
  "<%= variable %>",
  "[[variable]]",
  "%variable%",
  "{{variable}",
  "{variable}}",
  "{{{variable}}}",
  "{{#variable}}",
  "{{.Variable}}",
  "{{two words}}",
  "{{a}} and {{b}}",
])("does not understand %j", (declared) => {
  expect(parseSyntax(declared)).toBeUndefined();
});
