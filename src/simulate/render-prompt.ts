import { getOrMake } from "../maps/get-or-make.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import type { TemplateText } from "../pack/template-text.js";
import { type BlockPart, type Part, partsOf } from "./template-parts.js";
import { isTruthy, itemsOfValue, lookUp, type Scope, valueText } from "./template-values.js";

/** A prompt as a model would be given it, as far as that is known. */
export interface Rendered {
  readonly text: string;
  /** Tags that stay as they are written, each once: no value is known, or only the runtime's engine can tell. */
  readonly left: readonly string[];
  /** Whether it was too long to be written to its end. */
  readonly cut: boolean;
}

const maxLength = 200_000;
/** Parts looked at: a list of lists may render to nothing for ever. */
const maxParts = 200_000;
const maxIncluded = 16;

/**
 * The prompt's own template, `model_overrides` left out; nothing when it has none. Fills in variables, artifacts and
 * fragments, and decides `#if`, `#unless` and `#each` over a plain name whose value is known. Everything else stays as it
 * is written, and is listed.
 */
export function renderPrompt(pack: Pack, prompt: Prompt, scope: Scope): Rendered | undefined {
  const { systemTemplate } = prompt;
  return systemTemplate === undefined ? undefined : new Renderer(pack).render(systemTemplate, scope);
}

class Renderer {
  private text = "";
  private parts = 0;
  private readonly left = new Set<string>();
  private readonly including: string[] = [];
  private readonly cut = new Map<TemplateText, readonly Part[]>();

  constructor(private readonly pack: Pack) {}

  render(template: TemplateText, scope: Scope): Rendered {
    this.writeAll(this.partsOf(template), scope);
    return { text: this.text.slice(0, maxLength), left: [...this.left], cut: this.isFull };
  }

  private get isFull(): boolean {
    return this.text.length > maxLength || this.parts > maxParts;
  }

  /** Cut once, however often it is included. */
  private partsOf(template: TemplateText): readonly Part[] {
    return getOrMake(this.cut, template, () => this.cutUp(template));
  }

  private cutUp({ text: { text }, template }: TemplateText): readonly Part[] {
    const { delimiters } = this.pack;
    return delimiters === undefined ? [{ kind: "text", source: text }] : partsOf(text, template, delimiters);
  }

  /** Depth is bounded: blocks by `template-parts`, inclusions here. */
  private writeAll(parts: readonly Part[], scope: Scope): void {
    for (const part of parts) {
      this.parts++;
      if (this.isFull) return;
      this.write(part, scope);
    }
  }

  private write(part: Part, scope: Scope): void {
    switch (part.kind) {
      case "text":
        this.text += part.source;
        return;
      case "foreign":
        return this.leave(part);
      case "include":
        return this.include(part.name, part, scope);
      case "block":
        return this.writeBlock(part, scope);
      case "value": {
        const found = lookUp(part.path, scope);
        if (found !== undefined) this.text += valueText(found.value);
        else this.include(part.path, part, scope);
      }
    }
  }

  private leave({ source }: Part): void {
    this.text += source;
    this.left.add(source);
  }

  private include(name: string, part: Part, scope: Scope): void {
    const template = this.pack.fragments.get(name)?.template;
    const goesRound = this.including.includes(name) || this.including.length >= maxIncluded;
    if (template === undefined || goesRound) return this.leave(part);
    this.including.push(name);
    this.writeAll(this.partsOf(template), scope);
    this.including.pop();
  }

  private writeBlock(block: BlockPart, scope: Scope): void {
    const found = lookUp(block.path, scope);
    if (found === undefined) return this.leave(block);
    if (block.helper !== "each") {
      const holds = isTruthy(found.value) === (block.helper === "if");
      return this.writeAll(holds ? block.body : block.otherwise, scope);
    }
    const items = itemsOfValue(found.value);
    if (items === undefined) return this.leave(block);
    if (items.length === 0) return this.writeAll(block.otherwise, scope);
    for (const item of items) {
      if (this.isFull) return;
      this.parts++;
      this.writeAll(block.body, { ...scope, items: [item, ...scope.items] });
    }
  }
}
