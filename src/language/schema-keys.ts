import { definitionOf, type SchemaPart } from "../schema/validator.js";

/** The subschemas for the value at a path; several if it may have one of several forms. */
export function formsAt(whole: SchemaPart, path: readonly string[]): readonly SchemaPart[] {
  return path.reduce(
    (forms, name) => forms.flatMap((form) => partOf(form, name)).flatMap((part) => formsOf(part, whole)),
    formsOf(whole, whole),
  );
}

function partOf(form: SchemaPart, name: string): readonly SchemaPart[] {
  const part = propertyOf(form, name) ?? (name === "*" ? form.items : undefined) ?? form.additionalProperties;
  return typeof part === "object" ? [part] : [];
}

function propertyOf({ properties = {} }: SchemaPart, name: string): SchemaPart | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The subschema of a key of the object at a path; undefined for a name that the author chose. */
export function formOfKey(whole: SchemaPart, path: readonly string[], key: string): SchemaPart | undefined {
  const [part] = formsAt(whole, path).flatMap((form) => propertyOf(form, key) ?? []);
  return part && formsOf(part, whole)[0];
}

/** A part with references resolved, and its alternatives. */
export function formsOf(part: SchemaPart, whole: SchemaPart): readonly SchemaPart[] {
  const form = { ...definitionOf(part, whole), ...part };
  const { oneOf = [], allOf = [] } = form;
  const others = [...oneOf, ...allOf.flatMap(({ then }) => then ?? [])];
  return [form, ...others.flatMap((other) => formsOf(other, whole))];
}

export function valuesOf({ enum: allowed = [], "x-values": usual = [] }: SchemaPart): readonly string[] {
  return [...allowed.map(String), ...usual];
}

/** In Markdown. */
export function documentation(form: SchemaPart): string {
  const values = valuesOf(form);
  const { description = "", examples = [], "x-since": since, "x-deprecated": deprecated } = form;
  const facts = [
    ...(values.length > 0 ? [`One of ${values.map(code).join(", ")}.`] : []),
    ...(form.default === undefined ? [] : [`Default: ${code(form.default)}.`]),
    ...(since === undefined ? [] : [`Since version ${since}.`]),
    ...(deprecated === undefined ? [] : [`Deprecated since version ${deprecated}.`]),
    ...(values.length > 0 ? [] : examples.slice(0, 1).map((example) => `Example: ${code(example)}`)),
  ];
  return [description, facts.join(" ")].filter((text) => text !== "").join("\n\n");
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}
