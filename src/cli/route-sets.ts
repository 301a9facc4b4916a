import { dirname } from "node:path";
import type { Limits } from "../document/document.js";
import { readDocument } from "../document/read.js";
import { isRoutes, readRoutes } from "../routes/read-routes.js";
import type { RoutesFile } from "../routes/routes.js";
import { withoutTwins, type Discovery, type Target } from "./discover.js";
import { formatOfBytes } from "./format-of-bytes.js";
import { readRegularFile } from "./read-file.js";

interface Member {
  readonly target: Target;
  readonly file: RoutesFile;
}

/** Reads the routes among files, and tells which of them make one configuration. */
export class RouteSets {
  private readonly sets = new Map<string, readonly RoutesFile[]>();

  /** `beside` gives files that are not linted, and may belong to the same configurations. */
  constructor(targets: readonly Target[], beside: Discovery["beside"], limits: Limits) {
    const byRoot = new Map<string, Member[]>();
    const members = readMembers(targets, beside, limits);
    const loops = members.filter(({ file }) => file.loop !== undefined).map(({ target }) => target);
    for (const member of members) {
      const root = rootOf(member.target, loops);
      byRoot.set(root, [...(byRoot.get(root) ?? []), member]);
    }
    for (const set of byRoot.values()) {
      const files = set.map(({ file }) => file);
      for (const { target, file } of set) {
        this.sets.set(target.path, target.named ? withoutOtherLoops(file, files) : files);
      }
    }
  }

  /** The configuration that a file belongs to; nothing for a file that stands for itself. */
  of(path: string): readonly RoutesFile[] | undefined {
    return this.sets.get(path);
  }
}

function readMembers(
  targets: readonly Target[],
  beside: Discovery["beside"],
  limits: Limits,
): readonly Member[] {
  const linted = targets.flatMap((target) => readMember(target, limits));
  if (linted.length === 0) return [];
  const own = linted.map(({ target }) => target);
  const all = withoutTwins([...targets, ...beside(own)]);
  return [...linted, ...all.slice(targets.length).flatMap((target) => readMember(target, limits))];
}

/** What cannot be read is told when it is linted. */
function readMember(target: Target, limits: Limits): readonly Member[] {
  const { path, file, read } = target;
  try {
    const bytes = read === undefined ? readRegularFile(path, limits.maxBytes) : read(limits.maxBytes);
    const document = readDocument(bytes, formatOfBytes(file, bytes), limits);
    return isRoutes(document) ? [{ target, file: readRoutes(file, document) }] : [];
  } catch {
    return [];
  }
}

/**
 * A folder is one configuration, unless it holds several loops: then each loop has what lies beside and below it,
 * and the rest is one by itself.
 */
function rootOf({ path, folder }: Target, loops: readonly Target[]): string {
  const own = new Set(loops.filter((loop) => loop.folder === folder).map((loop) => dirname(loop.path)));
  if (own.size < 2) return folder;
  for (let root = dirname(path); root.startsWith(folder) && root !== dirname(root); root = dirname(root)) {
    if (own.has(root)) return root;
  }
  return folder;
}

/** Who names one of several loops in a folder means that one. */
function withoutOtherLoops(named: RoutesFile, files: readonly RoutesFile[]): readonly RoutesFile[] {
  if (named.loop === undefined) return files;
  return files.filter((file) => file === named || file.loop === undefined);
}
