import type { Key, MappingNode } from "../document/node.js";
import type { Reference } from "../template/read-template.js";
import type { Eval } from "./eval.js";
import type { TemplateText } from "./template-text.js";
import type { LocatedString } from "../document/spelled-values.js";
import type { Variables } from "./variable.js";
import type { ToolPolicy } from "./tool.js";

export interface Prompt extends Variables {
  /** What the rest of the pack calls it by. */
  readonly key: Key;
  /** Absent when the prompt is not an object. */
  readonly node: MappingNode | undefined;
  /** Breaks the schema: rules leave it alone, and nothing is known about what it uses. */
  readonly isUnclear: boolean;
  readonly id: LocatedString | undefined;
  readonly systemTemplate: TemplateText | undefined;
  /** `system_template` and what `model_overrides` puts in its place or around it. */
  readonly templates: readonly TemplateText[];
  readonly tools: readonly LocatedString[];
  readonly toolPolicy: ToolPolicy | undefined;
  readonly evals: readonly Eval[];
}

export interface Fragment {
  readonly name: Key;
  /** Absent when the fragment is not a string. */
  readonly template: TemplateText | undefined;
}

/** A reference met while a prompt is rendered: in its own template or in a fragment it includes. */
export interface Reading {
  readonly reference: Reference;
  readonly source: TemplateText;
  /** The fragment whose text holds it; absent for the prompt's own templates. */
  readonly fragment: Fragment | undefined;
  /**
   * It may be something else than what the prompt declares, by itself (`Reference.local`) or because its fragment is
   * only included where names mean something else.
   */
  readonly local: boolean;
}

const maxLookahead = 100;
const nameAfterPatterns = { ".": /^\.([^\s.{}()[\]|]+)/, ":": /^:\s*([^\s.{}()[\]|]+)/ };

/** The second segment of a path, or what stands behind a colon that makes no path. */
export function nameAfter(
  { reference, source }: Reading,
  joint: keyof typeof nameAfterPatterns = ".",
): string | undefined {
  return nameAfterPatterns[joint].exec(source.text.text.slice(reference.end, reference.end + maxLookahead))?.[1];
}

/** What the prompts read, through the fragments they include. */
export interface Readings {
  readonly of: (prompt: Prompt) => readonly Reading[];
  /** The texts that it is put together from: its own, and those of the fragments, as far as they are strings. */
  readonly textsOf: (prompt: Prompt) => ReadonlySet<TemplateText>;
  /**
   * Whether all that this prompt reads is known: no template or fragment is missing, broken, out of reach or picked by a
   * variable.
   */
  readonly isComplete: (prompt: Prompt) => boolean;
}
