import type { Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { hasProperty, type Node, placeOf, toValue } from "../document/node.js";
import { appendTo, getOrCreate } from "../text/collections.js";
import { misspelledAsAdvice } from "../text/names.js";
import { capitalize, joinWords } from "../text/wording.js";
import { mergedErrors, withoutOtherForms } from "./merge-errors.js";
import { findNode } from "../document/pointers.js";
import { type ErrorContext, unknownProperty } from "./unknown-property.js";
import { explainOneOf } from "./one-of.js";
import { quoteValue } from "./show-value.js";
import { composedStates, errorsAtVersion, isOlderThan, type Spec } from "./spec-version.js";
import { describeNode, type Vocabulary } from "./describe-node.js";
import {
  type Branch,
  knows,
  packSchema,
  type SchemaError,
  type SchemaPart,
  type Validator,
} from "./validator.js";
import { valueAdvice, valueMessage } from "./value-messages.js";

/** Both the rule and the reader of packs need them. */
const checked = new WeakMap<Document, readonly SchemaError[]>();

export function schemaErrors(document: Document, spec: Spec): readonly SchemaError[] {
  return getOrCreate(checked, document, () => {
    if (document.root === undefined) return [];
    const { value } = document;
    const isOdd = isOlderThan(spec, "1.5.0") && composedStates(value).length > 0;
    return packSchema.accepts(value) && !isOdd ? [] : errorsAtVersion(allErrors(document), document, spec);
  });
}

function allErrors({ value }: Document): readonly SchemaError[] {
  const { validate } = packSchema.explainer();
  validate(value);
  return validate.errors ?? [];
}

/** One finding per mistake. */
export function* schemaFindings(document: Document, spec: Spec): Iterable<Finding> {
  const { root, text: source } = document;
  const errors = schemaErrors(document, spec);
  if (root === undefined || errors.length === 0) return;
  const { schema, branches } = packSchema.explainer();
  yield* findingsOf(errors, { root, schema, branches, source });
}

/** The same for a document that is not a pack. */
export function* otherSchemaFindings(
  root: Node,
  { validate, schema, words }: OtherSchema,
  source: string,
): Iterable<Finding> {
  if (validate(toValue(root))) return;
  yield* findingsOf(validate.errors ?? [], { root, schema, branches: [], source, words });
}

export interface OtherSchema {
  readonly validate: Validator;
  readonly schema?: SchemaPart;
  readonly words: Vocabulary;
}

interface Context extends ErrorContext {
  readonly branches: readonly Branch[];
  readonly source: string;
}

function* findingsOf(errors: readonly SchemaError[], context: Context): Iterable<Finding> {
  const merged = mergedErrors(errors);
  const missing = new Map<string, string[]>();
  for (const { keyword, instancePath, params } of merged)
    if (keyword === "required") appendTo(missing, instancePath, String(params["missingProperty"]));
  let last: { path: string; node: Node } | undefined;
  for (const error of merged) {
    const path = error.instancePath;
    if (last?.path !== path) {
      const node = findNode(context.root, path);
      if (node === undefined) continue;
      last = { path, node };
    }
    if (error.keyword === "oneOf") yield* oneOfFindings(error, last.node, context);
    else if (error.keyword !== "required") yield findingOf(error, last.node, context);
    else {
      // All that one object lacks is one finding.
      const names = missing.get(path);
      if (names !== undefined) yield lackFinding(names, error, last.node, context.words);
      missing.delete(path);
    }
  }
}

function* oneOfFindings(error: SchemaError, node: Node, context: Context): Iterable<Finding> {
  const answer = explainOneOf(error, node, context.branches, context.source);
  if ("errors" in answer) {
    const { others } = answer;
    const errors = withoutOtherForms(answer.errors, error.instancePath, others);
    yield* findingsOf(errors, { ...context, otherForms: { of: node, schemas: others } });
  } else yield { at: placeOf(node), ...answer, data: { keyword: "oneOf" } };
}

function lackFinding(
  missing: readonly string[],
  { parentSchema }: SchemaError,
  node: Node,
  words: Vocabulary | undefined,
): Finding {
  const others = keysOf(node).filter((key) => !knows(parentSchema, key));
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

function findingOf(error: SchemaError, node: Node, context: Context): Finding {
  const { source, words } = context;
  const data = { keyword: error.keyword };
  if (error.keyword === "additionalProperties") {
    const name = String(error.params["additionalProperty"]);
    const entry = node.kind === "mapping" ? node.entry(name) : undefined;
    return { at: entry?.key ?? placeOf(node), ...unknownProperty(name, error, node, context), data };
  }
  return {
    at: placeOf(node),
    wants: [error.keyword, error.params],
    message: valueMessage(error, node, source, words),
    ...valueAdvice(error, node, words),
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
