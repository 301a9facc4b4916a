import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import {
  asMapping,
  itemsOf,
  LocatedString,
  type MappingNode,
  type Node,
  stringOf,
} from "../document/node.js";

/** The kinds of files in a project. A "text" is the file of a fragment. */
export type SourceKind = "Arena" | "PromptConfig" | "Tool" | "Scenario" | "text";

/** A file as a reader opened it. */
export interface OpenedFile {
  /** As reports show it. */
  readonly name: string;
  /** Tells one file from another. */
  readonly path: string;
  readonly document: Document;
  /** Whether it is a template from which sources are made, which nobody can read as it is. */
  readonly isTemplate?: boolean;
}

/** Why a reference leads nowhere, as the end of a sentence that begins with its name. */
export interface Unopened {
  readonly fault: string;
  readonly advice?: string | undefined;
}

export type Opened = OpenedFile | Unopened;

/** Finds the file that a reference in another file names, once all files are read. */
export type Opener = (from: OpenedFile, reference: string, kind: SourceKind) => Opened;

/** A file of a project. Its text begins at `base` on the number line of the project. */
export interface SourceFile extends OpenedFile {
  readonly kind: SourceKind;
  readonly base: number;
}

/** A place in one file of a project where another is named. */
export interface FileReference {
  readonly kind: SourceKind;
  /** Undefined for a fragment whose file has the name of the fragment. */
  readonly file: LocatedString;
  /** Whether a missing file is a mistake. */
  readonly isRequired: boolean;
}

/** A name of a file, with the file that it leads to, or why it leads to none. */
export interface Listed {
  readonly list: string;
  readonly item: Node;
  readonly reference: FileReference;
  /** The file with the name. */
  readonly by: SourceFile;
  readonly file: SourceFile | undefined;
  readonly fault: Unopened | undefined;
}

/** The files of a project, as far as they can be read. */
export interface ProjectFiles {
  /** The head, or the only file of a project without one. */
  readonly first: SourceFile;
  readonly head: SourceFile | undefined;
  readonly files: readonly SourceFile[];
  readonly listed: readonly Listed[];
  fragmentOf(prompt: SourceFile, name: string): Listed | undefined;
}

export function kindOf({ root }: Document): string | undefined {
  return stringOf(asMapping(root)?.get("kind"));
}

/** Whether a text that cannot be read, or has not been read yet, is probably a source of this kind. */
export function looksLikeSource(text: string, kind: string): boolean {
  return (
    /^[\t ]*["']?apiVersion["']?[\t ]*:[\t ]*["']?promptkit\.altairalabs\.ai\//mu.test(text) &&
    new RegExp(`^[\\t ]*["']?kind["']?[\\t ]*:[\\t ]*["']?${kind}\\b`, "mu").test(text)
  );
}

export function specOf({ root }: Document): MappingNode | undefined {
  return asMapping(asMapping(root)?.get("spec"));
}

const fileLists = [
  { list: "prompt_configs", kind: "PromptConfig" },
  { list: "tools", kind: "Tool" },
  { list: "scenarios", kind: "Scenario" },
] as const;

/** The files that a head names, in order, with the items that do. */
export function* listedFiles(head: Document) {
  const spec = specOf(head);
  for (const { list, kind } of fileLists)
    for (const item of itemsOf(spec?.get(list))) {
      const file = LocatedString.of(asMapping(item)?.get("file"));
      if (file !== undefined)
        yield { list, item, reference: { kind, file, isRequired: true } as FileReference };
    }
}

/** The files of the fragments that a prompt names: by their paths, or else by their names. */
export function* fragmentFiles(spec: MappingNode | undefined) {
  for (const item of itemsOf(spec?.get("fragments"))) {
    const name = LocatedString.of(asMapping(item)?.get("name"));
    const path = LocatedString.of(asMapping(item)?.get("path"));
    const file = path ?? name;
    if (name === undefined || file === undefined) continue;
    yield { name, reference: { kind: "text", file, isRequired: path !== undefined } as FileReference };
  }
}

export function compiledPackOf(head: Document): LocatedString | undefined {
  return LocatedString.of(specOf(head)?.get("pack_file"));
}

/** A place in a file of a project, by the pointer that it has there, on the number line. */
export function placeIn({ base }: SourceFile, { pointer, start, end }: Place): Place {
  return { pointer, start: start + base, end: end + base };
}

/** The pointer of the innermost value at an offset of a file. */
export function pointerAt({ root }: Document, offset: number): string {
  let node: Node | undefined = root;
  for (let inner = node; inner !== undefined;) {
    node = inner;
    inner = childAt(node, offset);
  }
  return node?.pointer ?? "";
}

function childAt(node: Node, offset: number): Node | undefined {
  if (node.kind === "sequence") return node.items.find(({ start, end }) => start <= offset && offset <= end);
  if (node.kind === "scalar") return undefined;
  return node.entries.find(({ key, value }) => key.start <= offset && offset <= Math.max(key.end, value.end))
    ?.value;
}
