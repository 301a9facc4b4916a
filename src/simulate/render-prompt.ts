import { toValue } from "../document/node.js";
import type { ArtifactValues } from "../machine/artifact-values.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt, TemplateText } from "../pack/prompt.js";
import { fill, isKeptAtHandover } from "../runtimes/fill.js";
import type { Runtime } from "../runtimes/runtime.js";
import { skipSpaces, truncateName } from "../template/path.js";
import { defaultSyntax, type Reference, type Syntax } from "../template/read-template.js";
import { type Tag, tagsOf } from "../template/tags.js";
import { type Token, tokensOf } from "../template/tokens.js";
import { getOrCreate, tryTo } from "../text/collections.js";
import type { Assignment } from "./event-list.js";
import { maskSecrets } from "../text/secrets.js";
import { listNames } from "../text/wording.js";

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
 * Renders the prompt's own template, without `model_overrides`. Only variables, artifacts, fragments, and `#if`,
 * `#unless` and `#each` over a plain name whose value is known are filled in; other tags are left, and listed.
 */
export function renderPrompt(
  pack: Pack,
  prompt: Prompt,
  given: readonly Assignment[],
  artifacts: Pick<Scope, "artifacts" | "artifactNames">,
): RenderedPrompt | undefined {
  const { systemTemplate } = prompt;
  const scope = { variables: promptVariables(prompt, given), ...artifacts, items: [] };
  return systemTemplate && new Renderer(pack).render(systemTemplate, scope);
}

/** A prompt as a runtime sends it. */
export interface SentPrompt extends RenderedPrompt {
  /** Why it is not the template with everything filled in. */
  readonly why?: string | undefined;
}

/** `workflow_context` is the runtime's own text. */
const ownContext = ["workflow_context", "[workflow_context]"] as const;

