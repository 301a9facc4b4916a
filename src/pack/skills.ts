import { itemsOf, LocatedString, type MappingNode, type Node, placeOf } from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";
import { getOrCreate } from "../text/collections.js";

/** RFC 0008. */
export type Skills = Readonly<ReturnType<typeof readSkills>>;

export function readSkills(root: MappingNode, unclear: Unclear) {
  const node = root.get("skills");
  const clear = itemsOf(node).filter((item) => !unclear.has(item));
  return {
    isWritten: node !== undefined,
    sources: clear.flatMap((item) => readSource(item, unclear) ?? []),
    /** Whether it is unknown what some source declares. */
    unclear: !["path", "name"].every((field) => unclear.isClearList(root, "skills", field)),
  };
}

/** A path or package reference, or a skill defined in the pack. */
function readSource(node: Node, unclear: Unclear) {
  const isMapping = node.kind === "mapping";
  const path = LocatedString.of(isMapping ? unclear.get(node, "path") : node);
  if (path !== undefined) return { kind: "path" as const, path };
  const name = isMapping ? LocatedString.of(unclear.get(node, "name")) : undefined;
  return name === undefined ? undefined : { kind: "inline" as const, at: placeOf(node), name };
}

/** Longer than any file system allows. */
const maxPathLength = 4_096;

/**
 * The path of a skill beside the pack, with `/` between its parts. None for what may be something else: a package
 * (`@acme/skills`, `acme/skills@2`, `github.com/acme/skills`), an address, an absolute path, a home directory, a
 * variable, a glob, or a bare word, which may name a package as well as a folder.
 */
export function relativePath(text: string): string | undefined {
  if (text === "" || text.length > maxPathLength || text.includes("\0")) return undefined;
  const path = text.replaceAll("\\", "/");
  if (/^[/~@]|^[A-Za-z][\w+.-]*:|[*?[\]{}$%]/.test(path)) return undefined;
  if (/^\.{1,2}(?:\/|$)/.test(path)) return path.replace(/^(?:\.\/+)+(?=.)/, "");
  const [first = "", ...more] = path.split("/");
  if (more.length === 0) return /\.\w+$/.test(first) ? path : undefined;
  const isHost = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i.test(first);
  return isHost || path.includes("@") ? undefined : path;
}

/** The whole parts of a path before the first glob. */
export function pathBeforeGlob(text: string): string {
  const end = text.search(/[*?[\]{}]/);
  if (end === -1) return text;
  return text.slice(0, Math.max(text.lastIndexOf("/", end), text.lastIndexOf("\\", end)) + 1);
}

/** Normalizes a path: `./skills/billing/` and `skills/billing` are the same. */
export function pathParts(text: string): readonly string[] {
  const parts: string[] = [];
  for (const part of text.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts;
}

/** The relative paths of skills that do not exist. Each path is looked up once. */
export function* missingSkillPaths(skills: Skills, fileExists: (path: string) => boolean) {
  const known = new Map<string, boolean>();
  for (const source of skills.sources) {
    if (source.kind !== "path") continue;
    const path = relativePath(source.path.text);
    if (path !== undefined && !getOrCreate(known, path, () => fileExists(path))) yield source.path;
  }
}

/** Path segments that are compared; nobody nests skills deeper. */
const maxDepth = 32;

/** The choices of a state: inline skills by name, paths and packages, what is in them, and folders above them. */
export class DeclaredSkills {
  private readonly names = new Map<string, LocatedString>();
  private readonly paths = new Map<string, LocatedString>();
  private readonly folders = new Set<string>();
  /** Declared paths that may be folders of skills beside the pack. */
  readonly localFolders = new Set<string>();
  private containsEverything = false;
  private hasPackage = false;

  constructor(private readonly skills: Skills) {
    for (const source of skills.sources) {
      if (source.kind === "inline") getOrCreate(this.names, source.name.text, () => source.name);
      else this.addPath(source.path);
    }
  }

  has(text: string): boolean {
    if (this.names.has(text) || this.containsEverything) return true;
    if (text === "") return false;
    const parts = pathParts(pathBeforeGlob(text));
    // The content of a package is unknown.
    if (parts.length === 0 || (this.hasPackage && parts.length === 1)) return true;
    const path = joinPath(parts);
    return this.folders.has(path) || [...ancestorPaths(parts), path].some((folder) => this.paths.has(folder));
  }

  /** The declaration of a skill with this name, or at or above this path. */
  sourceOf(text: string): LocatedString | undefined {
    const parts = pathParts(pathBeforeGlob(text));
    const nearest = [...ancestorPaths(parts), joinPath(parts)].findLast((folder) => this.paths.has(folder));
    return this.names.get(text) ?? this.paths.get(nearest ?? "");
  }

  /** The declared folder that a path leads into, unless the path itself or something below it is declared. */
  enclosingFolder(text: string): string | undefined {
    const parts = pathParts(pathBeforeGlob(text));
    const own = joinPath(parts);
    if (this.names.has(text) || this.paths.has(own) || this.folders.has(own)) return undefined;
    const around = [...(parts[0] === ".." ? [] : ["."]), ...ancestorPaths(parts)];
    const nearest = around.findLast((folder) => this.paths.has(folder));
    return nearest !== undefined && this.localFolders.has(nearest) ? nearest : undefined;
  }

  *choices(): Iterable<string> {
    for (const source of this.skills.sources)
      yield source.kind === "inline" ? source.name.text : source.path.text;
    yield "none";
  }

  private addPath(source: LocatedString): void {
    const { text } = source;
    const unversioned = text.replace(/(?<=[^/@])@[^/@]*$/, "");
    const fixed = pathBeforeGlob(unversioned);
    const parts = pathParts(fixed);
    if (parts.length === 0) this.containsEverything = true;
    if (/^@|^\w[\w+.-]+:/.test(text) || unversioned !== text) this.hasPackage = true;
    const path = joinPath(parts);
    getOrCreate(this.paths, path, () => source);
    if (!/^[/\\]/.test(text) && mayBeFolder(path)) this.localFolders.add(path);
    for (const folder of ancestorPaths(parts)) this.folders.add(folder);
    if (fixed === unversioned) this.addName(parts, source);
  }

  /** A skill can be named by its folder or file: `refunds` for `skills/refunds`, `refunds.md` and `refunds/SKILL.md`. */
  private addName(parts: readonly string[], source: LocatedString): void {
    const last = parts.at(-1) ?? "";
    const name = last.toUpperCase() === "SKILL.MD" ? parts.at(-2) : last;
    if (name === undefined) return;
    getOrCreate(this.names, name, () => source);
    getOrCreate(this.names, name.replace(/\.\w{1,10}$/, ""), () => source);
  }
}

function mayBeFolder(path: string): boolean {
  return !/\.md$/i.test(path) && relativePath(`${path}/skill`) !== undefined;
}

function joinPath(parts: readonly string[]): string {
  return parts.length === 0 ? "." : parts.join("/");
}

function ancestorPaths(parts: readonly string[]): readonly string[] {
  return parts.slice(1, maxDepth).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** A `SKILL.md` may, by its `allowed-tools`; a skill that is written out in the pack cannot. */
export function mayGrantTools({ sources, unclear }: Skills): boolean {
  return unclear || sources.some(({ kind }) => kind === "path");
}
