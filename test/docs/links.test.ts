import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { anchorsIn, type Link, linksOf } from "./links.js";

/** Every page of the repository. */
function markdownIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ["node_modules", ".git", "dist"].includes(entry.name) ? [] : markdownIn(path);
    return entry.isFile() && entry.name.endsWith(".md") ? [path] : [];
  });
}

const pages = markdownIn(".");

const leadsSomewhere = ({ file, anchor }: Link) =>
  existsSync(file) && (anchor === undefined || (file.endsWith(".md") && anchorsIn(file).includes(anchor)));

it("no link leads nowhere", () => {
  expect(pages).toEqual(
    expect.arrayContaining(["README.md", "SECURITY.md", "docs/rules.md", "docs/rules/schema.md"]),
  );
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, ...link })));
  expect(links.length).toBeGreaterThan(200);
  const lost = links.filter((link) => !leadsSomewhere(link));
  expect(lost.map(({ page, target }) => `${page}: ${target}`)).toEqual([]);
});

it("every page can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const page of reached) {
    for (const { file } of linksOf(page)) if (file.endsWith(".md") && existsSync(file)) reached.add(file);
  }
  expect(pages.filter((page) => !page.startsWith("fixtures/") && !reached.has(page))).toEqual([]);
});

it("links to the web are encrypted", () => {
  const plain = pages.filter((page) => /\]\(http:/.test(readFileSync(page, "utf8")));
  expect(plain).toEqual([]);
});

it("links are found in all their forms, and anchors are made as on GitHub", () => {
  const page = join(
    folderOf({
      "a.md":
        '# A `b`: c\n## Twice\n## Twice\n[x](b.md#y "t") ![p](p.png) <img src="q.png">\n[r]: r.md\n' +
        "[w](https://x.y) `[c](c.md)`\n```\n# No\n[d](d.md)\n```\n[e](#twice-1)\n",
    }),
    "a.md",
  );
  const targets = linksOf(page).map(({ target }) => target);
  expect(targets).toEqual(["b.md#y", "p.png", "#twice-1", "r.md", "q.png"]);
  expect(anchorsIn(page)).toEqual(["a-b-c", "twice", "twice-1"]);
  const lost = linksOf(page).filter((link) => !leadsSomewhere(link));
  expect(lost.map(({ target }) => target)).toEqual(["b.md#y", "p.png", "r.md", "q.png"]);
});
