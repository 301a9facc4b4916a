import { toValue } from "../document/node.js";
import type { ArtifactValues } from "../machine/artifact-values.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import type { TemplateText } from "../pack/template-text.js";
import { getOrCreate } from "../text/collections.js";
import type { Assignment } from "./event-list.js";
import { type BlockPart, splitIntoParts, type TemplatePart } from "./template-parts.js";

/** The prompt of a model, as far as it is known. `simulate --format json` prints it as it is. */
export interface RenderedPrompt {
  readonly text: string;
  /** Tags left unchanged, without duplicates: their value is unknown, or only the runtime can evaluate them. */
  readonly left: readonly string[];
  readonly cut: boolean;
}

const maxLength = 200_000;
/** Limits the time too: nested lists of empty strings multiply but render to nothing. */
const maxParts = 200_000;
const maxIncludeDepth = 16;

/**
 * Renders the prompt's own template, without `model_overrides`. Fills in variables, artifacts and fragments, and
 * evaluates `#if`, `#unless` and `#each` over a plain name whose value is known. Everything else is left unchanged, and
 * listed.
 */
export function renderPrompt(
  pack: Pack,
  { systemTemplate }: Prompt,
  scope: Scope,
): RenderedPrompt | undefined {
  return systemTemplate && new Renderer(pack).render(systemTemplate, scope);
}

class Renderer {
  private text = "";
  private parts = 0;
  private readonly left = new Set<string>();
  private readonly including: string[] = [];
  private readonly partsCache = new Map<TemplateText, readonly TemplatePart[]>();

  constructor(private readonly pack: Pack) {}

  render(template: TemplateText, scope: Scope): RenderedPrompt {
    this.writeAll(this.partsOf(template), scope);
    return { text: this.text.slice(0, maxLength), left: [...this.left], cut: this.isFull };
  }

  private get isFull(): boolean {
    return this.text.length > maxLength || this.parts > maxParts;
  }

  private partsOf(included: TemplateText): readonly TemplatePart[] {
    const { delimiters } = this.pack;
    const { text, template } = included;
    if (delimiters === undefined) return [{ kind: "text", source: text.text }];
    return getOrCreate(this.partsCache, included, () => splitIntoParts(text.text, template, delimiters));
  }

  /** The recursion is bounded: `splitIntoParts` limits the depth of blocks, `include` that of inclusions. */
  private writeAll(parts: readonly TemplatePart[], scope: Scope): void {
    for (const part of parts) {
      this.parts++;
      if (this.isFull) return;
      this.write(part, scope);
    }
  }

  private write(part: TemplatePart, scope: Scope): void {
    switch (part.kind) {
      case "text":
        this.text += part.source;
        return;
      case "foreign":
        return this.keepSource(part);
      case "include":
        return this.include(part.name, part, scope);
      case "block":
        return this.writeBlock(part, scope);
      case "value": {
        const found = resolvePath(part.path, scope);
        if (found !== undefined) this.text += valueText(found.value);
        else this.include(part.path, part, scope);
      }
    }
  }

  private keepSource({ source }: TemplatePart): void {
    this.text += source;
    this.left.add(source);
  }

  private include(name: string, part: TemplatePart, scope: Scope): void {
    const template = this.pack.fragments.get(name)?.template;
    const isTooDeep = this.including.includes(name) || this.including.length >= maxIncludeDepth;
    if (template === undefined || isTooDeep) return this.keepSource(part);
    this.including.push(name);
    this.writeAll(this.partsOf(template), scope);
    this.including.pop();
  }

  private writeBlock(block: BlockPart, scope: Scope): void {
    const found = resolvePath(block.path, scope);
    if (found === undefined) return this.keepSource(block);
    if (block.helper !== "each") {
      const holds = isTruthy(found.value) === (block.helper === "if");
      return this.writeAll(holds ? block.body : block.elseBody, scope);
    }
    const items = loopItems(found.value);
    if (items === undefined) return this.keepSource(block);
    if (items.length === 0) return this.writeAll(block.elseBody, scope);
    for (const item of items) {
      if (this.isFull) return;
      this.parts++;
      this.writeAll(block.body, { ...scope, items: [item, ...scope.items] });
    }
  }
}

