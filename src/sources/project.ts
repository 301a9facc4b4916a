import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Node, ScalarNode, Span } from "../document/node.js";
import type { Limits } from "../document/file-format.js";
import { containsOffset, entrySpan, findNode, isWrittenInPlace, nodesAlong } from "../document/pointers.js";
import { LineMap } from "../document/scan-text.js";
import { cached } from "../text/collections.js";
import { type Grafted, graftPack } from "./graft-pack.js";
import { mentionsIn } from "./scenarios.js";
import {
  compiledPackOf,
  type FileReference,
  fragmentFiles,
  kindOf,
  type Listed,
  listedFiles,
  type OpenedFile,
  type Opener,
  pointerAt,
  type ProjectFiles,
  type SourceFile,
  type SourceKind,
  specOf,
  type Unopened,
} from "./source-file.js";

/** Ends the text of a file on the number line. No file that can be read holds a NUL. */
const separator = "\n\0\n";

/** More files than any project has; each name costs a look at the disk. */
const maxFiles = 10_000;

/** Those of a pack. */
export type ProjectLimits = Pick<Limits, "maxBytes" | "maxValues">;

/**
 * The texts of a head and of the files that it names, one after another on one number line, and the pack that they make.
 * Without a head, it is one file that no head lists.
 */
export class Project implements ProjectFiles {
  readonly files: readonly SourceFile[];
  readonly listed: readonly Listed[];
  /** The pack, as a document of all texts, in which every value knows its place. */
  readonly document: Document;
  readonly grafted: Grafted;
  readonly maxValues: number;
  private readonly byPath = new Map<string, SourceFile>();
  /** By the prompt with the fragments: the file of each, if there is one. */
  private readonly fragments = new Map<SourceFile, Map<string, Listed>>();

  constructor(
    first: OpenedFile,
    firstKind: SourceKind,
    private readonly open: Opener,
    limits: ProjectLimits,
  ) {
    const texts: string[] = [];
    let length = 0;
    const add = (opened: OpenedFile, kind: SourceKind): SourceFile | undefined => {
      const known = this.byPath.get(opened.path);
      if (known !== undefined) return known;
      const text = opened.document.text.replaceAll("\0", " ");
      if (length + text.length > limits.maxBytes && texts.length > 0) return undefined;
      const file = { ...opened, kind, base: length };
      texts.push(text);
      length += text.length + separator.length;
      this.byPath.set(opened.path, file);
      return file;
    };
    const head = add(first, firstKind);
    if (head === undefined) throw new Error("The first file is always read.");
    const listed: Listed[] = [];
    const follow = (by: SourceFile, list: string, item: Node, reference: FileReference): Listed => {
      const { kind } = reference;
      const opened: ReturnType<Opener> =
        listed.length < maxFiles
          ? open(by, reference.file.text, kind)
          : { fault: `is one of more than ${maxFiles} files that the project names` };
      const fault = "fault" in opened ? opened : wrongKind(opened, kind, list);
      const file = fault === undefined && !("fault" in opened) ? add(opened, kind) : undefined;
      const tooLarge = {
        fault: `is too large: the files of the project hold more than ${limits.maxBytes} bytes`,
        advice: '"--max-size" raises the limit.',
      };
      const found = {
        list,
        item,
        reference,
        by,
        file,
        fault: fault ?? (file === undefined ? tooLarge : undefined),
      };
      listed.push(found);
      return found;
    };
    if (head.kind === "Arena") {
      for (const { list, item, reference } of listedFiles(head.document)) follow(head, list, item, reference);
      // Whoever opens a head takes the pack that it names instead, if there is one.
      const pack = compiledPackOf(head.document);
      if (pack !== undefined && !listed.some(({ list }) => list === "prompt_configs"))
        follow(head, "pack_file", pack.node, { kind: "text", file: pack, isRequired: true });
    }
    for (const prompt of [...this.byPath.values()].filter(({ kind }) => kind === "PromptConfig")) {
      const files = new Map<string, Listed>();
      for (const { name, reference } of fragmentFiles(specOf(prompt.document)))
        files.set(name.text, follow(prompt, "fragments", reference.file.node, reference));
      this.fragments.set(prompt, files);
    }
    this.files = [...this.byPath.values()];
    this.listed = listed;
    this.maxValues = limits.maxValues;
    this.grafted = graftPack(this, limits.maxValues);
    this.document = this.joined(texts.join(separator));
  }

  /** The head, or the only file of a project without one. */
  get first(): SourceFile {
    const [first] = this.files;
    if (first === undefined) throw new Error("A project has a first file.");
    return first;
  }

  get head(): SourceFile | undefined {
    return this.first.kind === "Arena" ? this.first : undefined;
  }

  fragmentOf(prompt: SourceFile, name: string): Listed | undefined {
    return this.fragments.get(prompt)?.get(name);
  }

  /** The file that an offset belongs to. */
  fileAt(offset: number): SourceFile {
    return this.files.findLast(({ base }) => base <= offset) ?? this.first;
  }

