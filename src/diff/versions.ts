import type { Place, Severity } from "../diagnostic.js";
import { LocatedString, type MappingNode } from "../document/node.js";
import type { Change } from "./change.js";

/** How far a version has to rise. */
export type Bump = "major" | "minor" | "patch" | "none";

export interface VersionFault {
  readonly rule: "version-not-raised" | "prompt-version-not-raised";
  readonly severity: Severity;
  /** In the new file. */
  readonly at: Place;
  readonly message: string;
  /** The lowest version that is high enough. */
  readonly needed: string;
}

interface Version {
  /** Without the build. */
  readonly text: string;
  /** Major, minor, patch; then what orders pre-releases (Semantic Versioning, section 11). */
  readonly parts: readonly (number | string)[];
}

/** Numbers beyond those that can be compared exactly are left alone. */
const versionPattern =
  /^(v?(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})(?:-([0-9A-Za-z.-]+))?)(?:\+[0-9A-Za-z.-]+)?$/;

function parseVersion(written: string | undefined): Version | undefined {
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

const bumps: readonly Bump[] = ["major", "minor", "patch", "none"];

export type Weight = Pick<Change, "level" | "adds">;

/** What the changes ask of a version that follows `old`; before 1.0.0, one step less. */
export function requiredBump(changes: readonly Weight[], old: string | undefined): Bump {
  const isEarly = parseVersion(old)?.parts[0] === 0;
  if (changes.some(({ level }) => level === "breaking")) return isEarly ? "minor" : "major";
  if (changes.some(({ level, adds }) => level === "behaviour" || adds === true))
    return isEarly ? "patch" : "minor";
  return changes.length > 0 ? "patch" : "none";
}

/** Versions that cannot be read are left to `lint`. */
export function* findVersionFault(
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
  yield { ...fault, at: is, message: `${subject} ${happened}${reason}: write ${needed}.`, needed };
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
