import type { Node } from "../document/node.js";
import { asMapping, LocatedString } from "../document/spelled-values.js";
import { newestSpecVersion, type SpecVersion, specVersions } from "../words/spec-versions.js";

/** The version of the specification that a pack is held against, and how it came to be. */
export interface Spec {
  readonly version: SpecVersion;
  /** `$schema`, where the pack has one and it was not overridden. */
  readonly declared: LocatedString | undefined;
  /** The version as `declared` names it. */
  readonly pinned: string | undefined;
  /** What is wrong with the declared version, if anything. */
  readonly problem: "unknown" | "newer" | undefined;
}

const schemaUrlPattern = /^https?:\/\/(?:www\.)?promptpack\.org\/schema\/([^/]+)\/promptpack\.schema\.json#?$/;

export function resolveSpec(root: Node | undefined, override?: string): Spec {
  const written = LocatedString.of(asMapping(root)?.get("$schema"));
  const declared = override === undefined ? written : undefined;
  const pinned = declared === undefined ? undefined : (schemaUrlPattern.exec(declared.text)?.[1] ?? "");
  return { declared, pinned, ...resolveVersion(pinned ?? override ?? "latest") };
}

/**
 * `latest` and a bare major mean the newest known version; `1.3` means the newest of that line. What is not
 * published resolves to the nearest line that is, with a doubt.
 */
function resolveVersion(name: string): Pick<Spec, "version" | "problem"> {
  if (name === "latest") return { version: newestSpecVersion, problem: undefined };
  const match = /^v?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?$/.exec(name);
  if (match === null) return { version: newestSpecVersion, problem: "unknown" };
  const wanted = match
    .slice(1)
    .filter((part) => part !== undefined)
    .map(Number)
    .join(".");
  const exact = specVersions.findLast((version) => version === wanted || version.startsWith(`${wanted}.`));
  if (exact !== undefined) return { version: exact, problem: undefined };
  // The next major version may be out by now; what is above, such as a year, is no version to come.
  const mayCome = Number(match[1]) <= 2;
  if (mayCome && compareVersions(wanted, newestSpecVersion) > 0)
    return { version: newestSpecVersion, problem: "newer" };
  const below = specVersions.findLast((version) => compareVersions(version, wanted) <= 0);
  return { version: below ?? newestSpecVersion, problem: "unknown" };
}

/** What is wrong with a version that was asked for, in a sentence. */
export function unknownVersionMessage(name: string): string | undefined {
  if (resolveVersion(name).problem === undefined) return undefined;
  return `There is no spec version "${name}". The known versions are ${specVersions.join(", ")} and latest.`;
}

/** The schema of the line that a version belongs to. */
export function schemaUrl(version: SpecVersion): string {
  return `https://promptpack.org/schema/v${version.slice(0, version.lastIndexOf("."))}/promptpack.schema.json`;
}

/** Whether the pack is held against a version older than `version`. */
export function isOlderThan(spec: Spec, version: SpecVersion): boolean {
  return specVersions.indexOf(spec.version) < specVersions.indexOf(version);
}

function compareVersions(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
