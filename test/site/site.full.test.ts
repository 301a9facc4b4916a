import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { rules } from "../../src/rules/index.js";
import { filesIn, readPages, siteFolder, valuesOf } from "./built-site.js";

const folder = mkdtempSync(join(tmpdir(), "promptpack-site-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = readPages();
const files = filesIn(siteFolder);
const idsIn = new Map([...pages].map(([path, html]) => [path, new Set(valuesOf(html, "id"))]));

/** Describes a dead link; undefined if it works. */
function faultOf(target: string, page: string): string | undefined {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? page : posix.join(posix.dirname(page), file);
  if (!files.includes(path)) return `${page}: there is no ${target}`;
  const isForScript = path === "playground.html" && anchor !== "main";
  if (anchor === undefined || isForScript || idsIn.get(path)?.has(anchor) === true) return undefined;
  return `${page}: there is no place ${target}`;
}

describe("the site", () => {
  it("has no link that leads nowhere", () => {
    const links = [...pages].flatMap(([page, html]) =>
      [...valuesOf(html, "href"), ...valuesOf(html, "src")]
        .filter((target) => !/^https?:/.test(target))
        .map((target) => ({ target, page })),
    );
    expect(links.length).toBeGreaterThan(5_000);
    expect(links.flatMap(({ target, page }) => faultOf(target, page) ?? [])).toEqual([]);
  });

  it("has no two places with one name", () => {
    const twice = [...pages].flatMap(([page, html]) => {
      const ids = valuesOf(html, "id");
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${page}#${id}`);
    });
    expect(twice).toEqual([]);
  });

  it("has a page for every rule and every guide", () => {
    const guides = [".", "docs"]
      .flatMap((from) => readdirSync(from))
      .filter((name) => name.endsWith(".md") && name !== "rules.md")
      .map((name) => `guides/${name.slice(0, -3).toLowerCase()}.html`);
    const expected = [
      ...rules.map(({ id }) => `rules/${id}.html`),
      ...guides,
      "guides/index.html",
      "index.html",
      "playground.html",
      "rules/index.html",
    ];
    expect([...pages.keys()].sort()).toEqual(expected.sort());
  });

  it("leads to every rule from the list of rules", () => {
    const links = new Set(valuesOf(pages.get("rules/index.html") ?? "", "href"));
    expect(rules.map(({ id }) => `${id}.html`).filter((address) => !links.has(address))).toEqual([]);
  });

  it("loads nothing from anywhere else, and has no script or style inside a page", () => {
    for (const [path, html] of pages) {
      const loaded = [
        ...valuesOf(html, "src"),
        ...[...html.matchAll(/<link rel="(?:icon|stylesheet)"[^>]*>/g)].flatMap(([tag]) =>
          valuesOf(tag, "href"),
        ),
      ];
      expect(loaded.filter((address) => /^(?:[a-z]+:|\/)/i.test(address))).toEqual([]);
      const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle="|\son[a-z]+="/g)];
      expect(inline.map(([text]) => `${path}: ${text}`)).toEqual([]);
    }
  });

  it("has a content security policy on each page, which allows files of the site only", () => {
    const strict =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";
    const policies = new Map(
      [...pages].map(([path, html]) => [path, /Security-Policy" content="([^"]*)"/.exec(html)?.[1]]),
    );
    const others = [...policies].filter(([, policy]) => policy !== strict);
    expect(others.map(([path]) => path)).toEqual(["playground.html"]);
    const hash = "'sha256-[\\w+/]+='";
    expect(others[0]?.[1]).toMatch(
      new RegExp(
        `^default-src 'none'; script-src 'self' ${hash}; style-src 'self' ${hash}; img-src 'self' data:; base-uri 'none'; form-action 'none'; worker-src blob:$`,
      ),
    );
  });

  it("shows no markup as text, except in code", () => {
    const prose = [...pages].map(
      ([path, html]) => [path, html.replace(/<(pre|code)\b[^]*?<\/\1>/g, "")] as const,
    );
    const shown = prose.flatMap(([path, html]) => (/&lt;[a-z!/]/i.test(html) ? [path] : []));
    expect(shown).toEqual([]);
  });

  it("is the same, byte for byte, when it is built again", () => {
    const { status, stderr } = spawnSync("node", ["scripts/site.mjs", join(folder, "again")], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(hashesOf(join(folder, "again"))).toEqual(hashesOf(siteFolder));
  });

  it("has the address of its home on each page, and links to files of the repository, where package.json says", () => {
    const target = join(folder, "published");
    const manifest = {
      version: "1.2.3",
      homepage: "https://example.invalid/home/#readme",
      repository: { type: "git", url: "git+https://example.invalid/code.git" },
    };
    const build = `import { buildSite } from "./site/build/build-site.mjs"; await buildSite(${JSON.stringify(target)}, ${JSON.stringify(manifest)});`;
    expect(spawnSync("node", ["--input-type=module", "-e", build], { encoding: "utf8" }).stderr).toBe("");
    const published = readPages(target);
    for (const [path, html] of published) {
      const canonical = /<link rel="canonical" href="([^"]*)">/.exec(html)?.[1];
      expect(canonical).toBe(`https://example.invalid/home/${path}`);
    }
    const contributing = published.get("guides/contributing.html") ?? "";
    expect(valuesOf(contributing, "href")).toContain(
      "https://example.invalid/code/blob/HEAD/src/rules/rule.ts",
    );
    expect([...pages.values()].filter((html) => html.includes('rel="canonical"'))).toEqual([]);
  });
});

function hashesOf(from: string): Readonly<Record<string, string>> {
  const hash = (path: string): string =>
    createHash("sha256")
      .update(readFileSync(join(from, path)))
      .digest("hex");
  return Object.fromEntries(filesIn(from).map((path) => [path, hash(path)]));
}
