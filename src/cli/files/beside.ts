import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { FileContext } from "../../rules/rule.js";

/**
 * What a rule may ask of the files around one; nothing around standard input, which lies nowhere, nor where the whole
 * folder is only in git or not there yet. `lookedFor` is told each path before it is looked for.
 */
export function surroundingsOf(
  path: string | undefined,
  lookedFor: (path: string) => void = () => undefined,
): FileContext {
  if (path === undefined || !existsSync(dirname(path))) return {};
  const fileExists = (name: string) => {
    const other = resolve(dirname(path), name);
    lookedFor(other);
    return existsSync(other);
  };
  return { fileExists };
}
