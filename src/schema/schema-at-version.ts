import { type SpecVersion, specVersions } from "../text/tool-info.js";
import { isObject } from "./spec-version.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * The schema as it was at a version: without what came later (`x-since`), and with what a later version changed
 * (`x-before`, the keywords that held before a version; null where there was none).
 */
export function schemaAtVersion(schema: Json, version: SpecVersion): Json {
  const isLater = (other: unknown): boolean =>
    specVersions.findIndex((each) => each === other) > specVersions.indexOf(version);
  const at = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(at);
    if (!isObject(part)) return part;
    const entries = Object.entries(part)
      .filter(([, value]) => !isObject(value) || !isLater(value["x-since"]))
      .map(([name, value]) => [name, at(value)] as const);
    const whole: Record<string, unknown> = Object.fromEntries(entries);
    for (const [later, keywords] of Object.entries(isObject(part["x-before"]) ? part["x-before"] : {})) {
      if (!isLater(later) || !isObject(keywords)) continue;
      for (const [keyword, value] of Object.entries(keywords)) {
        if (value === null) Reflect.deleteProperty(whole, keyword);
        else whole[keyword] = value;
      }
    }
    return whole;
  };
  const description = `A PromptPack as version ${version} of the specification had it.`;
  return withoutUnused({ ...asObject(at(schema)), title: `PromptPack v${version}`, description });
}

/** Drops definitions that nothing refers to any more. */
function withoutUnused(schema: Json): Json {
  const definitions = asObject(schema["$defs"]);
  const used = new Set<string>();
  const open: unknown[] = [{ ...schema, $defs: undefined }];
  while (open.length > 0) {
    const part = open.pop();
    if (!isObject(part) && !Array.isArray(part)) continue;
    for (const [keyword, value] of Object.entries(part)) {
      const name = keyword === "$ref" ? String(value).replace("#/$defs/", "") : undefined;
      if (name === undefined) open.push(value);
      else if (!used.has(name)) {
        used.add(name);
        open.push(definitions[name]);
      }
    }
  }
  return {
    ...schema,
    $defs: Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name))),
  };
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}
