import { appendTo, getOrCreate } from "../text/collections.js";
import {
  atomsOf,
  type ComparePredicate,
  isOrdered,
  literalsOf,
  type Predicate,
  wantedValue,
} from "./predicate.js";
import { pathKey, valueKey } from "./questions.js";

/** The answer to a predicate that has only one, whatever the values are. */
export function constantAnswer(predicate: Predicate): boolean | undefined {
  return constantParts(predicate).get(predicate);
}

const known = new WeakMap<Predicate, ReadonlyMap<Predicate, boolean>>();

/** The parts of a predicate that have only one answer, whatever the values are, and the whole if it has. */
export function constantParts(predicate: Predicate): ReadonlyMap<Predicate, boolean> {
  return getOrCreate(known, predicate, () => {
    const constants: Constants = new Map();
    const paths: Paths = new Map();
    findPaths(predicate, paths);
    findConstants(predicate, paths, constants);
    return constants;
  });
}

type Constants = Map<Predicate, boolean>;
type Paths = Map<Predicate, string | typeof several | undefined>;

const several = Symbol("several paths");

/** The one path that each part is about; undefined for an empty list, `several` also for what cannot be evaluated. */
function findPaths(predicate: Predicate, found: Paths): string | typeof several | undefined {
  let path: string | typeof several | undefined;
  if (predicate.kind === "compare" && wantedValue(predicate) !== undefined) path = several;
  else if (predicate.kind === "compare" || predicate.kind === "exists") path = pathKey(predicate.path);
  else
    for (const part of predicate.kind === "not" ? [predicate.part] : predicate.parts) {
      const other = findPaths(part, found);
      if (other !== undefined) path = path === undefined || path === other ? other : several;
    }
  found.set(predicate, path);
  return path;
}

/** Evaluations before a part counts as undecided. */
const maxEvaluations = 100_000;

/** A predicate about one path is tried with a value of each kind; otherwise its parts decide. */
function findConstants(predicate: Predicate, paths: Paths, constants: Constants): void {
  if (predicate.kind === "exists") return;
  if (predicate.kind === "compare") {
    // Alone, only an empty list decides.
    if (wantedValue(predicate) === undefined && countLiterals(predicate) === 0)
      constants.set(predicate, predicate.op === "not_in");
    return;
  }
  if (paths.get(predicate) !== several && tryValues(predicate, constants)) return;
  if (predicate.kind === "not") {
    findConstants(predicate.part, paths, constants);
    const answer = constants.get(predicate.part);
    if (answer !== undefined) constants.set(predicate, !answer);
    return;
  }
  // One part with this answer decides.
  const deciding = predicate.kind === "any";
  for (const part of predicate.parts) findConstants(part, paths, constants);
  const answers = predicate.parts.map((part) => constants.get(part));
  if (answers.includes(deciding) || hasDecidingPath(predicate, paths, deciding))
    constants.set(predicate, deciding);
  else if (answers.every((answer) => answer === !deciding)) constants.set(predicate, !deciding);
}

/** Whether the parts about one path decide: `a` is 1, `b` is 2 and `a` is 3. */
function hasDecidingPath(
  predicate: Extract<Predicate, { readonly kind: "all" | "any" }>,
  paths: Paths,
  deciding: boolean,
): boolean {
  const byPath = new Map<string, Predicate[]>();
  for (const part of predicate.parts) {
    const path = paths.get(part);
    if (typeof path === "string") appendTo(byPath, path, part);
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
  const comparisons: ComparePredicate[] = [];
  let atoms = 1;
  let literals = 1;
  for (const atom of atomsOf(predicate)) {
    atoms++;
    if (atom.kind !== "compare") continue;
    comparisons.push(atom);
    literals += countLiterals(atom);
    if (atoms * literals > maxEvaluations) return false;
  }
  const samples = samplesFor(comparisons);
  evaluate(predicate, samples, constants);
  return true;
}

function countLiterals({ op, value }: ComparePredicate): number {
  return (op === "in" || op === "not_in") && value.kind === "sequence" ? value.items.length : 1;
}

/** A value that a path may have. */
interface Sample {
  readonly value: unknown;
  readonly key: string;
  /** It does not resolve, and counts as null. */
  readonly isMissing: boolean;
}

/** A value of each kind that the comparisons can tell apart. */
function samplesFor(comparisons: readonly ComparePredicate[]): readonly Sample[] {
  const literals = comparisons.flatMap(literalsOf);
  const numbers = literals.filter((literal) => typeof literal === "number").sort((a, b) => a - b);
  const between = numbers.flatMap((number, index) => {
    const next = numbers[index + 1];
    return next === undefined ? [number + 1] : [(number + next) / 2];
  });
  const values = [null, "", "\u0000other", 0, true, [], {}, ...literals, ...between, (numbers[0] ?? 0) - 1];
  const byKey = new Map(values.map((value) => [valueKey(value), value]));
  const samples = [...byKey].map(([key, value]) => ({ value, key, isMissing: false }));
  return [{ value: null, key: "null", isMissing: true }, ...samples];
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
  switch (predicate.kind) {
    case "not":
      return evaluate(predicate.part, samples, constants).map((answer) =>
        answer === undefined ? undefined : !answer,
      );
    case "all":
    case "any": {
      const deciding = predicate.kind === "any";
      const answers: (boolean | undefined)[] = samples.map(() => !deciding);
      for (const part of predicate.parts)
        for (const [index, answer] of evaluate(part, samples, constants).entries())
          // The first part that fails or decides ends the evaluation.
          if (answers[index] === !deciding) answers[index] = answer;
      return answers;
    }
    case "exists":
      return samples.map(({ isMissing }) => isMissing !== predicate.exists);
    case "compare":
      return samples.map(comparer(predicate));
  }
}

function comparer(predicate: ComparePredicate): (sample: Sample) => boolean | undefined {
  const { op } = predicate;
  const literals = literalsOf(predicate);
  if (isOrdered(op)) {
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
