import { toValue } from "../document/node.js";
import { appendTo, cached } from "../text/collections.js";
import { type Composition, mayHoldResult, type Step } from "./composition.js";
import {
  atomsOf,
  type CombinedPredicate,
  type ComparePredicate,
  isOrdered,
  literalsOf,
  type Predicate,
  type PredicatePath,
  wantedValue,
} from "./predicate.js";

/** Values do not change during a walk, so equal questions get equal answers. */
export const questionOf = cached(({ predicate, id }: Step) => {
  if (predicate === undefined) return { key: `branch ${id.text}`, isNegated: false };
  const { positive, isNegated } = positiveOf(predicate);
  const isEquality = positive.kind === "compare" && ["equals", "not_equals"].includes(positive.op);
  const path = positive.kind === "exists" ? positive.path.reference?.path : undefined;
  return {
    key: keyOf(positive),
    /** Whether the branch asks for the opposite. */
    isNegated,
    /** The step whose whole output is asked for: the answer is whether it ran. */
    ranStep: path?.length === 2 && path[1] === "output" ? path[0] : undefined,
    /** The path of an `equals`: of several about one path and different values, at most one is true. */
    equalsPath: isEquality ? pathKey(positive.path) : undefined,
  };
});

/** The earlier step whose output a branch asks for. */
export function ranStepOf(branch: Step, { stepNamed }: Composition): Step | undefined {
  const { ranStep } = questionOf(branch);
  const step = ranStep === undefined ? undefined : stepNamed(ranStep);
  return step !== undefined && mayHoldResult(step) && step.index < branch.index ? step : undefined;
}

/** Takes off `not`, and reads `not_equals`, `not_in` and `exists: false` as the opposites that they are. */
function positiveOf(predicate: Predicate): {
  readonly positive: Exclude<Predicate, { readonly kind: "not" }>;
  readonly isNegated: boolean;
} {
  if (predicate.kind === "not") {
    const { positive, isNegated } = positiveOf(predicate.part);
    return { positive, isNegated: !isNegated };
  }
  const isNegated =
    (predicate.kind === "exists" && !predicate.exists) ||
    (predicate.kind === "compare" && predicate.op.startsWith("not_"));
  return { positive: predicate, isNegated };
}

/** The same for predicates that ask the same, and for opposites. */
function keyOf(predicate: Predicate): string {
  const { positive } = positiveOf(predicate);
  if (positive.kind === "exists") return JSON.stringify(["exists", pathKey(positive.path)]);
  if (positive.kind === "compare") {
    const op = positive.op.replace(/^not_/, "");
    return JSON.stringify([op, pathKey(positive.path), valueKey(toValue(positive.value))]);
  }
  const parts = positive.parts.map((part) => `${positiveOf(part).isNegated ? "not " : ""}${keyOf(part)}`);
  return `${positive.kind}(${parts.join()})`;
}

/** The same for `${input.a}` and `${ input.a }`. */
function pathKey({ reference, text }: PredicatePath): string {
  return reference === undefined ? text.text : `\${${reference.text}}`;
}

