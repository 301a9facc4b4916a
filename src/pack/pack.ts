import type { Document } from "../document/document.js";
import type { MappingNode } from "../document/node.js";
import type { Syntax } from "../template/read-template.js";
import type { Agents } from "./agents.js";
import type { ArtifactUse } from "./artifact-use.js";
import type { Fragment, Prompt, Reading } from "./prompt.js";
import type { Spec } from "./spec.js";
import type { Text } from "./text.js";
import type { Workflow } from "./workflow.js";

/** What a pack file says, as far as it is well-formed. Sections that are missing or ill-formed are absent. */
export interface Pack {
  readonly document: Document;
  readonly root: MappingNode;
  readonly spec: Spec;
  /** `/template_engine/syntax`. */
  readonly templateSyntax: Text | undefined;
  /** How templates mark a reference; absent when the declared syntax is not understood. */
  readonly delimiters: Syntax | undefined;
  readonly prompts: ReadonlyMap<string, Prompt> | undefined;
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly agents: Agents | undefined;
  readonly workflow: Workflow | undefined;
  readonly readings: Readings;
  readonly artifacts: ArtifactUse;
}

/** What the prompts read, through the fragments they include. */
export interface Readings {
  of(prompt: Prompt): readonly Reading[];
  /** Whether every inclusion was followed; false only past a bound that no real pack meets. */
  readonly complete: boolean;
  /** Whether some template of this prompt, or a fragment it includes, names a fragment that does not exist. */
  hasUnknownFragment(prompt: Prompt): boolean;
}
