import { describe, expect, it } from "vitest";
import { parseSyntax } from "../../src/template/read-template.js";
import { show } from "./show.js";

const table = (syntax: string, rows: readonly (readonly [string, ...string[]])[]): void => {
  it.each(rows.map(([text, ...found]) => [text, found] as const))("%j", (text, found) => {
    expect(show(text, parseSyntax(syntax))).toEqual(found);
  });
};

describe("{variable}", () => {
  table("{variable}", [
    ["Hi {name}!", "name name @4-8"],
    ["{user.name} {items[0]}", "name user @1-5", "name items @13-18"],
    ["{fragments.x}{fragment:x}", 'fragment x in "fragments.x" @1-12', 'fragment x in "fragment:x" @14-24'],
    ["{artifacts.x.y}", 'artifact x in "artifacts.x" @1-12'],
    ["{price:.2f} {name!r}", "local name price @1-6", "local name name @13-17"],
    ["{yes | no}", "local name yes @1-4"],
    ["{yes?}", "local name yes @1-4"],
    ["import { a } from b", "local name a @9-10"],
    ["{{name}} {{{name}}}", "name name @12-16"],
    ["\\{name} \\\\{name} \\\\\\{name}", "name name @11-15"],
    ['{} { } {0} {"a": {"b": 1}} {a, b} {a b} {true, b} {a. } {# } {"name'],
    ["{a} {#if x}{b}{/if}", "name a @1-2", "local name if @6-8", "local name x @9-10", "name b @12-13"],
    ["{{#x}} {#x\n} {#x {y} {#x", "local name x @3-4", "name y @18-19"],
    ["Hi {name, you\n}", "local name name @4-8"],
    ["Hi {first {last}", "local name first @4-9", "name last @11-15"],
    ["{ {"],
    ["{true} {none: 1}", "local name true @1-5"],
    ["${name}", "name name @2-6"],
  ]);
});

describe("${variable}", () => {
  table("${variable}", [
    ["Hi ${name}!", "name name @5-9"],
    ["${ user.name }", "name user @3-7"],
    ["${artifacts.x}", 'artifact x in "artifacts.x" @2-13'],
    ["${name | upper} ${name|trim}", "name name @2-6", "name name @18-22"],
    ["${name:-friend} ${name || 1}", "local name name @2-6", "local name name @18-22"],
    ["${a|b} ${a:b|c}", "name a @2-3", "local name a @9-10"],
    ["${a:{b}"],
    ["${a?b", "local name a @2-3", 'fault @0-3 The reference "${a" is not closed: add "}".'],
    ["${a:\n}", "local name a @2-3", 'fault @0-3 The reference "${a" is not closed: add "}".'],
    ["$${name | upper}", "local name name @3-7"],
    ["$${price}", "local name price @3-8"],
    ["{name} {{name}} $name $ {name} \\${name}"],
    ["C:\\\\${dir} \\\\\\${dir}", "name dir @6-9"],
    ["${#x}${b} {{#x}}", "local name x @3-4", "name b @7-8", "local name x @13-14"],
    ["${#artifacts.x}", 'local artifact x in "artifacts.x" @3-14'],
    ["${1} ${a b} ${{a: 1}} \\${} $${}"],
    ["${none} ${true", "local name none @2-6"],
    ["$${a", "local name a @3-4"],
    [
      "a ${} ${ }",
      'fault @2-5 There is no name between "${" and "}".',
      'fault @6-10 There is no name between "${" and "}".',
    ],
    [
      "${a ${b}",
      "local name a @2-3",
      "name b @6-7",
      'fault @0-3 The reference "${a" is not closed: add "}".',
    ],
    ["Hi ${name", "local name name @5-9", 'fault @3-9 The reference "${name" is not closed: add "}".'],
    ["Hi ${name \n", "local name name @5-9", 'fault @3-9 The reference "${name" is not closed: add "}".'],
    [
      "Hi ${name, you\n}",
      "local name name @5-9",
      'fault @3-9 The reference "${name" is not closed: add "}".',
    ],
    ["${"],
  ]);
});
