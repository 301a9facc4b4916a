import { toValue } from "../document/to-value.js";
import type { Prompt } from "../pack/prompt.js";
import type { Assignment } from "./event-list.js";
import type { ArtifactValues } from "../machine/artifact-modes.js";

/** Of the name of an artifact. */
const maxNameSegments = 20;

/** A value that is known, or nothing. `undefined` within is known to be absent. */
export type LookupResult = { readonly value: unknown } | undefined;

/** What names in a template stand for. */
export interface Scope {
  readonly variables: ReadonlyMap<string, unknown>;
  readonly artifacts: ArtifactValues;
  /** Every artifact of the workflow: one that is not filled yet is known to be empty. */
  readonly artifactNames: ReadonlySet<string>;
  /** The item that an `#each` around is at, the innermost first. */
  readonly items: readonly LoopItem[];
}

export interface LoopItem {
  readonly value: unknown;
  readonly key: number | string;
  readonly first: boolean;
  readonly last: boolean;
}

/** The variables of a prompt: those given, else their defaults. */
export function promptVariables(prompt: Prompt, given: readonly Assignment[]): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, variable] of prompt.declared) {
    if (variable.default !== undefined) values.set(name, toValue(variable.default));
  }
  for (const { name, value } of given) {
    const type = prompt.declared.get(name)?.type?.text;
    values.set(name, type === undefined || type === "string" ? value : parseJsonOrText(value));
  }
  return values;
}

export function resolvePath(path: string, scope: Scope): LookupResult {
  const [head = "", ...rest] = path.match(/[^.[\]"'?]+/gu) ?? [];
  if (head === "artifacts" && rest.length > 0) return resolveArtifact(rest, scope);
  const [item] = scope.items;
  if (head.startsWith("@")) return item === undefined ? undefined : { value: itemMetadata(head, item) };
  if (head === "this") return item === undefined ? undefined : resolveFields({ value: item.value }, rest);
  for (const { value } of scope.items) {
    const field = ownField(value, head);
    if (field !== undefined) return resolveFields(field, rest);
  }
  return scope.variables.has(head) ? resolveFields({ value: scope.variables.get(head) }, rest) : undefined;
}

export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== "false";
}

export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The items of a list or the fields of an object; nothing for what cannot be walked through. */
export function loopItems(value: unknown): readonly LoopItem[] | undefined {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "object") return undefined;
  const entries: readonly (readonly [number | string, unknown])[] = Array.isArray(value)
    ? value.map((each: unknown, index) => [index, each] as const)
    : Object.entries(value);
  return entries.map(([key, each], index) => ({
    value: each,
    key,
    first: index === 0,
    last: index === entries.length - 1,
  }));
}

/** The longest name wins: one may have dots in it. */
function resolveArtifact(path: readonly string[], { artifacts, artifactNames }: Scope): LookupResult {
  for (let size = Math.min(path.length, maxNameSegments); size > 0; size--) {
    const name = path.slice(0, size).join(".");
    if (!artifactNames.has(name)) continue;
    const value = artifacts.get(name);
    const rest = path.slice(size);
    return rest.length === 0
      ? { value }
      : resolveFields({ value: value === undefined ? undefined : parseJsonOrText(value) }, rest);
  }
  return undefined;
}

function itemMetadata(name: string, item: LoopItem): unknown {
  switch (name) {
    case "@first":
      return item.first;
    case "@last":
      return item.last;
    default:
      return item.key;
  }
}

function resolveFields(found: LookupResult, path: readonly string[]): LookupResult {
  let current = found;
  for (const name of path) {
    if (current === undefined) return undefined;
    current = ownField(current.value, name) ?? { value: undefined };
  }
  return current;
}

function ownField(value: unknown, name: string): LookupResult {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const field: unknown = Reflect.get(value, name);
  return { value: field };
}

/** A number that cannot be held as it is written stays text. */
function parseJsonOrText(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "number" && significantDigits(text) !== significantDigits(String(value)) ? text : value;
  } catch {
    return text;
  }
}

/** The digits that count, wherever the point is; none of `Infinity`. */
function significantDigits(number: string): string {
  const [mantissa = ""] = number.split(/e/iu);
  return /[1-9](?:.*[1-9])?/u.exec(mantissa.replace(".", ""))?.[0] ?? "";
}
