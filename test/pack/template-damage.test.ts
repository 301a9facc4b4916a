import type { Format } from "../../src/document/file-format.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Diagnostic, Position, Range } from "../../src/diagnostic.js";
import { readDocument } from "../../src/document/read.js";
import { lint } from "../../src/index.js";
import { findNode } from "../../src/document/pointers.js";
import { isFull, runs } from "../runs.js";

const templates = [
  "You answer {{customer_name}}.\n{{#if vip}}Offer a call back.{{/if}}\n\n{{fragments.sign_off}}\n",
  '{{#each items as |item|}}\n  - {{item.title}}: {{ item.price | round }}\n{{/each}} "{{artifacts.plan}}" é😀',
  "{{sign_off}} {{fragment:tone}} {{> tone}} {{labels[lang]}} {{! a note }} \\{{escaped}} ${city} {city}",
];
const scraps = [
  "{", "{{", "{{{", "}", "}}", "${", "#if ", "#each ", "/if", "else", "fragments.", "fragment:", "artifacts.", "customer_name", "tone",
  "sign_off", "a.b", "[0]", "[", '"', "'", "|", ":", "\\", " ", "\n", "\r\n", "\n  \n", "\t", "# ", "- ", "é", "😀", "\ud800", "\0", "\u2028", "\ufeff",
]; // prettier-ignore

/** Cuts pieces out of a template and puts scraps in. */
const damaged = fc
  .record({
    template: fc.constantFrom(...templates),
    wounds: fc.array(fc.record({ at: fc.nat(120), cut: fc.nat(6), scrap: fc.constantFrom("", ...scraps) }), {
      maxLength: 6,
    }),
  })
  .map(({ template, wounds }) =>
    wounds.reduce((text, { at, cut, scrap }) => text.slice(0, at) + scrap + text.slice(at + cut), template),
  );

const packs = fc
  .record({
    syntax: fc.constantFrom("{{variable}}", "${variable}", "{variable}", "<%variable%>"),
    texts: fc.tuple(damaged, damaged, damaged, damaged),
    names: fc.uniqueArray(
      fc.constantFrom("customer_name", "vip", "items", "lang", "city", "tone", "__proto__"),
    ),
  })
  .map(({ syntax, texts: [answer, small, signOff, tone], names }) => ({
    id: "support",
    name: "Support",
    version: "1.0.0",
    template_engine: { version: "v1", syntax },
    fragments: { sign_off: signOff, tone },
    prompts: {
      answer: {
        id: "answer",
        name: "Answer",
        version: "1.0.0",
        system_template: answer,
        variables: names.map((name) => ({ name, type: "string", required: false, default: tone })),
        model_overrides: { small: { system_template_suffix: small } },
      },
    },
    workflow: {
      version: 2,
      entry: "work",
      states: {
        work: { prompt_task: "answer", terminal: true, artifacts: { plan: { type: "text/plain" } } },
      },
    },
  }));

const spellings: readonly { readonly format: Format; readonly spell: (pack: unknown) => string }[] = [
  { format: "json", spell: (pack) => JSON.stringify(pack) },
  { format: "json", spell: (pack) => JSON.stringify(pack, null, 2).replace(/[^\x20-\x7e\n]/g, escaped) },
  { format: "yaml", spell: (pack) => stringify(pack) },
  { format: "yaml", spell: (pack) => stringify(pack, { blockQuote: "literal", lineWidth: 0 }) },
  { format: "yaml", spell: (pack) => stringify(pack, { blockQuote: "folded", lineWidth: 30 }) },
  { format: "yaml", spell: (pack) => stringify(pack, { defaultStringType: "QUOTE_DOUBLE", lineWidth: 40 }) },
  { format: "yaml", spell: (pack) => stringify(pack, { blockQuote: "literal" }).replaceAll("\n", "\r\n") },
];

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const rulesOfTemplates = new Set([
  "template-syntax", "undeclared-variable", "unknown-fragment", "fragment-cycle", "undeclared-artifact", "artifact-never-set",
]); // prettier-ignore

/** Where lines begin, as editors count them. */
function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((match) => match.index + match[0].length)];
}

