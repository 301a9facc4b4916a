import { describe, expect, it } from "vitest";
import { syntaxOf } from "../../src/template/read-template.js";
import { show } from "./show.js";

const table = (syntax: string, rows: readonly (readonly [string, ...string[]])[]): void => {
  it.each(rows.map(([text, ...found]) => [text, found] as const))("%j", (text, found) => {
    expect(show(text, syntaxOf(syntax))).toEqual(found);
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
    ['{} { } {0} {"a": {"b": 1}} {a, b} {a b} {true, b} {a. } {#if x} {"name'],
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

describe("blocks of ${variable}", () => {
  const open = (name: string): string => `The block "${name}" is not closed: add "\${/${name}}".`;
  table("${variable}", [
    ["${#if x}a${else}b${/if}", "name x @6-7"],
    ["${# if x }a${/ if }${y}", "name x @7-8", "name y @21-22"],
    ["${#if x}${else if y}${elif z}${/if}", "name x @6-7", "name y @18-19", "name z @27-28"],
    ["${#if x == 'a' and y}${/if}", "name x @6-7", "name y @19-20"],
    [
      "${#each items}${this.title}${title}${@index}${/each}${z}",
      "name items @8-13",
      "local name this @16-20",
      "local name title @29-34",
      "name z @54-55",
    ],
    ["${#each items as |item|}${item.name}${../x}${/each}", "name items @8-13", "local name x @41-42"],
    ["${#items}${title}${/items}", "name items @3-8", "local name title @11-16"],
    ["${^items}${title}${/items}", "name items @3-8", "name title @11-16"],
    [
      "${#each a}${fragments.f}${artifacts.x}${/each}",
      "name a @8-9",
      'fragment f in "fragments.f" @12-23',
      'artifact x in "artifacts.x" @26-37',
    ],
    ["${#if x}${/}${else}", "name x @6-7", "name else @14-18"],
    [
      "${#if x} ${#each y}",
      "name x @6-7",
      "name y @17-18",
      `fault @0-8 ${open("if")}`,
      `fault @9-19 ${open("each")}`,
    ],
    ["a ${/if}", 'fault @2-8 "${/if}" closes a block that was never opened.'],
    [
      "${#if x}${/each}",
      "name x @6-7",
      'fault @8-16 "${/each}" stands inside "${#if}", which is closed by "${/if}".',
    ],
    ["${#if x}${#else}${/if}", "name x @6-7", 'fault @8-16 "${#else}" opens no block: write "${else}".'],
    ["${#if x ${/if}", 'fault @0-5 The tag "${#if" is not closed: add "}".'],
    ["${#if x}${/if", "name x @6-7", 'fault @8-13 The tag "${/if" is not closed: add "}".'],
    // A shell counts like this.
    ["${#name} ${#} ${#list[@]} ${#each} ${#name"],
    ["\\${#if x} $${#if y} ${/usr/bin} ${/^a/}"],
  ]);
});

describe("blocks of {variable}", () => {
  table("{variable}", [
    ["{#if x}a{else}b{/if}{else}", "local name x @5-6", "name else @21-25"],
    [
      "{#each items as |item|}{item.a}{b}{/each}{c}",
      "local name items @7-12",
      "local name b @32-33",
      "name c @42-43",
    ],
    ["{#if artifacts.x}{/if}", 'local artifact x in "artifacts.x" @5-16'],
    ["{#a}{b}{/a}", "local name a @2-3", "local name b @5-6"],
    ["{/if}{#if x}{y}", "name y @13-14"],
    ["{#if x}{#each y}{z}{/if}", "local name x @5-6", "name z @17-18"],
    ["{#foo} a {color: red} {/* note */} {/path} { #if x} {/if}", "local name color @10-15"],
  ]);
});
