import type { MappingNode } from "../document/node.js";
import { joinWords } from "../words/wording.js";
import { without } from "./merge-errors.js";
import { quoteValue } from "./show-value.js";
import { knows, type SchemaError, type SchemaPart } from "./validator.js";

/** Whether a property that a thing does not have in its form is one of another form. */
export function isOfOtherForm(name: string, others: readonly SchemaPart[]): boolean {
  return others.some((other) => knows(other, name));
}

/** Of a thing that may have several forms, the properties that only those have which it was not given. */
function ofOtherForms(
  { entries }: MappingNode,
  form: SchemaPart,
  others: readonly SchemaPart[],
): readonly string[] {
  const names = new Set(entries.map(({ key }) => key.text));
  return [...names].filter((name) => !knows(form, name) && isOfOtherForm(name, others));
}

/** Of such properties the first error stands for all. */
export function withoutOtherForms(
  errors: readonly SchemaError[],
  path: string,
  others: readonly SchemaPart[],
): readonly SchemaError[] {
  const [, ...further] = errors.filter(
    ({ keyword, instancePath, params }) =>
      keyword === "additionalProperties" &&
      instancePath === path &&
      isOfOtherForm(String(params["additionalProperty"]), others),
  );
  return without(errors, new Set(further));
}

/** What to say of them all. */
export function mixedForms(
  node: MappingNode,
  form: SchemaPart,
  others: readonly SchemaPart[],
  kind: string,
): string {
  const alien = joinWords(ofOtherForms(node, form, others).map(quoteValue), "and");
  const present = Object.keys(form.properties ?? {}).filter((name) => node.get(name) !== undefined);
  return `${alien} cannot be used together with ${joinWords(present.map(quoteValue), "and")} in ${kind}.`;
}
