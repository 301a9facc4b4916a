import { asMapping, itemsOf, type LocatedString, type MappingNode, stringOf } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import type { State } from "../pack/workflow.js";
import { byName, type Change, compareMembers, createChange, createJointChange } from "./change.js";
import type { Comparison } from "./comparison.js";
import { compareParameters, compareVariables, nameOfTool } from "./parameters.js";
import { keysOf, type Values } from "./values.js";

const promptSettings = ["parameters", "tool_policy", "pipeline", "validators", "media", "provider"];

/** What a prompt says about itself, and its texts, which are compared with their fragments. */
const notOfPrompt = new Set(["id", "name", "version", "system_template", "evals", "tested_models"]);

/** The prompts, and the tools that they call. */
export function* comparePrompts(comparison: Comparison): Iterable<Change> {
  const { before, after } = comparison;
  const newTools = findNewTools(before, after);
  yield* compareMembers(before.prompts, after.prompts, {
    title: (name) => `prompt "${name}"`,
    added: () => "prompt-added",
    removed: "prompt-removed",
    placeOf: ({ key }) => key,
    compare: (old, prompt) => comparePrompt(old, prompt, comparison, newTools),
  });
  for (const { id, name, prompt } of newTools.values()) {
    const user = prompt === undefined ? "a step" : `prompt "${prompt}"`;
    const words = `${user} may call the tool "${id}" now, which nothing used before`;
    yield { ...createChange("tool-added", "new", name, words), ...(prompt !== undefined && { prompt }) };
  }
  const olds = byName([...before.tools.values()], nameOfTool);
  for (const [name, tool] of byName([...after.tools.values()], nameOfTool)) {
    const old = olds.get(name);
    if (old === undefined) continue;
    yield* compareParameters(old, tool, comparison);
    yield* comparison.properties(`tool "${name}"`, ["action_scope"], old.node, tool.node);
  }
}

function* comparePrompt(old: Prompt, prompt: Prompt, comparison: Comparison, newTools: NewTools) {
  const [before, after] = [old.node, prompt.node];
  if (before === undefined || after === undefined) return;
  const title = `prompt "${prompt.key.text}"`;
  const variables = compareVariables(old, prompt, comparison.values);
  const tools = compareTools(old, prompt, comparison, newTools);
  // The changes that the prompt's own version covers.
  for (const change of [...variables, ...comparison.texts.compare(old, prompt), ...tools])
    yield { ...change, prompt: prompt.key.text };
  yield* comparison.properties(title, promptSettings, before, after);
  const [olds, overrides] = [before, after].map((node) => asMapping(node.get("model_overrides")));
  for (const model of keysOf(olds, overrides)) {
    const [was, is] = [olds, overrides].map((models) => asMapping(models?.get(model)));
    yield* comparison.properties(`${title} for model "${model}"`, ["parameters"], was, is);
  }
  yield* compareEvals(before, after, comparison.values);
}

function compareTools(old: Prompt, prompt: Prompt, { before, after }: Comparison, newTools: NewTools) {
  const known = new Map(old.tools.map((tool) => [toolId(before, tool.text), tool]));
  const listed = new Map(prompt.tools.map((tool) => [toolId(after, tool.text), tool]));
  const added = [...listed].filter(([id, tool]) => !known.has(id) && newTools.get(id)?.name !== tool);
  const removed = [...known].filter(([id]) => !listed.has(id));
  return createJointChange("tools-of-prompt-changed", `the tools of prompt "${prompt.key.text}" changed`, [
    ...added.map(([name, at]) => ({ name, side: "new", at, predicate: "is new" }) as const),
    ...removed.map(([name, at]) => ({ name, side: "old", at, predicate: "is gone" }) as const),
  ]);
}

/** A state that runs another prompt than before gives the model another text. */
export function* compareTasks(old: State, state: State, comparison: Comparison): Iterable<Change> {
  const [was, is] = [old.promptTask, state.promptTask];
  if (was === undefined || is === undefined || was.text === is.text) return;
  const [before, after] = [old.prompt, state.prompt];
  if (before !== undefined && after !== undefined) {
    const keys = keysOf(before.node, after.node).filter((key) => !notOfPrompt.has(key));
    const settings = comparison.values.differences(keys, before.node, after.node);
    if (settings.length === 0 && [...comparison.texts.compare(before, after)].length === 0) return;
  }
  const title = `state "${state.name.text}"`;
  yield* comparison.properties(title, ["prompt_task"], old.node, state.node, "template-changed");
}