/** The same for equal values, whatever the order of their keys. */
function valueKey(value: unknown): string {
  if (typeof value !== "object") return JSON.stringify(value);
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

type Constants = Map<Predicate, boolean>;

/** The parts of a predicate that have only one answer, whatever the values are, and the whole if it has. */
export const constantParts = cached((predicate: Predicate): ReadonlyMap<Predicate, boolean> => {
  const constants: Constants = new Map();
  findConstants(predicate, constants);
  return constants;
});

/** The only answer that a branch can get. */
export function constantOf({ predicate }: Step): boolean | undefined {
  return predicate && constantParts(predicate).get(predicate);
}

/** Evaluations before a part counts as undecided. */
const maxEvaluations = 100_000;

/** A predicate about one path is tried with a value of each kind; otherwise its parts decide. */
function findConstants(predicate: Predicate, constants: Constants): void {
  if (predicate.kind === "exists") return;
  if (predicate.kind === "compare") {
    // Alone, only an empty list decides.
    if (wantedValue(predicate) === undefined && literalsOf(predicate).length === 0)
      constants.set(predicate, predicate.op === "not_in");
    return;
  }
  const paths = pathsOf(predicate);
  if (paths !== undefined && paths.size < 2 && tryValues(predicate, constants)) return;
  if (predicate.kind === "not") {
    findConstants(predicate.part, constants);
    const answer = constants.get(predicate.part);
    if (answer !== undefined) constants.set(predicate, !answer);
    return;
  }
  // One part with this answer decides.
  const deciding = predicate.kind === "any";
  for (const part of predicate.parts) findConstants(part, constants);
  const answers = predicate.parts.map((part) => constants.get(part));
  if (answers.includes(deciding) || hasDecidingPath(predicate, deciding)) constants.set(predicate, deciding);
  else if (answers.every((answer) => answer === !deciding)) constants.set(predicate, !deciding);
}

/** The paths that a predicate is about; undefined if it cannot be evaluated. */
function pathsOf(predicate: Predicate): ReadonlySet<string> | undefined {
  const paths = new Set<string>();
  for (const atom of atomsOf(predicate)) {
    if (atom.kind === "compare" && wantedValue(atom) !== undefined) return undefined;
    paths.add(pathKey(atom.path));
  }
  return paths;
}

/** Whether the parts about one path decide: `a` is 1, `b` is 2 and `a` is 3. */
function hasDecidingPath(predicate: CombinedPredicate, deciding: boolean): boolean {
  const byPath = new Map<string, Predicate[]>();
  for (const part of predicate.parts) {
    const [path, ...others] = pathsOf(part) ?? [];
    if (path !== undefined && others.length === 0) appendTo(byPath, path, part);
  }
  return [...byPath.values()].some((parts) => {
    const together: Predicate = { ...predicate, parts };
    const found: Constants = new Map();
    return (
      byPath.size > 1 && parts.length > 1 && tryValues(together, found) && found.get(together) === deciding
    );
  });
}

/** Finds the constants in a predicate about one path; false if that takes too long. */
function tryValues(predicate: Predicate, constants: Constants): boolean {
  const literals: unknown[] = [];
  let atoms = 1;
  for (const atom of atomsOf(predicate)) {
    atoms++;
    if (atom.kind !== "compare") continue;
    for (const literal of literalsOf(atom)) literals.push(literal);
    if (atoms * (literals.length + 1) > maxEvaluations) return false;
  }
  evaluate(predicate, samplesFor(literals), constants);
  return true;
}

interface Sample {
  readonly value: unknown;
  readonly key: string;
  /** It does not resolve, and counts as null. */
  readonly isMissing: boolean;
}

/** A value of each kind that comparisons with these can tell apart. */
function samplesFor(literals: readonly unknown[]): readonly Sample[] {
  const numbers = literals.filter((literal) => typeof literal === "number").sort((a, b) => a - b);
  const between = numbers.map((number, index) => {
    const next = numbers[index + 1];
    return next === undefined ? number + stepFrom(number) : (number + next) / 2;
  });
  const least = numbers[0] ?? 0;
  const values = [null, "", "\u0000other", 0, true, [], {}, ...literals, ...between, least - stepFrom(least)];
  const byKey = new Map(values.map((value) => [valueKey(value), value]));
  const samples = [...byKey].map(([key, value]) => ({ value, key, isMissing: false }));
  return [{ value: null, key: "null", isMissing: true }, ...samples];
}

/** A distance to another number: from 2 ** 53 on, adding 1 gives the same one. */
function stepFrom(number: number): number {
  return Math.max(1, Math.abs(number) * 2 ** -52);
}

/** The answers for all samples; undefined where a comparison fails. */
type Answers = readonly (boolean | undefined)[];

function evaluate(predicate: Predicate, samples: readonly Sample[], constants: Constants): Answers {
  const answers = answersTo(predicate, samples, constants);
  const [answer, ...others] = new Set(answers.filter((each) => each !== undefined));
  if (answer !== undefined && others.length === 0) constants.set(predicate, answer);
  return answers;
}

function answersTo(predicate: Predicate, samples: readonly Sample[], constants: Constants): Answers {
  if (predicate.kind === "exists") return samples.map(({ isMissing }) => isMissing !== predicate.exists);
  if (predicate.kind === "compare") return samples.map(comparer(predicate));
  if (predicate.kind === "not")
    return evaluate(predicate.part, samples, constants).map((answer) =>
      answer === undefined ? undefined : !answer,
    );
  const deciding = predicate.kind === "any";
  const answers: (boolean | undefined)[] = samples.map(() => !deciding);
  for (const part of predicate.parts)
    for (const [index, answer] of evaluate(part, samples, constants).entries())
      // The first part that fails or decides ends the evaluation.
      if (answers[index] === !deciding) answers[index] = answer;
  return answers;
}

function comparer(comparison: ComparePredicate): (sample: Sample) => boolean | undefined {
  const { op } = comparison;
  const literals = literalsOf(comparison);
  if (isOrdered(comparison)) {
    const [limit] = literals;
    return ({ value }) => {
      if (typeof value !== "number" || typeof limit !== "number") return undefined;
      if (op === "less_than") return value < limit;
      if (op === "less_than_or_equals") return value <= limit;
      return op === "greater_than" ? value > limit : value >= limit;
    };
  }
  const keys = new Set(literals.map(valueKey));
  const isPositive = op === "equals" || op === "in";
  return ({ key }) => keys.has(key) === isPositive;
}
