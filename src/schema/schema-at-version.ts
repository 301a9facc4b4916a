import { type SpecVersion, specVersions } from "../text/tool-info.js";

type Json = Readonly<Record<string, unknown>>;

/** Whether a version is newer than another. Nothing is newer than an unknown one. */
export function isLater(version: unknown, than: SpecVersion): boolean {
  return specVersions.findIndex((each) => each === version) > specVersions.indexOf(than);
}

/** `x-before` has the keywords that held before a later version, null where there was none. */
export function keywordsAt<Part extends object>(part: Part, version: SpecVersion): Part {
  const before: unknown = Reflect.get(part, "x-before");
  if (!isObject(before)) return part;
  const older = Object.entries(before).flatMap(([later, keywords]) =>
    isLater(later, version) && isObject(keywords) ? Object.entries(keywords) : [],
  );
  const whole = Object.entries({ ...part, ...Object.fromEntries(older) });
  return Object.fromEntries(whole.filter(([, value]) => value !== null)) as Part;
}

/** The schema as it was at a version: without what came later (`x-since`), with the keywords that it had. */
export function schemaAtVersion(schema: Json, version: SpecVersion): Json {
  const at = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(at);
    if (!isObject(part)) return part;
    const entries = Object.entries(keywordsAt(part, version))
      .filter(([, value]) => !isObject(value) || !isLater(value["x-since"], version))
      .map(([name, value]) => [name, at(value)] as const);
    return Object.fromEntries(entries);
  };
  const description = `A PromptPack as version ${version} of the specification had it.`;
  return withoutUnused({ ...asObject(at(schema)), title: `PromptPack v${version}`, description });
}

function withoutUnused(schema: Json): Json {
  const definitions = asObject(schema["$defs"]);
  const used = new Set<string>();
  const open: unknown[] = [{ ...schema, $defs: undefined }];
  for (const part of open) {
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
  const kept = Object.entries(definitions).filter(([name]) => used.has(name));
  return { ...schema, $defs: Object.fromEntries(kept) };
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
