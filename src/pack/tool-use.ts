import type { Agents } from "./agents.js";
import type { Prompt, Tool } from "./prompt.js";
import type { LocatedString } from "../document/node.js";

/** What the tools that prompts list refer to. */
export interface ToolUse {
  /** In file order. */
  readonly listed: readonly ListedTool[];
  /** Whether some prompt is unclear and may list any tool. */
  readonly unclear: boolean;
  /** The tool with this key, or with this `name`. */
  readonly toolNamed: (name: string) => Tool | undefined;
  readonly isListed: (tool: Tool) => boolean;
  /** Whether it is on the `blocklist` of some prompt. */
  readonly isBlocked: (tool: Tool) => boolean;
}

export interface ListedTool {
  readonly prompt: Prompt;
  readonly name: LocatedString;
  readonly kind: ListedToolKind;
}

/**
 * - `tool`: a tool of the pack; any name if the pack has no `tools`, since the host supplies them, or if `tools` is unclear;
 * - `member`: an agent to delegate to (RFC 0007);
 * - `prompt`: a prompt listed by an agent that is not a member;
 * - `runtime`: a namespaced name, which the runtime resolves.
 */
export type ListedToolKind = "tool" | "member" | "prompt" | "runtime" | "unknown";

interface ToolSources {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly hasTools: boolean;
  /** False while `tools` breaks the schema: any name may then be a tool's. */
  readonly hasAllTools: boolean;
  readonly prompts: ReadonlyMap<string, Prompt>;
  readonly clearPrompts: readonly Prompt[];
  readonly hasAllPrompts: boolean;
  readonly agents: Agents;
}

export function analyzeToolUse(parts: ToolSources): ToolUse {
  const { tools, hasTools, hasAllTools, prompts, clearPrompts, hasAllPrompts, agents } = parts;
  const byName = new Map<string, Tool>();
  for (const tool of tools.values()) if (tool.name !== undefined) byName.set(tool.name.text, tool);
  const toolNamed = (name: string) => tools.get(name) ?? byName.get(name);

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
  const names = new Set(listed.map(({ name }) => name.text));
  const blocked = new Set(
    clearPrompts.flatMap(({ toolPolicy }) => toolPolicy?.blocklist.map(({ text }) => text) ?? []),
  );
  return {
    listed,
    unclear: !hasAllPrompts || clearPrompts.length < prompts.size,
    toolNamed,
    isListed: (tool) => includesTool(names, tool),
    isBlocked: (tool) => includesTool(blocked, tool),
  };
}

function includesTool(names: ReadonlySet<string>, { key, name }: Tool): boolean {
  return names.has(key.text) || (name !== undefined && names.has(name.text));
}

/** Names have no spaces; an item that is indented too far continues the text of the one above. */
function isNamespaced(name: string): boolean {
  return /__|:/.test(name) && !/\s/.test(name);
}
