import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSyntax, readTemplate, type Syntax } from "../../src/template/read-template.js";
import { isFull, runs } from "../runs.js";

const syntaxes = ["{{variable}}", "${variable}", "{variable}"].map((declared): Syntax => {
  const syntax = parseSyntax(declared);
  if (syntax === undefined) throw new Error(declared);
  return syntax;
});
const doubled = syntaxes[0] ?? { open: "{{", close: "}}" };

const scraps = [
  "{", "{{", "{{{", "}", "}}", "}}}", "${", "#if ", "#each ", "/if", "/each", "else", "as |x|", " in ", "^", ">", "&", "!", "!--", "--",
  "fragments.", "fragment:", "artifacts.", "a", "x.y", "[0]", "[", '"', "'", "(", ")", "|", "=", "@", "..", "/", "-", "~", "\\", " ", "\n",
  "é", "😀", "\ud800", "\0", "1", ".5", ":",
]; // prettier-ignore
const damaged = fc.array(fc.oneof(fc.constantFrom(...scraps), fc.string({ unit: "binary", maxLength: 3 })), {
  maxLength: 40,
});

describe("any text", () => {
  it("is read without a throw, and nothing points outside it", () => {
    fc.assert(
      fc.property(damaged, fc.constantFrom(...syntaxes), (parts, syntax) => {
        const text = parts.join("");
        const { references, errors } = readTemplate(text, syntax);
        for (const { name, start, end, nameStart, nameEnd } of references) {
          expect(0 <= start && start <= nameStart && nameStart < nameEnd && nameEnd <= end).toBe(true);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(text.slice(nameStart, nameEnd)).toBe(name);
        }
        for (const { start, end } of errors) {
          expect(0 <= start && start < end && end <= text.length).toBe(true);
        }
        const places = errors.map(({ start }) => start);
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(new Set(places).size).toBe(places.length);
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe("a generated template", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}q$/);
  const prose = fc.stringMatching(/^[A-Z ,.\n"]{0,12}$/);
  const space = fc.constantFrom("", " ", "  ", "\n");
  const piece = fc.record({
    name,
    prose,
    space,
    kind: fc.constantFrom("name", "fragment", "artifact", "if", "each", "comment"),
  });

  it("gives each reference back where it was put", () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        let text = "";
        const expected: unknown[] = [];
        for (const { name: x, prose: words, space: gap, kind } of pieces) {
          text += words;
          if (kind === "comment") {
            text += `{{! ${x} }}`;
            continue;
          }
          const block = kind === "if" || kind === "each";
          text += `{{${block ? `#${kind} ` : ""}${gap}`;
          const start = text.length;
          text += kind === "fragment" || kind === "artifact" ? `${kind}s.${x}` : x;
          const end = text.length;
          text += `${gap}}}`;
          if (block) text += `${words}{{/${kind}}}`;
          const nameStart = end - x.length;
          const span = { start, end, nameStart, nameEnd: end };
          expected.push(
            block ? { kind: "name", name: x, ...span, opensBlock: true } : { kind, name: x, ...span },
          );
        }
        expect(readTemplate(text, doubled)).toEqual({ references: expected, errors: [] });
      }),
    );
  });
});

describe.runIf(isFull)("a hostile text", () => {
  const size = 1024 * 1024;
  const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length));
  it.each([
    ["{{", 0, 1],
    ["{", 0, 1],
    ["}}", 0, 0],
    ["{{ ", 0, 1],
    ["\\{{", 0, 0],
    ["{{!--", 0, 1_000],
    ['{{a["', 1_000, 1_000],
    [`{{(" '{{(' "`, 0, 0],
  ])("of %j is read", (unit, references, faults) => {
    const template = readTemplate(fill(unit), doubled);
    expect([template.references.length, template.errors.length]).toEqual([references, faults]);
  });

  it("of blocks that never close is read", () => {
    const text = fill("{{#if a}}");
    const template = readTemplate(text, doubled);
    expect(template.references.length).toBe(text.length / 9);
    expect(template.errors.length).toBe(1_000);
  });

  it("of ever deeper blocks that close in the wrong order is read", () => {
    const opened = Array.from({ length: 20_000 }, (_, index) => `{{#b${index}}}`).join("");
    const closed = Array.from({ length: 20_000 }, (_, index) => `{{/b${index}}}`).join("");
    expect(readTemplate(opened + closed, doubled).errors.length).toBe(19_999);
  });

  it.each(["a.", "a[0]", "a", "a ", '"\\', "(", "a|"])("inside one tag, of %j, is read", (unit) => {
    expect(readTemplate(`{{${fill(unit)}}}`, doubled).errors).toEqual([]);
  });

  it.each([
    ["{", 0, 0],
    ["${", 0, 0],
    ["${}", 1_000, 0],
    ["{a", 0, 0.5],
    ["${a:", 1_000, 0.25],
    ["{a['", 0, 0.25],
    ["{  ", 0, 0],
  ])("of %j is read by every syntax", (unit, marked, single) => {
    const text = fill(unit);
    const [dollar, brace] = syntaxes.slice(1).map((syntax) => readTemplate(text, syntax));
    expect(dollar?.errors.length).toBe(marked);
    expect(brace?.references.length).toBe(single * text.length);
    expect(brace?.errors).toEqual([]);
  });
});
