import type { Words } from "../diagnostic.js";
import { Key, type Node } from "../document/node.js";
import { capitalize, joinWords } from "../text/wording.js";
import { describeFound, nearSuggestion, type Suggestion } from "./show-value.js";
import { describeValue, knownBeside } from "./describe-node.js";
import {
  definitionOf,
  type SchemaErrors,
  type SchemaPart,
  typeOf,
  typesOf,
  type Validator,
} from "./validator.js";
import { mustBe, typeName } from "./value-messages.js";

/** The errors of the best matching form and the other forms, or a sentence if no form matches best. */
export type OneOfAnswer = { readonly errors: SchemaErrors; readonly others: readonly SchemaPart[] } | Words;

export function explainOneOf(
  alternatives: readonly SchemaPart[],
  node: Node,
  validator: Validator,
  source: string,
): OneOfAnswer {
  const forms = alternatives.flatMap((part) => definitionOf(part, validator.schema) ?? []);
  const setting = misspeltSetting(node);
  const matching = validator.formsOf(node, forms);
  if (matching.length > 0) return { message: tooMany(node, matching), ...setting };

  const candidates = forms
    .filter(({ type }) => type === typeOf(node))
    .map((form) => ({
      form,
      known: knownProperties(node, form),
      errors: validator.errorsIn(node, form),
    }));
  // Sorting is stable: of equally good forms, the first one listed wins.
  const [best] = candidates.sort((a, b) => b.known - a.known || a.errors.length - b.errors.length);
  if (best !== undefined) return { errors: best.errors, others: forms.filter((form) => form !== best.form) };
  return { message: wrongTypeMessage(node, forms, source), ...setting };
}

/** `Did you mean "image"?`, for a media type called "images". */
function misspeltSetting(node: Node): Suggestion {
  const { key, parent } = node;
  if (!(key instanceof Key) || parent?.kind !== "mapping") return {};
  const absent = knownBeside(node).filter((name) => parent.get(name) === undefined);
  const { advice, replacement } = nearSuggestion(key.text, absent);
  // A finding about a scalar is placed at its value, not at the key.
  return node.kind === "scalar" ? { advice } : { advice, replacement };
}

function tooMany(node: Node, matching: readonly SchemaPart[]): string {
  const titles = matching.map(({ title }) => title ?? "another");
  return `${capitalize(describeValue(node))} matches several kinds at once: ${joinWords(titles, "and")}.`;
}

function wrongTypeMessage(node: Node, forms: readonly SchemaPart[], source: string): string {
  const types = new Set(forms.flatMap(typesOf).map(typeName));
  return mustBe(capitalize(describeValue(node)), joinWords([...types], "or"), describeFound(node, source));
}

function knownProperties(node: Node, schema: SchemaPart): number {
  if (node.kind !== "mapping") return 0;
  return Object.keys(schema.properties ?? {}).filter((name) => node.get(name) !== undefined).length;
}
