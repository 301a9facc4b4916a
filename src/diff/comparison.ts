import type { Span } from "../diagnostic.js";
import { asMapping, type MappingNode } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt, TemplateText } from "../pack/prompt.js";
import type { State } from "../pack/workflow.js";
import type { Reference } from "../template/read-template.js";
import { tagsOf } from "../template/tags.js";
import { appendTo } from "../text/collections.js";
import { type Change, type ChangeRule, compareMembers, createChange, type Sides } from "./change.js";
import { keyOf, keysOf, Values } from "./values.js";

export class Comparison {
  /** Without what no part of a run reads. */
  readonly values: Values;
  readonly exact: Values;
  readonly texts: TextComparer;

  constructor(
    readonly before: Pack,
    readonly after: Pack,
    /** The state whose new name is the only difference between the machines. */
    readonly renamed: Sides<State> | undefined,
  ) {
    this.values = new Values([before.root, after.root], new Set(["description", "extensions"]));
    this.exact = new Values([before.root, after.root], new Set());
    this.texts = new TextComparer(before, after);
  }

  /** An `owner` is `prompt "a"`. */
  *properties(
    owner: string,
    names: readonly string[],
    before: MappingNode | undefined,
    after: MappingNode | undefined,
    rule: ChangeRule = "settings-changed",
    within = "",
  ): Iterable<Change> {
    for (const { name, side, at, predicate } of this.values.differences(names, before, after)) {
      const [was, is] = [asMapping(before?.get(name)), asMapping(after?.get(name))];
      if (was !== undefined && is !== undefined)
        yield* this.properties(owner, keysOf(was, is), was, is, rule, `${within}${name}.`);
      else yield createChange(rule, side, at, `the "${within}${name}" of ${owner} ${predicate}`);
    }
  }
}

/** Characters resolved per comparison: one large fragment may be a part of thousands of prompts. */
const maxCharacters = 10_000_000;
/** Deeper inclusions are compared as the tags that are written. */
const maxDepth = 50;

interface PromptText {
  readonly pack: Pack;
  readonly prompt: Prompt;
  readonly template: TemplateText;
}

/** Compares what models are given: fragments are resolved, comments and white space do not count. */
export class TextComparer {
  private readonly changedFragments: ReadonlySet<string>;
  private charactersLeft = maxCharacters;

  constructor(
    private readonly before: Pack,
    private readonly after: Pack,
  ) {
    this.changedFragments = findChangedFragments(before, after);
  }

  compare(before: Prompt, after: Prompt): Iterable<Change> {
    return compareMembers(textsOf(this.before, before), textsOf(this.after, after), {
      title: (slot) => `the "${slot}" of prompt "${after.key.text}"`,
      added: () => "template-changed",
      removed: "template-changed",
      placeOf: ({ template }) => keyOf(template.text.node),
      compare: (old, text, title) => this.compareTexts(old, text, title),
    });
  }

  private *compareTexts(old: PromptText, text: PromptText, title: string): Iterable<Change> {
    const isSameSource = old.template.text.text === text.template.text.text;
    const inclusions = [...inclusionsIn(old), ...inclusionsIn(text)];
    const changed = inclusions.find(({ name }) => this.changedFragments.has(name))?.name;
    const isSameSyntax = this.before.templateSyntax?.text === this.after.templateSyntax?.text;
    const areSameInclusions = inclusions.length === 2 * inclusionsIn(text).length;
    if (isSameSource && isSameSyntax && areSameInclusions && changed === undefined) return;
    const [was, is] = [this.resolve(old), this.resolve(text)];
    if (this.charactersLeft > 0 && was === is) return;
    const fragment = isSameSource && changed !== undefined ? this.after.fragments.get(changed) : undefined;
    const at = fragment?.name ?? keyOf(text.template.text.node);
    const within = fragment === undefined ? "" : `, in fragment "${fragment.name.text}"`;
    yield createChange("template-changed", "new", at, `${title} changed${within}`);
  }

  private resolve(text: PromptText): string {
    return this.write(text, 0).replace(/\s+/g, "").replace(fragmentOpening, "").replace(fragmentClosing, "");
  }

  /** The recursion is bounded, and so is the time: fragments may include each other exponentially often. */
  private write(text: PromptText, depth: number): string {
    const source = text.template.text.text;
    this.charactersLeft -= source.length + 1;
    let written = "";
    let at = 0;
    for (const { start, end, name } of cutsIn(text)) {
      const template = name === undefined ? undefined : text.pack.fragments.get(name)?.template;
      if (start < at || (name !== undefined && template === undefined)) continue;
      if (depth === maxDepth || this.charactersLeft <= 0) break;
      written += source.slice(at, start);
      if (template !== undefined) written += opening + this.write({ ...text, template }, depth + 1) + closing;
      at = end;
    }
    return written + source.slice(at);
  }
}

function textsOf(pack: Pack, prompt: Prompt): ReadonlyMap<string, PromptText> {
  const from = (prompt.node?.pointer.length ?? 0) + 1;
  return new Map(
    prompt.templates.map((template) => [template.text.pointer.slice(from), { pack, prompt, template }]),
  );
}

/** References to what may be a fragment; a variable of the same name takes precedence. */
function inclusionsIn({ template, prompt }: PromptText): readonly Reference[] {
  return template.template.references.filter(
    ({ kind, name }) => kind === "fragment" || (kind === "name" && !prompt.declared.has(name)),
  );
}

function cutsIn(text: PromptText): readonly (Span & { readonly name?: string })[] {
  const source = text.template.text.text;
  const hasComments = text.pack.delimiters?.open === "{{" && source.includes("!");
  const comments = hasComments ? [...tagsOf(source)].filter(({ kind }) => kind === "comment") : [];
  return [...comments, ...inclusionsIn(text)].sort((a, b) => a.start - b.start);
}

/** Around a fragment, to find the delimiters of its tag once white space is gone. */
const [opening, closing] = ["\uE000", "\uE001"];
const fragmentOpening = /(?:\$\{|\{{1,3}[-~]?)>?\uE000/g;
const fragmentClosing = /\uE001[-~]?\}{1,3}/g;

function findChangedFragments(before: Pack, after: Pack): ReadonlySet<string> {
  const names = new Set([...before.fragments.keys(), ...after.fragments.keys()]);
  const textOf = (pack: Pack, name: string) => pack.fragments.get(name)?.template?.text.text;
  const changed = new Set([...names].filter((name) => textOf(before, name) !== textOf(after, name)));
  const includers = new Map<string, string[]>();
  for (const { name, template } of changed.size === 0 ? [] : after.fragments.values())
    for (const reference of template?.template.references ?? [])
      appendTo(includers, reference.name, name.text);
  // The set grows while it is iterated.
  for (const name of changed) for (const includer of includers.get(name) ?? []) changed.add(includer);
  return changed;
}
