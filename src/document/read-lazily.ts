import type { Document, Fault, Format, Limits } from "./document.js";
import { readJson } from "./json/read-json.js";
import { openText, requireMapping, withAllFaults } from "./settle.js";

/** As `readDocument`, but loads the parsers of YAML and of broken files only for a file that needs them. */
export async function readDocumentLazily(
  source: string | Uint8Array,
  format: Format,
  limits: Limits,
): Promise<Document> {
  const text = openText(source, format, limits);
  if (typeof text !== "string") return text;
  const read = await parserOf(format);
  const document = read(text, limits);
  return document.isBroken
    ? withAllFaults(document, await allFaults(text, format))
    : requireMapping(document);
}

/** Reads one text after another at once; of a broken one it tells the first fault only. */
export async function loadReader(format: Format): Promise<(source: string, limits: Limits) => Document> {
  const read = await parserOf(format);
  return (source, limits) => {
    const text = openText(source, format, limits);
    return typeof text === "string" ? requireMapping(read(text, limits)) : text;
  };
}

async function parserOf(format: Format): Promise<typeof readJson> {
  return format === "json" ? readJson : (await import("./yaml/read-yaml.js")).readYaml;
}

async function allFaults(text: string, format: Format): Promise<readonly Fault[]> {
  const { faultsBesideConflicts } = await import("./faults/merge-conflicts.js");
  return faultsBesideConflicts(text, await faultFinderOf(format));
}

async function faultFinderOf(format: Format): Promise<(text: string) => readonly Fault[]> {
  return format === "json"
    ? (await import("./faults/json-faults.js")).jsonFaults
    : (await import("./faults/yaml-faults.js")).yamlFaults;
}
