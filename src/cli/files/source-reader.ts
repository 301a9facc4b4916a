import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { detectFormat, type Limits } from "../../document/file-format.js";
import { loadReader, readDocumentLazily } from "../../document/read-lazily.js";
import { createDocument, openText } from "../../document/text-document.js";
import { Project } from "../../sources/project.js";
import {
  compiledPackOf,
  type FileReference,
  fragmentFiles,
  kindOf,
  listedFiles,
  looksLikeSource,
  type Opened,
  type OpenedFile,
  type SourceFile,
  type SourceKind,
  specOf,
} from "../../sources/source-file.js";
import { getOrCreate, tryTo } from "../../text/collections.js";
import { nearestName, suggestName } from "../../text/names.js";
import { type Discovery, isHeadName } from "./discover.js";
import { displayPath, fromHereUp, isBelow, realPathOf, repositoryOf, withForwardSlashes } from "./paths.js";
import { describeIoError, FileError, readRegularFile, readTextOrEmpty } from "./read-file.js";

export type Overlay = NonNullable<Discovery["overlay"]>;

export interface SourceReaderOptions {
  readonly cwd: string;
  readonly limits: Limits;
  readonly overlay?: Overlay | undefined;
  /** Called with each path before it is looked up. */
  readonly onLookup?: ((path: string) => void) | undefined;
}

/** The result of opening a source file. */
export type Source =
  | { readonly kind: "project"; readonly project: Project }
  /** The compiled pack that a head names. */
  | { readonly kind: "pack"; readonly path: string; readonly listed: readonly string[] }
  /** A scenario alone, or another file of the same makers. */
  | { readonly kind: "other" };

/** Reads the files of projects, each once, however many projects share it. */
export class SourceReader {
  private readonly opened = new Map<string, Promise<Opened>>();
  /** Files opened so far, for synchronous lookups. */
  private readonly known = new Map<string, Opened>();
  private readonly roots = new Map<string, string>();
  private readonly projects = new Map<string, Promise<Source>>();

  constructor(private readonly options: SourceReaderOptions) {}

  /** The project of a head, or a file that no project lists. */
  async open(path: string, bytes?: Uint8Array): Promise<Source> {
    return getOrCreate(this.projects, path, () => this.openFirst(path, bytes));
  }

  /** The projects that a file is a part of, by the heads in its folder and above. */
  async projectsWith(path: string): Promise<readonly Project[]> {
    const found: Project[] = [];
    const root = this.rootOf(path);
    for (const folder of fromHereUp(dirname(path))) {
      if (folder !== root && !isBelow(root, folder)) break;
      for (const head of headsIn(folder)) {
        const source = head === path ? undefined : await tryToOpen(() => this.open(head));
        if (source?.kind !== "project" || source.project.head === undefined) continue;
        if (source.project.files.some((file) => file.path === realPathOf(path))) found.push(source.project);
      }
    }
    return found;
  }

  /** The file may have changed. */
  forget(path: string): void {
    this.projects.clear();
    for (const kind of ["text", "Arena"] as const) this.opened.delete(keyOf(realPathOf(path), kind));
    this.opened.delete(keyOf(path, "Arena"));
  }

  /** The bytes of a file of a project, as it was read. */
  bytesOf({ path }: SourceFile): Uint8Array {
    const { overlay, limits } = this.options;
    return overlay?.(path, limits.maxBytes) ?? readRegularFile(path, limits.maxBytes);
  }

  /** The file has other bytes from now on. */
  async replace({ path, kind }: SourceFile, bytes: Uint8Array): Promise<void> {
    this.projects.clear();
    this.opened.delete(keyOf(path, kind));
    await this.load(path, kind, bytes);
  }

  /** For texts that change: reads without waiting, and without explaining what is wrong. */
  async syncReader(): Promise<(text: string, file: OpenedFile) => OpenedFile["document"]> {
    const [json, yaml] = [await loadReader("json"), await loadReader("yaml")];
    return (text, { document }) =>
      (document.format === "json" ? json : yaml)(`\ufeff${text}`, this.options.limits);
  }

  private async openFirst(path: string, bytes?: Uint8Array): Promise<Source> {
    const first = await this.load(path, "Arena", bytes);
    if ("fault" in first) throw new FileError(first.fault);
    const { document } = first;
    const kind = kindOf(document);
    if (kind === "Arena" || (document.root === undefined && looksLikeSource(document.text, "Arena"))) {
      const pack = compiledPackOf(document);
      const compiled = pack && this.resolve(first, pack.text);
      if (compiled !== undefined && "path" in compiled) {
        const opened = await this.load(compiled.path, "text");
        const source = await this.load(compiled.path, "Arena");
        // Heads may name each other in a ring.
        const isHead = !("fault" in source) && kindOf(source.document) === "Arena";
        if (!("fault" in opened) && !isHead)
          return { kind: "pack", path: compiled.path, listed: this.pathsIn(first) };
      }
      await this.loadAll(first, listedFiles(document));
      return this.project(first, "Arena");
    }
    const own = (["PromptConfig", "Tool"] as const).find(
      (each) => kind === each || (first.isTemplate === true && looksLikeSource(document.text, each)),
    );
    if (own === undefined) return { kind: "other" };
    await this.loadFragments(first);
    return this.project(first, own);
  }

