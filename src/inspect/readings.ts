import type { Facts } from "../machine/facts.js";
import { type Arrival, SetValues } from "../machine/set-values.js";
import type { Way } from "../machine/ways-in.js";
import type { Declaration } from "../pack/artifact-use.js";
import type { Pack } from "../pack/pack.js";
import type { Variable } from "../pack/variable.js";
import type { State, Workflow } from "../pack/workflow.js";
import { isKeptAtHandover } from "../runtimes/fill.js";
import type { Runtime } from "../runtimes/runtime.js";
import { traceJson } from "../text/format-trace.js";

/** Bounds the list: many states can share a prompt that reads many names. */
const maxReadings = 10_000;
const none: readonly Declaration[] = [];

/** The names that prompts read, and whether they are set (`null` if unknown), in a runtime or by the RFCs. */
export function inspectReadings(workflow: Workflow, facts: Facts, pack: Pack, runtime: Runtime | undefined) {
  const { artifacts, delimiters } = pack;
  if (delimiters === undefined) return [];
  const values = new SetValues(workflow, facts);
  const loses = runtime?.facts.binds.value === "no caller after a handover";
  const readings = [];
  for (const state of workflow.states) {
    const { systemTemplate, declared = new Map<string, Variable>() } = state.prompt ?? {};
    if (systemTemplate === undefined || !facts.entered.has(state.index)) continue;
    const names = new Set<string>();
    for (const { kind, name, local } of systemTemplate.template.references) {
      const variable = kind === "name" && local !== true ? declared.get(name) : undefined;
      const isRead = variable !== undefined || (kind === "artifact" && !declared.has("artifacts"));
      if (!isRead || names.has(`${kind} ${name}`)) continue;
      names.add(`${kind} ${name}`);
      const declarations = artifacts.declared.get(name) ?? none;
      const isKnown = variable !== undefined || artifacts.hasAllDeclarations;
      const { set, way } = !isKnown
        ? { set: undefined, way: undefined }
        : variable
          ? boundIn(state, variable, values, loses)
          : { set: values.artifact(declarations, state), way: values.runWithout(declarations, [state]) };
      const run = way?.run();
      readings.push({
        state: state.name.text,
        kind: variable ? ("variable" as const) : ("artifact" as const),
        name,
        set: set ?? null,
        /** The shortest run that enters the state without it. */
        without: run ? traceJson(run) : null,
      });
      if (readings.length === maxReadings) return readings;
    }
  }
  return readings;
}

/** Callers bind variables where a conversation is opened, and in some runtimes nowhere else. */
function boundIn(state: State, variable: Variable, values: SetValues, loses: boolean) {
  const { required, default: value, isBound } = variable;
  const opening = values.runThatOpens(state);
  const handover = values.runThatHandsOver(state);
  const mayLack = !isBound && required?.value !== true && value === undefined;
  const loss = loses && !isBound && !isKeptAtHandover(variable);
  const ways: readonly (readonly [Way | undefined, Arrival])[] = [
    [opening, mayLack ? "sometimes" : "always"],
    [handover, loss ? "never" : loses ? "always" : mayLack ? "sometimes" : "always"],
  ];
  const taken = ways.filter(([way]) => way !== undefined);
  const [first, ...others] = new Set(taken.map(([, arrival]) => arrival));
  const lacking = taken.find(([, arrival]) => arrival !== "always");
  return { set: others.length > 0 ? ("sometimes" as const) : first, way: lacking?.[0] };
}
