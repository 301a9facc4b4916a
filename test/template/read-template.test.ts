import { describe, expect, it } from "vitest";
import { show } from "./show.js";

const table = (rows: readonly (readonly [string, ...string[]])[]): void => {
  it.each(rows.map(([text, ...found]) => [text, found] as const))("%j", (text, found) => {
    expect(show(text)).toEqual(found);
  });
};

describe("references", () => {
  table([
    ["Hi {{name}}!", "name name @5-9"],
    ["Hi {{ name }}!", "name name @6-10"],
    ["{{\n\tname\n}}", "name name @4-8"],
    ["{{- name -}}", "name name @4-8"],
    ["{{~name~}}", "name name @3-7"],
    ["{{user.profile.name}}", "name user @2-6"],
    ["{{user?.name}}", "name user @2-6"],
    ["{{items[0].title}}", "name items @2-7"],
    ["{{items.0.title}}", "name items @2-7"],
    ["{{items.[0].title}}", "name items @2-7"],
    ['{{data["a key"].x}}', "name data @2-6"],
    ["{{labels[lang]}}", "name labels @2-8", "local name lang @9-13"],
    ["{{größe}}{{名前}}", "name größe @2-7", "name 名前 @11-13"],
    ["{{customer-name}}", "name customer-name @2-15"],
    ["{{{html}}}", "name html @3-7"],
    ["{{&html}}{{& html }}", "name html @3-7", "name html @13-17"],
    ['{"a":{{x}}}', "name x @7-8"],
    ["{{{x}}: 1}", "name x @3-4"],
    ["{{a}}{{b}}", "name a @2-3", "name b @7-8"],
    ["\\frac{{a}}{b}", "name a @7-8"],
    ["{{__proto__}}{{constructor}}", "name __proto__ @2-11", "name constructor @15-26"],
  ]);
});

describe("fragments and artifacts", () => {
  table([
    ["{{fragments.intro}}", 'fragment intro in "fragments.intro" @2-17'],
    ["{{ fragments.my-intro }}", 'fragment my-intro in "fragments.my-intro" @3-21'],
    ['{{fragments["intro"]}}', 'fragment intro in "fragments["intro"]" @2-20'],
    ["{{fragment:intro}}", 'fragment intro in "fragment:intro" @2-16'],
    ["{{fragment:shared/intro}}", 'fragment shared/intro in "fragment:shared/intro" @2-23'],
    ["{{fragments.shared/a-b/c}}", 'fragment shared/a-b/c in "fragments.shared/a-b/c" @2-24'],
    ["{{fragments.a/}}", 'fragment a in "fragments.a" @2-13'],
    ["{{fragment: intro}}", 'fragment intro in "fragment: intro" @2-17'],
    ["{{> intro}}", "fragment intro @4-9"],
    ["{{>shared/intro}}", "fragment shared/intro @3-15"],
    ['{{> "intro"}}', "fragment intro @5-10"],
    ["{{> fragments.intro}}", 'fragment intro in "fragments.intro" @4-19'],
    ['{{> card user title="x"}}', "fragment card @4-8", "local name user @9-13"],
    ["{{#> layout}}{{x}}{{/layout}}", "fragment layout @5-11", "name x @15-16"],
    ["{{> @partial-block}}"],
    ["{{artifacts.sha}}", 'artifact sha in "artifacts.sha" @2-15'],
    ["{{artifacts.report.failed[0]}}", 'artifact report in "artifacts.report" @2-18'],
    ["{{artifacts['sha']}}", "artifact sha in \"artifacts['sha']\" @2-18"],
    ["{{#if artifacts.sha}}{{/if}}", 'artifact sha in "artifacts.sha" @6-19'],
    ["{{artifacts.sha | upper}}", 'artifact sha in "artifacts.sha" @2-15'],
    ["{{#each artifacts}}{{/each}}", "local name artifacts @8-17"],
    ["{{fragment}}{{fragment.x}}", "name fragment @2-10", "name fragment @14-22"],
    ["{{artifacts.*}} {{artifacts.<name>}}", "local name name @29-33"],
  ]);
});

