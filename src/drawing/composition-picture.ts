import type { Composition, Step } from "../composition/composition.js";
import { factsOf, flowsOf } from "../composition/facts.js";
import { predicateText } from "../composition/predicate.js";
import type { Document } from "../document/document.js";

/** The steps of a composition, drawn beside the states that run it. */
export type PictureComposition = ReturnType<typeof pictureComposition>;

export interface PictureStep {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  /** The prompt or tool that it runs, or what a branch asks, or how a `parallel` merges its outputs. */
  readonly about: string | undefined;
  readonly dependsOn: readonly string[];
  readonly then: string | undefined;
  readonly else: string | undefined;
  /** Whether some outcome of the branches ends with its output. */
  readonly isResult: boolean;
  readonly branches: readonly PictureStep[];
}

export interface StepEdge {
  readonly from: string;
  readonly to: string;
  /** `next`: may run right after it. `target`: named by a branch, but something else runs in between. */
  readonly kind: "next" | "target";
  readonly label: "then" | "else" | undefined;
}

/** The id is safe in every format, like those of the steps. */
export function pictureComposition(composition: Composition, id: string, { lines }: Document) {
  const { steps, isClear, key } = composition;
  const lineOf = (start: number): number => lines.position(start).line;
  const pictureStep = (step: Step, stepId: string): PictureStep => ({
    id: stepId,
    name: step.id.text,
    kind: step.kindText.text,
    line: lineOf(step.id.start),
    about: aboutStep(step),
    dependsOn: step.dependsOn.map(({ text }) => text),
    then: step.then?.text,
    else: step.otherwise?.text,
    isResult: isClear && step.parent === undefined && factsOf(composition).mayBeResult(step),
    branches: step.branches.map((nested, index) => pictureStep(nested, `${stepId}b${index}`)),
  });
  const idOf = ({ index }: Step): string => `${id}s${index}`;
  return {
    id,
    name: key.text,
    line: lineOf(key.start),
    steps: steps.map((step) => pictureStep(step, idOf(step))),
    edges: stepEdges(composition, idOf),
  };
}

function aboutStep({ promptTask, tool, predicate, reduce }: Step): string | undefined {
  if (predicate !== undefined) return predicateText(predicate);
  if (reduce !== undefined) return `${reduce.strategy.text} into ${reduce.into.text}`;
  return (promptTask ?? tool)?.text;
}

function stepEdges(composition: Composition, idOf: (step: Step) => string): readonly StepEdge[] {
  const edges = flowsOf(composition).map(({ from, to, answer }): StepEdge => ({
    from: idOf(from),
    to: idOf(to),
    kind: "next",
    label: answer === undefined ? undefined : answer ? "then" : "else",
  }));
  const drawn = new Set(edges.map(edgeKey));
  const targets = composition.steps.flatMap((from) =>
    (["then", "else"] as const).flatMap((label): readonly StepEdge[] => {
      const name = label === "then" ? from.then : from.otherwise;
      const to = name && composition.stepNamed(name.text);
      if (to === undefined || to.parent !== undefined) return [];
      const edge = { from: idOf(from), to: idOf(to), kind: "target", label } as const;
      return drawn.has(edgeKey(edge)) ? [] : [edge];
    }),
  );
  return [...edges, ...targets];
}

function edgeKey({ from, to, label }: Omit<StepEdge, "kind">): string {
  return `${from} ${to} ${label ?? ""}`;
}
