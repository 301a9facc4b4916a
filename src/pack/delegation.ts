import type { LocatedString } from "../document/node.js";
import { at, components, digraph } from "../graph/digraph.js";
import { breadthFirstSearch, shortestPath } from "../graph/paths.js";
import { appendTo, cached, getOrCreate } from "../text/collections.js";
import type { AgentMember } from "./agents.js";
import { clearSteps, hasUnknownPromptReference, type Pack } from "./pack.js";
import type { Prompt } from "./prompt.js";
import { mayGrantTools } from "./skills.js";
import { type State, strayBudgets } from "./workflow.js";

/** An agent leads to its prompt or state, a state to others and to its prompts, and a prompt to the agents it lists. */
type Part = AgentMember | State | Prompt | readonly Prompt[];

type Listed = Pack["toolUse"]["listed"][number];

const isMember = (part: Part | undefined): part is AgentMember => part !== undefined && "inputModes" in part;

/** States are shared by all agents that lead to them, and the prompts of a composition by all states that run it. */
function delegationGraph(pack: Pack, counts: (listed: Listed) => boolean) {
  const { agents, clearPrompts, prompts, toolUse, workflow } = pack;
  const listedBy = new Map<Prompt, AgentMember[]>();
  for (const listed of toolUse.listed) {
    const member = agents.memberNamed(listed.name.text);
    // agent-self-tool reports an agent that lists itself.
    if (member === undefined || listed.name.text === listed.prompt.key.text || !counts(listed)) continue;
    appendTo(listedBy, listed.prompt, member);
  }
  const stateNamed = (name: LocatedString | undefined) => name && workflow?.stateNamed(name.text);
  const next = (part: Part): readonly (Part | undefined)[] => {
    if ("systemTemplate" in part) return listedBy.get(part) ?? [];
    if (isMember(part))
      return part.isClear("state") ? [part.state ? stateNamed(part.state) : prompts.get(part.name.text)] : [];
    if (!("transitions" in part)) return part;
    if (part.hasUnreadableEvents || part.terminal?.value === true) return [part.prompts];
    const targets = part.transitions.map(({ target }) => stateNamed(target));
    return [part.prompts, ...targets, part.maxVisits && stateNamed(part.onMaxVisits)];
  };
  const parts: Part[] = [...agents.clearMembers, ...(workflow?.states ?? []), ...clearPrompts];
  const numbers = new Map(parts.map((part, index) => [part, index]));
  const numberOf = (part: Part): number => getOrCreate(numbers, part, () => parts.push(part) - 1);
  const rows: number[][] = [];
  // Appended to while iterating.
  for (const part of parts) rows.push(next(part).flatMap((each) => (each ? numberOf(each) : [])));
  return { parts, numberOf, graph: digraph(rows) };
}

/** `name` is that of the second agent, among the tools of a prompt. */
type Delegation = Readonly<Record<"from" | "to", AgentMember>> & { readonly name: LocatedString };

/** A ring of agents whose calls nothing bounds, for each group of agents that all reach each other. */
export function* unboundedRings(pack: Pack): Generator<readonly Delegation[]> {
  if (mayBoundToolCalls(pack)) return;
  const { parts, graph } = delegationGraph(pack, isCall);
  const { of } = components(graph);
  const groups = new Map<number, { members: number; prompt?: number }>();
  for (const [node, part] of parts.entries()) {
    const group = getOrCreate(groups, at(of, node), () => ({ members: 0 }));
    if (isMember(part)) group.members++;
    else if ("systemTemplate" in part && isUnbounded(part)) group.prompt ??= node;
  }
  for (const [group, { members, prompt }] of groups) {
    if (members < 2 || prompt === undefined) continue;
    const path = (from: number, isGoal: (node: number) => boolean): readonly number[] => {
      const { edges } = shortestPath(graph, from, isGoal, Infinity, (node) => at(of, node) === group);
      return (edges ?? []).map((edge) => at(graph.targets, edge));
    };
    const cycle = path(prompt, (node) => node === prompt);
    const passed = new Set(cycle.filter((node) => isMember(parts[node])));
    // Agents that share a state may each lead back to the prompt alone.
    const other = passed.size > 1 ? [] : path(prompt, (node) => isMember(parts[node]) && !passed.has(node));
    const back = other.slice(-1).flatMap((node) => path(node, (goal) => goal === prompt));
    yield delegationsAlong([...cycle, ...other, ...back].flatMap((node) => parts[node] ?? []));
  }
}

