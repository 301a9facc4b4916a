import type { Reference } from "../template/read-template.js";
import { cached, firstByKey, getOrCreate } from "../text/collections.js";
import type { PackParts } from "./pack-parts.js";
import type { Fragment, Prompt, Reading, TemplateText } from "./prompt.js";

export type OwnedTemplate =
  | { readonly kind: "prompt"; readonly text: TemplateText; readonly owner: Prompt }
  | { readonly kind: "fragment"; readonly text: TemplateText; readonly owner: Fragment };

/** A place that reads a variable, and the prompts that do not declare it. */
export interface UndeclaredVariable {
  readonly reading: Reading;
  readonly prompts: readonly Prompt[];
}

/** The names in the templates of a pack, and those that do not exist. */
export type TemplateUse = Readonly<ReturnType<typeof analyzeTemplateUse>>;

export function analyzeTemplateUse(parts: PackParts, readings: Readings) {
  const all = [...firstByKey(ownedTemplates(parts), ({ text }) => text.sourceStart).values()];
  const missing = undeclaredVariables(parts, readings);
  const undeclared = missing.flatMap(({ reading, prompts }) => {
    const certain = prompts.filter(({ hasAllVariables }) => hasAllVariables);
    return certain.length === 0 ? [] : { reading, prompts: certain };
  });
  const unknownFragments = parts.hasAllFragments
    ? all.flatMap((owned) => unknownFragmentsIn(owned, parts.fragments))
    : [];
  return {
    /** Every template once, those of prompts first; aliases of one string count once. */
    all,
    undeclared,
    /** Those too whose own variables are not all known. */
    promptsWithUndeclaredReads: new Set(missing.flatMap(({ prompts }) => prompts)),
    unknownFragments,
    /** Whether every template can be read and every name in it exists; otherwise nothing can be called unused. */
    allResolved:
      missing.length === 0 &&
      unknownFragments.length === 0 &&
      all.every(({ text }) => text.template.errors.length === 0) &&
      [...parts.prompts.values()].every(({ hasAllTemplates, systemTemplate }) => {
        return hasAllTemplates && systemTemplate !== undefined;
      }),
  };
}

function* ownedTemplates({ clearPrompts, fragments }: PackParts): Iterable<OwnedTemplate> {
  for (const owner of clearPrompts) for (const text of owner.templates) yield { kind: "prompt", text, owner };
  for (const owner of fragments.values())
    if (owner.template !== undefined) yield { kind: "fragment", text: owner.template, owner };
}

/** Whether the owner has a variable called `fragments`, which its templates then read. */
export function hasVariableNamedFragments({ kind, owner }: OwnedTemplate): boolean {
  return kind === "prompt" && owner.declared.has("fragments");
}

function unknownFragmentsIn(owned: OwnedTemplate, fragments: PackParts["fragments"]) {
  const { text } = owned;
  const isVariable = hasVariableNamedFragments(owned);
  return text.template.references
    .filter(({ kind, name, local }) => kind === "fragment" && local !== true && !fragments.has(name))
    .filter(({ start }) => !isVariable || !text.text.text.startsWith("fragments", start))
    .map((reference) => ({ ...owned, reference }));
}

/** Runtimes bind these themselves. */
const boundByRuntimes = new Set(["input", "workflow_context"]);

/** One per place: a reference in a fragment is one mistake, however many prompts include it. */
function undeclaredVariables(
  { clearPrompts, fragments, hasAllFragments }: PackParts,
  readings: Readings,
): readonly UndeclaredVariable[] {
  // Any name may be a fragment's.
  if (!hasAllFragments) return [];
  const byPlace = new Map<string, { reading: Reading; prompts: Prompt[] }>();
  for (const prompt of clearPrompts) {
    for (const reading of readings.of(prompt)) {
      const { kind, name, start } = reading.reference;
      if (kind !== "name" || reading.local || prompt.declared.has(name) || fragments.has(name)) continue;
      if (boundByRuntimes.has(name)) continue;
      const place = `${reading.source.sourceStart}:${start}`;
      getOrCreate(byPlace, place, () => ({ reading, prompts: [] })).prompts.push(prompt);
    }
  }
  return [...byPlace.values()];
}

