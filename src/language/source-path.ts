import type { SchemaPart } from "../schema/validator.js";

/** A place, by the keys that lead there, in the schema that describes it. */
export interface PathInSchema {
  readonly path: readonly string[];
  readonly schema: SchemaPart;
}

const ofHead: Readonly<Record<string, string>> = {
  workflow: "workflow",
  agents: "agents",
  compositions: "compositions",
  skills: "skills",
  pack_evals: "evals",
};

const ofPrompt = [
  "variables",
  "tool_policy",
  "media",
  "parameters",
  "validators",
  "evals",
  "system_template",
];

/** The part of a pack that a place in a source becomes; undefined for what only sources have. */
export function packPathOf(kind: string, path: readonly string[]): readonly string[] | undefined {
  const [first, section = "", ...rest] = path;
  if (first !== "spec") return undefined;
  const part = kind === "Arena" ? ofHead[section] : undefined;
  if (part !== undefined) return [part, ...rest];
  if (kind === "PromptConfig" && section === "allowed_tools") return ["prompts", "*", "tools", ...rest];
  if (kind === "PromptConfig" && ofPrompt.includes(section)) return ["prompts", "*", section, ...rest];
  return kind === "Tool" && section === "input_schema" ? ["tools", "*", "parameters", ...rest] : undefined;
}
