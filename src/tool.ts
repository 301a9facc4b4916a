import manifest from "../package.json" with { type: "json" };

interface Tool {
  readonly name: string;
  readonly version: string;
  readonly homepage?: string;
}

const described: Tool = manifest;

/** Who is speaking. Addresses exist only where the package names its home. */
export const tool: Tool = {
  name: described.name,
  version: described.version,
  ...(described.homepage === undefined ? {} : { homepage: described.homepage }),
};

/** Base of the addresses of rule pages. */
export const docsBase: string | undefined = tool.homepage?.replace(/[#?].*$/, "").replace(/\/$/, "");

/** The address of a rule's page. */
export function rulePage(id: string): string | undefined {
  return docsBase === undefined ? undefined : `${docsBase}/docs/rules/${id}.md`;
}
