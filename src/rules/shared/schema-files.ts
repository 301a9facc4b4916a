import { defaultLimits } from "../../document/file-format.js";
import { readJson } from "../../document/json/read-json.js";
import type { Node } from "../../document/node.js";
import type { Pack } from "../../pack/pack.js";
import { pathParts, relativePath } from "../../pack/skills.js";
import { schemaFault } from "../../schema/json-schema-keywords.js";
import { getOrCreate } from "../../text/collections.js";
import type { FileContext } from "../rule.js";

export type SchemaFile =
  /** Not a path beside the pack, not there with its folder, in YAML, or not to be read. */
  | { readonly kind: "unknown" }
  | { readonly kind: "missing" }
  | { readonly kind: "faulty"; readonly fault: string }
  | { readonly kind: "schema"; readonly root: Node };

const filesOfPacks = new WeakMap<Pack, Map<string, SchemaFile>>();

/** The schema of this path beside a pack, read once and only if asked for. */
export function schemaFileOf(pack: Pack, text: string, context: FileContext): SchemaFile {
  const known = getOrCreate(filesOfPacks, pack, () => new Map());
  return getOrCreate(known, text, () => readSchemaFile(text, context));
}

function readSchemaFile(text: string, { fileExists, readFileBeside }: FileContext): SchemaFile {
  // A fragment may lead to a schema anywhere.
  const path = text.includes("#") ? undefined : relativePath(text);
  if (path === undefined || fileExists === undefined) return { kind: "unknown" };
  if (!fileExists(path)) {
    const folder = pathParts(path).slice(0, -1).join("/");
    return { kind: folder === "" || fileExists(folder) ? "missing" : "unknown" };
  }
  const content = readFileBeside?.(path);
  if (content === undefined) return { kind: "unknown" };
  const { root, hasSyntaxError } = readJson(content.replace(/^\ufeff/, ""), defaultLimits);
  if (root === undefined || hasSyntaxError)
    return /\.json$/i.test(path) ? { kind: "faulty", fault: "it is not JSON" } : { kind: "unknown" };
  const fault = schemaFault(root);
  return fault === undefined ? { kind: "schema", root } : { kind: "faulty", fault };
}
