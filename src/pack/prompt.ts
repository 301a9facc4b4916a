import type { Place } from "../diagnostic.js";
import {
  asMapping,
  itemsOf,
  type Key,
  LocatedBoolean,
  LocatedCount,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  numberOf,
  placeOf,
} from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";
import type { Reference } from "../template/read-template.js";
import type { TemplateText } from "./template-text.js";
import { readVariables, type Variables } from "./variable.js";

export interface Prompt extends Variables {
  readonly key: Key;
  /** Absent when the prompt is not an object. */
  readonly node: MappingNode | undefined;
  /** Breaks the schema, so rules skip it, and what it uses is unknown. */
  readonly isUnclear: boolean;
  readonly id: LocatedString | undefined;
  readonly systemTemplate: TemplateText | undefined;
  /** `system_template` and the templates in `model_overrides`. */
  readonly templates: readonly TemplateText[];
  readonly tools: readonly LocatedString[];
  readonly toolPolicy: ToolPolicy | undefined;
  /** The key of the provider requirement that runs it. */
  readonly provider: LocatedString | undefined;
  readonly validators: readonly Validator[];
  readonly evals: readonly Eval[];
}

export interface Fragment {
  readonly name: Key;
  /** Absent when the fragment is not a string. */
  readonly template: TemplateText | undefined;
}

/** A reference in a template of the prompt or in a fragment it includes. */
export interface Reading {
  readonly reference: Reference;
  readonly source: TemplateText;
  /** Absent for the prompt's own templates. */
  readonly fragment: Fragment | undefined;
  /**
   * It may not be a variable of the prompt: it is local itself, or its fragment is only included where names are local.
   */
  readonly local: boolean;
}

const maxLookahead = 100;
const nameAfterPatterns = { ".": /^\.([^\s.{}()[\]|]+)/, ":": /^:\s*([^\s.{}()[\]|]+)/ };

/** The second segment of a path, or what follows a colon. */
export function nameAfter(
  { reference, source }: Reading,
  joint: keyof typeof nameAfterPatterns = ".",
): string | undefined {
  return nameAfterPatterns[joint].exec(
    source.text.text.slice(reference.end, reference.end + maxLookahead),
  )?.[1];
}

/** What the prompts read, through the fragments they include. */
export interface Readings {
  readonly of: (prompt: Prompt) => readonly Reading[];
  /** Its own templates and those of the fragments it includes. */
  readonly textsOf: (prompt: Prompt) => ReadonlySet<TemplateText>;
  /**
   * Whether everything this prompt reads is known: no template or fragment is missing, broken or chosen by a variable.
   */
  readonly isComplete: (prompt: Prompt) => boolean;
}

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
    provider: LocatedString.of(node?.get("provider")),
    validators: readValidators(node?.get("validators"), unclear),
    evals: readEvals(node?.get("evals"), unclear),
    ...readVariables(node?.get("variables")),
  };
}

export interface Tool {
  readonly key: Key;
  /** Absent when the tool is not an object. */
  readonly node: MappingNode | undefined;
  readonly isUnclear: boolean;
  /** The name for the model, usually the same as the key. */
  readonly name: LocatedString | undefined;
  readonly parameters: MappingNode | undefined;
  /** The declared effect of a call (RFC 0013). */
  readonly effect: LocatedString | undefined;
  readonly dataClasses: readonly LocatedString[];
}

interface ToolPolicy {
  readonly at: Place;
  readonly toolChoice: LocatedString | undefined;
  /** Per turn. */
  readonly maxRounds: LocatedCount | undefined;
  readonly maxRoundsUnclear: boolean;
  readonly maxCallsPerTurn: LocatedCount | undefined;
  readonly blocklist: readonly LocatedString[];
}

export function readTool(key: Key, value: Node, unclear: Unclear): Tool {
  const node = asMapping(value);
  const scope = asMapping(node?.get("action_scope"));
  return {
    key,
    node,
    isUnclear: unclear.has(value),
    name: LocatedString.of(node?.get("name")),
    parameters: asMapping(node?.get("parameters")),
    effect: LocatedString.of(scope?.get("effect")),
    dataClasses: locatedStringsOf(scope?.get("data_classes")),
  };
}

function readToolPolicy(node: Node | undefined): ToolPolicy | undefined {
  if (node?.kind !== "mapping") return undefined;
  const maxRounds = LocatedCount.of(node.get("max_rounds"));
  return {
    at: placeOf(node),
    toolChoice: LocatedString.of(node.get("tool_choice")),
    maxRounds,
    maxRoundsUnclear: maxRounds === undefined && node.get("max_rounds") !== undefined,
    maxCallsPerTurn: LocatedCount.of(node.get("max_tool_calls_per_turn")),
    blocklist: locatedStringsOf(node.get("blocklist")),
  };
}

/** A check of every answer. */
export interface Validator {
  readonly at: Place;
  readonly node: MappingNode;
  readonly id: LocatedString | undefined;
  readonly isEnabled: boolean;
  readonly failOnViolation: LocatedBoolean | undefined;
}

function readValidators(node: Node | undefined, unclear: Unclear): readonly Validator[] {
  return itemsOf(node).flatMap((item) => {
    if (item.kind !== "mapping" || unclear.has(item)) return [];
    return {
      at: placeOf(item),
      node: item,
      id: LocatedString.of(item.get("id")),
      isEnabled: LocatedBoolean.of(item.get("enabled"))?.value !== false,
      failOnViolation: LocatedBoolean.of(item.get("fail_on_violation")),
    };
  });
}

/** RFC 0006. */
export interface Eval {
  readonly at: Place;
  readonly id: LocatedString | undefined;
  readonly isEnabled: boolean;
  readonly trigger: LocatedString | undefined;
  readonly samplePercentage: number | undefined;
  readonly range: MetricRange | undefined;
}

interface MetricRange {
  readonly at: Place;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export function readEvals(node: Node | undefined, unclear: Unclear): readonly Eval[] {
  return itemsOf(node).flatMap((item) => {
    if (item.kind !== "mapping" || unclear.has(item)) return [];
    return {
      at: placeOf(item),
      id: LocatedString.of(item.get("id")),
      isEnabled: LocatedBoolean.of(item.get("enabled"))?.value !== false,
      trigger: LocatedString.of(item.get("trigger")),
      samplePercentage: numberOf(item.get("sample_percentage")),
      range: readRange(asMapping(item.get("metric"))?.get("range")),
    };
  });
}

function readRange(node: Node | undefined): MetricRange | undefined {
  if (node?.kind !== "mapping") return undefined;
  return { at: placeOf(node), min: numberOf(node.get("min")), max: numberOf(node.get("max")) };
}
