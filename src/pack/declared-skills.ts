import type { Text } from "../document/spelled-values.js";
import type { Skills } from "./skill.js";
import { fixedPart, pathParts, relativePath } from "./skill-path.js";

/** Parts of a path that are compared; deeper ones would cost time, and nobody nests skills so deep. */
const deepest = 32;

/** What a state may choose from: inline skills by name, paths and packages, what is in them, and folders above them. */
export class DeclaredSkills {
  private readonly names = new Map<string, Text>();
  private readonly paths = new Map<string, Text>();
  private readonly folders = new Set<string>();
  /** What may be folders with skills in them beside the pack. */
  readonly foldersBeside = new Set<string>();
  private holdsEverything = false;
  private hasPackage = false;

  constructor(private readonly skills: Skills) {
    for (const source of skills.sources) {
      if (source.kind === "inline") addFirst(this.names, source.name.text, source.name);
      else this.addPath(source.path);
    }
  }

  has(text: string): boolean {
    if (this.names.has(text) || this.holdsEverything) return true;
    if (text === "") return false;
    const parts = pathParts(fixedPart(text));
    // What a package contains is not known here.
    if (parts.length === 0 || (this.hasPackage && parts.length === 1)) return true;
    const path = joined(parts);
    return this.folders.has(path) || [...ancestors(parts), path].some((folder) => this.paths.has(folder));
  }

  /** What declares a skill that goes by this name, or lies at or below this path. */
  sourceOf(text: string): Text | undefined {
    const parts = pathParts(fixedPart(text));
    const folders = [...ancestors(parts), joined(parts)].reverse();
    const nearest = folders.find((folder) => this.paths.has(folder));
    return this.names.get(text) ?? (nearest === undefined ? undefined : this.paths.get(nearest));
  }

  /** The declared folder beside the pack that a path leads into; nothing for what is declared itself, or above that. */
  folderAround(text: string): string | undefined {
    const parts = pathParts(fixedPart(text));
    const own = joined(parts);
    if (this.names.has(text) || this.paths.has(own) || this.folders.has(own)) return undefined;
    const around = [...(parts[0] === ".." ? [] : ["."]), ...ancestors(parts)];
    const nearest = around.findLast((folder) => this.paths.has(folder));
    return nearest !== undefined && this.foldersBeside.has(nearest) ? nearest : undefined;
  }

  *texts(): Iterable<string> {
    for (const source of this.skills.sources)
      yield source.kind === "inline" ? source.name.text : source.path.text;
    yield "none";
  }

  private addPath(source: Text): void {
    const { text } = source;
    const unversioned = text.replace(/(?<=[^/@])@[^/@]*$/, "");
    const fixed = fixedPart(unversioned);
    const parts = pathParts(fixed);
    if (parts.length === 0) this.holdsEverything = true;
    if (/^@|^\w[\w+.-]+:/.test(text) || unversioned !== text) this.hasPackage = true;
    const path = joined(parts);
    addFirst(this.paths, path, source);
    if (!/^[/\\]/.test(text) && mayBeFolder(path)) this.foldersBeside.add(path);
    for (const folder of ancestors(parts)) this.folders.add(folder);
    if (fixed === unversioned) this.addName(parts, source);
  }

  /** A skill goes by its folder or file too: `refunds` for `skills/refunds`, `refunds.md` and `refunds/SKILL.md`. */
  private addName(parts: readonly string[], source: Text): void {
    const last = parts.at(-1) ?? "";
    const name = last.toUpperCase() === "SKILL.MD" ? parts.at(-2) : last;
    if (name === undefined) return;
    addFirst(this.names, name, source);
    addFirst(this.names, name.replace(/\.\w{1,10}$/, ""), source);
  }
}

function addFirst(sources: Map<string, Text>, name: string, source: Text): void {
  if (!sources.has(name)) sources.set(name, source);
}

function mayBeFolder(path: string): boolean {
  return !/\.md$/i.test(path) && relativePath(`${path}/skill`) !== undefined;
}

function joined(parts: readonly string[]): string {
  return parts.length === 0 ? "." : parts.join("/");
}

function ancestors(parts: readonly string[]): readonly string[] {
  const paths: string[] = [];
  for (let length = 1; length < Math.min(parts.length, deepest); length++)
    paths.push(parts.slice(0, length).join("/"));
  return paths;
}
