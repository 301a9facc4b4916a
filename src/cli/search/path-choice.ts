import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { FileKind } from "../../diagnose/file-kind.js";
import { isGlob } from "../files/glob.js";
import { isBelow } from "../files/ignore-files.js";
import { realPathOf } from "../files/real-path.js";
import { slashed } from "../files/shown-path.js";
import type { Target } from "./discover.js";
import { PathGlob } from "./expand-glob.js";
import { isMeant, isNamedAsPack } from "./find-packs.js";

/** Which of the changed files the paths of the command line ask for. */
export class Choice {
  private readonly wishes: readonly Wish[];

  constructor(
    paths: readonly string[],
    cwd: string,
    root: string,
    private readonly kind: FileKind | undefined,
  ) {
    this.wishes = paths.map((path) => wishOf(path, cwd, root));
  }

  /** Nothing where the file is not meant. */
  asks(path: string, read: Target["read"]): Pick<Target, "named" | "folder"> | undefined {
    const isFound = this.wishes.some((wish) => wish.holds(path)) && isMeant(path, this.kind, read);
    const met = this.wishes.filter((wish) => wish.names(path) || (isFound && wish.holds(path)));
    for (const wish of met) wish.met = true;
    if (met.length === 0) return undefined;
    const asked = met.flatMap(({ itself }) => itself ?? []);
    return {
      named: asked.includes(path),
      folder: asked.find((itself) => itself !== path),
    };
  }

  /** A path that is neither changed nor there at all is a mistake; so is one of which git cannot tell. */
  troubles(): readonly string[] {
    return this.wishes.flatMap(({ path, met, fault }) =>
      met || fault === undefined ? [] : [`"${path}" ${fault}.`],
    );
  }
}

/** A path of the command line. */
interface Wish {
  readonly path: string;
  /** Why it is a mistake where nothing that changed is meant. */
  readonly fault: string | undefined;
  /** The file or folder itself; nothing for a glob. */
  readonly itself: string | undefined;
  /** Whether the file is meant, whatever it is. */
  names(file: string): boolean;
  /** Whether the file is meant if it would be found in a folder. */
  holds(file: string): boolean;
  met: boolean;
}

function wishOf(path: string, cwd: string, root: string): Wish {
  const written = resolve(cwd, path);
  const exists = existsSync(written);
  if (!exists && isGlob(path)) return globWish(path, new PathGlob(path, cwd), root);
  const itself = exists ? placeIn(root, written) : written;
  return {
    path,
    fault: exists ? strayFault(itself, root) : "does not exist",
    itself,
    names: (file) => file === itself,
    holds: (file) => isBelow(itself, file) && !isVendored(file, isBelow(root, itself) ? itself : root),
    met: false,
  };
}

/** As git knows a path: a folder by where it leads, a link by its own name; from outside, a link may lead into the repository. */
function placeIn(root: string, path: string): string {
  const target = withinLinks(path, root);
  const own = join(withinLinks(dirname(path), root), basename(path));
  const isNear = target === root || isBelow(root, target) || isBelow(target, root);
  if (isNear && statSync(target).isDirectory()) return target;
  return isBelow(root, own) ? own : target;
}

/** Where a path leads, written as the top of the working tree is. */
function withinLinks(path: string, root: string): string {
  return resolve(root, relative(realPathOf(root), realPathOf(path)));
}

/** Why the repository of the working folder knows nothing of a path that exists; nothing where it may. */
function strayFault(path: string, root: string): string | undefined {
  if (path === root || isBelow(path, root)) return undefined;
  if (!isBelow(root, path)) return "is not in the repository of the working folder";
  for (let folder = path; folder !== root; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return "is in a repository of its own: run the command there";
  }
  return undefined;
}

function globWish(path: string, glob: PathGlob, root: string): Wish {
  const folder = isBelow(root, glob.folder) ? glob.folder : root;
  return {
    path,
    fault: existsSync(glob.folder) ? strayFault(placeIn(root, glob.folder), root) : undefined,
    itself: undefined,
    names: (file) => !isVendored(file, folder) && glob.matches(file),
    holds: (file) => isNamedAsPack(file) && !isVendored(file, folder) && glob.matchesAbove(file),
    met: false,
  };
}

/** Whether a walk down from the folder would not come to the path. */
function isVendored(path: string, folder: string): boolean {
  return slashed(relative(folder, path)).split("/").includes("node_modules");
}
