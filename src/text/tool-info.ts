import manifest from "../../package.json" with { type: "json" };

interface ToolInfo {
  readonly name: string;
  readonly version: string;
  readonly homepage?: string;
}

const { name, version, homepage }: ToolInfo = manifest;

/** Links exist only if the package has a `homepage`. */
export const toolInfo: ToolInfo = { name, version, ...(homepage !== undefined && { homepage }) };

const site = toolInfo.homepage?.replace(/[#?].*$/, "").replace(/\/$/, "");

/** The address of a rule's page, as the `docs` field of a diagnostic. */
export function ruleDocsLink(id: string): { readonly docs?: string } {
  return site === undefined ? {} : { docs: `${site}/rules/${id}.html` };
}

/** The published versions of the specification that are supported, oldest first. */
export const specVersions = [
  "1.0.0",
  "1.1.0",
  "1.2.0",
  "1.3.0",
  "1.3.1",
  "1.4.0",
  "1.4.1",
  "1.5.0",
  "1.5.1",
  "1.6.0",
  "1.7.0",
  "1.8.0",
  "1.8.1",
  "1.9.0",
] as const;
export type SpecVersion = (typeof specVersions)[number];
export const newestSpecVersion = "1.9.0";

/** Versions that were published again under a new number, to mend the file. */
export const replacedVersions: Partial<Record<SpecVersion, SpecVersion>> = { "1.8.0": "1.8.1" };
