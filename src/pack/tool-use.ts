import { lowerBound } from "../document/scan-text.js";
import { cached, lazy } from "../text/collections.js";
import type { PackParts } from "./pack-parts.js";
import type { Prompt, Tool } from "./prompt.js";

/**
 * - `tool`: a tool of the pack; any name if the pack has no `tools`, since the host supplies them, or if `tools` is unclear;
 * - `member`: an agent to delegate to (RFC 0007);
 * - `prompt`: a prompt listed by an agent that is not a member;
 * - `runtime`: a namespaced name, which the runtime resolves.
 */
type ListedToolKind = "tool" | "member" | "prompt" | "runtime" | "unknown";

/** The meaning of the tools that prompts list and steps name. */
export type ToolUse = Readonly<ReturnType<typeof analyzeToolUse>>;

export function analyzeToolUse(parts: PackParts) {
  const { tools, hasTools, hasAllTools, prompts, clearPrompts, hasAllPrompts, agents } = parts;
  const byName = new Map<string, Tool>();
  for (const tool of tools.values()) if (tool.name !== undefined) byName.set(tool.name.text, tool);
  const toolNamed = (name: string) => tools.get(name) ?? byName.get(name);
  const sortedNames = lazy(() => [...tools.keys(), ...byName.keys()].sort());
  const identify = (name: string): Tool | string => toolNamed(name) ?? name;

  // While members are unclear, every prompt may be one.
  const membersUnclear = !agents.hasAllMembers || !agents.members.every(({ name }) => prompts.has(name.text));
  const meaningOf = (name: string, prompt: Prompt): ListedToolKind => {
    if (toolNamed(name) !== undefined) return "tool";
    if (agents.memberNamed(name) !== undefined) return "member";
    if (!hasAllTools) return "tool";
    if (prompts.has(name)) {
      if (membersUnclear) return "member";
      if (agents.memberNamed(prompt.key.text) !== undefined) return "prompt";
    }
    if (!hasTools) return "tool";
    return isNamespaced(name) ? "runtime" : "unknown";
  };

  const listed = clearPrompts.flatMap((prompt) =>
    prompt.tools.map((name) => ({ prompt, name, kind: meaningOf(name.text, prompt) })),
  );
  const dangling = new Set(
    listed.flatMap(({ prompt, kind }) => (kind === "unknown" || kind === "prompt" ? prompt : [])),
  );
  const toolsListedBy = cached((prompt: Prompt) => new Set(prompt.tools.map(({ text }) => identify(text))));
  const isUnknown = (name: string): boolean =>
    hasTools && hasAllTools && toolNamed(name) === undefined && !isNamespaced(name);
  // An agent step may list the agents that its prompt lists.
  const mayBeAgent = (name: string): boolean =>
    agents.memberNamed(name) !== undefined || (membersUnclear && prompts.has(name));
  const clearSteps = parts.steps.filter((step) => !step.isUnclear);
  const ofSteps = clearSteps.flatMap((step) =>
    [step.tool ?? [], step.tools ?? []].flat().map((name) => ({
      step,
      name,
      isUnknown: isUnknown(name.text) && !(step.kind === "agent" && mayBeAgent(name.text)),
    })),
  );
  const names = new Set([...listed, ...ofSteps].map(({ name }) => name.text));
  const blocked = new Set(
    clearPrompts.flatMap(({ toolPolicy }) => toolPolicy?.blocklist.map(({ text }) => text) ?? []),
  );
  return {
    listed,
    /** The tools that `tool` steps call, and those that `agent` steps may call, in file order. */
    ofSteps,
    /** Whether some prompt, step or skill is unclear and may name any tool. */
    unclear:
      !hasAllPrompts ||
      ![...prompts.values()].every(({ isClear }) => isClear("tools")) ||
      !parts.hasAllCompositions ||
      ![...parts.compositions.values()].every(({ hasAllSteps }) => hasAllSteps) ||
      !parts.steps.every(({ isClear }) => isClear("tool", "tools")),
    toolNamed,
    isSame: (one: string, other: string) => identify(one) === identify(other),
    /** Whether it is neither a tool of the pack nor the runtime's; never if the host may supply it. */
    isUnknown,
    /** Whether a prompt lists this tool, or may: it is unclear, or lists an unknown name. */
    mayList: (prompt: Prompt, name: string) =>
      !prompt.isClear("tools") || dangling.has(prompt) || toolsListedBy(prompt).has(identify(name)),
    /** Whether it ends in `*` and the name of some tool begins so. */
    isMatched: (name: string): boolean => {
      const [prefix, names] = [name.slice(0, -1), sortedNames()];
      const first = lowerBound(names, 1, (each) => (each < prefix ? 0 : 1));
      return name.endsWith("*") && names[first]?.startsWith(prefix) === true;
    },
    /** Whether a prompt can get by this name only what the runtime has. */
    isRuntimeTool: (name: string) => toolNamed(name) === undefined && isNamespaced(name),
    isUsed: (tool: Tool) => includesTool(names, tool),
    isBlocked: (tool: Tool) => includesTool(blocked, tool),
  };
}

function includesTool(names: ReadonlySet<string>, { key, name }: Tool): boolean {
  return names.has(key.text) || (name !== undefined && names.has(name.text));
}

/** Names have no spaces; an item that is indented too far continues the text of the one above. */
function isNamespaced(name: string): boolean {
  return /__|:/.test(name) && !/\s/.test(name);
}
