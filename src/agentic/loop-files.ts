import type { Document } from "../document/document.js";
import {
  asMapping,
  type Key,
  LocatedString,
  type MappingNode,
  numberOf,
  type ScalarNode,
  stringOf,
} from "../document/node.js";
import { getOrCreate } from "../text/collections.js";
import { parseTimestamp } from "../text/parse-scalar.js";
import type { LogEvent } from "./log-event.js";

export type StateRun = ReturnType<typeof readStateRun>;

export type PluginState = ReturnType<typeof readPluginState>;

export function readPluginState(document: Document) {
  const root = asMapping(document.root);
  const entry = root?.entry("runs");
  const node = asMapping(entry?.value);
  const runs = (node?.entries ?? []).flatMap(({ key, value }) =>
    value.kind === "mapping" ? readStateRun(key, value) : [],
  );
  return {
    document,
    runs,
    /** Absent where its value is not an object. */
    runsKey: node && entry?.key,
    lastRunId: LocatedString.of(root?.get("last_run_id")),
    updatedAt: latest(runs.map(({ updatedAt }) => updatedAt)),
    /** Whether it has the run, readable or not. */
    hasRun: (runId: string) => node?.get(runId) !== undefined,
    maxSteps: (runId: string) => numberOf(asMapping(node?.get(runId))?.get("max_steps")),
  };
}

function readStateRun(name: Key, node: MappingNode) {
  const updatedAt = stringOf(node.get("updated_at"));
  return {
    name,
    node,
    status: LocatedString.of(node.get("status")),
    /** In seconds, as are other times here. */
    updatedAt: updatedAt === undefined ? undefined : parseTimestamp(updatedAt),
  };
}

export function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}

export function numberField(node: MappingNode | undefined, name: string) {
  const at = node?.get(name);
  const value = numberOf(at);
  return at === undefined || value === undefined ? undefined : { at, value };
}

/** The step, the tool and the time that a run waits for, each undefined if it is null, 0 or "", which clears it. */
export function pendingFields({ node }: StateRun): readonly (ScalarNode | undefined)[] {
  return ["pending_step", "pending_tool", "pending_since"].map((name) => {
    const field = node.get(name);
    return field?.kind === "scalar" && (field.value ?? 0) !== 0 && field.value !== "" ? field : undefined;
  });
}

export interface Workspace {
  readonly name: string;
  readonly kindOf: (path: string) => "file" | "folder" | undefined;
}

/** The files that RFC-103 requires in every workspace. */
export const workspaceFiles: readonly string[] = ["context.md", "memory.md", "plan.md", "trace.jsonl"];
export const artifactFolder = "artifacts";

/** A path in its shortest spelling, where it is relative and stays inside `artifacts/`. */
export function normalizeArtifactPath(path: string): string | undefined {
  if (path.startsWith("/") || /[\\\0]/u.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part !== "..") parts.push(...(part === "" || part === "." ? [] : [part]));
    else if (parts.pop() === undefined) return undefined;
  }
  return parts[0] === artifactFolder && parts.length > 1 ? parts.join("/") : undefined;
}

/** A workspace belongs to one run: of several, the one with the largest share of its files present. */
export function artifactsInLog(
  { kindOf }: Workspace,
  events: readonly LogEvent[],
): ReadonlyMap<string, LocatedString> {
  const byRun = new Map<string, Map<string, LocatedString>>();
  for (const { runId, artifactPath, artifacts } of events) {
    if (runId === undefined) continue;
    const paths = getOrCreate(byRun, runId.text, () => new Map());
    for (const path of [artifactPath, ...artifacts]) {
      const name = path && normalizeArtifactPath(path.text);
      if (path !== undefined && name !== undefined && !paths.has(name)) paths.set(name, path);
    }
  }
  let best: ReadonlyMap<string, LocatedString> = new Map();
  let bestShare = -1;
  for (const paths of byRun.values()) {
    if (paths.size === 0) continue;
    const share = [...paths.keys()].filter((name) => kindOf(name) !== undefined).length / paths.size;
    if (share > bestShare) [best, bestShare] = [paths, share];
  }
  return best;
}
