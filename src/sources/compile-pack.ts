import { compareText } from "../diagnostic.js";
import { asMapping, itemsOf, type MappingNode, type Node, stringOf, toValue } from "../document/node.js";
import { packSchema } from "../schema/generated/schemas.js";
import { alternativesOf, type SchemaPart } from "../schema/validator.js";
import { cached, lazy } from "../text/collections.js";
import { pipeline } from "./graft-pack.js";
import type { Project } from "./project.js";

type Json = Readonly<Record<string, unknown>>;

export interface CompileOptions {
  /** Instead of the name of the head's folder. */
  readonly id?: string | undefined;
  readonly compiledWith: string;
  readonly createdAt: string;
}

const packOrder = [
  ...["$schema", "id", "name", "version", "description", "template_engine", "prompts", "tools", "fragments"],
  ...["compilation", "evals", "workflow", "compositions", "agents", "skills"],
];
const promptOrder = [
  ...[
    "id",
    "name",
    "description",
    "version",
    "system_template",
    "variables",
    "tools",
    "tool_policy",
    "media",
  ],
  ...["pipeline", "parameters", "validators", "evals"],
];

/** The pack that the compiler makes of a project. */
export function compilePack(project: Project, { id, compiledWith, createdAt }: CompileOptions): Json {
  const pack = valueOf(project.document.root, whole(), []);
  const { prompts = {}, tools, ...rest } = pack as { prompts?: Json; tools?: Json } & Json;
  const compiled = {
    ...rest,
    ...(id !== undefined && { id, name: id }),
    prompts: mapValues(prompts, (prompt) => inOrder({ ...(prompt as Json), pipeline }, promptOrder)),
    ...(tools && { tools }),
    ...fragmentsOf(project),
    compilation: { compiled_with: compiledWith, created_at: createdAt, schema: "v1" },
  };
  return inOrder(compiled, packOrder);
}

/** It writes references to fragments in place of their texts. */
function fragmentsOf({ grafted }: Project): Json {
  const names = grafted.prompts.flatMap(({ spec }) =>
    itemsOf(spec.get("fragments")).flatMap((item) => stringOf(asMapping(item)?.get("name")) ?? []),
  );
  const sorted = [...new Set(names)].sort(compareText);
  if (sorted.length === 0) return {};
  return { fragments: Object.fromEntries(sorted.map((name) => [name, `{{${name}}}`])) };
}

const whole = lazy(packSchema);

/** Parts in which the compiler reads the keys that it knows, and no others. */
const selective = new Set(["workflow", "compositions", "agents"]);
/** Kept even if they are empty, false or zero, by the list or object around them. */
const kept: ReadonlyMap<string, readonly string[]> = new Map([
  ["required", ["variables"]],
  ["enabled", ["validators"]],
]);

interface Shape {
  readonly properties: ReadonlyMap<string, SchemaPart>;
  readonly others: SchemaPart | undefined;
  readonly items: SchemaPart | undefined;
}

/** The shape that a part of the schema describes, with all its alternative forms merged. */
const shapeOf = cached((part: SchemaPart): Shape => {
  const properties = new Map<string, SchemaPart>();
  let others: SchemaPart | undefined;
  let items: SchemaPart | undefined;
  const open: SchemaPart[] = [part];
  for (const each of open)
    for (const form of alternativesOf(each, whole())) {
      for (const [name, value] of Object.entries(form.properties ?? {}))
        if (!properties.has(name)) properties.set(name, value);
      if (typeof form.additionalProperties === "object") others ??= form.additionalProperties;
      items ??= form.items;
      open.push(
        ...(form.allOf ?? []).flatMap(({ then, else: otherwise }) => [then ?? [], otherwise ?? []].flat()),
      );
    }
  return { properties, others, items };
});

function valueOf(node: Node | undefined, part: SchemaPart, path: readonly string[]): unknown {
  if (node === undefined || node.kind === "scalar") return node?.value;
  const { properties, others, items } = shapeOf(part);
  if (node.kind === "sequence")
    return items === undefined
      ? sorted(toValue(node))
      : node.items.map((item) => itemValue(item, items, path));
  if (properties.size > 0) {
    const struct = structOf(node, properties, path);
    // To the compiler, it is free-form.
    return path.includes("engine") ? sorted(struct) : struct;
  }
  if (others === undefined) return sorted(toValue(node));
  const entries = node.entries.map(
    ({ key, value }) => [key.text, valueOf(value, others, [...path, "*"])] as const,
  );
  return Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)));
}

