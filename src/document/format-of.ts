import type { Format } from "./document.js";

/** By the extension of the file; where it tells nothing, by what the text starts with. */
export function formatOf(fileName: string | undefined, text: string): Format {
  const extension = /\.([^./\\]+)$/.exec(fileName ?? "")?.[1]?.toLowerCase();
  if (extension === "json") return "json";
  if (extension === "yaml" || extension === "yml") return "yaml";
  return /^[\s\ufeff]*\{/.test(text) ? "json" : "yaml";
}
