import type { Finding } from "../../diagnostic.js";
import type { LocatedString } from "../../document/node.js";
import type { Pack } from "../../pack/pack.js";
import { reachInOrder } from "../../properties/reach-in-order.js";
import { verdictsOf } from "../../machine/facts.js";
import { type Assertion, type Scenario, scenariosOf } from "../../sources/scenarios.js";
import { placeIn, type SourceFile } from "../../sources/source-file.js";
import { nameAdvice, uniqueNearestName } from "../../text/names.js";
import { listNames } from "../../text/wording.js";
import { rulesOf } from "../rule.js";

export const scenarioRules = rulesOf("sources", {
  "scenario-unknown-name": {
    summary: "Scenarios name prompts, states and tools of their project.",
    severity: "warning",
    source: "promptpack, sources",
    *check({ project, pack }) {
      if (pack === undefined) return;
      const scenarios = scenariosOf(project);
      // An assertion of the head belongs to all scenarios.
      const seen = new Set<Assertion>();
      const canCallAll = scenarios.some(({ isDuplex }) => isDuplex);
      for (const { file, taskType, assertions, isDuplex } of scenarios) {
        if (taskType !== undefined) yield* unknownTaskType(pack, taskType, file);
        for (const assertion of assertions) {
          if (seen.has(assertion)) continue;
          seen.add(assertion);
          yield* unknownStates(pack, assertion);
          const isOwn = assertion.file === file && file !== project.head;
          yield* unknownTools(pack, assertion, isOwn ? isDuplex : canCallAll);
        }
      }
    },
  },
  "scenario-impossible": {
    summary: "What a scenario expects of a workflow happens in some run.",
    severity: "warning",
    source: "promptpack, sources",
    *check({ project, pack, facts }) {
      const workflow = pack?.workflow;
      if (workflow === undefined || facts === undefined || !workflow.isClear) return;
      const entry = workflow.entry && workflow.stateNamed(workflow.entry.text);
      if (entry === undefined || !verdictsOf(workflow, facts).targetsKnown) return;
      const runsEntry = ({ taskType }: Scenario) => taskType?.text === entry.promptTask?.text;
      const judged = new Set(
        scenariosOf(project)
          .filter(runsEntry)
          .flatMap(({ assertions }) => assertions),
      );
      for (const { type, states, file } of judged) {
        const isOrder = type.text === "workflow_transition_order";
        if (!isOrder && type.text !== "transitioned_to") continue;
        const order = states.flatMap(({ text }) => workflow.stateNamed(text)?.index ?? []);
        // A name that does not exist is reported as such.
        if (order.length === 0 || order.length < states.length) continue;
        const progress = reachInOrder(facts, entry.index, order, true);
        if (progress === undefined || progress.most === order.length) continue;
        const missed = states[progress.most]?.text ?? "";
        const before = states.slice(0, progress.most).map(({ text }) => text);
        const after = before.length === 0 ? "" : ` after ${listNames(before)}`;
        const hasRun = (progress.run?.steps.length ?? 0) > 0;
        yield {
          at: placeIn(file, type),
          message: `No run from "${entry.name.text}" enters "${missed}"${after}, so this can never pass.`,
          ...(hasRun && { trace: progress.run }),
        };
      }
    },
  },
});

function* unknownTaskType(pack: Pack, name: LocatedString, file: SourceFile): Iterable<Finding> {
  const { prompts, document } = pack;
  if (prompts.has(name.text) || !pack.hasAllPrompts || document.otherNames?.has(name.text) === true) return;
  yield {
    at: placeIn(file, name),
    message: `The scenario runs the prompt "${name.text}", which the project does not have.`,
    advice: nameAdvice(name.text, prompts.keys()),
  };
}

function* unknownStates({ workflow }: Pack, { states, file }: Assertion): Iterable<Finding> {
  for (const name of states) {
    if (workflow === undefined) {
      yield {
        at: placeIn(file, name),
        message: `There is no state "${name.text}": the project has no workflow.`,
      };
      continue;
    }
    if (!workflow.isUnknownState(name.text)) continue;
    yield {
      at: placeIn(file, name),
      message: `The scenario expects the state "${name.text}", which is not a state.`,
      advice: nameAdvice(name.text, workflow.stateNames()),
    };
  }
}

const runtimeTools = /^(?:workflow|skill|memory|a2a|image|video)__/;

function* unknownTools(pack: Pack, assertion: Assertion, canCallAll: boolean): Iterable<Finding> {
  const { type, tools, file } = assertion;
  if (tools.length === 0) return;
  const { tools: own, clearPrompts, toolUse } = pack;
  const allowed = new Set(clearPrompts.flatMap((prompt) => prompt.tools.map(({ text }) => text)));
  for (const name of tools) {
    const { text } = name;
    const at = placeIn(file, name);
    if (runtimeTools.test(text)) continue;
    if (type.text === "tools_not_called") {
      const near = own.has(text) || allowed.has(text) ? undefined : uniqueNearestName(text, own.keys());
      if (near !== undefined)
        yield {
          at,
          message: `No tool of the project is called "${text}", so that it is never called proves nothing.`,
          advice: `Did you mean "${near}"?`,
        };
      continue;
    }
    if (toolUse.unclear || allowsTool(allowed, text) || (canCallAll && own.has(text))) continue;
    const longName = [...allowed].find((each) => each.startsWith("mcp__") && each.endsWith(`__${text}`));
    yield {
      at,
      message:
        longName === undefined
          ? `The scenario expects a call of the tool "${text}", which no prompt may call.`
          : `The scenario expects a call of the tool "${text}", but prompts may call it only as "${longName}".`,
      advice:
        longName === undefined
          ? (nameAdvice(text, allowed) ??
            (own.has(text) ? 'List it in the "allowed_tools" of a prompt.' : undefined))
          : "Write the whole name: a part of it never matches.",
    };
  }
}

/** By its name, or by all tools of its server. */
function allowsTool(allowed: ReadonlySet<string>, name: string): boolean {
  if (allowed.has(name)) return true;
  return [...allowed].some((each) => each.endsWith("*") && name.startsWith(each.slice(0, -1)));
}
