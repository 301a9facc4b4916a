import { asMapping, itemsOf, type LocatedString, type MappingNode, stringOf } from "../document/node.js";
import type { AgentMember, Provider } from "../pack/agents.js";
import type { Pack } from "../pack/pack.js";
import type { Prompt } from "../pack/prompt.js";
import type { Artifact, State, Workflow } from "../pack/workflow.js";
import { appendTo, firstByKey } from "../text/collections.js";
import { listChoices } from "../text/wording.js";
import { type Change, compareMembers, createChange, createJointChange } from "./change.js";
import type { Comparison } from "./comparison.js";
import { compareParameters, compareVariables, nameOfTool } from "./parameters.js";
import { keyOf, keysOf, type Values } from "./values.js";

export function* compareParts(comparison: Comparison): Iterable<Change> {
  const { before, after, values } = comparison;
  yield* comparePrompts(comparison);
  const [oldMetadata, metadata] = [before, after].map(({ root }) => asMapping(root.get("metadata")));
  yield* comparison.properties("the pack", ["id"], before.root, after.root, "pack-id-changed");
  yield* comparison.properties("the pack", ["template_engine", "skills"], before.root, after.root);
  yield* comparison.properties("the pack", ["governance"], oldMetadata, metadata);
  yield* compareEvals(before.root, after.root, values);
  yield* compareProviders(comparison);
  yield* compareAgents(comparison);
  yield* compareMembers(before.compositions, after.compositions, {
    title: (name) => `composition "${name}"`,
    added: () => undefined,
    removed: "composition-removed",
    placeOf: ({ key }) => key,
    *compare({ node: was }, { node: is }, title) {
      for (const difference of values.differences(keysOf(was, is), was, is))
        yield* createJointChange("composition-changed", `${title} runs differently`, [difference]);
    },
  });
  yield* compareMembers(artifactsOf(before), artifactsOf(after), {
    title: (name) => `artifact "${name}"`,
    added: () => "artifact-added",
    removed: "artifact-removed",
    placeOf: ([first]) => keyOf(first?.name.value ?? undefined),
    *compare(olds, artifacts, title) {
      for (const [name, rule] of [["type", "artifact-type-changed"] as const, ["mode"] as const]) {
        const [was, is] = findUnlike(olds, artifacts, ({ node }) => values.idOf(node?.get(name)));
        yield* comparison.properties(title, [name], was?.node, is?.node, rule);
      }
    },
  });
  if (before.workflow !== undefined && after.workflow !== undefined)
    yield* compareStates(before.workflow, after.workflow, comparison);
}

function* compareProviders(comparison: Comparison): Iterable<Change> {
  const [olds, providers] = [comparison.before.providers, comparison.after.providers];
  if (!olds.hasAll || !providers.hasAll) return;
  const keyText = ({ key }: Provider) => key.text;
  const ruleOf = ({ isOptional }: Provider) => (isOptional ? "settings-changed" : "provider-required");
  yield* compareMembers(firstByKey(olds.required, keyText), firstByKey(providers.required, keyText), {
    title: (name) => `provider "${name}"`,
    added: ruleOf,
    removed: "settings-changed",
    placeOf: ({ key }) => key,
    *compare(old, provider, title) {
      const { key, role, isOptional } = provider;
      const kind = old.role === role ? [] : `is of the kind "${role}" now, not "${old.role}"`;
      const duty =
        old.isOptional === isOptional ? [] : isOptional ? "is optional now" : "is no longer optional";
      const [became] = [kind, duty].flat();
      if (became !== undefined) yield createChange(ruleOf(provider), "new", key, `${title} ${became}`);
      const [was, is] = [old, provider].map((each) => asMapping(each.key.node.parent ?? undefined));
      yield* comparison.properties(title, ["capabilities"], was, is);
    },
  });
}

function* compareAgents(comparison: Comparison): Iterable<Change> {
  const [olds, agents] = [comparison.before.agents, comparison.after.agents];
  yield* compareMembers(firstByKey(olds.members, nameText), firstByKey(agents.members, nameText), {
    title: (name) => `agent "${name}"`,
    added: () => "agent-added",
    removed: "agent-removed",
    placeOf: ({ name }) => name,
    *compare(old, member, title) {
      yield* compareModes(`${title} no longer reads`, old.inputModes, member.inputModes, member);
      yield* compareModes(`${title} no longer writes`, old.outputModes, member.outputModes, member);
      const [oldNode, node] = [old, member].map(({ name }) => asMapping(name.value ?? undefined));
      // Where both have a state, its runs are compared.
      const names = old.state && member.state ? ["governance"] : ["governance", "state"];
      yield* comparison.properties(title, names, oldNode, node);
    },
  });
  const [was, is] = [comparison.before, comparison.after].map(({ root }) => asMapping(root.get("agents")));
  if (was && is) yield* comparison.properties('"agents"', ["entry"], was, is);
}

type Modes = readonly LocatedString[];

function* compareModes(words: string, olds: Modes, modes: Modes, { name }: AgentMember): Iterable<Change> {
  const [was, is] = [olds, modes].map((each) =>
    each.length === 0 ? ["text/plain"] : each.map(({ text }) => text),
  );
  const accepted = new Set(is);
  const gone = (was ?? []).filter(
    (mode) => ![mode, mode.replace(/\/.*/, "/*"), "*/*"].some((one) => accepted.has(one)),
  );
  const at = modes[0] === undefined ? name : keyOf(modes[0].node.parent ?? undefined);
  if (gone.length > 0) yield createChange("agent-modes-narrowed", "new", at, `${words} ${listChoices(gone)}`);
}

