import { toValue } from "../document/node.js";
import { getOrCreate } from "../text/collections.js";
import type { Step } from "./composition.js";
import type { PredicatePath, Predicate } from "./predicate.js";

/**
 * The positive form of the question that a branch asks: values do not change during a walk, so equal questions get equal answers.
 */
export interface Question {
  readonly key: string;
  /** Whether the branch asks for the opposite. */
  readonly isNegated: boolean;
  /** The step whose whole output is asked for: the answer is whether it ran. */
  readonly ranStep: string | undefined;
  /** The path of an `equals`: of several about one path and different values, at most one is true. */
  readonly equalsPath: string | undefined;
}

const questions = new WeakMap<Step, Question>();

export function questionOf(branch: Step): Question {
  return getOrCreate(questions, branch, () => {
    const { predicate, id } = branch;
    if (predicate === undefined)
      return { key: `branch ${id.text}`, isNegated: false, ranStep: undefined, equalsPath: undefined };
    const { positive, isNegated } = positiveOf(predicate);
    const isEquality = positive.kind === "compare" && ["equals", "not_equals"].includes(positive.op);
    return {
      key: keyOf(positive),
      isNegated,
      ranStep: positive.kind === "exists" ? wholeOutputOf(positive.path.reference?.path) : undefined,
      equalsPath: isEquality ? pathKey(positive.path) : undefined,
    };
  });
}

/** Takes off `not`, and reads `not_equals`, `not_in` and `exists: false` as the opposites that they are. */
function positiveOf(predicate: Predicate): { readonly positive: Predicate; readonly isNegated: boolean } {
  let positive = predicate;
  let isNegated = false;
  for (; positive.kind === "not"; positive = positive.part) isNegated = !isNegated;
  const isOpposite =
    positive.kind === "exists"
      ? !positive.exists
      : positive.kind === "compare" && (positive.op === "not_equals" || positive.op === "not_in");
  return { positive, isNegated: isNegated !== isOpposite };
}

/** The same for predicates that ask the same, and for opposites. */
function keyOf(predicate: Predicate): string {
  const parts: string[] = [];
  const open: (Predicate | string)[] = [predicate];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") {
      parts.push(next);
      continue;
    }
    const { positive, isNegated } = positiveOf(next);
    // The whole is asked as a positive question.
    if (isNegated && next !== predicate) parts.push("not ");
    if (positive.kind === "exists") parts.push(JSON.stringify(["exists", pathKey(positive.path)]));
    else if (positive.kind === "compare") {
      const op = positive.op.replace(/^not_/, "");
      parts.push(JSON.stringify([op, pathKey(positive.path), valueKey(toValue(positive.value))]));
    } else if (positive.kind !== "not") {
      parts.push(`${positive.kind}(`);
      open.push(")");
      for (const part of positive.parts.toReversed()) open.push(",", part);
    }
  }
  return parts.join("");
}

/** The same for `${input.a}` and `${ input.a }`. */
export function pathKey({ reference, text }: PredicatePath): string {
  return reference === undefined ? text.text : `\${${reference.text}}`;
}

/** The same for equal values, whatever the order of their keys. */
export function valueKey(value: unknown): string {
  if (typeof value !== "object") return JSON.stringify(value);
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** `${step.output}`, and nothing inside it. */
function wholeOutputOf(path: readonly string[] | undefined): string | undefined {
  return path?.length === 2 && path[1] === "output" ? path[0] : undefined;
}
