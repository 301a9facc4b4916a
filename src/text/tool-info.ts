import manifest from "../../package.json" with { type: "json" };

interface ToolInfo {
  readonly name: string;
  readonly version: string;
  readonly homepage?: string;
}

const packageInfo: ToolInfo = manifest;

/** Links exist only if the package has a `homepage`. */
export const toolInfo: ToolInfo = {
  name: packageInfo.name,
  version: packageInfo.version,
  ...(packageInfo.homepage === undefined ? {} : { homepage: packageInfo.homepage }),
};

const docsBase = toolInfo.homepage?.replace(/[#?].*$/, "").replace(/\/$/, "");

/** The `docs` field of a diagnostic. */
export function ruleDocsLink(id: string): { readonly docs?: string } {
  return docsBase === undefined ? {} : { docs: `${docsBase}/docs/rules/${id}.md` };
}

/** The published versions of the specification that are supported, oldest first. */
export const specVersions = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.3.1", "1.4.0", "1.4.1"] as const;
export type SpecVersion = (typeof specVersions)[number];
export const newestSpecVersion = "1.4.1";