/** The text that a runtime sends where a conversation is opened, or where a turn is handed over. */
export function renderAsSent(
  pack: Pack,
  prompt: Prompt,
  given: readonly Assignment[],
  { artifacts }: Pick<Scope, "artifacts">,
  { runtime, isOpened }: { readonly runtime: Runtime; readonly isOpened: boolean },
): SentPrompt | undefined {
  const { systemTemplate, declared } = prompt;
  const { delimiters = defaultSyntax, fragments } = pack;
  if (systemTemplate === undefined) return undefined;
  const { title, facts } = runtime;
  const asksCallers = isOpened || facts.binds.value === "callers and defaults";
  const values = new Map<string, string>(asksCallers ? [] : [ownContext]);
  for (const [name, variable] of declared)
    if (variable.default !== undefined && (asksCallers || isKeptAtHandover(variable)))
      values.set(name, valueText(toValue(variable.default) as Value));
  if (asksCallers) for (const { name, value } of given) values.set(name, value);
  const missing = [...declared].find(
    ([name, { required }]) => required?.value === true && !values.has(name),
  )?.[0];
  for (const [name, value] of artifacts) values.set(`artifacts.${name}`, value);
  if (missing !== undefined) {
    const fault = `nothing binds the required variable "${missing}"`;
    if (!asksCallers || facts.requiredUnbound.value === "refused")
      return { text: "", left: [], cut: false, why: `In ${title} the turn fails: ${fault}.` };
    const why = `${title} replaces the prompt, and drops its tools and validators: ${fault}.`;
    return { text: "You are a helpful AI assistant.", left: [], cut: false, why };
  }
  const names = { variables: declared, fragments, artifacts: pack.artifacts.declared };
  const { text, left } = fill(runtime, systemTemplate.text.text, delimiters, names, values);
  const what = listNames(left.map(truncateName), 8);
  const why =
    left.length === 0
      ? undefined
      : facts.leftover.value === "all unfilled"
        ? `${title} sends the whole prompt unfilled: nothing fills ${what}.`
        : `${title} leaves ${what} as it is.`;
  return { text: maskSecrets(text).slice(0, maxLength), left, cut: text.length > maxLength, why };
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
    return { text: maskSecrets(this.text).slice(0, maxLength), left: [...this.left], cut: this.isFull };
  }

  private get isFull(): boolean {
    return this.text.length > maxLength || this.parts > maxParts;
  }

  private partsOf(included: TemplateText): readonly TemplatePart[] {
    const { delimiters } = this.pack;
    const { references } = included.template;
    const { text } = included.text;
    if (delimiters === undefined) return [{ kind: "text", source: text }];
    return getOrCreate(this.partsCache, included, () =>
      delimiters.open === "{{"
        ? new TagSplitter(text, references).read()
        : placeholderParts(text, references, delimiters),
    );
  }

  /** The recursion is bounded: `TagSplitter` limits the depth of blocks, `include` that of inclusions. */
  private writeAll(parts: readonly TemplatePart[], scope: Scope): void {
    for (const part of parts) {
      this.parts++;
      if (this.isFull) return;
      if (this.evaluate(part, scope)) continue;
      this.text += part.source;
      if (part.kind !== "text") this.left.add(part.source);
    }
  }

  /** Writes the value of a part; returns false if there is none, or it is unknown. */
  private evaluate(part: TemplatePart, scope: Scope): boolean {
    if (part.kind === "block") return this.evaluateBlock(part, scope);
    if (!("name" in part)) return false;
    const value = part.kind === "value" ? resolvePath(part.name, scope) : undefined;
    if (value === undefined) return this.include(part.name, scope);
    this.text += valueText(value);
    return true;
  }

  private include(name: string, scope: Scope): boolean {
    const template = this.pack.fragments.get(name)?.template;
    const isTooDeep = this.including.includes(name) || this.including.length >= maxIncludeDepth;
    if (template === undefined || isTooDeep) return false;
    this.including.push(name);
    this.writeAll(this.partsOf(template), scope);
    this.including.pop();
    return true;
  }

  private evaluateBlock({ helper, path, body, elseBody }: BlockPart, scope: Scope): boolean {
    const value = resolvePath(path, scope);
    if (value === undefined) return false;
    const isTrue = isTruthy(value);
    const items = helper === "each" ? loopItems(value) : isTrue === (helper === "if") ? [undefined] : [];
    if (items === undefined) return false;
    if (items.length === 0) this.writeAll(elseBody, scope);
    for (const item of items) {
      if (this.isFull) break;
      if (item !== undefined) this.parts++;
      this.writeAll(body, item === undefined ? scope : { ...scope, items: [item, ...scope.items] });
    }
    return true;
  }
}

/** An artifact name may contain dots; longer ones are not looked up. */
const maxNameSegments = 20;

/** A value of JSON; null also for what is known to be absent, undefined for what is unknown. */
type Value = string | number | boolean | object | null | undefined;

interface Scope {
  readonly variables: ReadonlyMap<string, Value>;
  readonly artifacts: ArtifactValues;
  /** All artifacts of the workflow; one without a value is known to be empty. */
  readonly artifactNames: ReadonlySet<string>;
  /** The current items of the surrounding `#each` blocks, innermost first. */
  readonly items: readonly LoopItem[];
}

/** The names with an `@` are those that a template reads. */
type LoopItem = Readonly<Record<"value" | "@index" | "@key" | "@first" | "@last", Value>>;

function promptVariables(prompt: Prompt, given: readonly Assignment[]): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, variable] of prompt.declared)
    if (variable.default !== undefined) values.set(name, toValue(variable.default) as Value);
  for (const { name, value } of given) {
    const type = prompt.declared.get(name)?.type?.text;
    values.set(name, type === undefined || type === "string" ? value : parseJsonOrText(value));
  }
  return values;
}