const nameText = ({ name }: AgentMember) => name.text;

/** Artifact names are one namespace for the whole workflow (RFC 0009); several states may declare the same. */
function artifactsOf({ workflow }: Pack): ReadonlyMap<string, Artifacts> {
  const declared = new Map<string, Artifact[]>();
  for (const artifact of (workflow?.states ?? []).flatMap(({ artifacts }) => artifacts))
    appendTo(declared, artifact.name.text, artifact);
  return declared;
}

type Artifacts = readonly Artifact[];

/** A declaration on either side that none of the other side is like, with the one of the same state or the first. */
function findUnlike(olds: Artifacts, artifacts: Artifacts, idOf: (artifact: Artifact) => number) {
  const [before, after] = [olds, artifacts].map((all) => new Set(all.map(idOf)));
  const was = olds.find((artifact) => after?.has(idOf(artifact)) === false);
  const is = artifacts.find((artifact) => before?.has(idOf(artifact)) === false);
  const pointer = (was ?? is)?.name.pointer;
  const counterpart = (all: Artifacts) => all.find(({ name }) => name.pointer === pointer) ?? all[0];
  return pointer === undefined ? [] : [was ?? counterpart(olds), is ?? counterpart(artifacts)];
}

function* compareStates(before: Workflow, after: Workflow, comparison: Comparison): Iterable<Change> {
  // A runtime must refuse a version that it does not know (RFC 0009, workflow version bump).
  yield* comparison.properties("the workflow", ["version"], before.node, after.node);
  yield* comparison.properties("the workflow", ["budget"], before.engine, after.engine, "budget-changed");
  const { renamed } = comparison;
  for (const state of after.states) {
    const old = renamed?.new === state ? renamed.old : before.stateNamed(state.name.text);
    if (old !== undefined) yield* compareState(old, state, comparison);
  }
}

function* compareState(old: State, state: State, comparison: Comparison): Iterable<Change> {
  const title = `state "${state.name.text}"`;
  yield* comparison.properties(title, ["control", "persistence", "skills"], old.node, state.node);
  const isExternal = state.orchestration?.text === "external";
  for (const change of comparison.properties(title, ["orchestration"], old.node, state.node))
    yield { ...change, rule: "orchestration-changed", level: isExternal ? "breaking" : "behaviour" };
  if (!old.runsComposition && !state.runsComposition) yield* compareTasks(old, state, comparison);
  const [was, is] = [old, state].map(({ composition }) => composition?.node);
  const isOnlyRenamed = was !== undefined && comparison.values.isSame(was, is);
  if (old.runsComposition && state.runsComposition && !isOnlyRenamed)
    yield* comparison.properties(title, ["composition"], old.node, state.node, "composition-changed");
}

const promptSettings = ["parameters", "tool_policy", "pipeline", "validators", "media", "provider"];

/** Metadata, and the texts, which are compared with their fragments. */
const notOfPrompt = new Set(["id", "name", "version", "system_template", "evals", "tested_models"]);

function* comparePrompts(comparison: Comparison): Iterable<Change> {
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
  const olds = firstByKey(before.tools.values(), nameOfTool);
  for (const [name, tool] of firstByKey(after.tools.values(), nameOfTool)) {
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

function* compareTasks(old: State, state: State, comparison: Comparison): Iterable<Change> {
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

function findNewTools(before: Pack, after: Pack): NewTools {
  const known = new Set([...usedTools(before)].map(({ id }) => id));
  const found = [...usedTools(after)].filter(
    ({ id, name }) => !known.has(id) && !after.toolUse.isUnknown(name.text),
  );
  return firstByKey(found, ({ id }) => id);
}

/** Every tool that a prompt or step may call; the host does not provide agents. */
function* usedTools(pack: Pack): Iterable<UsedTool> {
  const { toolUse, agents, prompts, steps } = pack;
  const isAgent = (name: string) =>
    toolUse.toolNamed(name) === undefined && (agents.memberNamed(name) !== undefined || prompts.has(name));
  for (const [prompt, { tools, toolPolicy }] of prompts) {
    const blocked = new Set(toolPolicy?.blocklist.map(({ text }) => toolId(pack, text)));
    for (const name of tools) {
      const id = toolId(pack, name.text);
      if (!isAgent(name.text) && !blocked.has(id)) yield { id, name, prompt };
    }
  }
  for (const { tool, tools } of steps)
    for (const name of [tool ?? [], tools ?? []].flat())
      if (!isAgent(name.text)) yield { id: toolId(pack, name.text), name };
}

type Evals = ReadonlyMap<string, MappingNode>;

/** The evals of the pack or of a prompt; one that is disabled gives no results. */
function compareEvals(before: MappingNode, after: MappingNode, values: Values): Iterable<Change> {
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
  return firstByKey(named, (item) => stringOf(item.get("id")) ?? "");
}

function compareMetrics(title: string, before: MappingNode, after: MappingNode, values: Values) {
  const [old, metric] = [asMapping(before.get("metric")), asMapping(after.get("metric"))];
  if (old === undefined) return [];
  const [names, was, is] = metric ? [["name", "type", "range"], old, metric] : [["metric"], before, after];
  const differences = values.differences(names, was, is);
  return createJointChange("metric-changed", `${title} is measured differently`, differences);
}
