import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `npm run test:full` has built it; for a single test, `npm run site` does. */
export const siteFolder = "site/dist";

export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();

/** The pages of the site, by their path. */
export function readPages(folder = siteFolder): ReadonlyMap<string, string> {
  const paths = filesIn(folder).filter((path) => path.endsWith(".html"));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** The values of an attribute, as a browser reads them. */
export function valuesOf(html: string, attribute: string): readonly string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );
}
