import type { Finding } from "../../diagnostic.js";
import { type Facts, verdictsOf } from "../../machine/facts.js";
import type { Pack } from "../../pack/pack.js";
import { mayGrantTools } from "../../pack/skills.js";
import { reachInOrder } from "../../properties/reach-in-order.js";
import { type Assertion, type Scenario, scenariosOf } from "../../sources/scenarios.js";
import { placeIn } from "../../sources/source-file.js";
import { appendTo } from "../../text/collections.js";
import { nameAdvice, suggestName, uniqueNearestName } from "../../text/names.js";
import { rulesOf } from "../rule.js";

export const scenarioRules = rulesOf("sources", {
  "scenario-unknown-name": {
    summary: "Scenarios name prompts, states and tools of their project.",
    severity: "warning",
    source: "promptpack, sources",
    *check({ project, pack }) {
      if (pack === undefined) return;
      const { unread, prompts } = project.grafted;
      const isAnyUnread = (section: string) => [...unread].some((each) => each.startsWith(section));
      const knowsPrompts =
        !isAnyUnread("/prompts/") && prompts.every(({ taskType }) => taskType !== undefined);
      const knowsTools = !isAnyUnread("/tools/");
      // An assertion of the head belongs to all scenarios.
      const scenariosBy = new Map<Assertion, Scenario[]>();
      for (const scenario of scenariosOf(project)) {
        for (const assertion of scenario.assertions) appendTo(scenariosBy, assertion, scenario);
        if (knowsPrompts) yield* unknownTaskType(pack, scenario);
      }
      for (const [assertion, scenarios] of scenariosBy) {
        yield* unknownStates(pack, assertion);
        const isDuplex = scenarios.some((scenario) => scenario.isDuplex);
        if (assertion.type.text !== "tools_not_called") yield* uncallableTools(pack, assertion, isDuplex);
        else if (knowsTools) yield* misspelledTools(pack, assertion);
      }
    },
  },
  "scenario-impossible": {
    summary: "What a scenario expects of a workflow happens in some run.",
    severity: "warning",
    source: "promptpack, sources",
    *check({ project, pack, facts, target, entriesIn }) {
      const workflow = pack?.workflow;
      if (workflow === undefined || facts === undefined || !workflow.isClear) return;
      const others = new Set(target.runtimes.map(entriesIn));
      others.delete(facts);
      const entry = workflow.entry && workflow.stateNamed(workflow.entry.text);
      const task = entry?.promptTask?.text;
      if (entry === undefined || task === undefined || !verdictsOf(workflow, facts).targetsKnown) return;
      const own = scenariosOf(project).filter(({ taskType }) => taskType?.text === task);
      for (const { at, type, states, file } of new Set(own.flatMap(({ assertions }) => assertions))) {
        const isOrder = type.text === "workflow_transition_order";
        if (!isOrder && type.text !== "transitioned_to") continue;
        const order = states.flatMap(({ text }) => workflow.stateNamed(text)?.index ?? []);
        // A name that does not exist is reported as such.
        if (order.length === 0 || order.length < states.length) continue;
        const progress = reachInOrder(facts, entry.index, order, true);
        if (progress === undefined || progress.most === order.length) continue;
        const isImpossible = (own: Facts | undefined): boolean => {
          const there = own && reachInOrder(own, entry.index, order, true);
          return own === undefined || (there !== undefined && there.most < order.length);
        };
        if (![...others].every(isImpossible)) continue;
        const names = states.slice(0, progress.most + 1).map(({ text }) => `"${text}"`);
        const hasRun = (progress.run?.steps.length ?? 0) > 0;
        yield {
          at: placeIn(file, at),
          message: `No run from "${entry.name.text}" enters ${names.join(", then ")}, so this can never pass.`,
          ...(hasRun && { trace: progress.run }),
        };
      }
    },
  },
});

function* unknownTaskType(pack: Pack, { taskType, file }: Scenario): Iterable<Finding> {
  const { isUnknownPrompt, prompts, document } = pack;
  if (taskType === undefined || !isUnknownPrompt(taskType.text)) return;
  if (document.otherNames?.has(taskType.text) === true) return;
  yield {
    at: placeIn(file, taskType),
    message: `The scenario runs the prompt "${taskType.text}", which the project does not have.`,
    advice: nameAdvice(taskType.text, prompts.keys()),
  };
}

function* unknownStates({ workflow, hasWorkflow }: Pack, { states, file }: Assertion): Iterable<Finding> {
  for (const name of states) {
    if (workflow === undefined ? hasWorkflow : !workflow.isUnknownState(name.text)) continue;
    const why = workflow === undefined ? "but the project has no workflow" : "which is not a state";
    yield {
      at: placeIn(file, name),
      message: `The assertion expects the state "${name.text}", ${why}.`,
      advice: workflow && nameAdvice(name.text, workflow.stateNames()),
    };
  }
}

const runtimeTools = /^(?:workflow|skill|memory|a2a|image|video)__/u;

/** Tools that are expected to be called, though none can be. */
function* uncallableTools(pack: Pack, { tools, file }: Assertion, isDuplex: boolean): Iterable<Finding> {
  const { tools: own, toolUse, skills } = pack;
  if (toolUse.unclear) return;
  const callable = new Set([...toolUse.listed, ...toolUse.ofSteps].map(({ name }) => name.text));
  if (isDuplex || mayGrantTools(skills)) for (const name of own.keys()) callable.add(name);
  for (const name of tools) {
    const { text } = name;
    if (runtimeTools.test(text) || allowsTool(callable, text)) continue;
    const whole = [...callable].find((each) => each.startsWith("mcp__") && each.endsWith(`__${text}`));
    const list = own.has(text) ? 'List it in the "allowed_tools" of a prompt.' : undefined;
    yield {
      at: placeIn(file, name),
      ...(whole === undefined
        ? {
            message: `The assertion expects a call of the tool "${text}", which no prompt may call.`,
            advice: list ?? nameAdvice(text, callable),
          }
        : {
            message: `The assertion expects a call of "${text}", but the tool is called "${whole}", and a part of a name never matches.`,
            advice: "Write the whole name.",
          }),
    };
  }
}

/** By its name, or by all tools of its server. */
function allowsTool(callable: ReadonlySet<string>, name: string): boolean {
  if (callable.has(name)) return true;
  return [...callable].some((each) => each.endsWith("*") && name.startsWith(each.slice(0, -1)));
}

/** Any other name may be that of a tool which must not be there at all. */
function* misspelledTools({ tools: own, toolUse }: Pack, { tools, file }: Assertion): Iterable<Finding> {
  const listed = new Set(toolUse.listed.map(({ name }) => name.text));
  for (const name of tools) {
    const { text } = name;
    const near = own.has(text) || listed.has(text) ? undefined : uniqueNearestName(text, own.keys());
    if (near === undefined) continue;
    yield {
      at: placeIn(file, name),
      message: `The assertion expects no call of the tool "${text}", which the project does not have.`,
      advice: suggestName(text, near),
    };
  }
}
