import { isWithin } from "../document/pointers.js";
import { nearestProperty } from "./nearest-property.js";
import { knows, type SchemaError, type SchemaPart } from "./validator.js";

/** Keywords about one value, best first: a value that breaks several of them is one mistake. */
const valueKeywords = ["type", "enum", "pattern", "format", "minLength", "maxLength", "minimum", "maximum"];

/**
 * Merges errors with one cause. The validator lists the errors of all branches of a `oneOf` right before the error of
 * the `oneOf` itself, which replaces them.
 */
export function mergedErrors(errors: readonly SchemaError[]): readonly SchemaError[] {
  const kept: SchemaError[] = [];
  for (const error of errors) {
    // The errors of its `then` follow.
    if (error.keyword === "if") continue;
    let top = kept.at(-1);
    if (error.keyword === "oneOf") {
      for (; top !== undefined && isWithin(top.instancePath, error.instancePath); top = kept.at(-1))
        kept.pop();
    } else if (top !== undefined && top.instancePath === error.instancePath && isAboutValue(top, error)) {
      if (rank(error) < rank(top)) kept[kept.length - 1] = error;
      continue;
    }
    kept.push(error);
  }
  return withoutMisspelt(kept);
}

/** Drops a missing property that is present under a misspelled name: the misspelled name is reported. */
function withoutMisspelt(errors: readonly SchemaError[]): readonly SchemaError[] {
  const missing = new Map<string, SchemaError>();
  const dropped = new Set<SchemaError>();
  let path: string | undefined;
  for (const error of errors) {
    const about = misspeltIn(error);
    const outer = about?.path ?? error.instancePath;
    if (outer !== path) missing.clear();
    path = outer;
    if (error.keyword === "required") missing.set(String(error.params["missingProperty"]), error);
    if (about === undefined || missing.size === 0) continue;
    const misspelled = missing.get(nearestProperty(about.name, about.known ?? missing.keys()) ?? "");
    if (misspelled !== undefined) dropped.add(misspelled);
  }
  return without(errors, dropped);
}

function without(errors: readonly SchemaError[], dropped: ReadonlySet<SchemaError>): readonly SchemaError[] {
  return dropped.size === 0 ? errors : errors.filter((error) => !dropped.has(error));
}

/** An unknown property, or an entry of an open object that matches none of its forms. */
function misspeltIn({ keyword, instancePath, params, parentSchema }: SchemaError) {
  if (keyword === "additionalProperties") {
    const known = Object.keys(parentSchema.properties ?? {});
    return { path: instancePath, name: String(params["additionalProperty"]), known };
  }
  if (keyword !== "oneOf") return undefined;
  const slash = instancePath.lastIndexOf("/");
  return { path: instancePath.slice(0, slash), name: instancePath.slice(slash + 1) };
}

function isAboutValue(a: SchemaError, b: SchemaError): boolean {
  return rank(a) !== -1 && rank(b) !== -1;
}

function rank(error: SchemaError): number {
  return valueKeywords.indexOf(error.keyword);
}

/** Whether another form of the object has this property. */
export function isOfOtherForm(name: string, others: readonly SchemaPart[]): boolean {
  return others.some((other) => knows(other, name));
}

/** Keeps the first error about properties of other forms. */
export function withoutOtherForms(
  errors: readonly SchemaError[],
  path: string,
  others: readonly SchemaPart[],
): readonly SchemaError[] {
  const [, ...further] = errors.filter(
    ({ keyword, instancePath, params }) =>
      keyword === "additionalProperties" &&
      instancePath === path &&
      isOfOtherForm(String(params["additionalProperty"]), others),
  );
  return without(errors, new Set(further));
}