  /** The place of a part of the pack in its file: the pointer that it has there, and its offset there. */
  placeInFile({ pointer, start, end }: Place): Place & { readonly file: SourceFile } {
    const file = this.fileAt(start);
    const offset = start - file.base;
    return { file, pointer: this.pointerIn(file, pointer, offset), start: offset, end: end - file.base };
  }

  /** The pointer in the file, by the innermost value on the way that comes from it, or else by the offset. */
  private pointerIn(file: SourceFile, pointer: string, offset: number): string {
    const { root } = this.document;
    const along = root === undefined ? [] : nodesAlong(root, pointer);
    for (const node of along.toReversed()) {
      const { file: own, node: written } = this.grafted.originOf(node) ?? {};
      if (own !== file || written === undefined) continue;
      // True for values that the compiler adds to the head, and for a tool's name, which is not in its spec.
      const isBeside = isWrittenInPlace(written) && !containsOffset(entrySpan(written), offset);
      if (isBeside || (node === root && along.length > 1)) break;
      const last = along.at(-1)?.pointer ?? "";
      return written.pointer + pointer.slice(last.length);
    }
    return pointerAt(file.document, offset);
  }

  /** The pointer in the pack of a value of a file; undefined if the pack does not have it. */
  packPointerOf(file: SourceFile, pointer: string): string | undefined {
    const node = file.document.root && findNode(file.document.root, pointer);
    const copy = node && this.grafted.copyOf(node);
    // The compiler drops some values, and of two prompts with one name, the pack has the second.
    return copy !== undefined && findNode(this.grafted.root, copy.pointer) === copy
      ? copy.pointer
      : undefined;
  }

  /** The offsets of all texts as one file sees them: its own text first, and behind it the number line of the project. */
  readonly linesOf = cached((file: SourceFile): LineMap => {
    const { lines, text } = file.document;
    const behind = text.length + 1;
    const others = this.files.map(({ name, base, document }) => ({
      file: name,
      start: behind + base,
      lines: document.lines,
    }));
    return new LineMap(lines.text, others);
  });

  /** A place of the number line in the offsets of `linesOf`. */
  seenFrom({ base, document: { text } }: SourceFile, { start, end }: Span): Span {
    const isOwn = base <= start && end <= base + text.length;
    const by = isOwn ? -base : text.length + 1;
    return { start: start + by, end: end + by };
  }

  /** The texts that edits of the number line leave; undefined if an edit has joined two files. */
  split(text: string): ReadonlyMap<SourceFile, string> | undefined {
    const parts = text.split(separator);
    if (parts.length !== this.files.length) return undefined;
    return new Map(this.files.map((file, index) => [file, parts[index] ?? ""]));
  }

  /** The project with other texts, which `read` turns into documents. */
  withText(text: string, read: (text: string, file: SourceFile) => Document, limits: ProjectLimits): Project {
    const changed = new Map<string, Document>();
    for (const [file, part] of this.split(text) ?? [])
      if (file.kind !== "text" && part !== file.document.text) changed.set(file.path, read(part, file));
    return this.withDocuments(changed, limits);
  }

  withDocuments(changed: ReadonlyMap<string, Document>, limits: ProjectLimits): Project {
    if (changed.size === 0) return this;
    const renewed = <File extends OpenedFile>(file: File): File => ({
      ...file,
      document: changed.get(file.path) ?? file.document,
    });
    return new Project(
      renewed(this.first),
      this.first.kind,
      (from, reference, kind) => {
        const opened = this.open(from, reference, kind);
        return "fault" in opened || kind === "text" ? opened : renewed(opened);
      },
      limits,
    );
  }

  private joined(text: string): Document {
    const { files, grafted } = this;
    const [first, ...others] = files;
    const next = others.map(({ name, base, document }) => ({
      file: name,
      start: base,
      lines: document.lines,
    }));
    return {
      text,
      format: first?.document.format ?? "yaml",
      formatAt: (offset) => this.fileAt(offset).document.format,
      lines: new LineMap(text, next),
      root: grafted.root,
      faults: [],
      duplicateKeys: grafted.duplicateKeys,
      comments: [],
      aliases: grafted.aliases,
      lacking: grafted.lacking,
      otherNames: grafted.otherNames,
      mentions: () => mentionsIn(this),
      placeWithin: (scalar, from, to) => this.placeWithin(scalar, from, to),
    };
  }

  private placeWithin(scalar: ScalarNode, from: number, to: number): Place {
    const origin = this.grafted.originOf(scalar);
    const { pointer } = scalar;
    if (origin === undefined) return { pointer, start: scalar.start, end: scalar.end };
    const { base, kind, document } = origin.file;
    if (kind === "text") return { pointer, start: base + from, end: base + to };
    if (origin.node.kind !== "scalar") return { pointer, start: scalar.start, end: scalar.end };
    const { start, end } = document.placeWithin(origin.node, from, to);
    return { pointer, start: base + start, end: base + end };
  }
}

function wrongKind({ document }: OpenedFile, wanted: SourceKind, list: string): Unopened | undefined {
  if (list === "pack_file") return { fault: "is the head of a project, not a compiled pack" };
  const kind = kindOf(document);
  if (wanted === "text" || kind === undefined || kind === wanted) return undefined;
  return { fault: `is of kind "${kind}", not "${wanted}"` };
}