function resolvePath(path: string, scope: Scope): Value {
  const [head = "", ...rest] = path.match(/[^.[\]"'?]+/gu) ?? [];
  if (head === "artifacts" && rest.length > 0) return resolveArtifact(rest, scope);
  const [item] = scope.items;
  if (head.startsWith("@")) return ownField(item, head);
  if (head === "this") return item && resolveFields(item.value, rest);
  const inItem = scope.items.map(({ value }) => ownField(value, head)).find((value) => value !== undefined);
  const value = inItem === undefined ? scope.variables.get(head) : inItem;
  return value === undefined ? undefined : resolveFields(value, rest);
}

function isTruthy(value: Value): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== "false";
}

function valueText(value: Value): string {
  return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
}

function loopItems(value: Value): readonly LoopItem[] | undefined {
  if (value === null || value === "") return [];
  if (typeof value !== "object") return undefined;
  const entries: readonly (readonly [string, Value])[] = Object.entries(value);
  return entries.map(([key, item], index) => ({
    value: item,
    "@index": Array.isArray(value) ? index : key,
    "@key": Array.isArray(value) ? index : key,
    "@first": index === 0,
    "@last": index === entries.length - 1,
  }));
}

/** The longest matching name wins. */
function resolveArtifact(path: readonly string[], { artifacts, artifactNames }: Scope): Value {
  for (let size = Math.min(path.length, maxNameSegments); size > 0; size--) {
    const name = path.slice(0, size).join(".");
    if (!artifactNames.has(name)) continue;
    const value = artifacts.get(name) ?? null;
    if (size === path.length || value === null) return value;
    return resolveFields(parseJsonOrText(value), path.slice(size));
  }
  return undefined;
}

function resolveFields(value: Value, path: readonly string[]): Value {
  return path.reduce((current, name) => ownField(current, name) ?? null, value);
}

function ownField(value: Value, name: string): Value {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name) as Value;
}

/** A number that would lose digits stays text. */
function parseJsonOrText(text: string): Value {
  const value = tryTo(() => JSON.parse(text) as Value);
  const losesDigits =
    typeof value === "number" && significantDigits(text) !== significantDigits(String(value));
  return value === undefined || losesDigits ? text : value;
}

/** Ignores the decimal point; empty for `Infinity`. */
function significantDigits(number: string): string {
  const [mantissa = ""] = number.split(/e/iu);
  return /[1-9](?:.*[1-9])?/u.exec(mantissa.replace(".", ""))?.[0] ?? "";
}

/** A part of a template; `source` is its text in the template. */
type TemplatePart =
  /** Only the runtime can evaluate a foreign part: a filter, a helper, a condition with operators. */
  | { readonly kind: "text" | "foreign"; readonly source: string }
  | { readonly kind: "value" | "include"; readonly name: string; readonly source: string }
  | BlockPart;

interface BlockPart {
  readonly kind: "block";
  readonly helper: "if" | "unless" | "each";
  readonly path: string;
  readonly body: readonly TemplatePart[];
  readonly elseBody: readonly TemplatePart[];
  readonly source: string;
}

/** Blocks nested more deeply are left unchanged. */
const maxDepth = 40;

interface OpenBlock {
  readonly name: string;
  readonly start: number;
  /** The number of parts before its opening tag. */
  readonly at: number;
  /** Undefined if the block is foreign. */
  simple: Pick<BlockPart, "helper" | "path"> | undefined;
  elseAt?: number;
}

/** A block becomes one part when it is closed; until then, its tags are foreign parts like those around it. */
class TagSplitter {
  private readonly parts: TemplatePart[] = [];
  private readonly stack: OpenBlock[] = [];
  private at = 0;
  private nextReference = 0;

  constructor(
    private readonly text: string,
    private readonly references: readonly Reference[],
  ) {}

  read(): readonly TemplatePart[] {
    for (const tag of tagsOf(this.text)) {
      if (tag.kind === "unclosed") continue;
      this.addText(tag.start);
      if (tag.kind === "tag") this.readTag(tag);
      this.at = tag.end;
    }
    this.addText(this.text.length);
    return this.parts;
  }

  private addText(end: number): void {
    if (end > this.at) this.parts.push({ kind: "text", source: this.text.slice(this.at, end) });
  }

