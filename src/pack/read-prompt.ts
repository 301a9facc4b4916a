import type { Key, Node } from "../document/node.js";
import { asMapping, LocatedString, locatedStringsOf } from "../document/spelled-values.js";
import type { Unclear } from "../schema/unclear.js";
import { readEvals } from "./eval.js";
import type { Prompt } from "./prompt.js";
import type { TemplateText } from "./template-text.js";
import { readToolPolicy } from "./tool.js";
import { readVariables } from "./variable.js";

type ReadTemplate = (node: Node | undefined) => TemplateText | undefined;

const overrideFields = ["system_template_prefix", "system_template", "system_template_suffix"];

export function readPrompt(key: Key, value: Node, template: ReadTemplate, unclear: Unclear): Prompt {
  const node = asMapping(value);
  const overrides = asMapping(node?.get("model_overrides"))?.entries ?? [];
  const parts = overrides.flatMap((override) =>
    overrideFields.flatMap((name) => template(asMapping(override.value)?.get(name)) ?? []),
  );
  const systemTemplate = template(node?.get("system_template"));
  return {
    key,
    node,
    isUnclear: unclear.has(value),
    id: LocatedString.of(node?.get("id")),
    systemTemplate,
    templates: systemTemplate === undefined ? parts : [systemTemplate, ...parts],
    tools: locatedStringsOf(node?.get("tools")),
    toolPolicy: readToolPolicy(node?.get("tool_policy")),
    evals: readEvals(node?.get("evals"), unclear),
    ...readVariables(node?.get("variables")),
  };
}
