import type { Skills } from "./skill.js";
import { relativePath } from "./skill-path.js";
import type { Text } from "../document/spelled-values.js";

/** The relative paths of skills that lead nowhere. Each path is looked up once. */
export function* missingPaths(skills: Skills, fileExists: (path: string) => boolean): Iterable<Text> {
  const known = new Map<string, boolean>();
  for (const source of skills.sources) {
    const path = source.kind === "path" ? relativePath(source.path.text) : undefined;
    if (source.kind !== "path" || path === undefined) continue;
    let exists = known.get(path);
    if (exists === undefined) known.set(path, (exists = fileExists(path)));
    if (!exists) yield source.path;
  }
}
