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
import { readPredicate, referencesBelow } from "./predicate.js";

export const stepKinds = ["prompt", "agent", "tool", "branch", "parallel"] as const;

/** Names with a dot belong to vendors. */
export type StepKind = (typeof stepKinds)[number] | "vendor";

/** As far as it is well-formed. */
export interface Step extends Readonly<NonNullable<ReturnType<typeof readFields>>> {
  /** The position in `steps`, for a nested step that of its `parallel`. */
  readonly index: number;
  /** The `parallel` that holds it. */
  readonly parent: Step | undefined;
  /** Those of a `parallel`. */
  readonly branches: readonly Step[];
}

/** A graph of steps that a state runs as one turn (RFC 0010), as far as it is well-formed. */
export type Composition = Readonly<ReturnType<typeof readComposition>>;

export function readComposition(key: Key, value: Node, document: Document, unclear: Unclear) {
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
    /** Whether neither the composition nor one of its steps breaks the schema. */
    isClear: !unclear.hasWithin(value),
    /** The steps that are visited one after the other. */
    steps,
    /** The same with the steps inside `parallel` ones, in file order. */
    allSteps,
    stepsAt: list && placeOf(list),
    /** The first step of that id, nested ones included. */
    stepNamed: (id: string) => byId.get(id),
    isRepeated: (id: string) => repeated.has(id),
    output: LocatedString.of(node?.get("output")),
    inputSchema: LocatedString.of(node?.get("input_schema")),
    outputSchema: LocatedString.of(node?.get("output_schema")),
  };
}

function withNested(step: Step): readonly Step[] {
  return [step, ...step.branches.flatMap(withNested)];
}

function readSteps(
  list: Node | undefined,
  parent: Step | undefined,
  document: Document,
  unclear: Unclear,
): readonly Step[] {
  const wellFormed = itemsOf(list).flatMap((item) => readFields(item, document, unclear) ?? []);
  return wellFormed.map((fields, position) => {
    const branches: Step[] = [];
    const step = { ...fields, index: parent?.index ?? position, parent, branches };
    const nested = step.kind === "parallel" ? step.node.get("branches") : undefined;
    for (const branch of readSteps(nested, step, document, unclear)) branches.push(branch);
    return step;
  });
}

function readFields(item: Node, document: Document, unclear: Unclear) {
  const node = asMapping(item);
  const id = LocatedString.of(node?.get("id"));
  const kindText = LocatedString.of(node?.get("kind"));
  if (node === undefined || id === undefined || kindText === undefined) return undefined;
  const kind: StepKind = stepKinds.find((each) => each === kindText.text) ?? "vendor";
  const of = (...kinds: readonly StepKind[]) => (kinds.includes(kind) ? node : undefined);
  const [model, agent, tool, branch] = [of("prompt", "agent"), of("agent"), of("tool"), of("branch")];
  const tools = agent?.get("tools");
  const termination = asMapping(agent?.get("termination"));
  const args = tool?.get("args");
  return {
    at: placeOf(node),
    node,
    isUnclear: unclear.has(node),
    /** Whether nothing in it breaks the schema, and no required field is missing. */
    isComplete: !unclear.hasWithin(node),
    kind,
    kindText,
    id,
    dependsOn: locatedStringsOf(node.get("depends_on")),
    evals: locatedStringsOf(asMapping(node.get("modifiers"))?.get("eval")),
    promptTask: LocatedString.of(model?.get("prompt_task")),
    provider: LocatedString.of(model?.get("provider")),
    outputSchema: LocatedString.of(model?.get("output_schema")),
    /** The tools that an `agent` step may call; undefined if it names none. */
    tools: tools && locatedStringsOf(tools),
    termination: termination && {
      maxSteps: LocatedCount.of(termination.get("max_steps")),
      toolCalled: LocatedString.of(termination.get("tool_called")),
    },
    tool: LocatedString.of(tool?.get("tool")),
    args: asMapping(args),
    /** The references in `input` and `args`. */
    inputs: referencesBelow(model?.get("input") ?? args, document),
    predicate: readPredicate(branch?.get("predicate"), document),
    then: LocatedString.of(branch?.get("then")),
    otherwise: LocatedString.of(branch?.get("else")),
    reduce: readReducer(asMapping(of("parallel")?.get("reduce"))),
  };
}

function readReducer(node: MappingNode | undefined) {
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

export function resultStep(composition: Composition): Step | undefined {
  const step = visitedStep(composition, composition.output);
  return step !== undefined && mayHoldResult(step) ? step : undefined;
}
