import type { LocatedString } from "../document/spelled-values.js";
import { getOrCreate } from "../maps/get-or-make.js";
import type { Skills } from "./skill.js";

/** Longer than any file system takes. */
const maxPathLength = 4_096;

/**
 * The path of a skill beside the pack, with `/` between its parts. Nothing for what may be something else: a package
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

const glob = /[*?[\]{}]/;

/** The whole parts of a path before the first glob. */
export function pathBeforeGlob(text: string): string {
  const end = text.search(glob);
  if (end === -1) return text;
  return text.slice(0, Math.max(text.lastIndexOf("/", end), text.lastIndexOf("\\", end)) + 1);
}

/** `./skills/billing/` and `skills/billing` are one place; `..` stays where it cannot be taken away. */
export function pathParts(text: string): readonly string[] {
  const parts: string[] = [];
  for (const part of text.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts;
}

/** The relative paths of skills that lead nowhere. Each path is looked up once. */
export function* missingSkillPaths(skills: Skills, fileExists: (path: string) => boolean): Iterable<LocatedString> {
  const known = new Map<string, boolean>();
  for (const source of skills.sources) {
    const path = source.kind === "path" ? relativePath(source.path.text) : undefined;
    if (source.kind !== "path" || path === undefined) continue;
    const exists = getOrCreate(known, path, () => fileExists(path));
    if (!exists) yield source.path;
  }
}
