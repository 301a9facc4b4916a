import { toValue } from "../document/node.js";
import type { ArtifactValues } from "../machine/artifact-values.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import type { TemplateText } from "../pack/template-text.js";
import { getOrCreate } from "../text/collections.js";
import type { Assignment } from "./event-list.js";
import { type BlockPart, splitIntoParts, type TemplatePart } from "./template-parts.js";

/** A prompt as a model would be given it, as far as that is known. */
export interface RenderedPrompt {
  readonly text: string;
  /** Tags that stay as they are written, each once: no value is known, or only the runtime's engine can tell. */
  readonly unresolved: readonly string[];
  /** Whether it was too long to be written to its end. */
  readonly truncated: boolean;
}

const maxLength = 200_000;
/** Parts looked at: a list of lists may render to nothing for ever. */
const maxParts = 200_000;
const maxIncludeDepth = 16;

/**
 * The prompt's own template, `model_overrides` left out; nothing when it has none. Fills in variables, artifacts and
 * fragments, and decides `#if`, `#unless` and `#each` over a plain name whose value is known. Everything else stays as it
 * is written, and is listed.
 */
export function renderPrompt(pack: Pack, prompt: Prompt, scope: Scope): RenderedPrompt | undefined {
  const { systemTemplate } = prompt;
  return systemTemplate === undefined ? undefined : new Renderer(pack).render(systemTemplate, scope);
}

class Renderer {
  private text = "";
  private parts = 0;
  private readonly unresolved = new Set<string>();
  private readonly including: string[] = [];
  private readonly partsCache = new Map<TemplateText, readonly TemplatePart[]>();

  constructor(private readonly pack: Pack) {}

  render(template: TemplateText, scope: Scope): RenderedPrompt {
    this.writeAll(this.partsOf(template), scope);
    return { text: this.text.slice(0, maxLength), unresolved: [...this.unresolved], truncated: this.isFull };
  }

  private get isFull(): boolean {
    return this.text.length > maxLength || this.parts > maxParts;
  }

  /** Cut once, however often it is included. */
  private partsOf(template: TemplateText): readonly TemplatePart[] {
    return getOrCreate(this.partsCache, template, () => this.splitTemplate(template));
  }

  private splitTemplate({ text: { text }, template }: TemplateText): readonly TemplatePart[] {
    const { delimiters } = this.pack;
    return delimiters === undefined
      ? [{ kind: "text", source: text }]
      : splitIntoParts(text, template, delimiters);
  }

  /** Depth is bounded: blocks by `template-parts`, inclusions here. */
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
    this.unresolved.add(source);
  }

  private include(name: string, part: TemplatePart, scope: Scope): void {
    const template = this.pack.fragments.get(name)?.template;
    const goesRound = this.including.includes(name) || this.including.length >= maxIncludeDepth;
    if (template === undefined || goesRound) return this.keepSource(part);
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

/** Of the name of an artifact. */
const maxNameSegments = 20;

/** A value that is known, or nothing. `undefined` within is known to be absent. */
type LookupResult = { readonly value: unknown } | undefined;

/** What names in a template stand for. */
interface Scope {
  readonly variables: ReadonlyMap<string, unknown>;
  readonly artifacts: ArtifactValues;
  /** Every artifact of the workflow: one that is not filled yet is known to be empty. */
  readonly artifactNames: ReadonlySet<string>;
  /** The item that an `#each` around is at, the innermost first. */
  readonly items: readonly LoopItem[];
}

interface LoopItem {
  readonly value: unknown;
  readonly key: number | string;
  readonly first: boolean;
  readonly last: boolean;
}

/** The variables of a prompt: those given, else their defaults. */
export function promptVariables(prompt: Prompt, given: readonly Assignment[]): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, variable] of prompt.declared) {
    if (variable.default !== undefined) values.set(name, toValue(variable.default));
  }
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

/** The items of a list or the fields of an object; nothing for what cannot be walked through. */
function loopItems(value: unknown): readonly LoopItem[] | undefined {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "object") return undefined;
  const entries: readonly (readonly [number | string, unknown])[] = Array.isArray(value)
    ? value.map((each: unknown, index) => [index, each] as const)
    : Object.entries(value);
  return entries.map(([key, each], index) => ({
    value: each,
    key,
    first: index === 0,
    last: index === entries.length - 1,
  }));
}

/** The longest name wins: one may have dots in it. */
function resolveArtifact(path: readonly string[], { artifacts, artifactNames }: Scope): LookupResult {
  for (let size = Math.min(path.length, maxNameSegments); size > 0; size--) {
    const name = path.slice(0, size).join(".");
    if (!artifactNames.has(name)) continue;
    const value = artifacts.get(name);
    const rest = path.slice(size);
    return rest.length === 0
      ? { value }
      : resolveFields({ value: value === undefined ? undefined : parseJsonOrText(value) }, rest);
  }
  return undefined;
}

function itemMetadata(name: string, item: LoopItem): unknown {
  switch (name) {
    case "@first":
      return item.first;
    case "@last":
      return item.last;
    default:
      return item.key;
  }
}

function resolveFields(found: LookupResult, path: readonly string[]): LookupResult {
  let current = found;
  for (const name of path) {
    if (current === undefined) return undefined;
    current = ownField(current.value, name) ?? { value: undefined };
  }
  return current;
}

function ownField(value: unknown, name: string): LookupResult {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const field: unknown = Reflect.get(value, name);
  return { value: field };
}

/** A number that cannot be held as it is written stays text. */
function parseJsonOrText(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "number" && significantDigits(text) !== significantDigits(String(value))
      ? text
      : value;
  } catch {
    return text;
  }
}

/** The digits that count, wherever the point is; none of `Infinity`. */
function significantDigits(number: string): string {
  const [mantissa = ""] = number.split(/e/iu);
  return /[1-9](?:.*[1-9])?/u.exec(mantissa.replace(".", ""))?.[0] ?? "";
}
