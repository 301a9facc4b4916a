import type { Text } from "../document/spelled-values.js";
import type { LogEvent } from "./log-event.js";

/** The folder of a run, asked by relative paths. */
export interface Workspace {
  /** As it is shown. */
  readonly name: string;
  readonly has: (path: string) => "file" | "folder" | undefined;
}

/** What RFC-103 wants in every workspace. */
export const workspaceFiles: readonly string[] = ["context.md", "memory.md", "plan.md", "trace.jsonl"];
export const artifactFolder = "artifacts";

/** A path in its shortest spelling, where it is relative and stays inside `artifacts/`. */
export function artifactNamed(path: string): string | undefined {
  if (path.startsWith("/") || /[\\\0]/u.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part !== "..") parts.push(...(part === "" || part === "." ? [] : [part]));
    else if (parts.pop() === undefined) return undefined;
  }
  return parts[0] === artifactFolder && parts.length > 1 ? parts.join("/") : undefined;
}

/** What a log says is in a workspace. That is one run's: of several, the run of whose artifacts most are there. */
export function artifactsFor({ has }: Workspace, events: readonly LogEvent[]): readonly Text[] {
  const byRun = new Map<string, Text[]>();
  for (const { runId, artifactPath, artifacts } of events) {
    if (runId === undefined) continue;
    const paths = byRun.get(runId.text) ?? [];
    byRun.set(runId.text, paths);
    for (const path of [artifactPath, ...artifacts])
      if (path !== undefined && artifactNamed(path.text) !== undefined) paths.push(path);
  }
  let best: readonly Text[] = [];
  let most = -1;
  for (const paths of byRun.values()) {
    if (paths.length === 0) continue;
    const share = paths.filter(({ text }) => has(text) !== undefined).length / paths.length;
    if (share > most) [best, most] = [paths, share];
  }
  return best;
}
