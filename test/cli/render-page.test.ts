import { expect, it } from "vitest";
import { cutExamples, renderPage } from "../../src/cli/actions/render-page.js";
import { loadPaint, plainPaint } from "../../src/text/paint.js";

const page = `# some-rule

<!-- generated -->
See [RFC 5](https://example.org/5) and [the other](other.md).

\`\`\`yaml
# not a heading
a: [b](c)

\`\`\`

## Right
`;

it("sets off headings and code, and keeps addresses that lead out", () => {
  const expected = `some-rule

See RFC 5 (https://example.org/5) and the other.

    # not a heading
    a: [b](c)


Right
`;
  expect(renderPage(page, plainPaint, 80)).toBe(expected);
});

it("uses colour for the same", async () => {
  const paint = await loadPaint({ color: true, links: false });
  expect(renderPage("# a\n\n~~~\nb\n~~~\n", paint, 80)).toBe(
    "\u001b[1ma\u001b[22m\n\n\u001b[2m    b\u001b[22m\n",
  );
});

const rendered = (text: string, width = 40) => renderPage(text, plainPaint, width);

it("takes off the marks of emphasis and links, but none in code", () => {
  expect(rendered("**Severity:** info, *really*. See [a](a.md), `[b](c)` and `**/d` or `**/e`.", 80)).toBe(
    "Severity: info, really. See a, `[b](c)` and `**/d` or `**/e`.\n",
  );
  expect(rendered("2 * 3 * 4")).toBe("2 * 3 * 4\n");
});

it("fills the width with paragraphs, and breaks no code that has room in a line", () => {
  const text =
    "A line that the [other rule](other-rule.md)\nleft ragged, with `a: b` and then `terminal: true` in it.";
  expect(rendered(`${text}\n\nThe next one.\n`)).toBe(
    "A line that the other rule left ragged,\nwith `a: b` and then `terminal: true` in\nit.\n\nThe next one.\n",
  );
});

it("leaves code as wide as it is", () => {
  const wide = "a: ".padEnd(100, "x");
  expect(rendered(`Text\n\`\`\`yaml\n${wide}\n\`\`\`\nand text.`)).toBe(`Text\n    ${wide}\nand text.\n`);
});

it("keeps the items of a list apart, and aligns a table", () => {
  expect(rendered("Either:\n- one\n- two,\n  or so\n\n1. x\n2. y\n")).toBe(
    "Either:\n- one\n- two, or so\n\n1. x\n2. y\n",
  );
  expect(rendered("| a | long one |\n| --- | :-: |\n| **bold** | `c` |\n")).toBe(
    "a    │ long one │\n─────┼──────────┤\nbold │ `c`      │\n",
  );
});

it("paints emphasis and code instead of marking them, also across lines", async () => {
  const paint = await loadPaint({ color: true, links: false });
  const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
  expect(renderPage("**Fix:** `a: b`, **two words**", paint, 16)).toBe(
    `${bold("Fix:")} \u001b[36ma: b\u001b[39m, ${bold("two")}\n${bold("words")}\n`,
  );
});

const keys = (prefix: string) => Array.from({ length: 4 }, (_, index) => `    ${prefix}${index}: 1`);
const example = (...lines: readonly string[]) =>
  ["```yaml", "top:", "  first:", ...keys("a"), "  second:", ...lines, ...keys("z"), "```"].join("\n");
const output = "```text\npack.yaml\n\n  8:5  error    Wrong.  some-rule\n  8 │     b: 0\n    │     ^\n```";

it("cuts examples to the lines with findings and those that change, with the keys around them", () => {
  const page = `Why.\n\n## Wrong\n\n${example("    b: 0")}\n\n${output}\n\n## Right\n\n${example("    b: 1")}\n\n## Details\n\n${example("    b: 2")}\n`;
  const cut = (line: string) =>
    ["```yaml", "top:", "  …", "  second:", line, "    z0: 1", "    …", "```"].join("\n");
  expect(cutExamples(page)).toBe(
    `Why.\n\n## Wrong\n\n${cut("    b: 0")}\n\n${output}\n\n## Right\n\n${cut("    b: 1")}\n\n## Details\n\n${example("    b: 2")}\n`,
  );
});

it("shows where lines are only taken away, and nothing of a long file that stays the same", () => {
  const page = `## Wrong\n\n${example()}\n\n${example("    b: 0")}\n\n${output}\n\n## Right\n\n${example()}\n\n${example()}\n`;
  const same = "```yaml\n…\n```";
  const wrong = ["```yaml", "top:", "  …", "  second:", "    b: 0", "    z0: 1", "    …", "```"].join("\n");
  const right = ["```yaml", "top:", "  …", "    a3: 1", "  second:", "    z0: 1", "    …", "```"].join("\n");
  expect(cutExamples(`Why.\n\n${page}`)).toBe(
    `Why.\n\n## Wrong\n\n${same}\n\n${wrong}\n\n${output}\n\n## Right\n\n${same}\n\n${right}\n`,
  );
});
