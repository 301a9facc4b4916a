import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { loadPaint, plainPaint } from "../../src/text/paint.js";

const linked = (address: string) => `\u001b]8;;${address}\u001b\\id\u001b]8;;\u001b\\`;

it.each([
  ["/docs/a.md", "file:///docs/a.md"],
  ["/my docs/é <#?%>.md", "file:///my%20docs/%C3%A9%20%3C%23%3F%25%3E.md"],
  ["/\u001b\\\u0007\n\u007f/a.md", "file:///%1B%5C%07%0A%7F/a.md"],
])("links to the file %j", async (path, address) => {
  const paint = await loadPaint({ color: false, links: true });
  expect(paint.link("id", pathToFileURL(path).href)).toBe(linked(address));
});

it.each([undefined, "", "file:///a b", "file:///\u001b\\", "file:///é", "javascript:alert(1)", "/docs/a.md"])(
  "makes no link of %j",
  async (address) => {
    const paint = await loadPaint({ color: false, links: true });
    expect(paint.link("id", address)).toBe("id");
  },
);

it.each([
  { color: true, links: false },
  { color: false, links: false },
])("makes none where none are shown, %j", async (options) => {
  const paint = await loadPaint(options);
  expect(paint.link("id", "https://example.org")).toBe("id");
  expect(plainPaint.link("id", "file:///docs/a.md")).toBe("id");
});
