import type { Document, Limits } from "../../document/document.js";
import { hasConfigurationSection, isRoutesDocument } from "../../routes/read-routes.js";
import { displayPath } from "../files/shown-path.js";
import { nothingFoundMessage, type Discovery, type Target } from "../search/discover.js";
import { isNamedAsPack } from "../search/find-packs.js";
import { readTarget } from "../search/read-target.js";
import type { LintRequest } from "./lint-request.js";

/**
 * Leaves out files that were found because they speak of the loop of RFC-103, or because routes are searched for, and are
 * neither packs nor routes.
 */
export function withoutUnrelatedFiles(
  found: Discovery,
  cwd: string,
  { limits, changes, kind }: Pick<LintRequest, "limits" | "changes" | "kind">,
): Discovery {
  const isOne = kind === "routes" ? hasConfigurationSection : isRoutesDocument;
  const targets = found.targets.filter((target) => !isUnrelated(target, limits, isOne));
  if (changes !== undefined) return { ...found, targets };
  const emptied = new Set(found.targets.flatMap(({ folder }) => folder ?? []));
  for (const { folder } of targets) emptied.delete(folder ?? "");
  const troubles = [...emptied].map((folder) => nothingFoundMessage(displayPath(folder, cwd), kind));
  return { ...found, targets, problems: [...found.problems, ...troubles] };
}

/** What cannot be read or parsed is told when it is linted. */
function isUnrelated(target: Target, limits: Limits, isOne: (document: Document) => boolean): boolean {
  const { path, folder, named } = target;
  if (named || folder === undefined || isNamedAsPack(path)) return false;
  const document = readTarget(target, limits);
  return document?.root?.kind === "mapping" && !isOne(document);
}