describe("filters and arguments", () => {
  table([
    ["{{x | upper}}", "name x @2-3"],
    ["{{x|upper|trim}}", "name x @2-3"],
    ['{{x|default("a")}}', "name x @2-3"],
    ["{{x | default(y)}}", "name x @2-3", "local name y @14-15"],
    ["{{x | default: y, 3}}", "name x @2-3", "local name y @15-16"],
    ["{{x | default({})}}", "name x @2-3"],
    ["{{x | round(method=floor)}}", "name x @2-3", "local name floor @19-24"],
    ['{{formatDate date "long"}}', "local name formatDate @2-12", "local name date @13-17"],
    ["{{upper name}}", "local name upper @2-7", "local name name @8-12"],
    [
      '{{name if vip else "you"}}',
      "local name name @2-6",
      "local name if @7-9",
      "local name vip @10-13",
      "local name else @14-18",
    ],
    ['{{fragments.card title="x"}}', 'fragment card in "fragments.card" @2-16'],
    ["{{artifacts.plan indent}}", 'artifact plan in "artifacts.plan" @2-16', "local name indent @17-23"],
    ["{{len(items)}}", "local name items @6-11"],
    ['{{user.name || "friend"}}', "local name user @2-6"],
    ["{{x:upper}}", "local name x @2-3", "local name upper @4-9"],
    ["{{true}}{{false}}{{null}}{{42}}{{-1.5}}{{\"text\"}}{{'text'}}"],
    ["{{this}}{{this.name}}{{.}}{{..}}{{@index}}{{@root}}"],
    ["{{../name}}{{@root.user.id}}", "local name name @5-9", "local name user @19-23"],
  ]);
});

describe("blocks", () => {
  table([
    ["{{#if x}}a{{else}}b{{/if}}", "name x @6-7"],
    ["{{# if x }}a{{/ if }}", "name x @7-8"],
    ["{{~#if x~}}a{{~/if~}}", "name x @7-8"],
    ["{{#if x}}{{else if y}}{{elif z}}{{/if}}", "name x @6-7", "name y @19-20", "name z @29-30"],
    ["{{#if (eq a b)}}{{/if}}", "name a @10-11", "name b @12-13"],
    ['{{#if (and (eq a "x") b)}}{{/if}}', "name a @15-16", "name b @22-23"],
    ['{{#if a == "x" and not b}}{{/if}}', "name a @6-7", "name b @23-24"],
    ["{{#ifEquals a b}}{{c}}{{/ifEquals}}", "name a @12-13", "name b @14-15", "name c @19-20"],
    ["{{#if the user}}{{/if}}", "local name the @6-9", "local name user @10-14"],
    ["{{#if x}}{{y}}{{/if}}", "name x @6-7", "name y @11-12"],
    ["{{#if x}}{{^}}{{y}}{{/if}}", "name x @6-7", "name y @16-17"],
    ["{{#unless x}}{{y}}{{/unless}}", "name x @10-11", "name y @15-16"],
    ["{{#each items}}{{this.name}}{{@index}}{{/each}}", "name items @8-13"],
    [
      "{{#each items}}{{title}}{{/each}}{{z}}",
      "name items @8-13",
      "local name title @17-22",
      "name z @35-36",
    ],
    ["{{#each items as |item i|}}{{item.name}}{{i}}{{/each}}", "name items @8-13"],
    ["{{#each item in items}}{{item.name}}{{/each}}{{item}}", "name items @16-21", "name item @47-51"],
    ["{{#each a as |x|}}{{#each x.b as |y|}}{{x}}{{y}}{{/each}}{{/each}}", "name a @8-9"],
    ["{{#with user}}{{name}}{{/with}}", "name user @8-12", "local name name @16-20"],
    ["{{#items}}{{name}}{{/items}}", "name items @3-8", "local name name @12-16"],
    ["{{#user.items}}{{/user.items}}", "name user @3-7"],
    ["{{^items}}{{name}}{{/items}}", "name items @3-8", "name name @12-16"],
    ["{{#if a}}{{/}}", "name a @6-7"],
    ["{{#each a}}{{artifacts.x}}{{/each}}", "name a @8-9", 'artifact x in "artifacts.x" @13-24'],
    ["{{if .x}}a{{end}}", "local name if @2-4", "local name x @6-7", "local name end @12-15"],
  ]);
});

describe("comments, escapes and text", () => {
  table([
    ["{{! a comment about {{x}}"],
    ["{{!-- uses {{x}} and {{y --}}{{z}}", "name z @31-32"],
    ["{{!-- short }}{{z}}", "name z @16-17"],
    ["{{!--}}{{z}}", "name z @9-10"],
    ["\\{{not a ref}} \\{{{nor this}}} \\\\{{x}}", "name x @35-36"],
    ["{{{{raw}}}}{{{{/raw}}}}"],
    ["{% if x %}{# note #}{% endif %}"],
    ['{"a": {"b": {"c": {}}}}'],
    ["a } b }} c { d"],
    ['{{"a": 1}}'],
    ['{{"a": {{"b": 1}}}}'],
    ['{{\n  "a": {{ "b": [1] }}\n}}'],
    ["{{\n  name: string,\n  at: {{ }"],
    [
      "{{ it's, well; prose. }}",
      "local name it @3-5",
      "local name s @6-7",
      "local name well @9-13",
      "local name prose @15-20",
    ],
    ["Write names between {{ and }}, or `{{` and `}}`."],
    ["\\newcommand{\\x}[1]{{#1}}"],
    ["x^{{a}_b} and {{\\bf c} d}"],
    ["{{$json}} {{=<% %>=}} {{//}} {{/* go */}} {{x.}}", "local name json @3-7", "local name x @44-45"],
    ["{{ some prose here }}", "local name some @3-7", "local name prose @8-13", "local name here @14-18"],
    ["style={{ color: red }}", "local name color @9-14", "local name red @16-19"],
  ]);
});

