import { dirname } from "node:path";
import type { Limits } from "../document/document.js";
import { readDocument } from "../document/read.js";
import { isRoutes, readRoutes } from "../routes/read-routes.js";
import type { RoutesFile } from "../routes/routes.js";
import type { Target } from "./discover.js";
import { formatOfBytes } from "./format-of-bytes.js";
import { readRegularFile } from "./read-file.js";

interface Member {
  readonly path: string;
  readonly folder: string;
  readonly file: RoutesFile;
}

/** Reads the routes among files that were found in folders, and tells which of them make one configuration. */
export class RouteSets {
  private readonly sets = new Map<string, readonly RoutesFile[]>();

  constructor(targets: readonly Target[], limits: Limits) {
    const members = targets.filter(({ named }) => !named).flatMap((target) => readMember(target, limits));
    const loops = members.filter(({ file }) => file.loop !== undefined);
    const byRoot = new Map<string, Member[]>();
    for (const member of members) {
      const root = rootOf(member, loops);
      byRoot.set(root, [...(byRoot.get(root) ?? []), member]);
    }
    for (const set of byRoot.values()) {
      const files = set.map(({ file }) => file);
      for (const { path } of set) this.sets.set(path, files);
    }
  }

  /** The configuration that a file belongs to; nothing for a file that stands for itself. */
  of(path: string): readonly RoutesFile[] | undefined {
    return this.sets.get(path);
  }
}

/** What cannot be read is told when it is linted. */
function readMember({ path, file, folder, read }: Target, limits: Limits): readonly Member[] {
  try {
    const bytes = read === undefined ? readRegularFile(path, limits.maxBytes) : read(limits.maxBytes);
    const document = readDocument(bytes, formatOfBytes(file, bytes), limits);
    return isRoutes(document) ? [{ path, folder, file: readRoutes(file, document) }] : [];
  } catch {
    return [];
  }
}

/**
 * A folder is one configuration, unless it holds several loops: then each loop has what lies beside and below it,
 * and the rest is one by itself.
 */
function rootOf({ path, folder }: Member, loops: readonly Member[]): string {
  const own = new Set(loops.filter((loop) => loop.folder === folder).map((loop) => dirname(loop.path)));
  if (own.size < 2) return folder;
  for (let root = dirname(path); root.startsWith(folder) && root !== dirname(root); root = dirname(root)) {
    if (own.has(root)) return root;
  }
  return folder;
}
