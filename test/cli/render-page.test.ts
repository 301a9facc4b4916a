import { expect, it } from "vitest";
import { renderPage } from "../../src/cli/actions/show-rules.js";
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

it("keeps the items of a list and the rows of a table apart", () => {
  const list = "Either:\n- one\n- two,\n  or so\n\n| a | b |\n| - | - |\n\n1. x\n2. y\n";
  expect(rendered(list)).toBe("Either:\n- one\n- two, or so\n\n| a | b |\n| - | - |\n\n1. x\n2. y\n");
});