/** An artifact name may contain dots; longer ones are not looked up. */
const maxNameSegments = 20;

/** Undefined if unknown; `{ value: undefined }` is known to be absent. */
type LookupResult = { readonly value: unknown } | undefined;

interface Scope {
  readonly variables: ReadonlyMap<string, unknown>;
  readonly artifacts: ArtifactValues;
  /** All artifacts of the workflow; one without a value is known to be empty. */
  readonly artifactNames: ReadonlySet<string>;
  /** The current items of the surrounding `#each` blocks, innermost first. */
  readonly items: readonly LoopItem[];
}

interface LoopItem {
  readonly value: unknown;
  readonly key: number | string;
  readonly first: boolean;
  readonly last: boolean;
}

/** The given values, else the defaults. */
export function promptVariables(prompt: Prompt, given: readonly Assignment[]): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, variable] of prompt.declared)
    if (variable.default !== undefined) values.set(name, toValue(variable.default));
  for (const { name, value } of given) {
    const type = prompt.declared.get(name)?.type?.text;
    values.set(name, type === undefined || type === "string" ? value : parseJsonOrText(value));
  }
  return values;
}

function resolvePath(path: string, scope: Scope): LookupResult {
  const [head = "", ...rest] = path.match(/[^.[\]"'?]+/gu) ?? [];
  if (head === "artifacts" && rest.length > 0) return resolveArtifact(rest, scope);
  const [item] = scope.items;
  if (head.startsWith("@")) return item === undefined ? undefined : { value: itemMetadata(head, item) };
  if (head === "this") return item === undefined ? undefined : resolveFields({ value: item.value }, rest);
  for (const { value } of scope.items) {
    const field = ownField(value, head);
    if (field !== undefined) return resolveFields(field, rest);
  }
  return scope.variables.has(head) ? resolveFields({ value: scope.variables.get(head) }, rest) : undefined;
}

function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== "false";
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The items of a list or the fields of an object; undefined for any other value. */
function loopItems(value: unknown): readonly LoopItem[] | undefined {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "object") return undefined;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  return entries.map(([key, item], index) => ({
    value: item,
    key: Array.isArray(value) ? index : key,
    first: index === 0,
    last: index === entries.length - 1,
  }));
}

/** The longest matching name wins. */
function resolveArtifact(path: readonly string[], { artifacts, artifactNames }: Scope): LookupResult {
  for (let size = Math.min(path.length, maxNameSegments); size > 0; size--) {
    const name = path.slice(0, size).join(".");
    if (!artifactNames.has(name)) continue;
    const value = artifacts.get(name);
    if (size === path.length || value === undefined) return { value };
    return resolveFields({ value: parseJsonOrText(value) }, path.slice(size));
  }
  return undefined;
}

function itemMetadata(name: string, { key, first, last }: LoopItem): unknown {
  if (name === "@first") return first;
  return name === "@last" ? last : key;
}

function resolveFields(found: NonNullable<LookupResult>, path: readonly string[]): LookupResult {
  return path.reduce((current, name) => ownField(current.value, name) ?? { value: undefined }, found);
}

function ownField(value: unknown, name: string): LookupResult {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const field: unknown = Reflect.get(value, name);
  return { value: field };
}

/** A number that would lose digits stays text. */
function parseJsonOrText(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    const losesDigits =
      typeof value === "number" && significantDigits(text) !== significantDigits(String(value));
    return losesDigits ? text : value;
  } catch {
    return text;
  }
}

/** Ignores the decimal point; empty for `Infinity`. */
function significantDigits(number: string): string {
  const [mantissa = ""] = number.split(/e/iu);
  return /[1-9](?:.*[1-9])?/u.exec(mantissa.replace(".", ""))?.[0] ?? "";
}
