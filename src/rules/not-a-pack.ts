import type { Finding, Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { looksLikePack, packNamePattern } from "../document/file-format.js";
import { type Manifest, manifestsIn, readManifest } from "../document/manifest.js";
import { asMapping, type MappingNode, placeOf } from "../document/node.js";
import type { DocumentRule } from "./rule.js";

export const notAPack: DocumentRule = {
  id: "not-a-pack",
  subject: "document",
  summary: "The file is a pack, not a PromptKit source, a Kubernetes manifest or a file of another kind.",
  severity: "error",
  source: "RFC 0001, pack structure",
  stopsLinting: () => true,
  *check({ document, file }) {
    const other = describeOther(document, file);
    if (other !== undefined) yield other;
  },
};

const top: Place = { pointer: "", start: 0, end: 0 };

/** Describes a file that is certainly not a pack. */
export function describeOther(document: Document, file: string): Finding | undefined {
  const { faults, format, text } = document;
  const root = asMapping(document.root);
  const binary = faults.find(({ kind }) => kind === "binary");
  if (binary !== undefined) return { at: top, message: binary.message };
  const hasPackSection = ["prompts", "template_engine"].some((name) => root?.get(name) !== undefined);
  if (/\.(?:md|mdx|markdown)$/iu.test(file) && format === "yaml" && !hasPackSection)
    return { at: top, message: "This is a Markdown file, not a pack." };
  if (root === undefined) return format === "yaml" ? describeManifests(manifestsIn(text)) : undefined;
  const manifest = readManifest(root);
  const isPrompt = manifest.kind === "PromptConfig";
  // A file with prompts is a pack unless both mark it as something else.
  if (hasPackSection ? manifest.isVersioned && isPrompt : manifest.isVersioned || isPrompt)
    return describeManifests([manifest]);
  return hasPackSection ? undefined : describeForeignKeys(root);
}

function describeForeignKeys(root: MappingNode): Finding | undefined {
  const at = placeOf(root);
  if (["openapi", "swagger"].some((name) => root.get(name)?.kind === "scalar"))
    return { at, message: "This is an OpenAPI description, not a pack." };
  const isNamed = root.get("name") !== undefined && root.get("version") !== undefined;
  const isPackage = ["dependencies", "devDependencies", "scripts"].some((name) => asMapping(root.get(name)));
  if (!isNamed || !isPackage) return undefined;
  return { at, message: "This is a package file like package.json, not a pack." };
}

/** In a cluster, a PromptPack is a resource that refers to the ConfigMap with the pack. */
function isSource({ kind, isPromptKit }: Manifest): boolean {
  return kind === "PromptConfig" || (isPromptKit && kind !== "PromptPack");
}

function describeManifests(manifests: readonly Manifest[]): Finding | undefined {
  const [first] = manifests;
  if (first === undefined) return undefined;
  const { at, kind } = first;
  const named = kind === undefined ? "" : ` of kind "${kind}"`;
  const what = (one: string, many: string): string =>
    manifests.length === 1 ? `This is a ${one}` : `This file holds ${manifests.length} ${many}`;
  if (manifests.every(isSource))
    return {
      at,
      message: `${what(`source file${named}`, "source files")} from which PromptKit compiles packs, not a pack.`,
      advice: "Lint the compiled pack.",
    };
  const pack = manifests
    .flatMap(({ kind, data }) => (kind === "ConfigMap" ? data : []))
    .find(({ name, text }) => packNamePattern.test(name) || looksLikePack(text));
  const type = manifests.every(({ kind }) => kind !== undefined) ? "Kubernetes manifest" : "manifest";
  return {
    at,
    message: `${what(type + named, `${type}s`)}, not a pack.`,
    advice: pack && `The pack is in data[${JSON.stringify(pack.name)}]: lint it as a file of its own.`,
  };
}
