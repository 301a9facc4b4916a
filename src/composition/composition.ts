import type { Place } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import {
  asMapping,
  itemsOf,
  type Key,
  LocatedCount,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  placeOf,
} from "../document/node.js";
import type { Unclear } from "../schema/unclear.js";
import { type Predicate, readPredicate, type Reference, referencesBelow } from "./predicate.js";

/** A graph of steps that a state runs as one turn (RFC 0010), as far as it is well-formed. */
export interface Composition {
  readonly key: Key;
  readonly node: MappingNode | undefined;
  /** Whether neither the composition nor one of its steps breaks the schema. */
  readonly isClear: boolean;
  /** The steps that are visited one after the other. */
  readonly steps: readonly Step[];
  /** The same with the steps inside `parallel` ones, in file order. */
  readonly allSteps: readonly Step[];
  readonly stepsAt: Place | undefined;
  /** The first step of that id, nested ones included. */
  readonly stepNamed: (id: string) => Step | undefined;
  /** Whether several steps share this id, which makes it ambiguous. */
  readonly isRepeated: (id: string) => boolean;
  readonly output: LocatedString | undefined;
  readonly inputSchema: LocatedString | undefined;
  readonly outputSchema: LocatedString | undefined;
}

export const stepKinds = ["prompt", "agent", "tool", "branch", "parallel"] as const;

/** Names with a dot belong to vendors. */
export type StepKind = (typeof stepKinds)[number] | "vendor";

export interface Step {
  readonly at: Place;
  readonly node: MappingNode;
  /** The position in `steps`, for a nested step that of its `parallel`. */
  readonly index: number;
  /** The `parallel` that holds it. */
  readonly parent: Step | undefined;
  readonly isUnclear: boolean;
  /** Whether nothing in it breaks the schema, and no required field is missing. */
  readonly isComplete: boolean;
  readonly kind: StepKind;
  readonly kindText: LocatedString;
  readonly id: LocatedString;
  readonly dependsOn: readonly LocatedString[];
  readonly evals: readonly LocatedString[];
  /** Only `prompt` and `agent` steps have these. */
  readonly promptTask: LocatedString | undefined;
  readonly provider: LocatedString | undefined;
  readonly outputSchema: LocatedString | undefined;
  /** The tools that an `agent` step may call; undefined if it names none. */
  readonly tools: readonly LocatedString[] | undefined;
  readonly termination:
    | { readonly maxSteps: LocatedCount | undefined; readonly toolCalled: LocatedString | undefined }
    | undefined;
  /** Only `tool` steps have these. */
  readonly tool: LocatedString | undefined;
  readonly args: MappingNode | undefined;
  /** The references in `input` and `args`. */
  readonly inputs: readonly Reference[];
  /** Only `branch` steps have these. */
  readonly predicate: Predicate | undefined;
  readonly then: LocatedString | undefined;
  readonly otherwise: LocatedString | undefined;
  /** Only `parallel` steps have these. */
  readonly branches: readonly Step[];
  readonly reduce: { readonly strategy: LocatedString; readonly into: LocatedString } | undefined;
}

export function readCompositions(
  root: MappingNode,
  document: Document,
  unclear: Unclear,
): ReadonlyMap<string, Composition> {
  const entries = asMapping(root.get("compositions"))?.entries ?? [];
  return new Map(entries.map(({ key, value }) => [key.text, readComposition(key, value, document, unclear)]));
}

function readComposition(key: Key, value: Node, document: Document, unclear: Unclear): Composition {
  const node = asMapping(value);
  const list = node?.get("steps");
  const steps = readSteps(list, undefined, document, unclear);
  const allSteps = steps.flatMap(withNested);
  const byId = new Map<string, Step>();
  const repeated = new Set<string>();
  for (const step of allSteps) {
    const id = step.id.text;
    if (byId.has(id)) repeated.add(id);
    else byId.set(id, step);
  }
  return {
    key,
    node,
    isClear: !unclear.hasWithin(value),
    steps,
    allSteps,
    stepsAt: list && placeOf(list),
    stepNamed: (id) => byId.get(id),
    isRepeated: (id) => repeated.has(id),
    output: LocatedString.of(node?.get("output")),
    inputSchema: LocatedString.of(node?.get("input_schema")),
    outputSchema: LocatedString.of(node?.get("output_schema")),
  };
}

