import type { Place, Span } from "../diagnostic.js";
import type { Document } from "../document/document.js";
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
import {
  literalText,
  readTemplate,
  type Reference,
  type Syntax,
  type Template,
} from "../template/read-template.js";
import { readVariables } from "./variable.js";

export type Prompt = Readonly<ReturnType<typeof readPrompt>>;

type ReadTemplate = (node: Node | undefined) => TemplateText | undefined;

const overrideFields = ["system_template_prefix", "system_template", "system_template_suffix"];

export function readPrompt(key: Key, value: Node, template: ReadTemplate, unclear: Unclear) {
  const node = asMapping(value);
  const get = (field: string) => unclear.get(node, field);
  const overrides = asMapping(get("model_overrides"))?.entries ?? [];
  const parts = overrides.flatMap((override) =>
    overrideFields.flatMap((name) => template(unclear.get(asMapping(override.value), name)) ?? []),
  );
  const systemTemplate = template(get("system_template"));
  return {
    key,
    /** Absent when the prompt is not an object. */
    node,
    /** Whether it is not an object, or occurs twice: rules skip it, and what it uses is unknown. */
    isUnclear: unclear.has(value),
    /** Whether these properties are clear, with all that is in them. */
    isClear: (...fields: readonly string[]): boolean => unclear.isClear(node, ...fields),
    hasAllTemplates: unclear.isClear(node, "system_template", "model_overrides"),
    hasAllVariables: node !== undefined && unclear.isClearList(node, "variables", "name"),
    id: LocatedString.of(get("id")),
    systemTemplate,
    /** `system_template` and the templates in `model_overrides`. */
    templates: systemTemplate === undefined ? parts : [systemTemplate, ...parts],
    tools: locatedStringsOf(get("tools")),
    toolPolicy: readToolPolicy(asMapping(get("tool_policy")), unclear),
    /** The key of the provider requirement that runs it. */
    provider: LocatedString.of(get("provider")),
    validators: readValidators(get("validators"), unclear),
    evals: readEvals(get("evals"), unclear),
    ...readVariables(get("variables"), unclear),
  };
}

function readToolPolicy(node: MappingNode | undefined, unclear: Unclear) {
  if (node === undefined) return undefined;
  return {
    at: placeOf(node),
    toolChoice: LocatedString.of(unclear.get(node, "tool_choice")),
    /** Per turn. */
    maxRounds: LocatedCount.of(unclear.get(node, "max_rounds")),
    maxRoundsUnclear: unclear.hasProperty(node, "max_rounds"),
    maxCallsPerTurn: LocatedCount.of(unclear.get(node, "max_tool_calls_per_turn")),
    boundsUnclear: ["max_rounds", "max_tool_calls_per_turn"].some((field) =>
      unclear.hasProperty(node, field),
    ),
    blocklist: locatedStringsOf(unclear.get(node, "blocklist")),
  };
}

export type Tool = Readonly<ReturnType<typeof readTool>>;

export function readTool(key: Key, value: Node, unclear: Unclear) {
  const node = asMapping(value);
  const scope = asMapping(node?.get("action_scope"));
  return {
    key,
    /** Absent when the tool is not an object. */
    node,
    isUnclear: unclear.has(value),
    /** Whether these properties are clear. */
    isClear: (...fields: readonly string[]): boolean => unclear.isClear(node, ...fields),
    /** The name for the model, usually the same as the key. */
    name: LocatedString.of(unclear.get(node, "name")),
    hasName: unclear.isClear(node, "name"),
    parameters: asMapping(unclear.get(node, "parameters")),
    /** The declared effect of a call (RFC 0013). */
    effect: LocatedString.of(unclear.get(scope, "effect")),
    dataClasses: locatedStringsOf(unclear.get(scope, "data_classes")),
  };
}

function clearMappings(list: Node | undefined, unclear: Unclear): readonly MappingNode[] {
  return itemsOf(list).flatMap((item) => (item.kind !== "mapping" || unclear.has(item) ? [] : item));
}

function readValidators(list: Node | undefined, unclear: Unclear) {
  return clearMappings(list, unclear).map((node) => ({
    at: placeOf(node),
    node,
    id: LocatedString.of(unclear.get(node, "id")),
    ...readCheck(node, unclear),
    lacksEnabled: node.get("enabled") === undefined && !unclear.hasProperty(node, "enabled"),
    failOnViolation: LocatedBoolean.of(unclear.get(node, "fail_on_violation")),
  }));
}

