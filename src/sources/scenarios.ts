import type { Place } from "../diagnostic.js";
import {
  asMapping,
  itemsOf,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
  stringOf,
} from "../document/node.js";
import { appendTo, cached } from "../text/collections.js";
import type { Mention } from "../document/document.js";
import { type ProjectFiles, type SourceFile, specOf } from "./source-file.js";

/** An expectation of a scenario about a run, reduced to the states and tools that it names. */
export interface Assertion {
  readonly file: SourceFile;
  readonly at: Place;
  readonly type: LocatedString;
  readonly states: readonly LocatedString[];
  readonly tools: readonly LocatedString[];
}

export interface Scenario {
  readonly file: SourceFile;
  readonly taskType: LocatedString | undefined;
  /** Whether it runs in duplex mode, where the model has all tools of the project. */
  readonly isDuplex: boolean;
  readonly assertions: readonly Assertion[];
}

const stateParameters: ReadonlyMap<string, string> = new Map([
  ["state_is", "state"],
  ["transitioned_to", "state"],
  ["spoke_in_state", "state"],
  ["workflow_transition_order", "sequence"],
]);
const toolTypes = new Set(["tools_called", "tool_called", "tools_not_called"]);
const toolParameters = ["tool_names", "tools"];

/** The scenarios of a project, in files and inline. Assertions of the head belong to each of them. */
export const scenariosOf = cached((project: ProjectFiles): readonly Scenario[] => {
  const { head, listed } = project;
  if (head === undefined) return [];
  const headSpec = specOf(head.document);
  const globals = asMapping(headSpec?.get("globals"));
  const common = [...assertionsIn(globals?.get("conversation_assertions"), head)];
  const files = new Set(listed.flatMap(({ list, file }) => (list === "scenarios" && file ? file : [])));
  const inline = asMapping(headSpec?.get("scenario_specs"))?.entries ?? [];
  return [
    ...[...files].map((file) => readScenario(specOf(file.document), file, common)),
    ...inline.map(({ value }) => readScenario(asMapping(value), head, common)),
  ];
});

function readScenario(
  spec: MappingNode | undefined,
  file: SourceFile,
  common: readonly Assertion[],
): Scenario {
  const turns = itemsOf(spec?.get("turns"));
  const own = [
    ...turns.map((turn) => asMapping(turn)?.get("assertions")),
    spec?.get("conversation_assertions"),
  ];
  return {
    file,
    taskType: LocatedString.of(spec?.get("task_type")),
    isDuplex: spec?.get("duplex") !== undefined,
    assertions: [...own.flatMap((list) => [...assertionsIn(list, file)]), ...common],
  };
}

function* assertionsIn(list: Node | undefined, file: SourceFile): Iterable<Assertion> {
  for (const item of itemsOf(list)) {
    const assertion = asMapping(item);
    const type = LocatedString.of(assertion?.get("type"));
    const params = asMapping(assertion?.get("params"));
    if (type === undefined) continue;
    const parameter = stateParameters.get(type.text);
    yield {
      file,
      at: { pointer: item.pointer, start: type.start, end: type.end },
      type,
      states: parameter === undefined ? [] : namesIn(params?.get(parameter)),
      tools: toolTypes.has(type.text) ? toolParameters.flatMap((name) => namesIn(params?.get(name))) : [],
    };
  }
}

/** A name, or a list of them. */
function namesIn(node: Node | undefined): readonly LocatedString[] {
  const name = LocatedString.of(node);
  return name === undefined ? locatedStringsOf(node) : [name];
}

/** Where scenarios say which prompt they run, by that name. */
export function namedTaskTypes(project: ProjectFiles) {
  const named = new Map<string, { readonly at: LocatedString; readonly file: SourceFile }[]>();
  for (const { taskType, file } of scenariosOf(project))
    if (taskType !== undefined) appendTo(named, taskType.text, { at: taskType, file });
  return named;
}

/** The names in the scenarios of a project, and the ids of its prompts that are their names, on the number line. */
export function mentionsIn(project: ProjectFiles): readonly Mention[] {
  const moved = (name: LocatedString, { base }: SourceFile): LocatedString =>
    new LocatedString(name.text, name.node.shifted(base));
  const prompts = [...namedTaskTypes(project).values()].flat();
  const ids = project.listed.flatMap(({ list, item, by, file }) => {
    const id = list === "prompt_configs" ? LocatedString.of(asMapping(item)?.get("id")) : undefined;
    const isName = file !== undefined && stringOf(specOf(file.document)?.get("task_type")) === id?.text;
    return id !== undefined && isName ? { at: id, file: by } : [];
  });
  const assertions = new Set(scenariosOf(project).flatMap((scenario) => scenario.assertions));
  return [
    ...[...prompts, ...ids].map(({ at, file }) => ({ kind: "prompt" as const, name: moved(at, file) })),
    ...[...assertions].flatMap(({ states, tools, file }) => [
      ...states.map((name) => ({ kind: "state" as const, name: moved(name, file) })),
      ...tools.map((name) => ({ kind: "tool" as const, name: moved(name, file) })),
    ]),
  ];
}
