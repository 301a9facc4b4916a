import { compareText } from "../diagnostic.js";
import type { Workflow } from "../pack/workflow.js";

/** Artifact values by name; an artifact that was never filled is absent. */
export type ArtifactValues = ReadonlyMap<string, string>;

/** How a state updates an artifact: by replacing it or, with `mode: append`, by adding to it. */
export interface ArtifactMode {
  readonly appends: boolean;
  readonly isJson: boolean;
}

/** The artifacts of a workflow, and how each state updates them. */
export interface ArtifactModes {
  /** In the order of their first declarations. */
  readonly names: readonly string[];
  of(state: number): ReadonlyMap<string, ArtifactMode>;
}

export function artifactModes({ states }: Workflow): ArtifactModes {
  const names = new Set<string>();
  const byState = states.map(({ artifacts }) => {
    const modes = new Map<string, ArtifactMode>();
    for (const { name, mode, type } of artifacts) {
      names.add(name.text);
      modes.set(name.text, {
        appends: mode?.text === "append",
        isJson: /[/+]json\s*(?:;|$)/iu.test(type?.text ?? ""),
      });
    }
    return modes;
  });
  const none = new Map<string, ArtifactMode>();
  return { names: [...names], of: (state) => byState[state] ?? none };
}

export interface ArtifactWrite {
  readonly name: string;
  readonly value: string;
}

export function applyWrites(
  values: ArtifactValues,
  writes: readonly ArtifactWrite[],
  modes: ReadonlyMap<string, ArtifactMode>,
): ArtifactValues {
  if (writes.length === 0) return values;
  const next = new Map(values);
  for (const { name, value } of writes) {
    const mode = modes.get(name);
    const before = mode?.appends === true ? next.get(name) : undefined;
    next.set(name, before === undefined ? value : append(before, value, mode?.isJson === true));
  }
  return next;
}

/** RFC 0009 defines no separator: JSON becomes a list of what was appended, other text gets one more line. */
function append(before: string, value: string, isJson: boolean): string {
  if (!isJson) return `${before}\n${value}`;
  return `[${[before, value].flatMap((text) => listText(text).trim().slice(1, -1).trim() || []).join(",")}]`;
}

/** A JSON list as it is written; any other value as the only item of one, as a string if it is not JSON. */
function listText(text: string): string {
  try {
    return Array.isArray(JSON.parse(text)) ? text : `[${text}]`;
  } catch {
    return JSON.stringify([text]);
  }
}

/** Whether a state that declares an artifact like this may leave it with the new value. */
export function mayWrite({ appends, isJson }: ArtifactMode, was: string | undefined, is: string): boolean {
  if (!appends || was === undefined || is.startsWith(was)) return true;
  if (!isJson || listText(is) !== is) return false;
  const itemsOf = (text: string): readonly string[] =>
    (JSON.parse(listText(text)) as readonly unknown[]).map((item) => JSON.stringify(item, sortKeys));
  const after = itemsOf(is);
  return itemsOf(was).every((item, index) => item === after[index]);
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)));
}
