import type { LocatedString } from "../document/node.js";
import { getOrCreate } from "../text/collections.js";
import type { LogEvent } from "./log-event.js";

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

/**
 * The artifacts that a log names, each where it is first named. A workspace belongs to one run: of several, this takes
 * the one with the largest share of its artifacts present.
 */
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
