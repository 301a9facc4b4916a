import type { Format, Limits } from "./file-format.js";
import type { Document, Fault } from "./document.js";
import { readJson } from "./json/read-json.js";
import { openText, replaceFaults, requireMapping } from "./text-document.js";

/** Like `readDocument`, but loads the parsers for YAML and for broken files only when needed. */
export async function readDocumentLazily(
  source: string | Uint8Array,
  format: Format,
  limits: Limits,
): Promise<Document> {
  const text = openText(source, format, limits);
  if (typeof text !== "string") return text;
  const read = await loadParser(format);
  const document = read(text, limits);
  return document.hasSyntaxError
    ? replaceFaults(document, await findAllFaults(text, format, limits))
    : requireMapping(document);
}

/** A synchronous reader, which reports only the first fault of a broken text. */
export async function loadReader(format: Format): Promise<(source: string, limits: Limits) => Document> {
  const read = await loadParser(format);
  return (source, limits) => {
    const text = openText(source, format, limits);
    return typeof text === "string" ? requireMapping(read(text, limits)) : text;
  };
}

async function loadParser(format: Format): Promise<typeof readJson> {
  return format === "json" ? readJson : (await import("./yaml/read-yaml.js")).readYaml;
}

async function findAllFaults(text: string, format: Format, limits: Limits): Promise<readonly Fault[]> {
  const { findFaultsAndConflicts } = await import("./merge-conflicts.js");
  const findFaults =
    format === "json"
      ? (part: string) => readJson(part, limits).faults
      : (await import("./yaml/yaml-faults.js")).findYamlFaults;
  return findFaultsAndConflicts(text, findFaults);
}
