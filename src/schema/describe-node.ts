import type { Words } from "../diagnostic.js";
import { quoteValue } from "../document/document.js";
import { Key, type Node, type ScalarNode, stringOf } from "../document/node.js";
import { lazy } from "../text/collections.js";
import { isUniqueTypo, lookAlikeNote, nearestName } from "../text/names.js";
import { places } from "./pack-places.js";

/** `prompt "planner"`, `variable 2`, `the workflow`, or `"binding"` for a value without a noun. */
export function describeNode(node: Node, words = packWords): string {
  const role = roleOf(node, words);
  if (role === undefined) return plainName(node, words);
  return role.named === undefined ? `the ${role.noun}` : `${role.noun} ${nameOfNode(node, role.named)}`;
}

/** Like `describeNode`, but `"workflow"` instead of `the workflow`. */
export function describeValue(node: Node, words = packWords): string {
  const role = roleOf(node, words);
  return role?.named === undefined && node.key !== null ? plainName(node, words) : describeNode(node, words);
}

/** `a prompt`, or `"binding"` for a value without a noun. */
export function describeKind(node: Node, words = packWords): string {
  const role = roleOf(node, words);
  if (role === undefined) return plainName(node, words);
  return `${/^[aeiou]/.test(role.noun) ? "an" : "a"} ${role.noun}`;
}

export function nounOf(node: Node, words = packWords): string | undefined {
  return roleOf(node, words)?.noun;
}

/** The properties that an open object around this value knows by name. */
export function knownBeside({ parent }: Node): readonly string[] {
  if (parent === null) return [];
  const path = pathOf(parent, placesByPath());
  return placesByPath().has(`${path}/*`) ? Object.keys(placesByPath().get(path)?.properties ?? {}) : [];
}

export function placeAdvice(owner: Node, property: string): string | undefined {
  const advice = placesByPath().get(pathOf(owner, placesByPath()))?.advice;
  return advice && Object.hasOwn(advice, property) ? advice[property] : undefined;
}

export function identityOf(node: Node): { readonly noun: string; readonly name: string } | undefined {
  const { noun, named } = roleOf(node, packWords) ?? {};
  if (noun === undefined || named === undefined) return undefined;
  return { noun, name: ownName(node, named) ?? stringOf(node) ?? itemNumber(node) };
}

function nameOfNode(node: Node, named: "key" | readonly string[]): string {
  const name = ownName(node, named);
  return name === undefined ? itemNumber(node) : quoteValue(name);
}

function ownName(node: Node, named: "key" | readonly string[]): string | undefined {
  if (node.key instanceof Key) return node.key.text;
  const names =
    node.kind === "mapping" && named !== "key" ? named.map((name) => stringOf(node.get(name))) : [];
  return names.find((name) => name !== undefined && name !== "");
}

function itemNumber({ key }: Node): string {
  return String(Number(key) + 1);
}

function plainName(node: Node, words: Vocabulary): string {
  if (node.key === null) return words.whole;
  if (node.key instanceof Key) return quoteValue(node.key.text);
  const list = node.parent?.key;
  return `item ${node.key + 1} of ${list instanceof Key ? quoteValue(list.text) : "a list"}`;
}

function roleOf(node: Node, words: Vocabulary): (Role & { readonly noun: string }) | undefined {
  const roles = words.roles();
  const { noun, named } = roles.get(pathOf(node, roles)) ?? {};
  return noun === undefined ? undefined : { noun, named };
}

const maxPathLength = 20;

/** The path of a value as the roles have it: with `*` for a name that they do not know. */
function pathOf(node: Node, roles: Roles): string {
  const names: string[] = [];
  for (let part: Node | null = node; part !== null && part.key !== null; part = part.parent)
    names.push(part.key instanceof Key ? part.key.text : "*");
  return names.slice(-maxPathLength).reduceRight((outer, name) => {
    const path = `${outer}/${name}`;
    return !roles.has(path) && roles.has(`${outer}/*`) ? `${outer}/*` : path;
  }, "");
}

/** The noun for a part of a document, and where its name is: the key, or one of these properties. */
interface Role {
  readonly noun?: string | undefined;
  readonly named?: "key" | readonly string[] | undefined;
}

/** By path; a name takes precedence over `*`. */
type Roles = ReadonlyMap<string, Role>;

export interface Vocabulary {
  readonly whole: string;
  readonly roles: () => Roles;
}

const placesByPath = lazy(
  () => new Map(places.map((place) => [place.path.map((name) => `/${name}`).join(""), place])),
);

const packWords: Vocabulary = { whole: "the pack", roles: placesByPath };

export function vocabulary(noun: string, roles: Readonly<Record<string, Role>>): Vocabulary {
  return { whole: `the ${noun}`, roles: lazy(() => new Map(Object.entries({ "": { noun }, ...roles }))) };
}

export { quoteValue };

export type Suggestion = Pick<Words, "advice" | "replacement" | "replaced">;

export function suggestion(name: string, near: string | undefined, isSure: boolean): Suggestion {
  if (near === undefined) return {};
  const advice = `Did you mean ${quoteValue(near)}?${lookAlikeNote(name, near)}`;
  return { advice, replacement: isSure ? near : undefined };
}

export function nearSuggestion(name: string, candidates: Iterable<string>): Suggestion {
  const nearest = nearestName(name, candidates);
  return suggestion(name, nearest, nearest !== undefined && isUniqueTypo(name, nearest, candidates));
}

/** Follows "found". */
export function describeFound(node: Node, source: string): string {
  if (node.kind === "mapping") return "an object";
  if (node.kind === "sequence") return "a list";
  if (node.value === null) return "nothing (null)";
  if (node.value === "") return "an empty string";
  return typeof node.value === "string" ? quoteValue(node.value) : spelling(node, source);
}

/** A number or boolean as its author wrote it (`1.0`, not `1`). */
export function spelling(node: ScalarNode, source: string): string {
  const { start, end } = node.origin ?? node;
  const written = source.slice(start, Math.min(end, start + 41));
  return /^[-+.\w]{1,40}$/.test(written) ? written : String(node.value);
}
