import type { Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import { addEntries, type Edits, replaceText } from "../document/edit.js";
import { asMapping, hasProperty, Key, type Node, placeOf } from "../document/node.js";
import { getOrCreate } from "../text/collections.js";
import { misspelledAsAdvice, uniqueNearestName } from "../text/names.js";
import type { SpecVersion } from "../text/tool-info.js";
import { capitalize, joinWords } from "../text/wording.js";
import {
  describeFound,
  describeNode,
  describeValue,
  knownBeside,
  nearSuggestion,
  quoteValue,
  type Suggestion,
  type Vocabulary,
} from "./describe-node.js";
import { packSchema } from "./generated/schemas.js";
import { newerFields, type Spec } from "./spec-version.js";
import { type ErrorContext, isOfOtherForm, nearestProperty, unknownProperty } from "./unknown-property.js";
import {
  definitionOf,
  knows,
  type SchemaError,
  type SchemaErrors,
  type SchemaPart,
  typeOf,
  typesOf,
  Validator,
} from "./validator.js";
import { mustBe, typeName, valueAdvice, valueMessage } from "./value-messages.js";

const validators = new Map<SpecVersion, Validator>();

function packValidator({ version }: Spec): Validator {
  return getOrCreate(validators, version, () => new Validator(packSchema(), version));
}

/** The schema is that of all versions, with the keywords that it had at the version of the pack. */
export function checkSchema({ root }: Document, spec: Spec): SchemaErrors {
  return root === undefined ? [] : packValidator(spec).errorsIn(root);
}

/** One finding per mistake. A field that came later has a rule of its own: that its value is wrong, too, is left out. */
export function* schemaFindings(document: Document, spec: Spec, errors: SchemaErrors): Iterable<Finding> {
  const { root, text: source } = document;
  if (root?.kind !== "mapping" || errors.length === 0) return;
  const newer = new Set([...newerFields(root, spec)].map(({ node }) => node));
  const left = errors.filter(({ node, property }) => property !== undefined || !newer.has(node));
  yield* findingsOf(left, { validator: packValidator(spec), source, document });
}

/** The same for a document that is not a pack. Only what people write is fixed: a log is evidence. */
export function* otherSchemaFindings(
  root: Node,
  { validator, part, words }: OtherSchema,
  source: string,
  isWritten = false,
): Iterable<Finding> {
  for (const finding of findingsOf(validator.errorsIn(root, part), { validator, source, words }))
    yield isWritten ? finding : { ...finding, fix: undefined };
}

export interface OtherSchema {
  readonly validator: Validator;
  readonly part?: SchemaPart | undefined;
  readonly words: Vocabulary;
}

function* findingsOf(errors: SchemaErrors, context: ErrorContext): Iterable<Finding> {
  const missing = missingProperties(errors);
  for (const error of errors) {
    const { keyword, node } = error;
    if (keyword === "oneOf") yield* oneOfFindings(error, context);
    else if (keyword !== "required") yield findingOf(error, context);
    else {
      // All that one object lacks is one finding.
      const names = [...(missing.get(node) ?? [])];
      if (names.length > 0) yield lackFinding(names, error, context);
      missing.delete(node);
    }
  }
}

/** Leaves out a property that the object has under a misspelled name: that name is reported. */
function missingProperties(errors: SchemaErrors): Map<Node, Set<string>> {
  const missing = new Map<Node, Set<string>>();
  for (const { keyword, node, property = "" } of errors)
    if (keyword === "required") getOrCreate(missing, node, () => new Set()).add(property);
  for (const { keyword, node, property = "", part } of missing.size === 0 ? [] : errors) {
    const isEntry = keyword === "oneOf" && node.key instanceof Key;
    // An entry of an open object that matches no form may be a misspelled property.
    const owner = keyword === "additionalProperties" ? node : isEntry ? node.parent : null;
    const lacking = owner === null ? undefined : missing.get(owner);
    if (lacking === undefined || lacking.size === 0) continue;
    const name = node.key instanceof Key && isEntry ? node.key.text : property;
    const known = isEntry ? lacking : Object.keys(part.properties ?? {});
    lacking.delete(nearestProperty(name, known) ?? "");
  }
  return missing;
}

/** The form of a `oneOf` that a value comes closest to; undefined if it has the type of none, or matches several. */
function bestForm({ node, part }: SchemaError, validator: Validator) {
  const forms = (part.oneOf ?? []).flatMap((form) => definitionOf(form, validator.schema) ?? []);
  const matching = validator.formsOf(node, forms);
  const candidates = forms.filter(({ type }) => matching.length === 0 && type === typeOf(node));
  const scored = candidates.map((form) => ({
    form,
    known: Object.keys(form.properties ?? {}).filter((name) => hasProperty(node, name)).length,
    errors: validator.errorsIn(node, form),
  }));
  // Sorting is stable: of equally good forms, the first one listed wins.
  const [best] = scored.sort((a, b) => b.known - a.known || a.errors.length - b.errors.length);
  return { forms, matching, best };
}

function isAlien(node: Node, others: readonly SchemaPart[]) {
  return ({ keyword, node: owner, property = "" }: SchemaError) =>
    keyword === "additionalProperties" && owner === node && isOfOtherForm(property, others);
}

/** The errors with those of the best form for a value that has none of several forms. */
export function* detailedErrors(errors: SchemaErrors, spec: Spec): Iterable<SchemaError> {
  const open = errors.toReversed();
  for (let error = open.pop(); error !== undefined; error = open.pop()) {
    const { best, forms = [] } = error.keyword === "oneOf" ? bestForm(error, packValidator(spec)) : {};
    // A value that mixes two forms could be intended as either.
    if (
      best === undefined ||
      best.errors.some(
        isAlien(
          error.node,
          forms.filter((form) => form !== best.form),
        ),
      )
    )
      yield error;
    else open.push(...best.errors.toReversed());
  }
}

/** Reports the errors of the form that matches best. */
function* oneOfFindings(error: SchemaError, context: ErrorContext): Iterable<Finding> {
  const { node } = error;
  const { validator, source } = context;
  const { forms, matching, best } = bestForm(error, validator);
  if (best === undefined) {
    const message = matching.length > 0 ? tooMany(node, matching) : wrongType(node, forms, source);
    yield { at: placeOf(node), message, ...misspeltSetting(node), data: { keyword: "oneOf" } };
    return;
  }
  const others = forms.filter((form) => form !== best.form);
  const alien = best.errors.filter(isAlien(node, others));
  // The first finding names all properties that only other forms have.
  const errors = best.errors.filter((each) => each === alien[0] || !alien.includes(each));
  yield* findingsOf(errors, { ...context, otherForms: { of: node, schemas: others } });
}

function tooMany(node: Node, matching: readonly SchemaPart[]): string {
  const titles = matching.map(({ title }) => title ?? "another");
  return `${capitalize(describeValue(node))} matches several kinds at once: ${joinWords(titles, "and")}.`;
}

function wrongType(node: Node, forms: readonly SchemaPart[], source: string): string {
  const types = new Set(forms.flatMap(typesOf).map(typeName));
  return mustBe(capitalize(describeValue(node)), joinWords([...types], "or"), describeFound(node, source));
}

/** `Did you mean "image"?`, for a media type called "images". */
function misspeltSetting(node: Node): Suggestion {
  const { key, parent } = node;
  if (!(key instanceof Key) || parent?.kind !== "mapping") return {};
  const absent = knownBeside(node).filter((name) => parent.get(name) === undefined);
  // A finding about a scalar is placed at its value, not at the key.
  return { ...nearSuggestion(key.text, absent), replaced: key };
}

function lackFinding(
  missing: readonly string[],
  { node, part }: SchemaError,
  { words, document }: ErrorContext,
): Finding {
  const keys = asMapping(node)?.entries.map(({ key }) => key.text) ?? [];
  const others = keys.filter((key) => !knows(part, key));
  const remedies = missing.map((name): Remedy => {
    const advice = misspelledAsAdvice(name, others);
    if (advice === undefined) return document === undefined ? {} : lackRemedy(name, node, document);
    const near = asMapping(node)?.entry(uniqueNearestName(name, others) ?? "");
    return { advice, ...(near && { replacement: name, replaced: near.key }) };
  });
  const advice = remedies.flatMap((remedy) => remedy.advice ?? []).join(" ");
  return {
    at: placeOf(node),
    wants: ["required", missing],
    message: `${capitalize(describeNode(node, words))} has no ${joinWords(missing.map(quoteValue), "or")}.`,
    ...(remedies.length === 1 && remedies[0]),
    advice: advice === "" ? undefined : advice,
    data: { keyword: "required", ...(missing.length > 1 && { missing }) },
  };
}

function findingOf(error: SchemaError, context: ErrorContext): Finding {
  const { node, keyword, part, property = "" } = error;
  const { source, words } = context;
  const data = { keyword };
  if (keyword === "additionalProperties") {
    const at = asMapping(node)?.entry(property)?.key ?? placeOf(node);
    return { at, ...unknownProperty(error, context), data };
  }
  return {
    at: placeOf(node),
    wants: [keyword, Reflect.get(part, keyword)],
    message: valueMessage(error, source, words),
    ...valueAdvice(error, source, words),
    data,
  };
}

type Remedy = Suggestion & Pick<Finding, "fix" | "alsoAt">;

function lackRemedy(missing: string, node: Node, document: Document): Remedy {
  const owner = asMapping(node);
  if (owner === undefined) return {};
  const remedy = (advice: string, edits: Edits): Remedy => ({
    advice,
    fix: edits && { description: advice.replace(/^If .*, s/, "S"), unsafe: true, edits },
  });
  if (missing === "template_engine") {
    // The template engine is the same in nearly every pack.
    const value = Object.entries({ version: "v1", syntax: "{{variable}}" }).map(([name, text]) => ({
      name,
      value: text,
    }));
    const added = remedy(
      'Add "template_engine": { "version": "v1", "syntax": "{{variable}}" }.',
      addEntries(document, owner, [{ name: missing, value }]),
    );
    return { ...added, alsoAt: ["/template_engine"] };
  }
  // A state needs a prompt unless it runs its composition.
  if (missing !== "prompt_task" || !hasProperty(node, "composition")) return {};
  const set = owner.get("orchestration");
  return remedy(
    'If it runs the composition, set orchestration to "composition".',
    set?.kind === "scalar"
      ? replaceText(document, set, "composition")
      : addEntries(document, owner, [{ name: "orchestration", value: "composition" }]),
  );
}
