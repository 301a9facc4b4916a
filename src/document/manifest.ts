import type { Place } from "../diagnostic.js";
import { asMapping, LocatedString, type MappingNode, placeOf, stringOf } from "./node.js";

/** A Kubernetes manifest, or a source file of PromptKit, which looks like one. */
export interface Manifest {
  readonly at: Place;
  readonly kind: string | undefined;
  readonly isVersioned: boolean;
  readonly isPromptKit: boolean;
  /** The values in a ConfigMap. */
  readonly data: readonly { readonly name: string; readonly text: string }[];
}

export function readManifest(root: MappingNode): Manifest {
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
export function manifestsIn(text: string): readonly Manifest[] {
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
