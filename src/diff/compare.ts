import type { PackAnalysis } from "../analysis.js";
import { compareText, type Severity } from "../diagnostic.js";
import { LocatedString, type MappingNode, stringOf } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import { appendTo } from "../text/collections.js";
import { compareBehaviour } from "./behaviour.js";
import type { Change } from "./change.js";
import { Comparison } from "./comparison.js";
import { compareParts } from "./parts.js";
import { keysOf } from "./values.js";

export type Difference = Readonly<ReturnType<typeof comparePacks>>;

/** The version itself, and how the file was made: compiling a pack again asks for no new version. */
const notOfPack = new Set(["version", "compilation"]);

export function comparePacks(old: PackAnalysis, now: PackAnalysis) {
  const runs = compareBehaviour(old, now);
  const [before, after] = [old.pack, now.pack];
  const comparison = new Comparison(before, after, runs.renamed);
  const found = [...compareParts(comparison), ...runs.changes];
  const changes: readonly Change[] = found.sort(compareChanges);
  const keys = keysOf(before.root, after.root).filter((key) => !notOfPack.has(key));
  const differs = comparison.exact.differences(keys, before.root, after.root).length > 0;
  const rest: readonly Weight[] = differs ? [{ level: "compatible", adds: hasMore(before, after) }] : [];
  const [oldVersion, newVersion] = [before, after].map(({ root }) => stringOf(root.get("version")));
  const faults = [...findVersionFaults(before, after, changes, rest)];
  // The compiler gives every pack of a project the same version.
  const isCompiled = old.project !== undefined || now.project !== undefined;
  const versionFaults: readonly VersionFault[] = faults.filter(
    ({ rule }) => !isCompiled || rule === "prompt-version-not-raised",
  );
  return {
    /** Those with a place in the new file first, in its order. */
    changes,
    requiredBump: requiredBump([...changes, ...rest], oldVersion),
    versionFaults,
    /** Null without a workflow on both sides. */
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

export interface VersionFault extends Omit<Change, "level"> {
  readonly rule: "version-not-raised" | "prompt-version-not-raised";
  readonly level: null;
  readonly severity: Severity;
  readonly needed: string;
}

type Version = NonNullable<ReturnType<typeof parseVersion>>;

/** Numbers beyond those that can be compared exactly are left alone. */
const versionPattern =
  /^(v?(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})(?:-([0-9A-Za-z.-]+))?)(?:\+[0-9A-Za-z.-]+)?$/;

/** The text without the build; major, minor, patch, then what orders pre-releases (Semantic Versioning, section 11). */
function parseVersion(written: string | undefined) {
  const [, text, major, minor, patch, preRelease] = versionPattern.exec(written ?? "") ?? [];
  if (text === undefined) return undefined;
  const order = preRelease?.split(".").map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part));
  const parts = [Number(major), Number(minor), Number(patch), ...(order ? [0, ...order] : [1])];
  return { text, parts };
}

/** Where two versions differ first, as an index of their parts, and whether `b` is the higher one. */
function compareVersions({ parts: a }: Version, { parts: b }: Version): { index: number; rises: boolean } {
  const index = [...a, ...b].findIndex((_, each) => a[each] !== b[each]);
  const [from, to] = [a[index], b[index]];
  if (from === undefined || to === undefined) return { index, rises: to !== undefined };
  // Words come after numbers.
  return { index, rises: typeof from === typeof to ? from < to : typeof from === "number" };
}

const bumps = ["major", "minor", "patch", "none"] as const;
type Bump = (typeof bumps)[number];

type Weight = Pick<Change, "level" | "adds">;

/** Before 1.0.0, one step less. */
function requiredBump(changes: readonly Weight[], old: string | undefined): Bump {
  const isEarly = parseVersion(old)?.parts[0] === 0;
  if (changes.some(({ level }) => level === "breaking")) return isEarly ? "minor" : "major";
  if (changes.some(({ level, adds }) => level === "behaviour" || adds === true))
    return isEarly ? "patch" : "minor";
  return changes.length > 0 ? "patch" : "none";
}

/** Versions that cannot be read are left to `lint`. */
function* findVersionFault(
  fault: Pick<VersionFault, "rule" | "severity">,
  subject: string,
  [before, after]: readonly [MappingNode | undefined, MappingNode | undefined],
  changes: readonly Weight[],
): Iterable<VersionFault> {
  const [was, is] = [before, after].map((node) => LocatedString.of(node?.get("version")));
  const [old, now] = [parseVersion(was?.text), parseVersion(is?.text)];
  if (was === undefined || is === undefined || old === undefined || now === undefined) return;
  const bump = requiredBump(changes, was.text);
  const { index, rises } = compareVersions(old, now);
  const isLower = index !== -1 && !rises;
  // A pre-release promises nothing to what follows it, except to be older.
  const isEnough = bump === "none" || (rises && (old.parts[3] === 0 || index <= bumps.indexOf(bump)));
  if (isEnough && !isLower) return;
  const movement = isLower ? "went down" : rises ? "only rose" : "";
  const happened = movement === "" ? `is still ${is.text}` : `${movement} from ${was.text} to ${is.text}`;
  const reason = isLower ? "" : `, but ${reasonFor(changes, fault.rule)}`;
  const needed = nextVersion(old, bump);
  const message = `${subject} ${happened}${reason}: write ${needed}.`;
  yield { ...fault, level: null, side: "new", at: is, message, needed };
}

function nextVersion({ text, parts }: Version, bump: Bump): string {
  if (bump === "none") return text;
  if (parts[3] === 0)
    return /\.\d{1,15}$/.test(text) ? text.replace(/\d+$/, (last) => String(Number(last) + 1)) : `${text}.1`;
  const raised = bumps.indexOf(bump);
  const numbers = [...parts.slice(0, raised), Number(parts[raised]) + 1, 0, 0];
  return text.replace(/\d.*/, numbers.slice(0, 3).join("."));
}

function reasonFor(changes: readonly Weight[], rule: VersionFault["rule"]): string {
  if (changes.some(({ level }) => level === "breaking")) return "this change is breaking";
  if (changes.some(({ level }) => level === "behaviour")) return "this change alters the behaviour";
  if (changes.some(({ adds }) => adds === true)) return "this change adds something";
  return `the ${rule === "version-not-raised" ? "pack" : "prompt"} changed`;
}
