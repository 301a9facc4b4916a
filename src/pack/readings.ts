import { getOrCreate } from "../maps/get-or-make.js";
import type { Reference } from "../template/read-template.js";
import type { Fragment, Prompt, Reading, Readings } from "./prompt.js";
import type { TemplateText } from "./template-text.js";

/** References followed over all prompts: a chain of fragments under every prompt would be quadratic. */
const maxFollowed = 2_000_000;

/** Whether it may include any fragment, as `{{fragments[tone]}}` and `{{#each fragments}}` do. */
export function mayIncludeAnyFragment({ kind, name }: Reference): boolean {
  return kind === "name" && name === "fragments";
}

export class ReadingResolver implements Readings {
  private readonly known = new Map<Prompt, readonly Reading[]>();
  private followed = 0;

  constructor(private readonly fragments: ReadonlyMap<string, Fragment>) {}

  /** Whether every inclusion was followed; false only past a bound that no real pack meets. */
  private get complete(): boolean {
    return this.followed < maxFollowed;
  }

  readonly of = (prompt: Prompt): readonly Reading[] => {
    return getOrCreate(this.known, prompt, () => this.follow(prompt));
  };

  readonly textsOf = (prompt: Prompt): ReadonlySet<TemplateText> => {
    const included = this.of(prompt).flatMap(({ reference }) => {
      return this.includedBy(reference, prompt)?.template ?? [];
    });
    return new Set([...prompt.templates, ...included]);
  };

  readonly isComplete = (prompt: Prompt): boolean => {
    for (const { reference } of this.of(prompt)) {
      const fragment = this.includedBy(reference, prompt);
      if (fragment === undefined) {
        if (reference.kind === "fragment") return false;
        if (this.fragments.size > 0 && mayIncludeAnyFragment(reference) && !prompt.declared.has(reference.name))
          return false;
      } else if (fragment.template === undefined) return false;
    }
    for (const { template } of this.textsOf(prompt)) if (template.errors.length > 0) return false;
    return !prompt.isUnclear && this.complete;
  };

  private follow(prompt: Prompt): readonly Reading[] {
    const readings: Reading[] = [];
    const included = new Set<Fragment>();
    const includedInBlocks = new Set<Fragment>();
    const collect = (source: TemplateText, fragment: Fragment | undefined, inBlock: boolean): void => {
      for (const reference of source.template.references) {
        if (!this.complete) return;
        this.followed++;
        const local = inBlock || reference.local === true;
        readings.push({ reference, source, fragment, local });
        const target = this.includedBy(reference, prompt);
        if (target !== undefined) (local || reference.scoped ? includedInBlocks : included).add(target);
      }
    };
    for (const template of prompt.templates) collect(template, undefined, false);
    // The sets grow while they are walked: each fragment is entered once, in the order it is first included.
    for (const fragment of included) {
      if (fragment.template !== undefined) collect(fragment.template, fragment, false);
    }
    for (const fragment of includedInBlocks) {
      if (fragment.template !== undefined && !included.has(fragment))
        collect(fragment.template, fragment, true);
    }
    return readings;
  }

  /** `{{fragments.x}}`, or a bare `{{x}}` that names a fragment and is no variable of the prompt. */
  private includedBy(reference: Reference, prompt: Prompt): Fragment | undefined {
    if (reference.kind === "artifact") return undefined;
    if (reference.kind === "name" && prompt.declared.has(reference.name)) return undefined;
    return this.fragments.get(reference.name);
  }
}