function readCheck(node: MappingNode, unclear: Unclear) {
  return {
    isEnabled: LocatedBoolean.of(unclear.get(node, "enabled"))?.value !== false,
    type: LocatedString.of(unclear.get(node, "type")),
    params: asMapping(unclear.get(node, "params")),
    hasAllParams: unclear.isClear(node, "params"),
  };
}

/** RFC 0006. */
export function readEvals(list: Node | undefined, unclear: Unclear) {
  return clearMappings(list, unclear).map((node) => {
    const metric = asMapping(unclear.get(node, "metric"));
    const range = asMapping(unclear.get(metric, "range"));
    const check = readCheck(node, unclear);
    return {
      at: placeOf(node),
      id: LocatedString.of(unclear.get(node, "id")),
      ...check,
      mayBeDisabled: !check.isEnabled || unclear.hasProperty(node, "enabled"),
      trigger: LocatedString.of(unclear.get(node, "trigger")),
      samplePercentage: numberOf(unclear.get(node, "sample_percentage")),
      metric: metric && {
        at: placeOf(metric),
        name: LocatedString.of(unclear.get(metric, "name")),
        type: LocatedString.of(unclear.get(metric, "type")),
      },
      range: range && {
        at: placeOf(range),
        min: numberOf(unclear.get(range, "min")),
        max: numberOf(unclear.get(range, "max")),
      },
    };
  });
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
  /** May be no variable of the prompt: it is local, or its fragment is only included where names are local. */
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

const emptyTemplate: Template = { references: [], errors: [] };

/** A template, parsed on first use. */
export class TemplateText {
  private parsed: Template | undefined;

  /** Without a `syntax` the template counts as plain text. */
  constructor(
    readonly text: LocatedString,
    private readonly syntax: Syntax | undefined,
    private readonly document: Document,
  ) {}

  get template(): Template {
    this.parsed ??= this.syntax === undefined ? emptyTemplate : readTemplate(this.text.text, this.syntax);
    return this.parsed;
  }

  /** The literal text for the model, without comments and without the names of artifacts and fragments. */
  get literalText(): string {
    const replaced = this.template.references.filter(({ kind }) => kind !== "name");
    return this.syntax === undefined ? this.text.text : literalText(this.text.text, this.syntax, replaced);
  }

  /** The offset of the string, the same for all aliases of an anchor. */
  get sourceStart(): number {
    return this.text.node.source.start;
  }

  placeOf(part: Span): Place {
    return this.document.placeWithin(this.text.node, part.start, part.end);
  }
}

/** Prose: naming something there does not use it. */
const proseKeys = new Set(["description", "example"]);

/** The condition of an eval names variables without delimiters. */
const conditionKey = "when";

/** A reference in a string, or a whole key or string of a condition. */
type StringReference =
  | { readonly source: LocatedString; readonly reference: Reference }
  | { readonly source: LocatedString | Key; readonly reference?: undefined };

/** The references in the strings of a node: a template, or a parameter of an eval or validator. */
export function* stringReferences(node: Node, syntax: Syntax): Generator<StringReference> {
  const open: { readonly node: Node; readonly isCondition: boolean }[] = [{ node, isCondition: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node: part, isCondition } = next;
    if (part.kind === "mapping") {
      for (const { key, value } of part.entries) {
        if (proseKeys.has(key.text)) continue;
        if (isCondition) yield { source: key };
        open.push({ node: value, isCondition: isCondition || key.text === conditionKey });
      }
    } else if (part.kind === "sequence") {
      for (const item of part.items) open.push({ node: item, isCondition });
    } else {
      const source = LocatedString.of(part);
      if (source === undefined) continue;
      if (isCondition) yield { source };
      for (const reference of readTemplate(source.text, syntax).references) yield { source, reference };
    }
  }
}

export function referencedNames(
  node: Node,
  syntax: Syntax,
  kinds: readonly Reference["kind"][],
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { source, reference } of stringReferences(node, syntax)) {
    if (reference === undefined) names.add(source.text);
    else if (kinds.includes(reference.kind)) names.add(reference.name);
  }
  return names;
}
