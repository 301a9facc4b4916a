import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const markdownIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));

const pages = [".", "docs", "docs/rules"].flatMap(markdownIn);

it("has no link that leads nowhere", () => {
  const lost = pages.flatMap((page) => {
    const text = readFileSync(page, "utf8").replace(/^```[^]*?^```/gm, "");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    return links
      .filter((target) => !/^https?:/.test(target) && !leadsSomewhere(target, page))
      .map((target) => `${page}: ${target}`);
  });
  expect(lost).toEqual([]);
});

function leadsSomewhere(target: string, page: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  return existsSync(file) && (anchor === undefined || anchorsIn(file).includes(anchor));
}

/** The headings of a page as addresses, the way GitHub makes them. */
function anchorsIn(page: string): readonly string[] {
  const headings = readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