function withNested(step: Step): readonly Step[] {
  return [step, ...step.branches.flatMap(withNested)];
}

/** Without those that have no id or kind. */
function readSteps(list: Node | undefined, parent: Step | undefined, document: Document, unclear: Unclear) {
  const steps: Step[] = [];
  for (const item of itemsOf(list)) {
    const index = parent?.index ?? steps.length;
    const step = item.kind === "mapping" && readStep(item, index, parent, document, unclear);
    if (step) steps.push(step);
  }
  return steps;
}

function readStep(
  node: MappingNode,
  index: number,
  parent: Step | undefined,
  document: Document,
  unclear: Unclear,
): Step | undefined {
  const id = LocatedString.of(node.get("id"));
  const kindText = LocatedString.of(node.get("kind"));
  if (id === undefined || kindText === undefined) return undefined;
  const kind = stepKinds.find((each) => each === kindText.text) ?? "vendor";
  const of = (...kinds: readonly StepKind[]) => (kinds.includes(kind) ? node : undefined);
  const model = of("prompt", "agent");
  const tools = of("agent")?.get("tools");
  const termination = asMapping(of("agent")?.get("termination"));
  const args = of("tool")?.get("args");
  const branches: Step[] = [];
  const step: Step = {
    at: placeOf(node),
    node,
    index,
    parent,
    isUnclear: unclear.has(node),
    isComplete: !unclear.hasWithin(node),
    kind,
    kindText,
    id,
    dependsOn: locatedStringsOf(node.get("depends_on")),
    evals: locatedStringsOf(asMapping(node.get("modifiers"))?.get("eval")),
    promptTask: LocatedString.of(model?.get("prompt_task")),
    provider: LocatedString.of(model?.get("provider")),
    outputSchema: LocatedString.of(model?.get("output_schema")),
    tools: tools && locatedStringsOf(tools),
    termination: termination && {
      maxSteps: LocatedCount.of(termination.get("max_steps")),
      toolCalled: LocatedString.of(termination.get("tool_called")),
    },
    tool: LocatedString.of(of("tool")?.get("tool")),
    args: asMapping(args),
    inputs: referencesBelow(model?.get("input") ?? args, document),
    predicate: readPredicate(of("branch")?.get("predicate"), document),
    then: LocatedString.of(of("branch")?.get("then")),
    otherwise: LocatedString.of(of("branch")?.get("else")),
    branches,
    reduce: readReducer(asMapping(of("parallel")?.get("reduce"))),
  };
  const nested = readSteps(of("parallel")?.get("branches"), step, document, unclear);
  for (const branch of nested) branches.push(branch);
  return step;
}

function readReducer(node: MappingNode | undefined): Step["reduce"] {
  const strategy = LocatedString.of(node?.get("strategy"));
  const into = LocatedString.of(node?.get("into"));
  return strategy && into && { strategy, into };
}

/** The step with this id among those that are visited one after the other. */
export function visitedStep({ stepNamed }: Composition, id: LocatedString | undefined): Step | undefined {
  const step = id && stepNamed(id.text);
  return step?.parent === undefined ? step : undefined;
}

/** Whether the output of a step can be the result: a branch has none, and a nested one is not in scope. */
export function mayHoldResult({ kind, parent }: Step): boolean {
  return kind !== "branch" && parent === undefined;
}

/** The step that `output` names, if it can be the result. */
export function resultStep(composition: Composition): Step | undefined {
  const step = visitedStep(composition, composition.output);
  return step !== undefined && mayHoldResult(step) ? step : undefined;
}
