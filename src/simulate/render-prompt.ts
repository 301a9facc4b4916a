import { getOrCreate } from "../maps/get-or-make.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import type { TemplateText } from "../pack/template-text.js";
import { type BlockPart, type TemplatePart, splitIntoParts } from "./template-parts.js";
import { isTruthy, loopItems, resolvePath, type Scope, valueText } from "./template-values.js";

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
    return delimiters === undefined ? [{ kind: "text", source: text }] : splitIntoParts(text, template, delimiters);
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
