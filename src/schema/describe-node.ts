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

/** `prompt`. */
export function nounOf(node: Node, words = packWords): string | undefined {
  return roleOf(node, words)?.noun;
}

/** The properties that an open object around this value knows by name. */
export function knownBeside({ parent }: Node): readonly string[] {
  const parts = parent === null ? undefined : rolesAt(parent, packWords)?.parts;
  return parts?.has("*") === true ? [...parts.keys()].filter((name) => name !== "*") : [];
}

/** The noun and the name of a value that is one of several, such as a prompt or a state. */
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

function roleOf(node: Node, words: Vocabulary): Role | undefined {
  return rolesAt(node, words)?.role;
}

function rolesAt(node: Node, { roles }: Vocabulary): RoleTree | undefined {
  const path: string[] = [];
  for (let part: Node | null = node; part !== null && part.key !== null; part = part.parent) {
    path.push(part.key instanceof Key ? part.key.text : "*");
  }
  let tree: RoleTree | undefined = roles();
  for (let index = path.length - 1; index >= 0 && tree !== undefined; index--) {
    const name = path[index] ?? "";
    tree = tree.parts.get(name) ?? tree.parts.get("*");
  }
  return tree;
}

/** The noun for a part of a document, and where its name is: the key, or one of these properties. */
interface Role {
  readonly noun: string;
  readonly named?: "key" | readonly string[];
}

/** By path; a name takes precedence over `*`. */
type Roles = Readonly<Record<string, Role | undefined>>;

interface RoleTree {
  role: Role | undefined;
  readonly parts: Map<string, RoleTree>;
}

export interface Vocabulary {
  /** The noun for the root. */
  readonly whole: string;
  readonly roles: () => RoleTree;
}

const packWords = vocabulary("pack", () =>
  Object.fromEntries(
    places.map(({ path, noun, named }) => [
      path.map((name) => `/${name}`).join(""),
      noun === undefined ? undefined : { noun, ...(named !== undefined && { named }) },
    ]),
  ),
);

/** Most files need no words. */
export function vocabulary(noun: string, roles: () => Roles): Vocabulary {
  return { whole: `the ${noun}`, roles: lazy(() => treeOf(roles())) };
}

function treeOf(table: Roles): RoleTree {
  const root: RoleTree = { role: undefined, parts: new Map() };
  for (const [path, role] of Object.entries(table)) {
    let part = root;
    for (const name of path.split("/").slice(1)) {
      const next: RoleTree = part.parts.get(name) ?? { role: undefined, parts: new Map() };
      part.parts.set(name, next);
      part = next;
    }
    part.role = role;
  }
  return root;
}

export { quoteValue };

export type Suggestion = Pick<Words, "advice" | "replacement">;

/** `Did you mean "x"?` */
export function suggestion(name: string, near: string | undefined, isSure: boolean): Suggestion {
  if (near === undefined) return {};
  const advice = `Did you mean ${quoteValue(near)}?${lookAlikeNote(name, near)}`;
  return { advice, replacement: isSure ? near : undefined };
}

/** The same for an unknown name that is near a candidate. */
export function nearSuggestion(name: string, candidates: readonly string[]): Suggestion {
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
