/** A part of the schema file, with what it says to people and to editors. */
export interface KeySchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, KeySchema>>;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, KeySchema>>;
  readonly items?: KeySchema;
  readonly additionalProperties?: boolean | KeySchema;
  readonly oneOf?: readonly KeySchema[];
  readonly allOf?: readonly { readonly then?: KeySchema }[];
  readonly "x-since"?: string;
  readonly "x-deprecated"?: string;
  /** The kind of thing that its value names, or its keys; and its usual values, where others are allowed. */
  readonly "x-names"?: string;
  readonly "x-keys"?: string;
  readonly "x-values"?: readonly string[];
}

/** The subschemas for the value at a path; several if it may have one of several forms. */
export function formsAt(whole: KeySchema, path: readonly string[]): readonly KeySchema[] {
  return path.reduce(
    (forms, name) => forms.flatMap((form) => partOf(form, name)).flatMap((part) => formsOf(part, whole)),
    formsOf(whole, whole),
  );
}

function partOf(
  { properties = {}, items, additionalProperties }: KeySchema,
  name: string,
): readonly KeySchema[] {
  const named = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const part = named ?? (name === "*" ? items : undefined) ?? additionalProperties;
  return typeof part === "object" ? [part] : [];
}

/** The subschema of a key of the object at a path; undefined for a name that the author chose. */
export function formOfKey(whole: KeySchema, path: readonly string[], key: string): KeySchema | undefined {
  const parts = formsAt(whole, path).flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, key) ? (properties[key] ?? []) : [],
  );
  return parts[0] && formsOf(parts[0], whole)[0];
}

/** A part with references resolved, and its alternatives. */
export function formsOf(part: KeySchema, whole: KeySchema): readonly KeySchema[] {
  const { $ref, ...own } = part;
  const target = $ref === undefined ? {} : (whole.$defs?.[$ref.replace("#/$defs/", "")] ?? {});
  const form: KeySchema = { ...target, ...own };
  const { oneOf = [], allOf = [] } = form;
  const others = [...oneOf, ...allOf.flatMap(({ then }) => then ?? [])];
  return [form, ...others.flatMap((other) => formsOf(other, whole))];
}

export function valuesOf({ enum: allowed = [], "x-values": usual = [] }: KeySchema): readonly string[] {
  return [...allowed.map(String), ...usual];
}

/** In Markdown. */
export function documentation(form: KeySchema): string {
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
