import type { Reference } from "../template/read-template.js";
import type { Readings } from "./pack.js";
import type { Fragment, Prompt, Reading } from "./prompt.js";
import type { TemplateText } from "./template-text.js";

/** References followed over all prompts: a chain of fragments under every prompt would be quadratic. */
const maxFollowed = 2_000_000;

export class FollowedReadings implements Readings {
  private readonly known = new Map<Prompt, readonly Reading[]>();
  private followed = 0;

  constructor(private readonly fragments: ReadonlyMap<string, Fragment>) {}

  get complete(): boolean {
    return this.followed < maxFollowed;
  }

  of(prompt: Prompt): readonly Reading[] {
    let readings = this.known.get(prompt);
    if (readings === undefined) this.known.set(prompt, (readings = this.follow(prompt)));
    return readings;
  }

  hasUnknownFragment(prompt: Prompt): boolean {
    return this.of(prompt).some(
      ({ reference }) => reference.kind === "fragment" && !this.fragments.has(reference.name),
    );
  }

  private follow(prompt: Prompt): readonly Reading[] {
    const readings: Reading[] = [];
    const included = new Set<Fragment>();
    const collect = (source: TemplateText, fragment: Fragment | undefined): void => {
      for (const reference of source.template.references) {
        if (!this.complete) return;
        this.followed++;
        readings.push({ reference, source, fragment });
        const target = includedBy(reference, this.fragments);
        if (target !== undefined) included.add(target);
      }
    };
    for (const template of prompt.templates) collect(template, undefined);
    // The set grows while it is walked: each fragment is entered once, in the order it is first included.
    for (const fragment of included) if (fragment.template !== undefined) collect(fragment.template, fragment);
    return readings;
  }
}

/** The fragment a reference includes, if any: `{{fragments.x}}`, or a bare `{{x}}` that names one. */
export function includedBy(
  reference: Reference,
  fragments: ReadonlyMap<string, Fragment>,
): Fragment | undefined {
  return reference.kind === "artifact" ? undefined : fragments.get(reference.name);
}
