export type Format = "json" | "yaml";

/** Bytes that are looked at: more blanks than this begin no file. */
const maxSniffedBytes = 64 * 1024;

/** By the extension of the file; where it tells nothing, by what the text starts with. */
export function detectFormat(fileName: string | undefined, source: string | Uint8Array): Format {
  const extension = /\.([^./\\]+)$/.exec(fileName ?? "")?.[1]?.toLowerCase();
  if (extension === "json") return "json";
  if (extension === "yaml" || extension === "yml") return "yaml";
  const text = typeof source === "string" ? source : new TextDecoder().decode(source.subarray(0, maxSniffedBytes));
  return /^[\s\ufeff]*\{/.test(text) ? "json" : "yaml";
}
