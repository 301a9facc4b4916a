/** The folder of a run, asked by relative paths. */
export interface Workspace {
  /** As it is shown. */
  readonly name: string;
  readonly has: (path: string) => "file" | "folder" | undefined;
}

/** What RFC-103 wants in every workspace. */
export const workspaceFiles: readonly string[] = ["context.md", "memory.md", "plan.md", "trace.jsonl"];
export const artifactFolder = "artifacts";

/** Whether a path is relative and stays inside `artifacts/`. */
export function isInArtifacts(path: string): boolean {
  const [first, ...rest] = path.split("/");
  return (
    first === artifactFolder &&
    rest.length > 0 &&
    rest.every((part) => part !== "" && part !== "." && part !== "..") &&
    !/[\\\0]/u.test(path)
  );
}