function offsets(text: string, { start, end }: Range): readonly [number, number] {
  const starts = lineStarts(text);
  const offset = ({ line, column }: Position): number => {
    const from = starts[line - 1] ?? NaN;
    const to = starts[line] ?? text.length + 1;
    expect(column >= 1 && from + column - 1 < to, `${line}:${column} is in the file`).toBe(true);
    return from + column - 1;
  };
  return [offset(start), offset(end)];
}

describe("a pack with damaged templates", () => {
  it("is linted, and every finding lies inside the file, those about templates inside their string", () => {
    fc.assert(
      fc.property(packs, fc.constantFrom(...spellings), (pack, { format, spell }) => {
        const text = spell(pack);
        const { root } = readDocument(text, format);
        for (const diagnostic of lint(text, { format }).diagnostics) {
          for (const place of [diagnostic, ...(diagnostic.related ?? [])]) {
            const [start, end] = offsets(text, place.range);
            expect(start).toBeLessThanOrEqual(end);
            expect(end).toBeLessThanOrEqual(text.length);
            const isInTemplate = place === diagnostic || diagnostic.rule === "fragment-cycle";
            if (!isInTemplate || !rulesOfTemplates.has(diagnostic.rule) || root === undefined) continue;
            const node = findNode(root, place.pointer);
            expect(node?.kind).toBe("scalar");
            expect(start < end && start >= (node?.start ?? NaN) && end <= (node?.end ?? NaN)).toBe(true);
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe.runIf(isFull)("a huge pack", () => {
  const length = 100_000;
  const count = 20_000;
  const numbers = Array.from({ length: count }, (_, index) => index);
  const findings = (pack: unknown): readonly Diagnostic[] =>
    lint(JSON.stringify(pack), { format: "json", rules: { schema: "off" } }).diagnostics;
  const tally = (pack: unknown): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { rule } of findings(pack)) counts[rule] = (counts[rule] ?? 0) + 1;
    return counts;
  };
  const chain = (last: string): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length }, (_, n) => [`f${n}`, n === length - 1 ? last : `{{fragments.f${n + 1}}}`]),
    );

  it("of fragments in a chain is followed to its end", () => {
    const pack = {
      fragments: chain("{{x}}"),
      prompts: { p: { id: "p", system_template: "{{fragments.f0}}" } },
    };
    expect(tally(pack)).toEqual({ "undeclared-variable": 1 });
  });

  it("of fragments in a ring has one finding", () => {
    const [finding, ...others] = findings({ fragments: chain("{{fragments.f0}}") });
    expect(others).toEqual([]);
    expect(finding?.message).toBe(
      'Fragment "f99999" includes "f0", which includes "f99999" through "f1", "f2", "f3", "f4", "f5" and 99993 more: the text would never end. Remove one of these references.',
    );
    expect(finding?.related?.length).toBe(7);
  });

  it("of references back to one fragment has as many findings", () => {
    const fragments = Object.fromEntries(
      numbers.map((n) => [`f${n}`, `{{fragments.f0}}${n === count - 1 ? "" : `{{fragments.f${n + 1}}}`}`]),
    );
    expect(tally({ fragments })).toEqual({ "fragment-cycle": count });
  });

  it("of references to nothing has as many findings", () => {
    const system_template = numbers
      .map((n) => `{{custmer_nam_${n}x}} {{fragments.custmer_nam_${n}x}}`)
      .join("");
    const variables = numbers.map((n) => ({ name: `customer_name_${n}` }));
    expect(tally({ prompts: { p: { id: "p", system_template, variables } } })).toEqual({
      "undeclared-variable": count,
      "unknown-fragment": count,
    });
  });

  it("of variables has its patterns matched within a limit", () => {
    const variables = numbers.map((n) => ({
      name: `x${n}`,
      type: "string",
      required: false,
      default: "a".repeat(20) + "!",
      validation: { pattern: "^(a+)+$" },
    }));
    const pack = { prompts: { p: { id: "p", system_template: "{{x0}}", variables } } };
    expect(tally(pack)).toEqual({ "unused-variable": count - 1, "variable-default": 17_064 });
  });
});