/** The name of the tool that a prompt or step calls by this name or key. */
function toolId(pack: Pack, name: string): string {
  const tool = pack.toolUse.toolNamed(name);
  return tool === undefined ? name : nameOfTool(tool);
}

interface UsedTool {
  readonly id: string;
  readonly name: LocatedString;
  /** Absent for a step of a composition. */
  readonly prompt?: string;
}

/** By id, with its first use. */
type NewTools = ReadonlyMap<string, UsedTool>;

/** The tools that nothing in the old pack could call. */
function findNewTools(before: Pack, after: Pack): NewTools {
  const known = new Set([...usedTools(before)].map(({ id }) => id));
  const found = [...usedTools(after)].filter(
    ({ id, name }) => !known.has(id) && !after.toolUse.isUnknown(name.text),
  );
  return byName(found, ({ id }) => id);
}

/** Every tool that a prompt or step may call; the host does not provide agents. */
function* usedTools(pack: Pack): Iterable<UsedTool> {
  const { toolUse, agents, prompts, compositions } = pack;
  const isAgent = (name: string) =>
    toolUse.toolNamed(name) === undefined && (agents.memberNamed(name) !== undefined || prompts.has(name));
  for (const [prompt, { tools, toolPolicy }] of prompts) {
    const blocked = new Set(toolPolicy?.blocklist.map(({ text }) => toolId(pack, text)));
    for (const name of tools) {
      const id = toolId(pack, name.text);
      if (!isAgent(name.text) && !blocked.has(id)) yield { id, name, prompt };
    }
  }
  for (const { tool, tools } of [...compositions.values()].flatMap(({ allSteps }) => allSteps))
    for (const name of [tool ?? [], tools ?? []].flat())
      if (!isAgent(name.text)) yield { id: toolId(pack, name.text), name };
}

type Evals = ReadonlyMap<string, MappingNode>;

/** The evals of the pack or of a prompt; one that is disabled gives no results. */
export function compareEvals(before: MappingNode, after: MappingNode, values: Values): Iterable<Change> {
  const disabledBy = (node: MappingNode) => values.present(node.get("enabled"));
  const relevant = (evals: Evals, others: Evals): Evals =>
    new Map([...evals].filter(([id, node]) => others.has(id) || disabledBy(node) === undefined));
  const [olds, evals] = [evalsOf(before), evalsOf(after)];
  return compareMembers(relevant(olds, evals), relevant(evals, olds), {
    title: (id) => `eval "${id}"`,
    added: () => "eval-added",
    removed: "eval-removed",
    placeOf: (node) => node.get("id") ?? node,
    *compare(old, node, title) {
      const [was, is] = [disabledBy(old), disabledBy(node)];
      if (is !== undefined && was === undefined)
        yield createChange("eval-removed", "new", is, `${title} is disabled`);
      if (was !== undefined && is === undefined)
        yield createChange("eval-added", "new", node.get("id") ?? node, `${title} is enabled now`);
      if (was === undefined && is === undefined) yield* compareMetrics(title, old, node, values);
    },
  });
}

function evalsOf(node: MappingNode): Evals {
  const evals = itemsOf(node.get("evals")).flatMap((item) => asMapping(item) ?? []);
  const named = evals.filter((item) => stringOf(item.get("id")) !== undefined);
  return byName(named, (item) => stringOf(item.get("id")) ?? "");
}

function compareMetrics(title: string, before: MappingNode, after: MappingNode, values: Values) {
  const [old, metric] = [asMapping(before.get("metric")), asMapping(after.get("metric"))];
  if (old === undefined) return [];
  const [names, was, is] = metric ? [["name", "type", "range"], old, metric] : [["metric"], before, after];
  const differences = values.differences(names, was, is);
  return createJointChange("metric-changed", `${title} is measured differently`, differences);
}
