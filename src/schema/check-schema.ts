import type { Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { hasProperty, type Node, placeOf } from "../document/node.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { misspelledAsAdvice } from "../text/names.js";
import type { SpecVersion } from "../text/tool-info.js";
import { capitalize, joinWords } from "../text/wording.js";
import { describeNode, type Vocabulary } from "./describe-node.js";
import { packSchema } from "./generated/schemas.js";
import { mergedErrors, withoutOtherForms } from "./merge-errors.js";
import { explainOneOf } from "./one-of.js";
import { quoteValue } from "./show-value.js";
import { newerFields, type Spec } from "./spec-version.js";
import { type ErrorContext, unknownProperty } from "./unknown-property.js";
import { knows, type SchemaError, type SchemaErrors, type SchemaPart, Validator } from "./validator.js";
import { valueAdvice, valueMessage } from "./value-messages.js";

const validators = new Map<SpecVersion, Validator>();

function packValidator({ version }: Spec): Validator {
  return getOrCreate(validators, version, () => new Validator(packSchema(), version));
}

/** What breaks the schema of all versions, with the keywords that it had at the version of the pack. */
export function checkSchema({ root }: Document, spec: Spec): SchemaErrors {
  return root === undefined ? [] : packValidator(spec).errorsIn(root);
}

/** One finding per mistake. A field that came later has a rule of its own: that its value is wrong, too, is left out. */
export function* schemaFindings(document: Document, spec: Spec, errors: SchemaErrors): Iterable<Finding> {
  const { root, text: source } = document;
  if (root?.kind !== "mapping" || errors.length === 0) return;
  const newer = new Set([...newerFields(root, spec)].map(({ node }) => node));
  const left = errors.filter(({ node, property }) => property !== undefined || !newer.has(node));
  yield* findingsOf(left, { root, validator: packValidator(spec), source });
}

/** The same for a document that is not a pack. */
export function* otherSchemaFindings(
  root: Node,
  { validator, part, words }: OtherSchema,
  source: string,
): Iterable<Finding> {
  yield* findingsOf(validator.errorsIn(root, part), { root, validator, source, words });
}

export interface OtherSchema {
  readonly validator: Validator;
  /** The part of the schema that applies; without it, all of it. */
  readonly part?: SchemaPart | undefined;
  readonly words: Vocabulary;
}

interface Context extends ErrorContext {
  readonly source: string;
}

function* findingsOf(errors: SchemaErrors, context: Context): Iterable<Finding> {
  const merged = mergedErrors(errors);
  const missing = new Map<Node, string[]>();
  for (const { keyword, node, property = "" } of merged)
    if (keyword === "required") appendTo(missing, node, property);
  for (const error of merged) {
    const { keyword, node } = error;
    if (keyword === "oneOf") yield* oneOfFindings(error, context);
    else if (keyword !== "required") yield findingOf(error, context);
    else {
      // All that one object lacks is one finding.
      const names = missing.get(node);
      if (names !== undefined) yield lackFinding(names, error, context.words);
      missing.delete(node);
    }
  }
}

function* oneOfFindings({ node, part }: SchemaError, context: Context): Iterable<Finding> {
  const answer = explainOneOf(part.oneOf ?? [], node, context.validator, context.source);
  if ("errors" in answer) {
    const { others } = answer;
    const errors = withoutOtherForms(answer.errors, node, others);
    yield* findingsOf(errors, { ...context, otherForms: { of: node, schemas: others } });
  } else yield { at: placeOf(node), ...answer, data: { keyword: "oneOf" } };
}

function lackFinding(
  missing: readonly string[],
  { node, part }: SchemaError,
  words: Vocabulary | undefined,
): Finding {
  const others = keysOf(node).filter((key) => !knows(part, key));
  const adviceFor = (name: string): string | undefined =>
    misspelledAsAdvice(name, others) ??
    (words === undefined ? (engineAdvice(name) ?? compositionAdvice(name, node)) : undefined);
  const advice = missing.flatMap((name) => adviceFor(name) ?? []).join(" ");
  return {
    at: placeOf(node),
    wants: ["required", missing],
    message: `${capitalize(describeNode(node, words))} has no ${joinWords(missing.map(quoteValue), "or")}.`,
    advice: advice === "" ? undefined : advice,
    data: { keyword: "required", ...(missing.length > 1 && { missing }) },
  };
}

function findingOf(error: SchemaError, context: Context): Finding {
  const { node, keyword, part, property = "" } = error;
  const { source, words } = context;
  const data = { keyword };
  if (keyword === "additionalProperties") {
    const entry = node.kind === "mapping" ? node.entry(property) : undefined;
    return { at: entry?.key ?? placeOf(node), ...unknownProperty(error, context), data };
  }
  return {
    at: placeOf(node),
    wants: [keyword, Reflect.get(part, keyword)],
    message: valueMessage(error, source, words),
    ...valueAdvice(error, words),
    data,
  };
}

/** The template engine is the same in nearly every pack. */
function engineAdvice(missing: string): string | undefined {
  return missing === "template_engine"
    ? 'Add "template_engine": { "version": "v1", "syntax": "{{variable}}" }.'
    : undefined;
}

/** A state needs a prompt unless it runs its composition. */
function compositionAdvice(missing: string, node: Node): string | undefined {
  return missing === "prompt_task" && hasProperty(node, "composition")
    ? 'If it runs the composition, set orchestration to "composition".'
    : undefined;
}

function keysOf(node: Node): readonly string[] {
  return node.kind === "mapping" ? node.entries.map(({ key }) => key.text) : [];
}
