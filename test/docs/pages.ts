/** The pages whose commands are run as the page shows them, and whose snippets are checked. */
export const pages = [
  "README.md",
  "docs/ci.md",
  "docs/command-line.md",
  "docs/configuration.md",
  "docs/conformance.md",
  "docs/editors.md",
  "docs/files.md",
  "docs/fixes.md",
  "docs/formats.md",
  "docs/install.md",
  "docs/library.md",
  "docs/recorded-runs.md",
  "docs/rfc-103.md",
  "docs/rules.md",
  "docs/runtimes.md",
  "docs/sources.md",
] as const;