describe("faults", () => {
  const unclosed = (what: string, kind = "reference"): string =>
    `The ${kind} "${what}" is not closed: add "}}".`;
  const half = (what: string, kind = "reference"): string =>
    `The ${kind} "${what}" is closed by one brace: add another "}".`;
  const empty = 'There is no name between "{{" and "}}".';
  const open = (name: string): string => `The block "${name}" is not closed: add "{{/${name}}}".`;
  const noBlock = (what: string, meant: string): string => `"${what}" opens no block: write "${meant}".`;
  table([
    ["Hi {{name", "local name name @5-9", `fault @3-9 ${unclosed("{{name")}`],
    ["Hi {{ name } you", "local name name @6-10", `fault @3-10 ${half("{{ name")}`],
    ["{{a} {{b}}", "local name a @2-3", "name b @7-8", `fault @0-3 ${half("{{a")}`],
    ['{"a": "{{a}", "b": 1}', "local name a @9-10", `fault @7-10 ${half("{{a")}`],
    ["{{artifacts.x", 'local artifact x in "artifacts.x" @2-13', `fault @0-13 ${unclosed("{{artifacts.x")}`],
    ["{{> x", "local fragment x @4-5", `fault @0-5 ${unclosed("{{> x")}`],
    ["{{ a : 1 }, { b: 2"],
    ["end {{", `fault @4-6 ${unclosed("{{")}`],
    ["end {{ \n", `fault @4-6 ${unclosed("{{")}`],
    ["{{! never ends", `fault @0-9 ${unclosed("{{! never", "comment")}`],
    ["a {{}} b", `fault @2-6 ${empty}`],
    ["a {{  }} b", `fault @2-8 ${empty}`],
    ["{{{ }}}", `fault @0-7 ${empty}`],
    ["{{-}}", `fault @0-5 ${empty}`],
    ["a {{#if x}} b", "name x @8-9", `fault @2-11 ${open("if")}`],
    ["{{#items}}", "name items @3-8", `fault @0-10 ${open("items")}`],
    ["{{#if x}}{{#if y}}{{/if}}", "name x @6-7", "name y @15-16", `fault @0-9 ${open("if")}`],
    ["a {{/if}}", 'fault @2-9 "{{/if}}" closes a block that was never opened.'],
    [
      "{{#if x}}{{/each}}",
      "name x @6-7",
      'fault @9-18 "{{/each}}" stands inside "{{#if}}", which is closed by "{{/if}}".',
    ],
    [
      "{{#if x}}{{/each}}{{/if}}",
      "name x @6-7",
      'fault @9-18 "{{/each}}" stands inside "{{#if}}", which is closed by "{{/if}}".',
    ],
    ["{{#if x}}{{#each y}}{{/if}}", "name x @6-7", "name y @17-18", `fault @9-20 ${open("each")}`],
    ["{{#if x}}{{#each y}}{{/if}}{{/each}}", "name x @6-7", "name y @17-18", `fault @9-20 ${open("each")}`],
    ["{{#if x} a {{/if}}", `fault @0-5 ${unclosed("{{#if", "tag")}`],
    ["{{#if x}} a {{/if}", "name x @6-7", `fault @12-17 ${half("{{/if", "tag")}`],
    ["{{#if x}}a{{#else}}b{{/if}}", "name x @6-7", `fault @10-19 ${noBlock("{{#else}}", "{{else}}")}`],
    [
      "{{#if x}}a{{#else}}b{{/else}}{{/if}}",
      "name x @6-7",
      `fault @10-19 ${noBlock("{{#else}}", "{{else}}")}`,
    ],
    [
      "{{#if x}}a{{# else if y }}b{{/if}}",
      "name x @6-7",
      "name y @22-23",
      `fault @10-26 ${noBlock("{{# else if y }}", "{{else if y}}")}`,
    ],
    [
      "{{#if x}}a{{#elseif y}}b{{/if}}",
      "name x @6-7",
      "name y @20-21",
      `fault @10-23 ${noBlock("{{#elseif y}}", "{{elseif y}}")}`,
    ],
    ["{{#if x}}a{{#endif}}b", "name x @6-7", `fault @10-20 ${noBlock("{{#endif}}", "{{/if}}")}`],
    ["{{#else}}a{{/else}}{{#end}}b{{/end}}", "name else @3-7", "local name end @22-25"],
    ["{{#if x}}{{}}", "name x @6-7", `fault @0-9 ${open("if")}`, `fault @9-13 ${empty}`],
  ]);
});