/** The delegations of a closed path, from the first in the file on. */
function delegationsAlong(path: readonly Part[]): readonly Delegation[] {
  const found: Delegation[] = [];
  let from = path.findLast(isMember);
  for (const [index, to] of path.entries()) {
    if (!isMember(to)) continue;
    const prompt = path.at(index - 1);
    const tools = prompt && "systemTemplate" in prompt ? prompt.tools : [];
    const name = tools.find(({ text }) => text === to.name.text);
    if (from !== undefined && from !== to && name !== undefined) found.push({ from, to, name });
    from = to;
  }
  const starts = found.map(({ name }) => name.start);
  const first = starts.indexOf(starts.reduce((least, start) => Math.min(least, start), Infinity));
  return [...found.slice(first), ...found.slice(0, first)];
}

const blockedIn = cached(({ blocklist }: NonNullable<Prompt["toolPolicy"]>) => {
  return new Set(blocklist.map(({ text }) => (text.endsWith("*") ? "*" : text)));
});

function isCall({ kind, name, prompt: { toolPolicy: policy } }: Listed): boolean {
  const blocked = policy && blockedIn(policy);
  const isBlocked = blocked !== undefined && (blocked.has("*") || blocked.has(name.text));
  return kind === "member" && !isBlocked && policy?.toolChoice?.text !== "none";
}

function isUnbounded({ toolPolicy: policy, isClear }: Prompt): boolean {
  if (policy === undefined) return isClear("tool_policy");
  return policy.maxRounds === undefined && policy.maxCallsPerTurn === undefined && !policy.boundsUnclear;
}

function mayBoundToolCalls({ workflow, hasWorkflow }: Pack): boolean {
  if (workflow === undefined) return hasWorkflow;
  const { budget, hasUnclearToolBudget, engine } = workflow;
  // unknown-engine-key reports a misspelt budget.
  return budget?.maxToolCalls !== undefined || hasUnclearToolBudget || strayBudgets(engine).length > 0;
}

/** The agents that no run, no tag and no agent that can be reached leads to. */
export function unreachedMembers(pack: Pack): readonly AgentMember[] {
  const { agents, prompts, toolUse, workflow } = pack;
  const { entry, clearMembers, memberNamed } = agents;
  if (entry === undefined || !knowsEveryUse(pack)) return [];
  const { numberOf, graph } = delegationGraph(pack, () => true);
  const isFound = ({ state, tags, isClear }: AgentMember): boolean =>
    state !== undefined || tags.some(({ text }) => text.trim() !== "") || !["state", "tags"].every(isClear);
  const roots: readonly (Part | undefined)[] = [
    ...clearMembers.filter(isFound),
    ...(workflow?.states ?? []),
    ...[entry, ...clearSteps(pack).map((step) => step.promptTask)].map((name) =>
      prompts.get(name?.text ?? ""),
    ),
    ...toolUse.ofSteps.map(({ name }) => memberNamed(name.text)),
  ];
  const { distance } = breadthFirstSearch(
    graph,
    roots.flatMap((root) => (root ? numberOf(root) : [])),
  );
  const isReached = (part: Part | undefined) => part === undefined || at(distance, numberOf(part)) !== -1;
  return clearMembers.filter((member) => !isReached(member) && !isReached(prompts.get(member.name.text)));
}

/** Whether every use of a prompt or of a tool is known, so that none may be an agent, misspelt. */
function knowsEveryUse(pack: Pack): boolean {
  const { agents, hasTools, hasWorkflow, skills, steps, toolUse, workflow } = pack;
  if (toolUse.unclear || mayGrantTools(skills) || !agents.hasAllMembers) return false;
  const isKnown = ({ kind, name }: Listed): boolean =>
    kind === "tool"
      ? !hasTools || toolUse.toolNamed(name.text) !== undefined
      : !/^(?:unknown|prompt)$/.test(kind);
  if (!toolUse.listed.every(isKnown) || toolUse.ofSteps.some(({ isUnknown }) => isUnknown)) return false;
  // A vendor's step may run any prompt.
  if (!steps.every(({ kind, isClear }) => kind !== "vendor" && isClear("kind", "prompt_task"))) return false;
  const areStatesClear = workflow?.areClear("prompt_task", "orchestration", "composition") ?? !hasWorkflow;
  return areStatesClear && !hasUnknownPromptReference(pack);
}
