import { isDoubled, type Key, type MappingNode, type Node } from "../document/node.js";
import { readEvals } from "./eval.js";
import type { Prompt } from "./prompt.js";
import { fields, spelled, spelledMapping } from "../meant/spelled.js";
import type { TemplateText } from "./template-text.js";
import { asMapping, isKnown, itemsOf, stringOf, Text, textsOf } from "../document/spelled-values.js";
import { readToolPolicy } from "./tool.js";
import { readVariables } from "./variable.js";

type ReadTemplate = (node: Node | undefined) => TemplateText | undefined;

const overriding = ["system_template_prefix", "system_template", "system_template_suffix"];

export function readPrompt(
  key: Key,
  value: Node,
  template: ReadTemplate,
  declaredElsewhere: ReadonlySet<string>,
): Prompt {
  const written = asMapping(value);
  const node = written && spelled(written, fields.prompt);
  const tools = textsOf(node?.get("tools"));
  return {
    key,
    node: written,
    id: Text.once(node?.get("id")),
    declaredElsewhere,
    tools,
    toolsUnclear: isDoubled(value) || !areTexts(node, tools),
    toolPolicy: readToolPolicy(node?.get("tool_policy")),
    evals: readEvals(node?.get("evals")),
    ...readTemplates(node, template),
    ...readVariables(node?.get("variables")),
  };
}

function readTemplates(
  prompt: MappingNode | undefined,
  template: ReadTemplate,
): Pick<Prompt, "systemTemplate" | "templates" | "hasAllTemplates"> {
  const own = prompt?.get("system_template");
  const section = prompt?.get("model_overrides");
  const overrides = asMapping(section)?.entries.map(({ value }) => value) ?? [];
  const parts = overrides.flatMap((override) =>
    overriding.flatMap((name) => spelledMapping(override, fields.modelOverride)?.get(name) ?? []),
  );
  const templates = own === undefined ? parts : [own, ...parts];
  const read = templates.map((node) => (node === own && stringOf(node) === "" ? undefined : template(node)));
  const isUnclear = [prompt, section, ...overrides, ...templates].some(isDoubled);
  return {
    systemTemplate: own === undefined ? undefined : read[0],
    templates: read.flatMap((text) => text ?? []),
    hasAllTemplates: own !== undefined && read.every((text) => text !== undefined) && !isUnclear,
  };
}

/** Whether `tools` is missing, or a list of strings and of nothing else. */
function areTexts(prompt: MappingNode | undefined, read: readonly Text[]): boolean {
  const tools = prompt?.get("tools");
  if (tools === undefined) return prompt !== undefined;
  return isKnown(tools, "sequence") && itemsOf(tools).length === read.length;
}
