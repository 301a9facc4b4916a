import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Surroundings } from "../../rules/rule.js";

/** What a rule may ask of the files around one; nothing around standard input, which lies nowhere. */
export function lookingBeside(path: string | undefined): Surroundings {
  if (path === undefined) return {};
  return { fileExists: (name) => existsSync(resolve(dirname(path), name)) };
}
