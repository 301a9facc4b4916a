import { defaultLimits, type Format, type Limits } from "./file-format.js";
import { type Document } from "./document.js";
import { readJson } from "./json/read-json.js";
import { findFaultsAndConflicts } from "./merge-conflicts.js";
import { openText, replaceFaults, requireMapping } from "./text-document.js";
import { readYaml } from "./yaml/read-yaml.js";
import { findYamlFaults } from "./yaml/yaml-faults.js";

/** Never throws: what is wrong with a file is in the document's faults. */
export function readDocument(
  source: string | Uint8Array,
  format: Format,
  limits: Limits = defaultLimits,
): Document {
  const text = openText(source, format, limits);
  if (typeof text !== "string") return text;
  const document = format === "json" ? readJson(text, limits) : readYaml(text, limits);
  if (!document.hasSyntaxError) return requireMapping(document);
  const findFaults = format === "json" ? (part: string) => readJson(part, limits).faults : findYamlFaults;
  return replaceFaults(document, findFaultsAndConflicts(text, findFaults));
}
