/** The kinds of files: a pack, or a file of routes (RFC-103). By default the content decides. */
export const fileKinds = ["pack", "routes"] as const;
export type FileKind = (typeof fileKinds)[number];

export interface Limits {
  /** The flag `--max-size`. */
  readonly maxBytes: number;
  /** Levels of nesting: `--max-depth`. */
  readonly maxDepth: number;
  /** Nodes that aliases and merge keys may add: `--max-alias-nodes`. */
  readonly maxAliasNodes: number;
  /** Values as written: `--max-values`. Small ones take a hundred times their length in memory. */
  readonly maxValues: number;
}

export const defaultLimits: Limits = {
  maxBytes: 64 * 1024 * 1024,
  maxDepth: 200,
  maxAliasNodes: 100_000,
  maxValues: 5_000_000,
};

export type Format = "json" | "yaml";

/** No real file starts with more white space than this. */
const maxSniffedBytes = 64 * 1024;

export function detectFormat(fileName: string | undefined, source: string | Uint8Array): Format {
  const extension = /\.([^./\\]+)$/.exec(fileName ?? "")?.[1]?.toLowerCase();
  if (extension === "json") return "json";
  if (extension === "yaml" || extension === "yml") return "yaml";
  const text =
    typeof source === "string" ? source : new TextDecoder().decode(source.subarray(0, maxSniffedBytes));
  return /^[\s\ufeff]*\{/.test(text) ? "json" : "yaml";
}

export const packNamePattern = /^(?:.*\.)?(?:pack|promptpack)\.(?:json|ya?ml)$/su;
const packSections = ["prompts", "template_engine"] as const;
const sectionPatterns = packSections.map((name) => new RegExp(`^${name}[\\t ]*:`, "mu"));

export function looksLikePack(text: string): boolean {
  if (!packSections.every((name) => text.includes(name))) return false;
  if (detectFormat(undefined, text) === "yaml") return sectionPatterns.every((section) => section.test(text));
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === "object" && value !== null && packSections.every((name) => Object.hasOwn(value, name))
    );
  } catch {
    return false;
  }
}
