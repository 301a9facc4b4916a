import { expect, it } from "vitest";
import { renderPage } from "../../src/cli/render-page.js";

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
  expect(renderPage(page, false)).toBe(expected);
});

it("uses colour for the same", () => {
  expect(renderPage("# a\n\n~~~\nb\n~~~\n", true)).toBe("\u001b[1ma\u001b[22m\n\n\u001b[2m    b\u001b[22m\n");
});
