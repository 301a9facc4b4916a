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
  const unnamed: Step[] = [];
  const steps = readSteps(list, undefined, unnamed, document, unclear);
  const allSteps = steps.flatMap(withNested);
  const hasAllSteps =
    node !== undefined &&
    !unclear.hasProperty(node, "steps") &&
    unnamed.length === 0 &&
    steps.length === itemsOf(list).length &&
    allSteps.every(({ branches, node: step, kind }) => {
      return kind !== "parallel" || branches.length === itemsOf(step.get("branches")).length;
    });
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
    /** Whether each step has an id and a kind. */
    hasAllSteps,
    /** Whether everything that its outcomes depend on is clear. */
    isClear:
      hasAllSteps && unclear.isClear(node, "output") && allSteps.every((step) => step.isClear(...runFields)),
    /** The steps that are visited one after the other. */
    steps,
    /** The same with the steps inside `parallel` ones, in file order. */
    allSteps,
    /** Steps whose id or kind is unclear. What else they say is checked, but not when they run. */
    unnamed: unnamed.flatMap(withNested),
    stepsAt: list && placeOf(list),
    /** The first step of that id, nested ones included. */
    stepNamed: (id: string) => byId.get(id),
    isRepeated: (id: string) => repeated.has(id),
    output: LocatedString.of(unclear.get(node, "output")),
    inputSchema: LocatedString.of(unclear.get(node, "input_schema")),
    outputSchema: LocatedString.of(unclear.get(node, "output_schema")),
  };
}

/** The properties of a step that decide which steps run and what they read. */
const runFields: readonly string[] = [
  ...["id", "kind", "depends_on", "input", "args", "predicate", "then", "else", "reduce", "output_schema"],
];

function withNested(step: Step): readonly Step[] {
  return [step, ...step.branches.flatMap(withNested)];
}

function readSteps(
  list: Node | undefined,
  parent: Step | undefined,
  unnamed: Step[],
  document: Document,
  unclear: Unclear,
): readonly Step[] {
  const named: Step[] = [];
  for (const item of itemsOf(list)) {
    const fields = readFields(item, document, unclear);
    if (fields === undefined) continue;
    const branches: Step[] = [];
    const step = { ...fields, index: parent?.index ?? named.length, parent, branches };
    (step.isNamed ? named : unnamed).push(step);
    for (const branch of readSteps(step.branchList, step, unnamed, document, unclear)) branches.push(branch);
  }
  return named;
}

function readFields(item: Node, document: Document, unclear: Unclear) {
  const node = asMapping(item);
  const text = (owner: MappingNode | undefined, name: string) => LocatedString.of(unclear.get(owner, name));
  if (node === undefined) return undefined;
  const [id, kindText] = [text(node, "id"), text(node, "kind")];
  const kind: StepKind = stepKinds.find((each) => each === kindText?.text) ?? "vendor";
  const of = (...kinds: readonly StepKind[]) =>
    kindText === undefined || kinds.includes(kind) ? node : undefined;
  const [model, agent, tool] = [of("prompt", "agent"), of("agent"), of("tool")];
  const [branch, parallel] = [of("branch"), of("parallel")];
  const tools = unclear.get(agent, "tools");
  const termination = asMapping(agent?.get("termination"));
  const args = unclear.get(tool, "args");
  return {
    at: placeOf(node),
    node,
    isUnclear: unclear.has(node),
    isClear: (...fields: readonly string[]): boolean => unclear.isClear(node, ...fields),
    isNamed: id !== undefined && kindText !== undefined,
    kind,
    kindText: kindText?.text ?? "",
    kindAt: kindText ?? placeOf(node),
    id: id ?? { ...placeOf(node), text: String(Number(item.key) + 1) },
    dependsOn: locatedStringsOf(unclear.get(node, "depends_on")),
    evals: locatedStringsOf(unclear.get(asMapping(node.get("modifiers")), "eval")),
    promptTask: text(model, "prompt_task"),
    provider: text(model, "provider"),
    outputSchema: text(model, "output_schema"),
    /** The tools that an `agent` step may call; undefined if it names none. */
    tools: tools && locatedStringsOf(tools),
    termination: termination && {
      maxSteps: LocatedCount.of(unclear.get(termination, "max_steps")),
      toolCalled: text(termination, "tool_called"),
    },
    tool: text(tool, "tool"),
    args: asMapping(args),
    /** The references in `input` and `args`. */
    inputs: referencesBelow(unclear.get(model, "input") ?? args, document),
    predicate: unclear.isClear(branch, "predicate")
      ? readPredicate(branch?.get("predicate"), document)
      : undefined,
    then: text(branch, "then"),
    otherwise: text(branch, "else"),
    branchList: parallel?.get("branches"),
    reduce: readReducer(asMapping(parallel?.get("reduce")), unclear),
  };
}

function readReducer(node: MappingNode | undefined, unclear: Unclear) {
  const strategy = LocatedString.of(unclear.get(node, "strategy"));
  const into = LocatedString.of(unclear.get(node, "into"));
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
