import { compareText } from "../diagnostic.js";
import type { Artifact } from "../pack/workflow.js";
import { tryTo } from "../text/collections.js";

/** Artifact values by name; an artifact that was never filled is absent. */
export type ArtifactValues = ReadonlyMap<string, string>;

export interface ArtifactWrite {
  readonly name: string;
  readonly value: string;
}

export function applyWrites(
  values: ArtifactValues,
  writes: readonly ArtifactWrite[],
  declared: ReadonlyMap<string, Artifact>,
): ArtifactValues {
  if (writes.length === 0) return values;
  const next = new Map(values);
  for (const { name, value } of writes) {
    const artifact = declared.get(name);
    const before = artifact && appends(artifact) ? next.get(name) : undefined;
    next.set(name, before === undefined ? value : append(before, value, isJson(artifact)));
  }
  return next;
}

export function appends({ mode }: Artifact): boolean {
  return mode?.text === "append";
}

function isJson(artifact: Artifact | undefined): boolean {
  return /[/+]json\s*(?:;|$)/iu.test(artifact?.type?.text ?? "");
}

/** RFC 0009 defines no separator: JSON becomes a list of what was appended, other text gets one more line. */
function append(before: string, value: string, isJson: boolean): string {
  if (!isJson) return `${before}\n${value}`;
  return `[${[before, value].flatMap((text) => listText(text).trim().slice(1, -1).trim() || []).join(",")}]`;
}

/** A JSON list as it is written; any other value as the only item of one, as a string if it is not JSON. */
function listText(text: string): string {
  return tryTo(() => (Array.isArray(JSON.parse(text)) ? text : `[${text}]`)) ?? JSON.stringify([text]);
}

/** Whether a state that declares an artifact like this may leave it with the new value. */
export function mayWrite(artifact: Artifact, was: string | undefined, is: string): boolean {
  if (!appends(artifact) || was === undefined || is.startsWith(was)) return true;
  if (!isJson(artifact) || listText(is) !== is) return false;
  const itemsOf = (text: string): readonly string[] =>
    (JSON.parse(listText(text)) as readonly unknown[]).map((item) => JSON.stringify(item, sortKeys));
  const after = itemsOf(is);
  return itemsOf(was).every((item, index) => item === after[index]);
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)));
}
