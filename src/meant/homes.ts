import { fields } from "./spelled.js";

const ofPrompts = [
  "system_template",
  "variables",
  "tool_policy",
  "parameters",
  "validators",
  "model_overrides",
  "tested_models",
];
const ofParameters = ["temperature", "max_tokens", "top_p", "top_k", "frequency_penalty", "presence_penalty"];
const ofStates = ["prompt_task", "on_event", "terminal", "max_visits", "on_max_visits", "artifacts"];
const ofBudgets = [...fields.budget];

/** What has parts in which properties belong that are often written beside them. */
export type Holder =
  "agent" | "eval" | "model override" | "pack" | "prompt" | "state" | "tool" | "variable" | "workflow";

/** By the names on the way to a part, the properties that belong in it. */
type Parts = Readonly<Record<string, readonly string[]>>;

/**
 * Where a property belongs that is often written somewhere else; by what it is written in. `*` is any one
 * of those that are there, and what belongs in nothing is the pack's own.
 */
const homes: Readonly<Record<Holder, Parts>> = {
  agent: {
    "prompts.*": [...ofPrompts, "tools"],
  },
  eval: {
    metric: ["range"],
  },
  "model override": {
    parameters: ofParameters,
  },
  pack: {
    workflow: ["entry", "states", "engine"],
    "workflow.engine": ["budget"],
    "workflow.engine.budget": ofBudgets,
    agents: ["members"],
    "prompts.*": ofPrompts,
    "workflow.states.*": ofStates,
  },
  prompt: {
    parameters: ofParameters,
    tool_policy: ["tool_choice", "max_rounds", "max_tool_calls_per_turn", "blocklist"],
  },
  state: {
    "prompts.*": [...ofPrompts, "tools"],
    workflow: ["engine"],
    "workflow.engine": ["budget"],
    "workflow.engine.budget": ofBudgets,
  },
  tool: {
    parameters: ["properties", "required", "additionalProperties"],
  },
  variable: {
    validation: ["pattern", "min_length", "max_length", "minimum", "maximum", "enum"],
  },
  workflow: {
    "": ["metadata", "compilation"],
    engine: ["budget"],
    "engine.budget": ofBudgets,
    "states.*": ofStates,
  },
};

/** Where an object belongs whatever its name is; by properties of which only objects there have one. */
const homesByContent: Readonly<Record<"pack" | "workflow" | "agents", Parts>> = {
  pack: { prompts: ["system_template"], "workflow.states": ["prompt_task"] },
  workflow: { states: ["prompt_task"] },
  agents: { members: ["state", "tags", "description", "input_modes", "output_modes"] },
};

/** Of things of many types, the part for the settings that depend on the type. */
const settings: ReadonlyMap<string | undefined, string> = new Map([
  ["eval", "params"],
  ["middleware", "config"],
  ["validator", "params"],
]);

/** What is said about a thing, whatever its type. */
const describing = new Set(["id", "name", "title", "label", "desc", "description", "summary", "tags"]);

/** Whether a property says what a thing is called or what it is about, be it one that such a thing has or not. */
export function isDescribing(property: string): boolean {
  return describing.has(property);
}

/** That part, where a property that such a thing does not have may be one of the settings. */
export function settingsFor(property: string, holder: string | undefined): string | undefined {
  const isElsewhere = isDescribing(property) || homeOf(property, holder) !== undefined;
  return isElsewhere ? undefined : settings.get(holder);
}

/** The part of a thing in which a property belongs that is not one of its own. */
export function homeOf(property: string, holder: string | undefined, kind?: string): string | undefined {
  // It says whether the thing itself is required, not which of its parts are.
  if (property === "required" && kind === "scalar") return undefined;
  return partOf(homes, holder, (names) => names.includes(property));
}

/** As `homeOf`, for an object that is known by what it has. */
export function homeOfContent(
  has: (property: string) => boolean,
  holder: string | undefined,
): string | undefined {
  return partOf(homesByContent, holder, (marks) => marks.some(has));
}

function partOf(
  table: Readonly<Record<string, Parts>>,
  holder = "",
  isHome: (names: readonly string[]) => boolean,
): string | undefined {
  if (!Object.hasOwn(table, holder)) return undefined;
  return Object.entries(table[holder] ?? {}).find(([, names]) => isHome(names))?.[0];
}