/** References followed over all prompts: a chain of fragments under every prompt would be quadratic. */
const maxFollowed = 2_000_000;

/** Whether it may include any fragment, as `{{fragments[tone]}}` and `{{#each fragments}}` do. */
export function mayIncludeAnyFragment({ kind, name }: Reference): boolean {
  return kind === "name" && name === "fragments";
}

/** The references of prompts, also in the fragments they include. */
export class Readings {
  private readonly inTexts = new Map<TemplateText, readonly Reading[]>();
  private readonly inBlocks = new Map<TemplateText, readonly Reading[]>();
  private followed = 0;

  constructor(private readonly fragments: ReadonlyMap<string, Fragment>) {}

  /** Whether every inclusion was followed; always true for real packs. */
  private get complete(): boolean {
    return this.followed < maxFollowed;
  }

  readonly of = cached((prompt: Prompt) => this.follow(prompt));

  /** Its own templates and those of the fragments it includes. */
  textsOf(prompt: Prompt): ReadonlySet<TemplateText> {
    const included = this.of(prompt).flatMap(
      ({ reference }) => this.includedBy(reference, prompt)?.template ?? [],
    );
    return new Set([...prompt.templates, ...included]);
  }

  /** Whether everything this prompt reads is known: no template or fragment is missing, broken or chosen by a variable. */
  isComplete(prompt: Prompt): boolean {
    return (
      this.of(prompt).every(({ reference }) => this.isResolved(reference, prompt)) &&
      [...this.textsOf(prompt)].every(({ template }) => template.errors.length === 0) &&
      prompt.hasAllTemplates &&
      prompt.systemTemplate !== undefined &&
      this.complete
    );
  }

  private isResolved(reference: Reference, prompt: Prompt): boolean {
    const fragment = this.includedBy(reference, prompt);
    if (fragment !== undefined) return fragment.template !== undefined;
    const mayBeAny = mayIncludeAnyFragment(reference) && !prompt.declared.has(reference.name);
    return reference.kind !== "fragment" && !(mayBeAny && this.fragments.size > 0);
  }

  private follow(prompt: Prompt): readonly Reading[] {
    const readings: Reading[] = [];
    const included = new Set<Fragment>();
    const includedInBlocks = new Set<Fragment>();
    const collect = (source: TemplateText, fragment: Fragment | undefined, inBlock: boolean): void => {
      for (const reading of this.readingsIn(source, fragment, inBlock)) {
        if (!this.complete) return;
        this.followed++;
        readings.push(reading);
        const { reference, local } = reading;
        const target = this.includedBy(reference, prompt);
        if (target !== undefined) (local || reference.scoped ? includedInBlocks : included).add(target);
      }
    };
    for (const template of prompt.templates) collect(template, undefined, false);
    // The sets grow while they are iterated: each fragment is visited once, in the order of inclusion.
    for (const fragment of included) {
      if (fragment.template !== undefined) collect(fragment.template, fragment, false);
    }
    for (const fragment of includedInBlocks) {
      if (fragment.template !== undefined && !included.has(fragment))
        collect(fragment.template, fragment, true);
    }
    return readings;
  }

  /** Made once: a thousand prompts may include a fragment that reads a thousand names. */
  private readingsIn(source: TemplateText, fragment: Fragment | undefined, inBlock: boolean) {
    return getOrCreate(inBlock ? this.inBlocks : this.inTexts, source, () =>
      source.template.references.map((reference) => ({
        reference,
        source,
        fragment,
        local: inBlock || reference.local === true,
      })),
    );
  }

  /** `{{fragments.x}}`, or a bare `{{x}}` that names a fragment and not a variable of the prompt. */
  private includedBy(reference: Reference, prompt: Prompt): Fragment | undefined {
    if (reference.kind === "artifact") return undefined;
    if (reference.kind === "name" && prompt.declared.has(reference.name)) return undefined;
    return this.fragments.get(reference.name);
  }
}
