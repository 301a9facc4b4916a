import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { FileKind } from "../../diagnose/file-kind.js";
import { isGlob } from "../files/glob.js";
import { isBelow } from "../files/ignore-files.js";
import { realPathOf } from "../files/real-path.js";
import { withForwardSlashes } from "../files/shown-path.js";
import type { Target } from "./discover.js";
import { PathGlob } from "./expand-glob.js";
import { shouldLint, isNamedAsPack } from "./find-packs.js";

/** Which of the changed files the paths of the command line ask for. */
export class PathFilter {
  private readonly pathArguments: readonly PathArgument[];

  constructor(
    paths: readonly string[],
    cwd: string,
    root: string,
    private readonly kind: FileKind | undefined,
  ) {
    this.pathArguments = paths.map((path) => parsePathArgument(path, cwd, root));
  }

  /** Nothing where the file is not meant. */
  select(path: string, read: Target["read"]): Pick<Target, "named" | "folder"> | undefined {
    const isFound = this.pathArguments.some((wish) => wish.contains(path)) && shouldLint(path, this.kind, read);
    const met = this.pathArguments.filter((wish) => wish.matches(path) || (isFound && wish.contains(path)));
    for (const wish of met) wish.isMatched = true;
    if (met.length === 0) return undefined;
    const asked = met.flatMap(({ target }) => target ?? []);
    return {
      named: asked.includes(path),
      folder: asked.find((itself) => itself !== path),
    };
  }

  /** A path that is neither changed nor there at all is a mistake; so is one of which git cannot tell. */
  problems(): readonly string[] {
    return this.pathArguments.flatMap(({ path, isMatched, fault }) =>
      isMatched || fault === undefined ? [] : [`"${path}" ${fault}.`],
    );
  }
}

/** A path of the command line. */
interface PathArgument {
  readonly path: string;
  /** Why it is a mistake where nothing that changed is meant. */
  readonly fault: string | undefined;
  /** The file or folder itself; nothing for a glob. */
  readonly target: string | undefined;
  /** Whether the file is meant, whatever it is. */
  matches(file: string): boolean;
  /** Whether the file is meant if it would be found in a folder. */
  contains(file: string): boolean;
  isMatched: boolean;
}

function parsePathArgument(path: string, cwd: string, root: string): PathArgument {
  const written = resolve(cwd, path);
  const exists = existsSync(written);
  if (!exists && isGlob(path)) return parseGlobArgument(path, new PathGlob(path, cwd), root);
  const target = exists ? pathInRepository(root, written) : written;
  return {
    path,
    fault: exists ? outsideRepositoryFault(target, root) : "does not exist",
    target,
    matches: (file) => file === target,
    contains: (file) => isBelow(target, file) && !isVendored(file, isBelow(root, target) ? target : root),
    isMatched: false,
  };
}

/** As git knows a path: a folder by where it leads, a link by its own name; from outside, a link may lead into the repository. */
function pathInRepository(root: string, path: string): string {
  const target = resolveWithinRoot(path, root);
  const own = join(resolveWithinRoot(dirname(path), root), basename(path));
  const isNear = target === root || isBelow(root, target) || isBelow(target, root);
  if (isNear && statSync(target).isDirectory()) return target;
  return isBelow(root, own) ? own : target;
}

/** Where a path leads, written as the top of the working tree is. */
function resolveWithinRoot(path: string, root: string): string {
  return resolve(root, relative(realPathOf(root), realPathOf(path)));
}

/** Why the repository of the working folder knows nothing of a path that exists; nothing where it may. */
function outsideRepositoryFault(path: string, root: string): string | undefined {
  if (path === root || isBelow(path, root)) return undefined;
  if (!isBelow(root, path)) return "is not in the repository of the working folder";
  for (let folder = path; folder !== root; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return "is in a repository of its own: run the command there";
  }
  return undefined;
}

function parseGlobArgument(path: string, glob: PathGlob, root: string): PathArgument {
  const folder = isBelow(root, glob.folder) ? glob.folder : root;
  return {
    path,
    fault: existsSync(glob.folder) ? outsideRepositoryFault(pathInRepository(root, glob.folder), root) : undefined,
    target: undefined,
    matches: (file) => !isVendored(file, folder) && glob.matches(file),
    contains: (file) => isNamedAsPack(file) && !isVendored(file, folder) && glob.matchesAbove(file),
    isMatched: false,
  };
}

/** Whether a walk down from the folder would not come to the path. */
function isVendored(path: string, folder: string): boolean {
  return withForwardSlashes(relative(folder, path)).split("/").includes("node_modules");
}
