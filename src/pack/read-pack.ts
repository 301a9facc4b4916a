import type { Document } from "../document/document.js";
import type { Key, MappingNode, Node } from "../document/node.js";
import { type Syntax, syntaxOf } from "../template/read-template.js";
import { readAgents } from "./agents.js";
import { artifactUse } from "./artifact-use.js";
import type { ArtifactUse } from "./artifacts.js";
import { readEvals } from "./eval.js";
import type { Pack } from "./pack.js";
import type { Fragment, Prompt } from "./prompt.js";
import { FollowedReadings } from "./readings.js";
import { readWorkflow } from "./read-workflow.js";
import { readSkills } from "./skill.js";
import type { Spec } from "./spec.js";
import { fields, spelled } from "./spelled.js";
import { TemplateText } from "./template-text.js";
import { type TemplateUse, templateUse } from "./template-use.js";
import { asMapping, Text, textsOf } from "./text.js";
import { readTool, readToolPolicy } from "./tool.js";
import { type ToolUse, toolUse } from "./tool-use.js";
import { readVariables } from "./variable.js";

const usualSyntax: Syntax = { open: "{{", close: "}}" };

/** Reads what is well-formed and leaves out the rest, which the schema reports. */
export function readPack(document: Document, root: MappingNode, spec: Spec): Pack {
  return new ReadPack(document, root, spec);
}

/** What follows from what is written is found when it is first asked for. */
class ReadPack implements Pack {
  readonly templateSyntax: Text | undefined;
  readonly delimiters: Syntax | undefined;
  readonly prompts: Pack["prompts"];
  readonly fragments: Pack["fragments"];
  readonly hasAllFragments: boolean;
  readonly tools: Pack["tools"];
  readonly evals: Pack["evals"];
  readonly skills: Pack["skills"];
  readonly agents: Pack["agents"];
  readonly hasWorkflow: boolean;
  readonly workflow: Pack["workflow"];
  readonly readings: FollowedReadings;
  private foundTemplates: TemplateUse | undefined;
  private foundArtifacts: ArtifactUse | undefined;
  private foundTools: ToolUse | undefined;

  constructor(
    readonly document: Document,
    readonly root: MappingNode,
    readonly spec: Spec,
  ) {
    const node = spelled(root, fields.pack);
    this.templateSyntax = Text.of(asMapping(node.get("template_engine"))?.get("syntax"));
    this.delimiters = this.templateSyntax === undefined ? usualSyntax : syntaxOf(this.templateSyntax.text);
    const template = (node: Node | undefined): TemplateText | undefined => {
      const text = Text.of(node);
      return text === undefined ? undefined : new TemplateText(text, this.delimiters, document);
    };

    const fragments = node.get("fragments");
    this.hasAllFragments = fragments === undefined || fragments.kind === "mapping";
    this.fragments =
      mapEntries(fragments, (name, value): Fragment => ({ name, template: template(value) })) ?? new Map();
    this.readings = new FollowedReadings(this.fragments);
    this.prompts = mapEntries(node.get("prompts"), (key, value) => readPrompt(key, value, template));
    this.tools = mapEntries(node.get("tools"), readTool);
    this.evals = readEvals(node.get("evals"));
    const skills = node.get("skills");
    this.skills = skills === undefined ? undefined : readSkills(skills);
    const agents = asMapping(node.get("agents"));
    this.agents = agents === undefined ? undefined : readAgents(agents);
    const workflow = node.get("workflow");
    this.hasWorkflow = workflow !== undefined;
    this.workflow =
      workflow?.kind === "mapping"
        ? readWorkflow(workflow, spec, this.prompts, this.agents, withDoubledKeys(document))
        : undefined;
  }

  get templates(): TemplateUse {
    return (this.foundTemplates ??= templateUse(this));
  }

  get artifacts(): ArtifactUse {
    return (this.foundArtifacts ??= artifactUse(this));
  }

  get toolUse(): ToolUse {
    return (this.foundTools ??= toolUse(this.tools, this.prompts, this.agents));
  }
}

/** The mappings in which a key occurs twice: which of the two was meant is not known. */
function withDoubledKeys({ duplicateKeys }: Document): ReadonlySet<Node> {
  return new Set(duplicateKeys.flatMap(({ second }) => second.value?.parent ?? []));
}

function mapEntries<Value>(
  node: Node | undefined,
  read: (key: Key, value: Node) => Value,
): ReadonlyMap<string, Value> | undefined {
  if (node?.kind !== "mapping") return undefined;
  return new Map(node.entries.map(({ key, value }) => [key.text, read(key, value)]));
}

function readPrompt(
  key: Key,
  value: Node,
  template: (node: Node | undefined) => TemplateText | undefined,
): Prompt {
  const written = asMapping(value);
  const node = written && spelled(written, fields.prompt);
  const overrides = asMapping(node?.get("model_overrides"))?.entries ?? [];
  const templates = [
    node?.get("system_template"),
    ...overrides.flatMap(({ value: override }) => {
      const parts = asMapping(override);
      return ["system_template_prefix", "system_template", "system_template_suffix"].map((name) =>
        parts?.get(name),
      );
    }),
  ];
  const tools = textsOf(node?.get("tools"));
  return {
    key,
    node: written,
    id: Text.of(node?.get("id")),
    templates: templates.flatMap((part) => template(part) ?? []),
    hasAllTemplates:
      templates[0] !== undefined && templates.every((part) => part === undefined || Text.of(part)),
    ...readVariables(node?.get("variables")),
    tools,
    toolsUnclear: !areTexts(node, tools),
    toolPolicy: readToolPolicy(node?.get("tool_policy")),
    evals: readEvals(node?.get("evals")),
  };
}

/** Whether `tools` is missing, or a list of strings and of nothing else. */
function areTexts(prompt: MappingNode | undefined, read: readonly Text[]): boolean {
  const tools = prompt?.get("tools");
  if (tools === undefined) return prompt !== undefined;
  return tools.kind === "sequence" && tools.items.length === read.length;
}
