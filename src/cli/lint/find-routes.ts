import type { LintRequest } from "../request/lint-request.js";
import { mayHoldRoutes, type Discovery, type Target } from "../search/discover.js";
import type { RouteSets } from "../search/route-sets.js";
import type { WatchObserver } from "../watch/watch-files.js";
import type { FileLinter } from "./file-linter.js";

interface RouteContext {
  readonly request: LintRequest;
  readonly linter: FileLinter;
  readonly observer: WatchObserver | undefined;
}

/** Loads what reads routes only where there may be some. */
export async function loadRouteSets(
  targets: readonly Target[],
  beside: Discovery["beside"],
  { request, linter, observer }: RouteContext,
): Promise<RouteSets | undefined> {
  const routes = targets.filter(mayHoldRoutes);
  if (routes.length === 0 || request.kind === "pack") return undefined;
  const skipped = new Set<Target>();
  for (const target of routes) if (await isIgnoredUnderAllNames(target, linter)) skipped.add(target);
  const { RouteSets } = await import("../search/route-sets.js");
  const told: Discovery["beside"] = (folders, maxDepth) => {
    const found = beside(folders, maxDepth);
    observer?.onSearch(
      { folders, maxDepth },
      found.map(({ path }) => path),
    );
    return found;
  };
  return new RouteSets(routes, told, request.limits, skipped);
}

/** Whether a file is to be skipped by each of its names. */
async function isIgnoredUnderAllNames({ path, twins = [] }: Target, linter: FileLinter): Promise<boolean> {
  for (const name of [path, ...twins.map((twin) => twin.path)])
    if (!(await linter.ignores(name))) return false;
  return true;
}