  private pathsIn(head: OpenedFile): readonly string[] {
    const found = [...listedFiles(head.document)].map(({ reference }) =>
      this.resolve(head, reference.file.text),
    );
    return found.flatMap((each) => ("path" in each ? each.path : []));
  }

  private project(first: OpenedFile, kind: SourceKind): Source {
    const open = (from: OpenedFile, reference: string, wanted: SourceKind): Opened => {
      const found = this.resolve(from, reference);
      if ("fault" in found) return found;
      const opened = this.known.get(keyOf(found.path, wanted)) ?? { fault: "does not exist" };
      if (!("fault" in opened)) return opened;
      const near = existsSync(found.path) ? undefined : nearestPath(found.path);
      const meant =
        near === undefined || near === found.path
          ? undefined
          : withForwardSlashes(relative(dirname(from.path), near));
      return { ...opened, advice: meant && suggestName(reference, meant) };
    };
    return { kind: "project", project: new Project(first, kind, open, this.options.limits) };
  }

  private async loadAll(
    from: OpenedFile,
    references: Iterable<{ readonly reference: FileReference }>,
  ): Promise<void> {
    for (const { reference } of references) {
      const found = this.resolve(from, reference.file.text);
      if ("fault" in found) continue;
      const opened = await this.load(found.path, reference.kind);
      if (reference.kind === "PromptConfig" && !("fault" in opened)) await this.loadFragments(opened);
    }
  }

  private loadFragments(prompt: OpenedFile): Promise<void> {
    return this.loadAll(prompt, fragmentFiles(specOf(prompt.document)));
  }

  /** The real path that a name in a file leads to. Nothing outside of the repository is read. */
  private resolve(
    from: OpenedFile,
    reference: string,
  ): { readonly path: string } | { readonly fault: string } {
    const path = resolve(dirname(from.path), reference);
    const root = this.rootOf(from.path);
    const real = realPathOf(path);
    // Files in `.git` never belong to a pack, and may contain credentials.
    const isOfGit = relative(root, real).toLowerCase().split(sep).includes(".git");
    if (isBelow(root, real) && !isOfGit) return { path: real };
    const isRepository = repositoryOf(dirname(from.path)) !== undefined;
    return { fault: `is outside of the ${isRepository ? "repository" : "folder"} of the project` };
  }

  private rootOf(path: string): string {
    const folder = dirname(path);
    return getOrCreate(this.roots, folder, () => realPathOf(repositoryOf(folder) ?? folder));
  }

  private async load(path: string, kind: SourceKind, bytes?: Uint8Array): Promise<Opened> {
    const key = keyOf(path, kind);
    const opened = await getOrCreate(this.opened, key, () => this.read(path, kind, bytes));
    this.known.set(key, opened);
    return opened;
  }

  private async read(path: string, kind: SourceKind, given?: Uint8Array): Promise<Opened> {
    const { cwd, limits, overlay, onLookup } = this.options;
    const real = realPathOf(path);
    const name = path === real ? displayPath(real, realPathOf(cwd)) : displayPath(path, cwd);
    onLookup?.(path);
    try {
      const own = given ?? overlay?.(path, limits.maxBytes);
      if (own === null) return { fault: "is not in git" };
      const bytes = own ?? readRegularFile(path, limits.maxBytes);
      if (kind === "text") {
        const text = openText(bytes, "yaml", limits);
        const document = typeof text === "string" ? createDocument(text, "yaml", {}) : text;
        const [fault] = document.faults;
        return fault === undefined
          ? { name, path: real, document }
          : { fault: `cannot be read: ${lowerFirst(fault.message)}` };
      }
      const document = await readDocumentLazily(bytes, detectFormat(path, bytes), limits);
      return { name, path: real, document, ...(this.isTemplate(path, document) && { isTemplate: true }) };
    } catch (error) {
      return { fault: describeIoError(error) };
    }
  }

  /** A text that its tool fills in before anyone reads it as YAML. */
  private isTemplate(path: string, { faults, text }: OpenedFile["document"]): boolean {
    if (faults.length === 0 || !text.includes("{{")) return false;
    const root = this.rootOf(path);
    return fromHereUp(dirname(path))
      .filter((folder) => folder === root || isBelow(root, folder))
      .some((folder) => templateKind.test(readTextOrEmpty(join(folder, "template.yaml"), 1024 * 1024)));
  }
}

const templateKind = /^kind[\t ]*:[\t ]*["']?Template\b/mu;

/** One project may use a file as text, and another as a source. */
function keyOf(path: string, kind: SourceKind): string {
  return `${kind === "text" ? "text" : "source"} ${path}`;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/u, "");
}

/** Longer paths get no suggestion. */
const maxPathLength = 1000;

/** One that exists, where only names in it are misspelled. */
function nearestPath(path: string): string | undefined {
  if (path.length > maxPathLength) return undefined;
  const folder = existsSync(dirname(path)) ? dirname(path) : nearestPath(dirname(path));
  if (folder === undefined) return undefined;
  const names = tryTo(() => readdirSync(folder).sort()) ?? [];
  const name = names.includes(basename(path)) ? basename(path) : nearestName(basename(path), names);
  return name && join(folder, name);
}

function headsIn(folder: string): readonly string[] {
  const names = tryTo(() => readdirSync(folder).sort()) ?? [];
  return names.filter(isHeadName).map((name) => join(folder, name));
}

async function tryToOpen(work: () => Promise<Source>): Promise<Source | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
