import {
  asMapping,
  itemsOf,
  LocatedString,
  locatedStringsOf,
  type MappingNode,
  type Node,
} from "../document/node.js";
import { appendTo, cached } from "../text/collections.js";
import type { Project } from "./project.js";
import { type SourceFile, specOf } from "./source-file.js";

/** What a scenario expects of a run, as far as it names states or tools. */
export interface Assertion {
  readonly file: SourceFile;
  readonly type: LocatedString;
  readonly states: readonly LocatedString[];
  readonly tools: readonly LocatedString[];
}

export interface Scenario {
  readonly file: SourceFile;
  readonly taskType: LocatedString | undefined;
  /** Whether it speaks through a model that has all tools of the project. */
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
export const scenariosOf = cached((project: Project): readonly Scenario[] => {
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
export function namedTaskTypes(project: Project) {
  const named = new Map<string, { readonly at: LocatedString; readonly file: SourceFile }[]>();
  for (const { taskType, file } of scenariosOf(project))
    if (taskType !== undefined) appendTo(named, taskType.text, { at: taskType, file });
  return named;
}
