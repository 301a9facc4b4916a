import { discover, type Discovery } from "../search/discover.js";
import { isNamedAsPack } from "../search/find-packs.js";
import type { Io } from "../terminal/io.js";
import type { LintRequest } from "./lint-request.js";

/** The files that a run of `lint` is asked for. */
export async function findTargets(
  io: Io,
  paths: readonly string[],
  request: LintRequest,
): Promise<Discovery> {
  const found = await discoverTargets(io, paths, request);
  const mayHoldOthers = found.targets.some(
    ({ path, folder }) => folder !== undefined && !isNamedAsPack(path),
  );
  if (!mayHoldOthers || request.kind === "pack") return found;
  const { withoutUnrelatedFiles: withoutOthers } = await import("./without-others.js");
  return withoutOthers(found, io.cwd, request);
}

async function discoverTargets(io: Io, paths: readonly string[], request: LintRequest): Promise<Discovery> {
  const { changes, kind } = request;
  if (changes === undefined) return discover(paths, io.cwd, kind);
  const { changedFiles } = await import("../search/changed-files.js");
  return changedFiles(io, paths, changes, kind);
}
