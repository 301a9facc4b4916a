import { defaultLimits, type Document, type Format, type Limits } from "./document.js";
import { findJsonFaults } from "./faults/json-faults.js";
import { findFaultsAndConflicts } from "./faults/merge-conflicts.js";
import { readJson } from "./json/read-json.js";
import { readYaml } from "./yaml/read-yaml.js";
import { openText, requireMapping, replaceFaults } from "./settle.js";
import { findYamlFaults } from "./faults/yaml-faults.js";

/** Reads a file of any content: what is wrong with it is in the document's faults. */
export function readDocument(
  source: string | Uint8Array,
  format: Format,
  limits: Limits = defaultLimits,
): Document {
  const text = openText(source, format, limits);
  if (typeof text !== "string") return text;
  const document = format === "json" ? readJson(text, limits) : readYaml(text, limits);
  if (!document.hasSyntaxError) return requireMapping(document);
  return replaceFaults(document, findFaultsAndConflicts(text, format === "json" ? findJsonFaults : findYamlFaults));
}
