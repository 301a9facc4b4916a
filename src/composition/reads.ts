import { cached } from "../text/collections.js";
import type { Composition, Step } from "./composition.js";
import { atomsOf, isOrdered, type PredicateAtom, type Reference } from "./predicate.js";

/** One `${…}` of a step, and what it leads to. */
export interface Read {
  readonly reader: Step;
  readonly reference: Reference;
  /** The question that asks about it; undefined in `input` and `args`. */
  readonly asked: PredicateAtom | undefined;
  readonly target: ReadTarget;
}

export type ReadTarget =
  /** Not a dot path, or two steps have this id. */
  | { readonly kind: "malformed" | "ambiguous" }
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
  readonly step: Step;
  /** The step that produces the value: of a `parallel`, one of its branches, where that is known. */
  readonly producer: Step | undefined;
  /** The names after the value that `producer` puts out. */
  readonly fields: readonly string[];
}

/** Every reference of a composition, in file order; those of a path that is not exactly one reference are left out. */
export const readsOf = cached((composition: Composition): readonly Read[] =>
  composition.allSteps.flatMap((reader) => {
    const toRead = (reference: Reference, asked?: PredicateAtom): Read => {
      return { reader, reference, asked, target: targetOf(reference, reader, composition) };
    };
    const questions = atomsOf(reader.predicate).flatMap((atom) =>
      atom.path.reference === undefined ? [] : [toRead(atom.path.reference, atom)],
    );
    return [...reader.inputs.map((reference) => toRead(reference)), ...questions];
  }),
);

function targetOf({ path }: Reference, reader: Step, composition: Composition): ReadTarget {
  if (path === undefined) return { kind: "malformed" };
  const [root = "", second, ...fields] = path;
  const step = composition.stepNamed(root);
  if (root === "input") return { kind: "input", fields: path.slice(1) };
  if (step === undefined) return { kind: "unknown", why: "no step" };
  if (composition.isRepeated(root)) return { kind: "ambiguous" };
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
  const { text: strategy } = step.reduce.strategy;
  if (strategy === "replace") return { kind: "output", step, producer: step.branches.at(-1), fields: inside };
  const [name, ...rest] = inside;
  if (strategy !== "barrier" || name === undefined) return unknown;
  const producer = branchesByName(step).get(name);
  if (producer === undefined) return { kind: "unknown", why: "not a branch", step };
  return { kind: "output", step, producer, fields: rest };
}

const branchesByName = cached(
  ({ branches }: Step) => new Map(branches.map((branch) => [branch.id.text, branch])),
);

/** Whether a reference of the composition has no value: any step may be the one it was written for. */
export function hasDanglingRead(composition: Composition): boolean {
  const dangles = readsOf(composition).some(
    ({ target }) => target.kind !== "input" && target.kind !== "output",
  );
  const atoms = composition.allSteps.flatMap(({ predicate }) => atomsOf(predicate));
  return dangles || atoms.some(({ path }) => path.reference === undefined);
}

export interface FailingRead {
  readonly reader: Step;
  readonly read: Step;
  readonly reference: Reference;
}

/** The reads that fail if the step which is read was skipped. */
export function failingReads(composition: Composition): readonly FailingRead[] {
  return readsOf(composition).flatMap(({ reader, reference, asked, target }) => {
    const fails = asked === undefined || (asked.kind === "compare" && isOrdered(asked));
    return fails && target.kind === "output" ? [{ reader, read: target.step, reference }] : [];
  });
}
