import { getOrCreate } from "../text/collections.js";
import type { Composition, Step } from "./composition.js";
import { atomsOf, type ComparePredicate, type ExistsPredicate, type Predicate } from "./predicate.js";
import type { Reference } from "./references.js";

/** One `${…}` of a step, and what it leads to. */
export interface Read {
  readonly reader: Step;
  readonly reference: Reference;
  /** The question that asks about it; undefined in `input` and `args`. */
  readonly asked: ComparePredicate | ExistsPredicate | undefined;
  readonly target: ReadTarget;
}

export type ReadTarget =
  /** Not a dot path. */
  | { readonly kind: "malformed" }
  /** Two steps have this id. */
  | { readonly kind: "ambiguous" }
  | UnknownTarget
  /** The reader itself, or a step after it. */
  | { readonly kind: "later"; readonly step: Step }
  | { readonly kind: "input"; readonly fields: readonly string[] }
  | OutputTarget;

/** Never resolves. */
export type UnknownTarget =
  | { readonly kind: "unknown"; readonly why: "no step" }
  | {
      readonly kind: "unknown";
      readonly why: "no output" | "nested" | "branch" | "not into" | "not a branch";
      readonly step: Step;
    };

export interface OutputTarget {
  readonly kind: "output";
  /** The step that is visited. */
  readonly step: Step;
  /** The step that produces the value: of a `parallel`, one of its branches, where that is known. */
  readonly producer: Step | undefined;
  /** The names after the value that `producer` puts out. */
  readonly fields: readonly string[];
}

const reads = new WeakMap<Composition, readonly Read[]>();

/** Every reference of a composition, in file order; those of a path that is not exactly one reference are left out. */
export function readsOf(composition: Composition): readonly Read[] {
  return getOrCreate(reads, composition, () =>
    composition.allSteps.flatMap((reader) => {
      const toRead = (reference: Reference, asked?: ComparePredicate | ExistsPredicate): Read => {
        return { reader, reference, asked, target: targetOf(reference, reader, composition) };
      };
      const inputs = reader.inputs.map((reference) => toRead(reference));
      if (reader.predicate === undefined) return inputs;
      const questions = [...atomsOf(reader.predicate)].flatMap((atom) =>
        atom.path.reference === undefined ? [] : [toRead(atom.path.reference, atom)],
      );
      return [...inputs, ...questions];
    }),
  );
}

function targetOf({ path }: Reference, reader: Step, composition: Composition): ReadTarget {
  if (path === undefined) return { kind: "malformed" };
  const [root = "", second, ...fields] = path;
  const step = composition.stepNamed(root);
  if (root === "input") return { kind: "input", fields: path.slice(1) };
  if (step === undefined) return { kind: "unknown", why: "no step" };
  if (duplicatesIn(composition).has(root)) return { kind: "ambiguous" };
  if (step.parent !== undefined) return { kind: "unknown", why: "nested", step };
  if (step.kind === "branch") return { kind: "unknown", why: "branch", step };
  if (second !== "output") return { kind: "unknown", why: "no output", step };
  const output = outputOf(step, fields);
  return output.kind === "output" && step.index >= reader.index ? { kind: "later", step } : output;
}

/** Only `into` is bound by a `parallel`; what is in it depends on its reducer. */
function outputOf(step: Step, fields: readonly string[]): OutputTarget | UnknownTarget {
  if (step.kind !== "parallel") return { kind: "output", step, producer: step, fields };
  const [into, ...inside] = fields;
  const unknown: OutputTarget = { kind: "output", step, producer: undefined, fields: [] };
  if (into === undefined || step.reduce === undefined) return unknown;
  if (into !== step.reduce.into.text) return { kind: "unknown", why: "not into", step };
  switch (step.reduce.strategy.text) {
    case "barrier": {
      const [name, ...rest] = inside;
      if (name === undefined) return unknown;
      const producer = branchNamed(step, name);
      return producer === undefined
        ? { kind: "unknown", why: "not a branch", step }
        : { kind: "output", step, producer, fields: rest };
    }
    case "replace":
      return { kind: "output", step, producer: step.branches.at(-1), fields: inside };
    default:
      return unknown;
  }
}

const branchNames = new WeakMap<Step, ReadonlyMap<string, Step>>();

function branchNamed(parallel: Step, name: string): Step | undefined {
  const byName = getOrCreate(
    branchNames,
    parallel,
    () => new Map(parallel.branches.map((branch) => [branch.id.text, branch])),
  );
  return byName.get(name);
}

const duplicates = new WeakMap<Composition, ReadonlySet<string>>();

/** The ids that several steps have. */
function duplicatesIn(composition: Composition): ReadonlySet<string> {
  return getOrCreate(duplicates, composition, () => {
    const { allSteps, stepNamed } = composition;
    return new Set(allSteps.filter((step) => stepNamed(step.id.text) !== step).map(({ id }) => id.text));
  });
}

/** Whether a reference of the composition has no value: any step may be the one it was written for. */
export function hasDanglingRead(composition: Composition): boolean {
  return (
    readsOf(composition).some(({ target }) => target.kind !== "input" && target.kind !== "output") ||
    composition.allSteps.some(({ predicate }) => predicate !== undefined && hasBarePath(predicate))
  );
}

function hasBarePath(predicate: Predicate): boolean {
  for (const { path } of atomsOf(predicate)) if (path.reference === undefined) return true;
  return false;
}

/**
 * Whether every name that decides which steps run is right: ids are unique, targets are later steps, dependencies earlier
 * ones, and `output` is a step that has one. Otherwise what runs is not what the author meant.
 */
export function hasKnownOrder(composition: Composition): boolean {
  const { steps, output, stepNamed } = composition;
  const indexOf = (id: string): number | undefined => {
    const step = stepNamed(id);
    return step?.parent === undefined ? step?.index : undefined;
  };
  const result = output && stepNamed(output.text);
  return (
    duplicatesIn(composition).size === 0 &&
    (output === undefined || (result !== undefined && mayHoldResult(result))) &&
    steps.every(({ index, dependsOn, then, otherwise }) => {
      const targets = [then, otherwise].flatMap((target) => target ?? []);
      return (
        targets.every(({ text }) => (indexOf(text) ?? -1) > index) &&
        dependsOn.every(({ text }) => (indexOf(text) ?? index) < index)
      );
    })
  );
}

/** Whether the output of a step can be the result: a branch has none, and a nested one is not in scope. */
export function mayHoldResult({ kind, parent }: Step): boolean {
  return kind !== "branch" && parent === undefined;
}
