import type { Words } from "../diagnostic.js";
import { Key, type Node, toValue } from "../document/node.js";
import { capitalize, joinWords } from "../text/wording.js";
import { describeFound, nearSuggestion, type Suggestion } from "./show-value.js";
import { describeValue, knownBeside } from "./describe-node.js";
import { type Branch, type SchemaError, type SchemaPart, typesOf } from "./validator.js";
import { mustBe, typeName } from "./value-messages.js";

/** The errors of the best matching branch and the other branches, or a sentence if no branch matches best. */
export type OneOfAnswer =
  { readonly errors: readonly SchemaError[]; readonly others: readonly SchemaPart[] } | Words;

export function explainOneOf(
  error: SchemaError,
  node: Node,
  offered: readonly Branch[],
  source: string,
): OneOfAnswer {
  const value = toValue(node);
  const alternatives = error.parentSchema.oneOf ?? [];
  const branches = alternatives.flatMap(({ $ref }) => offered.find(({ ref }) => ref === $ref) ?? []);
  const setting = misspeltSetting(node);
  if (error.params["passingSchemas"] !== null) return { message: tooMany(node, value, branches), ...setting };

  const candidates = branches
    .filter((branch) => branch.schema.type === typeOf(node))
    .map((branch) => ({
      branch,
      known: knownProperties(node, branch.schema),
      errors: errorsOf(branch, value, error.instancePath),
    }));
  // Sorting is stable: of equally good branches, the first one listed wins.
  const [best] = candidates.sort((a, b) => b.known - a.known || a.errors.length - b.errors.length);
  if (best !== undefined) {
    const others = branches.filter((branch) => branch !== best.branch).map(({ schema }) => schema);
    return { errors: best.errors, others };
  }
  const parts = [...alternatives, ...branches.map((branch) => branch.schema)];
  return { message: wrongTypeMessage(node, parts, source), ...setting };
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

function errorsOf(branch: Branch, value: unknown, instancePath: string): readonly SchemaError[] {
  branch.validate(value, { instancePath });
  return branch.validate.errors ?? [];
}

function tooMany(node: Node, value: unknown, branches: readonly Branch[]): string {
  const passing = branches.filter((branch) => branch.validate(value));
  const titles = passing.map(({ schema }) => schema.title ?? "another");
  return `${capitalize(describeValue(node))} matches several kinds at once: ${joinWords(titles, "and")}.`;
}

function wrongTypeMessage(node: Node, parts: readonly SchemaPart[], source: string): string {
  const types = new Set(parts.flatMap(typesOf).map(typeName));
  return mustBe(capitalize(describeValue(node)), joinWords([...types], "or"), describeFound(node, source));
}

function knownProperties(node: Node, schema: SchemaPart): number {
  if (node.kind !== "mapping") return 0;
  return Object.keys(schema.properties ?? {}).filter((name) => node.get(name) !== undefined).length;
}

function typeOf(node: Node): string {
  if (node.kind === "mapping") return "object";
  if (node.kind === "sequence") return "array";
  return node.value === null ? "null" : typeof node.value;
}
