import type { Key, MappingNode } from "../document/node.js";
import type { Reference } from "../template/read-template.js";
import type { TemplateText } from "./template-text.js";
import type { Text } from "./text.js";

export interface Prompt {
  /** What the rest of the pack calls it by. */
  readonly key: Key;
  /** Absent when the prompt is no object. */
  readonly node: MappingNode | undefined;
  readonly id: Text | undefined;
  /** `system_template` and what `model_overrides` puts in its place or around it. */
  readonly templates: readonly TemplateText[];
  readonly variables: readonly Variable[];
  readonly tools: readonly Text[];
}

export interface Variable {
  readonly index: number;
  readonly node: MappingNode;
  readonly name: Text | undefined;
}

export interface Fragment {
  readonly name: Key;
  /** Absent when the fragment is no string. */
  readonly template: TemplateText | undefined;
}

/** A reference met while a prompt is rendered: in its own template or in a fragment it includes. */
export interface Reading {
  readonly reference: Reference;
  readonly source: TemplateText;
  /** The fragment whose text holds it; absent for the prompt's own templates. */
  readonly fragment: Fragment | undefined;
}