  private readTag(tag: Tag): void {
    const { text, parts } = this;
    const first = skipSpaces(text, tag.from, tag.to);
    const sign = text.charAt(first);
    const content = text.slice(first, tag.to).trim();
    const source = text.slice(tag.start, tag.end);
    const block = this.stack.at(-1);
    const isElse = content === "else" || content === "^";
    if (sign === "/") return this.close(tag, content.slice(1).trim());
    if (sign === "#" || (sign === "^" && !isElse)) this.open(tag, first);
    else if (block !== undefined && (isElse || /^(?:else|elif|elseif|elsif)\s/u.test(content))) {
      if (!isElse || block.elseAt !== undefined) block.simple = undefined;
      block.elseAt ??= parts.length;
    } else {
      const name = this.includedBy(tag);
      parts.push(name === undefined ? outputPart(text, tag, first) : { kind: "include", name, source });
      return;
    }
    parts.push({ kind: "foreign", source });
  }

  /** The fragment that a tag includes, unless the tag has arguments. */
  private includedBy({ from, to }: Tag): string | undefined {
    while ((this.references[this.nextReference]?.start ?? Infinity) < from) this.nextReference++;
    const reference = this.references[this.nextReference];
    if (reference?.kind !== "fragment" || reference.end > to) return undefined;
    return /^["']?\s*$/u.test(this.text.slice(reference.end, to)) ? reference.name : undefined;
  }

  private open(tag: Tag, first: number): void {
    const [helper, operand, ...rest] = tokensOf(this.text, first + 1, tag.to);
    const name = helper === undefined ? "" : this.text.slice(helper.start, helper.end);
    const isSimple = this.text[first] === "#" && rest.length === 0 && this.stack.length < maxDepth;
    const path = isSimple ? pathText(this.text, operand) : undefined;
    const simple = isHelper(name) && path !== undefined ? { helper: name, path } : undefined;
    this.stack.push({ name, start: tag.start, at: this.parts.length, simple });
  }

  private close(tag: Tag, name: string): void {
    const block = this.stack.at(-1);
    if (block === undefined || (name !== "" && name !== block.name))
      return void this.parts.push({ kind: "foreign", source: this.text.slice(tag.start, tag.end) });
    this.stack.pop();
    const { simple, at, start } = block;
    const inside = this.parts.splice(at);
    const elseAt = (block.elseAt ?? Infinity) - at;
    const [body, elseBody] = [inside.slice(1, elseAt), inside.slice(elseAt + 1)];
    const source = this.text.slice(start, tag.end);
    this.parts.push(
      simple === undefined
        ? { kind: "foreign", source }
        : { kind: "block", ...simple, body, elseBody, source },
    );
  }
}

function isHelper(name: string): name is BlockPart["helper"] {
  return name === "if" || name === "unless" || name === "each";
}

function outputPart(text: string, tag: Tag, first: number): TemplatePart {
  const source = text.slice(tag.start, tag.end);
  const [token, ...rest] = tokensOf(text, text[first] === "&" ? first + 1 : first, tag.to);
  const name = rest.length === 0 ? pathText(text, token) : undefined;
  return name === undefined ? { kind: "foreign", source } : { kind: "value", name, source };
}

/** `user.name`, `this`, `this.name` or `@index`; undefined for anything but a plain path. */
function pathText(text: string, token: Token | undefined): string | undefined {
  if (token === undefined) return undefined;
  const path = text.slice(token.start, token.end);
  if (token.kind === "path") return token.relative ? undefined : path;
  return token.kind === "data" && /^(?:this|@(?:index|key|first|last))$/u.test(path) ? path : undefined;
}

/** `{name}` and `${name}` have no blocks. */
function placeholderParts(
  text: string,
  references: readonly Reference[],
  { open, close }: Syntax,
): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const reference of references) {
    // May be unclosed, in which case the search for its end would scan the whole text.
    if (reference.local === true) continue;
    const start = text.lastIndexOf(open, reference.start);
    const end = text.indexOf(close, reference.end);
    if (start < at || end === -1) continue;
    const source = text.slice(start, end + close.length);
    if (start > at) parts.push({ kind: "text", source: text.slice(at, start) });
    if (reference.kind === "fragment") parts.push({ kind: "include", name: reference.name, source });
    else parts.push({ kind: "value", name: text.slice(start + open.length, end).trim(), source });
    at = end + close.length;
  }
  if (at < text.length) parts.push({ kind: "text", source: text.slice(at) });
  return parts;
}
