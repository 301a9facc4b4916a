import { compareText } from "../diagnostic.js";
import { stringOf } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import { appendTo } from "../text/collections.js";
import { type Behaviour, compareBehaviour } from "./behaviour.js";
import type { Change } from "./change.js";
import { Comparison } from "./comparison.js";
import { compareParts } from "./parts.js";
import { comparePrompts } from "./prompts.js";
import { keysOf } from "./values.js";
import { type Bump, findVersionFault, requiredBump, type VersionFault, type Weight } from "./versions.js";

export type { Bump, VersionFault };

export interface Difference {
  /** Those with a place in the new file first, in its order. */
  readonly changes: readonly Change[];
  readonly requiredBump: Bump;
  readonly versionFaults: readonly VersionFault[];
  /** Null without a workflow on both sides. */
  readonly behaviour: Behaviour | null;
  readonly oldVersion: string | null;
  readonly newVersion: string | null;
}

/** The version itself, and how the file was made: compiling a pack again asks for no new version. */
const notOfPack = new Set(["version", "compilation"]);

/** Compares two versions of a pack, from the point of view of those who depend on it. */
export function comparePacks(before: Pack, after: Pack): Difference {
  const runs = compareBehaviour(before, after);
  const comparison = new Comparison(before, after, runs.renamed);
  const found = [...comparePrompts(comparison), ...compareParts(comparison), ...runs.changes];
  const changes = found.sort(compareChanges);
  const keys = keysOf(before.root, after.root).filter((key) => !notOfPack.has(key));
  const differs = comparison.exact.differences(keys, before.root, after.root).length > 0;
  const rest: readonly Weight[] = differs ? [{ level: "compatible", adds: hasMore(before, after) }] : [];
  const [oldVersion, newVersion] = [before, after].map(({ root }) => stringOf(root.get("version")));
  return {
    changes,
    requiredBump: requiredBump([...changes, ...rest], oldVersion),
    versionFaults: [...findVersionFaults(before, after, changes, rest)],
    behaviour: runs.behaviour,
    oldVersion: oldVersion ?? null,
    newVersion: newVersion ?? null,
  };
}

/** Whether there is something new that no change names: a workflow or a composition. */
function hasMore(before: Pack, after: Pack): boolean {
  const isFirst = before.workflow === undefined && after.workflow !== undefined;
  return isFirst || [...after.compositions.keys()].some((name) => !before.compositions.has(name));
}

function compareChanges(a: Change, b: Change): number {
  if (a.side !== b.side) return a.side === "new" ? -1 : 1;
  return a.at.start - b.at.start || compareText(a.rule, b.rule) || compareText(a.message, b.message);
}

function* findVersionFaults(before: Pack, after: Pack, changes: readonly Change[], rest: readonly Weight[]) {
  const ofPack = { rule: "version-not-raised", severity: "error" } as const;
  yield* findVersionFault(ofPack, "The version", [before.root, after.root], [...changes, ...rest]);
  const ofPrompt = { rule: "prompt-version-not-raised", severity: "warning" } as const;
  const byPrompt = new Map<string, Change[]>();
  for (const change of changes) if (change.prompt !== undefined) appendTo(byPrompt, change.prompt, change);
  for (const [name, { node }] of after.prompts) {
    const nodes = [before.prompts.get(name)?.node, node] as const;
    const own = byPrompt.get(name) ?? [];
    yield* findVersionFault(ofPrompt, `The version of prompt "${name}"`, nodes, own);
  }
}
