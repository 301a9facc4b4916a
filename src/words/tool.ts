import manifest from "../../package.json" with { type: "json" };

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

const docsBase = tool.homepage?.replace(/[#?].*$/, "").replace(/\/$/, "");

/** The address of a rule's page, as a part of what speaks of the rule. */
export function rulePage(id: string): { readonly docs?: string } {
  return docsBase === undefined ? {} : { docs: `${docsBase}/docs/rules/${id}.md` };
}
