import type { Document } from "../document/document.js";
import type { Key, MappingNode, Node } from "../document/node.js";
import { type Syntax, syntaxOf } from "../template/read-template.js";
import { readAgents } from "./agents.js";
import { type ArtifactUse, artifactUse } from "./artifact-use.js";
import type { Pack } from "./pack.js";
import type { Fragment, Prompt, Variable } from "./prompt.js";
import { FollowedReadings } from "./readings.js";
import { readWorkflow } from "./read-workflow.js";
import type { Spec } from "./spec.js";
import { TemplateText } from "./template-text.js";
import { asMapping, itemsOf, Text, textsOf } from "./text.js";

const usualSyntax: Syntax = { open: "{{", close: "}}" };

/** Reads what is well-formed and leaves out the rest, which the schema reports. */
export function readPack(document: Document, root: MappingNode, spec: Spec): Pack {
  const templateSyntax = Text.of(asMapping(root.get("template_engine"))?.get("syntax"));
  const delimiters = templateSyntax === undefined ? usualSyntax : syntaxOf(templateSyntax.text);
  const template = (node: Node | undefined): TemplateText | undefined => {
    const text = Text.of(node);
    return text === undefined ? undefined : new TemplateText(text, delimiters, document);
  };

  const fragments = mapEntries(root.get("fragments"), (name, value): Fragment => ({ name, template: template(value) }));
  const prompts = mapEntries(root.get("prompts"), (key, value) => readPrompt(key, value, template));
  const agentsNode = asMapping(root.get("agents"));
  const agents = agentsNode === undefined ? undefined : readAgents(agentsNode);
  const workflowNode = asMapping(root.get("workflow"));
  let artifacts: ArtifactUse | undefined;
  return {
    document,
    root,
    spec,
    templateSyntax,
    delimiters,
    prompts,
    fragments: fragments ?? new Map<string, Fragment>(),
    agents,
    workflow: workflowNode === undefined ? undefined : readWorkflow(workflowNode, spec, prompts, agents),
    readings: new FollowedReadings(fragments ?? new Map<string, Fragment>()),
    get artifacts() {
      artifacts ??= artifactUse(this);
      return artifacts;
    },
  };
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
  const node = asMapping(value);
  const overrides = asMapping(node?.get("model_overrides"))?.entries ?? [];
  const templates = [
    node?.get("system_template"),
    ...overrides.flatMap(({ value: override }) => {
      const parts = asMapping(override);
      return ["system_template_prefix", "system_template", "system_template_suffix"].map((name) => parts?.get(name));
    }),
  ];
  return {
    key,
    node,
    id: Text.of(node?.get("id")),
    templates: templates.flatMap((part) => template(part) ?? []),
    variables: readVariables(node?.get("variables")),
    tools: textsOf(node?.get("tools")),
  };
}

function readVariables(node: Node | undefined): readonly Variable[] {
  return itemsOf(node).flatMap((item, index) =>
    item.kind === "mapping" ? [{ index, node: item, name: Text.of(item.get("name")) }] : [],
  );
}