function itemValue(item: Node, part: SchemaPart, path: readonly string[]): unknown {
  const value = valueOf(item, part, [...path, "*"]);
  if (path.at(-1) !== "skills" || path.length > 1) return value;
  const { path: folder, ...rest } = value as Json;
  return typeof folder === "string" ? { path: plainPath(folder), ...rest } : value;
}

/** As a path relative to the head, without a slash at the end. */
function plainPath(path: string): string {
  return path.replace(/^(?:\.\/+)+/u, "").replace(/\/+$/u, "") || path;
}

function structOf(node: MappingNode, properties: Shape["properties"], path: readonly string[]): Json {
  const struct: Record<string, unknown> = {};
  const list = path.at(-2) ?? "";
  const drops = selective.has(path[0] ?? "");
  const names = node.entries.map(({ key }) => key.text);
  const order = [
    ...[...properties.keys()].filter((name) => names.includes(name)),
    ...names.filter((name) => !properties.has(name)),
  ];
  for (const name of order) {
    const value = node.get(name);
    const known = properties.get(name);
    if (value === undefined || (known === undefined && drops)) continue;
    const plain = known === undefined ? sorted(toValue(value)) : valueOf(value, known, [...path, name]);
    const isKept = name === "description" || name === "version" || kept.get(name)?.includes(list) === true;
    if (isKept || !isEmpty(plain)) struct[name] = plain;
  }
  return struct;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Free-form values, with their keys by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, held]) => [name, sorted(held)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

function inOrder(object: Json, order: readonly string[]): Json {
  const names = [...order, ...Object.keys(object).filter((name) => !order.includes(name))];
  return Object.fromEntries(
    names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])),
  );
}

export interface PackDifference {
  readonly pointer: string;
  readonly kind: "differs" | "missing" | "extra";
}

/** Where a compiled pack differs in content from what the sources give: what is empty, false or zero counts as absent. */
export function* compareContent(sources: Json, pack: unknown): Iterable<PackDifference> {
  const ignored = new Set(["compilation", "id", "name"]);
  const of = (value: unknown): unknown =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.has(name)))
      : value;
  yield* differences(of(sources), of(pack), "");
}

function* differences(one: unknown, other: unknown, pointer: string): Iterable<PackDifference> {
  if (isAbsent(one) && isAbsent(other)) return;
  if (isAbsent(other)) yield { pointer, kind: "missing" };
  else if (isAbsent(one)) yield { pointer, kind: "extra" };
  else if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    for (const name of names)
      yield* differences(
        one[name],
        other[name],
        `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      );
  } else if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    for (const [index, item] of one.entries()) yield* differences(item, other[index], `${pointer}/${index}`);
  } else if (one !== other) yield { pointer, kind: "differs" };
}

/** An object of nothing but empty values is empty, too. */
function isAbsent(value: unknown): boolean {
  if (isEmpty(value)) return true;
  return isObject(value) && Object.values(value).every(isAbsent);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a text is a pack with the prompts and states of a project: what it compiles to, or once did. */
export function isCompiledFrom({ document }: Project, text: string): boolean {
  const read = (): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return undefined;
    }
  };
  const pack = read();
  const own = asMapping(document.root);
  const workflow = asMapping(own?.get("workflow"));
  const prompts = namesOf(isObject(pack) ? pack["prompts"] : undefined);
  const states = isObject(pack) && isObject(pack["workflow"]) ? namesOf(pack["workflow"]["states"]) : "";
  return (
    prompts !== "" && prompts === keysOf(own?.get("prompts")) && states === keysOf(workflow?.get("states"))
  );
}

function namesOf(value: unknown): string {
  return isObject(value) ? JSON.stringify(Object.keys(value).sort(compareText)) : "";
}

function keysOf(node: Node | undefined): string {
  const keys = asMapping(node)?.entries.map(({ key }) => key.text);
  return keys === undefined ? "" : JSON.stringify([...keys].sort(compareText));
}
