import { asMapping, childrenOf, LocatedString, type MappingNode, type Node } from "../document/node.js";
import { places } from "./pack-places.js";
import { newestSpecVersion, type SpecVersion, specVersions } from "../text/tool-info.js";

/** The version of the specification that a pack is checked against, and why. */
export interface Spec {
  readonly version: SpecVersion;
  /** `$schema`, where the pack has one and it was not overridden. */
  readonly declared: LocatedString | undefined;
  readonly pinned: string | undefined;
  readonly problem: "unknown" | "newer" | undefined;
}

const schemaUrlPattern =
  /^https?:\/\/(?:www\.)?promptpack\.org\/schema\/([^/]+)\/promptpack\.schema\.json#?$/;

export function resolveSpec(root: Node | undefined, override?: string): Spec {
  const written = LocatedString.of(asMapping(root)?.get("$schema"));
  const declared = override === undefined ? written : undefined;
  const pinned = declared === undefined ? undefined : (schemaUrlPattern.exec(declared.text)?.[1] ?? "");
  return { declared, pinned, ...resolveVersion(pinned ?? override ?? "latest") };
}

/**
 * `latest` and a bare major mean the newest version, `1.3` the newest of that line, and an unpublished one the nearest below
 * it, with a problem.
 */
function resolveVersion(name: string): Pick<Spec, "version" | "problem"> {
  if (name === "latest") return { version: newestSpecVersion, problem: undefined };
  const match = /^v?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?$/.exec(name);
  if (match === null) return { version: newestSpecVersion, problem: "unknown" };
  const wanted = name.replace("v", "").split(".").map(Number).join(".");
  const exact = specVersions.findLast((version) => version === wanted || version.startsWith(`${wanted}.`));
  if (exact !== undefined) return { version: exact, problem: undefined };
  // The next major version may exist by now; a year such as 2025 is not a version.
  const mayCome = Number(match[1]) <= 2;
  if (mayCome && sortKey(wanted) > sortKey(newestSpecVersion))
    return { version: newestSpecVersion, problem: "newer" };
  const below = specVersions.findLast((version) => sortKey(version) <= sortKey(wanted));
  return { version: below ?? newestSpecVersion, problem: "unknown" };
}

export function unknownVersionMessage(name: string): string | undefined {
  if (resolveVersion(name).problem === undefined) return undefined;
  return `There is no spec version "${name}". The known versions are ${specVersions.join(", ")} and latest.`;
}

export function schemaUrl(version: SpecVersion): string {
  return `https://promptpack.org/schema/v${version}/promptpack.schema.json`;
}

export function isOlderThan(spec: Spec, version: SpecVersion): boolean {
  return specVersions.indexOf(spec.version) < specVersions.indexOf(version);
}

/** Text that sorts like the version: no part has more than four digits. */
function sortKey(version: string): string {
  return version.replace(/\d+/g, (part) => part.padStart(4, "0"));
}

export interface NewerField {
  readonly name: string;
  /** The value of a field that is older itself. */
  readonly value: string | undefined;
  readonly since: string;
  /** The version that defines it and everything inside it. */
  readonly requiredVersion: string;
  readonly node: Node;
}

/** The fields and values that came later, in the order of versions; outer fields come first. */
const dated = places
  .flatMap(({ path, since, dottedSince }) => {
    const version = specVersions.find((each) => each === (since ?? dottedSince));
    return version === undefined ? [] : [{ version, path, isValue: since === undefined }];
  })
  .sort((a, b) => specVersions.indexOf(a.version) - specVersions.indexOf(b.version));

/** Fields and values that the pack's version does not define yet, without those inside them. */
export function newerFields(root: MappingNode, spec: Spec): Iterable<NewerField> {
  const listed = new Map<Node, NewerField>();
  for (const { version, path, isValue } of dated) {
    if (!isOlderThan(spec, version)) continue;
    const since = version.replace(/\.0$/, "");
    for (const node of nodesAt(root, path)) {
      const value = isValue ? LocatedString.of(node)?.text : undefined;
      if (isValue && value?.includes(".") !== true) continue;
      const outer = enclosingField(node, listed);
      // Versions are in ascending order.
      if (outer !== undefined) listed.set(outer.node, { ...outer, requiredVersion: since });
      else listed.set(node, { name: path.at(-1) ?? "", value, since, requiredVersion: since, node });
    }
  }
  return listed.values();
}

function nodesAt(root: Node, segments: readonly string[]): readonly Node[] {
  let nodes: readonly Node[] = [root];
  for (const segment of segments)
    nodes = nodes.flatMap((node) =>
      segment === "*" ? childrenOf(node) : (asMapping(node)?.get(segment) ?? []),
    );
  return nodes;
}

function enclosingField(node: Node, listed: ReadonlyMap<Node, NewerField>): NewerField | undefined {
  for (let current: Node | null = node; current !== null; current = current.parent) {
    const field = listed.get(current);
    if (field !== undefined) return field;
  }
  return undefined;
}
