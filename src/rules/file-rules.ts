import type { Finding, Place } from "../diagnostic.js";
import type { AliasInfo, Document, FaultKind } from "../document/document.js";
import { looksLikePack, packNamePattern } from "../document/file-format.js";
import { asMapping, type Key, LocatedString, type MappingNode, placeOf, stringOf } from "../document/node.js";
import type { RuleFor } from "./rule.js";

export const parseError: RuleFor<"file"> = {
  id: "parse-error",
  subject: "file",
  summary: "The file is UTF-8, valid JSON or YAML, holds one document, and its root is an object.",
  severity: "error",
  source: "RFC 0002, file formats",
  stopsLinting: ({ root }) => root === undefined,
  *check({ document: { faults }, isPack }) {
    for (const fault of faults) {
      const { message, related, kind } = fault;
      const flag = kind && limitFlags[kind];
      const packAdvice = isPack && kind ? packAdvices[kind] : undefined;
      const advice = flag === undefined ? packAdvice : `"${flag}" raises the limit.`;
      yield { at: fault, message, advice, ...(related && { related }) };
    }
  },
};

const limitFlags: Readonly<Partial<Record<FaultKind, string>>> = {
  maxBytes: "--max-size",
  maxDepth: "--max-depth",
  maxAliasNodes: "--max-alias-nodes",
  maxValues: "--max-values",
};

const packAdvices: Readonly<Partial<Record<FaultKind, string>>> = {
  "no-object": "A pack is an object with keys such as id and prompts.",
  "several-documents": "Put each pack into a file of its own.",
  yaml: 'Give the file a name that ends in ".yaml", or write it as JSON.',
};

export const duplicateKey: RuleFor<"file"> = {
  id: "duplicate-key",
  subject: "file",
  summary: "No object has the same key twice.",
  severity: "error",
  source: "RFC 0009, rule 3",
  *check({ document: { duplicateKeys, aliases } }) {
    for (const { first, second } of duplicateKeys) {
      yield {
        at: second,
        message: `The key "${second.text}" is already used in this object; only one of them counts.`,
        advice: isMergeKey(second, aliases)
          ? 'Write one with a list, such as "<<: [*a, *b]".'
          : "Rename or remove the others.",
        related: [{ at: first, message: "first used here" }],
      };
    }
  },
};

/** In quotes, or in JSON, `<<` is an ordinary key. */
function isMergeKey({ text, value }: Key, { mergingMappings }: AliasInfo): boolean {
  const mapping = value?.parent ?? undefined;
  return text === "<<" && mapping !== undefined && mergingMappings.has(mapping);
}

export const notAPack: RuleFor<"document"> = {
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
      message: `${what(`source file${named}`, "source files")} of a PromptKit project, not a pack.`,
      advice:
        kind === "Arena"
          ? 'Pass its path to "promptpack lint", which reads the files that it names.'
          : "Lint the head (kind: Arena) of a project that lists it.",
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

/** A Kubernetes manifest, or a source file of PromptKit, which looks like one. */
interface Manifest {
  readonly at: Place;
  readonly kind: string | undefined;
  readonly isVersioned: boolean;
  readonly isPromptKit: boolean;
  /** The values in a ConfigMap. */
  readonly data: readonly { readonly name: string; readonly text: string }[];
}

function readManifest(root: MappingNode): Manifest {
  const kind = LocatedString.of(root.get("kind"));
  const version = root.get("apiVersion");
  return {
    at: kind ?? placeOf(root),
    kind: kind?.text,
    isVersioned: version !== undefined,
    isPromptKit: stringOf(version)?.includes("promptkit") === true,
    data: (asMapping(root.get("data"))?.entries ?? []).map(({ key, value }) => ({
      name: key.text,
      text: stringOf(value) ?? "",
    })),
  };
}

/** The manifests in a text that holds several or is broken, if it holds nothing else. */
function manifestsIn(text: string): readonly Manifest[] {
  const manifests: Manifest[] = [];
  let offset = 0;
  for (const part of text.split(/^(?=---\s)/mu)) {
    const kind = /^kind:[\t ]+["']?([-.\w]+)/mu.exec(part);
    const [version] = /^apiVersion:.*/mu.exec(part) ?? [];
    const isEmpty = !/^[^\s#]/mu.test(part.replace(/^---\s/u, ""));
    if (!isEmpty && (kind === null || version === undefined || /^(?:prompts|template_engine):/mu.test(part)))
      return [];
    if (kind !== null && version !== undefined) {
      const [match, name = ""] = kind;
      const end = offset + kind.index + match.length;
      manifests.push({
        at: { pointer: "/kind", start: end - name.length, end },
        kind: name,
        isVersioned: true,
        isPromptKit: version.includes("promptkit"),
        data: blockScalarsIn(part),
      });
    }
    offset += part.length;
  }
  return manifests;
}

function blockScalarsIn(text: string): Manifest["data"] {
  const blocks = text.matchAll(
    /^( +)["']?([-.\w]+)["']?:[\t ]*[|>][^\n]*\n((?:\1[\t ][^\n]*\n?|[\t ]*\r?\n)*)/gmu,
  );
  return [...blocks].map(([, , name = "", body = ""]) => {
    const indent = /^[\t ]+(?=\S)/mu.exec(body)?.[0] ?? "";
    return { name, text: `\n${body}`.replaceAll(`\n${indent}`, "\n") };
  });
}
