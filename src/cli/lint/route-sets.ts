import { detectFormat, type Limits } from "../../document/file-format.js";
import { dirname } from "node:path";
import { type Document } from "../../document/document.js";
import { readDocument } from "../../document/read.js";
import {
  hasConfigurationSection,
  isRoutesDocument,
  readRoutes,
  joinRoutes,
  type Routes,
  type RoutesFile,
} from "../../routes/routes.js";
import { appendTo, getOrCreate, tryTo } from "../../text/collections.js";
import type { LintRequest } from "../config/lint-request.js";
import {
  type Discovery,
  isNamedAsPack,
  nothingFoundMessage,
  readTargetBytes,
  type Target,
  withoutAliases,
} from "../files/discover.js";
import { displayPath, fromHereUp, isBelow } from "../files/paths.js";

interface RouteMember {
  readonly target: Target;
  readonly file: RoutesFile;
}

/** The configuration that each file belongs to. Files of `beside` are not linted but may belong to the same ones. */
export function routesByPath(
  targets: readonly Target[],
  beside: Discovery["beside"],
  limits: Limits,
): ReadonlyMap<string, Routes> {
  const members = readMembers(targets, beside, limits);
  const rootOf = rootFinder(members.filter(hasLoop).map(({ target }) => target));
  const byRoot = new Map<string, RouteMember[]>();
  for (const member of members) appendTo(byRoot, rootOf(member.target), member);
  const byPath = new Map<string, Routes>();
  for (const set of byRoot.values()) {
    const all = joinRoutes(set.map(({ file }) => file));
    const others = set.filter((member) => !hasLoop(member)).map(({ file }) => file);
    for (const { target, file } of set) {
      // A loop that is named excludes the other loops of its folder.
      const isOnlyLoop = target.named && file.loop !== undefined;
      byPath.set(target.path, isOnlyLoop ? joinRoutes([...others, file]) : all);
    }
  }
  return byPath;
}

/** Unless they were found in a folder, files bring in what lies beside them, and loops also what lies below. */
function readMembers(
  targets: readonly Target[],
  beside: Discovery["beside"],
  limits: Limits,
): readonly RouteMember[] {
  const members = targets.flatMap((target) => readMember(target, limits));
  if (members.length === 0) return [];
  let known = targets;
  const add = (folders: readonly string[], maxDepth: number): void => {
    const all = withoutAliases([...known, ...beside(folders, maxDepth)]);
    for (const target of all.slice(known.length)) members.push(...readMember(target, limits));
    known = all;
  };
  add(loneFolders(members), 1);
  const loops = loneFolders(members.filter(hasLoop));
  if (loops.length > 0) add(loops.filter(isOutermost), Infinity);
  return members;
}

function hasLoop({ file }: RouteMember): boolean {
  return file.loop !== undefined;
}

function loneFolders(members: readonly RouteMember[]): readonly string[] {
  const lone = members.filter(({ target }) => target.folder === undefined);
  return [...new Set(lone.map(({ target }) => dirname(target.path)))];
}

function isOutermost(folder: string, _: number, folders: readonly string[]): boolean {
  return !folders.some((other) => isBelow(other, folder));
}

function readMember(target: Target, limits: Limits): readonly RouteMember[] {
  const document = readTarget(target, limits);
  if (document === undefined || !isRoutesDocument(document)) return [];
  return [{ target, file: readRoutes(target.file, document) }];
}

/** A searched folder with one loop is one configuration; otherwise each loop has the files beside and below it. */
function rootFinder(loops: readonly Target[]): (target: Target) => string {
  const roots = new Set(loops.map(({ path }) => dirname(path)));
  const within = new Map<string, Set<string>>();
  for (const { path, folder = "" } of loops) getOrCreate(within, folder, () => new Set()).add(dirname(path));
  return ({ path, folder }) => {
    if (folder !== undefined && within.get(folder)?.size === 1) return folder;
    return fromHereUp(dirname(path)).find((above) => roots.has(above)) ?? folder ?? dirname(path);
  };
}

/** Undefined for a file that cannot be read, which is reported when it is linted. */
function readTarget(target: Target, limits: Limits): Document | undefined {
  const bytes = tryTo(() => readTargetBytes(target, limits.maxBytes));
  return bytes && readDocument(bytes, detectFormat(target.file, bytes), limits);
}

/** Drops files that a search found by their content or with `--kind routes`, but that turn out to be no routes. */
export function withoutUnrelatedFiles(
  found: Discovery,
  cwd: string,
  { limits, changes, kind }: Pick<LintRequest, "limits" | "changes" | "kind">,
): Discovery {
  const isWanted = kind === "routes" ? hasConfigurationSection : isRoutesDocument;
  const targets = found.targets.filter((target) => {
    if (target.named || target.folder === undefined || isNamedAsPack(target.path)) return true;
    if (target.isHead === true) return true;
    const document = readTarget(target, limits);
    // A file that cannot be parsed is kept, and reported when it is linted.
    return document?.root?.kind !== "mapping" || isWanted(document);
  });
  if (changes !== undefined) return { ...found, targets };
  const emptied = new Set(found.targets.flatMap(({ folder }) => folder ?? []));
  for (const { folder } of targets) emptied.delete(folder ?? "");
  const nothing = [...emptied].map((folder) => nothingFoundMessage(displayPath(folder, cwd), kind));
  return { ...found, targets, problems: [...found.problems, ...nothing] };
}
