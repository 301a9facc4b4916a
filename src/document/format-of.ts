import type { Format } from "./document.js";

/** By the extension of the file; where it tells nothing, by what the text starts with. */
export function formatOf(fileName: string | undefined, text: string): Format {
  return formatOfName(fileName) ?? (/^[\s\ufeff]*\{/.test(text) ? "json" : "yaml");
}

export function formatOfName(fileName: string | undefined): Format | undefined {
  const extension = /\.([^./\\]+)$/.exec(fileName ?? "")?.[1]?.toLowerCase();
  if (extension === "json") return "json";
  return extension === "yaml" || extension === "yml" ? "yaml" : undefined;
}
