import type { Document } from "../document/document.js";
import type { MappingNode } from "../document/node.js";
import type { Syntax } from "../template/read-template.js";
import type { Agents } from "./agents.js";
import type { ArtifactUse } from "./artifacts.js";
import type { Eval } from "./eval.js";
import type { Fragment, Prompt, Readings } from "./prompt.js";
import type { Skills } from "./skill.js";
import type { Spec } from "./spec.js";
import type { TemplateUse } from "./template-use.js";
import type { LocatedString } from "../document/spelled-values.js";
import type { Tool } from "./tool.js";
import type { ToolUse } from "./tool-use.js";
import type { Workflow } from "./workflow.js";

/** What a pack file says, as far as it is well-formed. Sections that are missing or ill-formed are empty, or absent. */
export interface Pack {
  readonly document: Document;
  readonly root: MappingNode;
  readonly spec: Spec;
  /** `/template_engine/syntax`. */
  readonly templateSyntax: LocatedString | undefined;
  /** How templates mark a reference; absent when the declared syntax is not understood, or no string. */
  readonly delimiters: Syntax | undefined;
  readonly prompts: ReadonlyMap<string, Prompt>;
  /** Those that keep to the schema: what rules look into. */
  readonly clearPrompts: readonly Prompt[];
  /** Whether no prompt has this name; never while `prompts` is unclear. */
  isUnknownPrompt(name: string): boolean;
  readonly fragments: ReadonlyMap<string, Fragment>;
  /** False while `fragments` breaks the schema: any name may then be a fragment's. */
  readonly hasAllFragments: boolean;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Those of the pack itself; a prompt has its own. */
  readonly evals: readonly Eval[];
  readonly skills: Skills;
  readonly agents: Agents;
  /** Whether there is one, or may be: it can be unreadable, or hidden behind a key the schema does not know. */
  readonly hasWorkflow: boolean;
  readonly workflow: Workflow | undefined;
  readonly readings: Readings;
  readonly templates: TemplateUse;
  readonly artifacts: ArtifactUse;
  readonly toolUse: ToolUse;
}
