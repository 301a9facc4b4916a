import { isMimeRange } from "../../pack/artifact-use.js";
import { unboundedRings, unreachedMembers } from "../../pack/delegation.js";
import { nameAdvice } from "../../text/names.js";
import { listNames } from "../../text/wording.js";
import { rulesOf } from "../rule.js";
import { nearestNameFix } from "../shared/fixes.js";
import { promptCheck, stateCheck } from "../shared/name-corrections.js";

export const agentRules = rulesOf("pack", {
  "unknown-agent-entry": {
    summary: "The entry of the agents is a prompt of the pack.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0007, agents; RFC 0011, rule 3",
    *check({ pack }) {
      const check = promptCheck(pack);
      yield* check(pack.agents.entry, (name) => `The entry agent "${name}" is not in "prompts".`);
    },
  },
  "agent-entry-not-member": {
    summary: "The entry agent is one of the members.",
    severity: "warning",
    fix: "unsafe",
    source: "RFC 0007, agents",
    *check({ pack: { agents, prompts, document } }) {
      const { entry } = agents;
      if (entry === undefined || !agents.hasAllMembers || !prompts.has(entry.text)) return;
      // A member that names no prompt may be the entry, misspelt; unknown-agent-member reports it.
      if (agents.members.some(({ name }) => !prompts.has(name.text)) || agents.memberNamed(entry.text))
        return;
      const members = agents.members.map(({ name }) => name.text);
      yield {
        at: entry,
        message: `The entry agent "${entry.text}" is not listed in "members".`,
        advice: nameAdvice(entry.text, members) ?? "Add it there, or name a member.",
        ...nearestNameFix(document, entry, members),
      };
    },
  },
  "unknown-agent-member": {
    summary: "Every agent member is a prompt of the pack.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0007, agents; RFC 0011, rule 3",
    *check({ pack }) {
      const check = promptCheck(pack);
      for (const member of pack.agents.clearMembers)
        yield* check(member.name, (name) => `The agent member "${name}" is not in "prompts".`);
    },
  },
  "unknown-agent-state": {
    summary: "Every agent's `state` is a state of the workflow.",
    severity: "error",
    fix: "unsafe",
    source: "RFC 0011, rule 1",
    *check({ pack }) {
      const { agents, workflow } = pack;
      if (workflow === undefined) return;
      const check = stateCheck(pack, workflow);
      for (const { name, state } of agents.clearMembers)
        yield* check(
          state,
          (at) => `Agent "${name.text}" enters the workflow at "${at}", which is not a state.`,
        );
    },
  },
  "agent-state-without-workflow": {
    summary: "Agents name a `state` only in a pack that has a workflow.",
    severity: "error",
    source: "RFC 0011, rule 2",
    *check({ pack: { agents, hasWorkflow } }) {
      if (hasWorkflow) return;
      for (const { name, state } of agents.clearMembers) {
        if (state === undefined) continue;
        yield {
          at: state,
          message: `Agent "${name.text}" enters the workflow at "${state.text}", but the pack has no workflow.`,
        };
      }
    },
  },
  "agent-state-prompt-differs": {
    summary: "An agent's state runs the prompt that the agent is named after.",
    severity: "info",
    source: "RFC 0011, drawbacks and question 1",
    *check({ pack: { agents, workflow, prompts } }) {
      for (const { name, state } of agents.clearMembers) {
        const entered = state === undefined ? undefined : workflow?.stateNamed(state.text);
        if (state === undefined || entered?.prompt === undefined || !prompts.has(name.text)) continue;
        if (entered.prompt.key.text === name.text) continue;
        yield {
          at: state,
          message: `Agent "${name.text}" is described by its own prompt, but starts in state "${state.text}", which runs the prompt "${entered.prompt.key.text}".`,
        };
      }
    },
  },
  "agent-mode-type": {
    summary: "The input and output modes of an agent are MIME types.",
    severity: "warning",
    source: "RFC 0007, AgentDef",
    *check({ pack: { agents } }) {
      for (const { name, inputModes, outputModes } of agents.clearMembers)
        for (const [kind, modes] of Object.entries({ input: inputModes, output: outputModes }))
          for (const mode of modes) {
            if (isMimeRange(mode.text)) continue;
            yield {
              at: mode,
              wants: "a MIME type",
              message: `The ${kind} mode "${mode.text}" of agent "${name.text}" is not a MIME type such as "text/plain" or "application/json".`,
            };
          }
    },
  },
  "empty-agent-tag": {
    summary: "No tag of an agent is blank.",
    severity: "warning",
    source: "RFC 0007, AgentDef",
    *check({ pack: { agents } }) {
      for (const { name, tags } of agents.clearMembers)
        for (const tag of tags.filter(({ text }) => text.trim() === ""))
          yield {
            at: tag,
            wants: "a word",
            message: `Agent "${name.text}" has a blank tag.`,
            advice: "Write a word, or remove it.",
          };
    },
  },
  "agent-tool-not-member": {
    summary: "An agent delegates to agent members only.",
    severity: "warning",
    source: "RFC 0007, delegation",
    *check({ pack: { agents, toolUse } }) {
      for (const { prompt, name, kind } of toolUse.listed) {
        // agent-entry-not-member reports an entry that is not a member.
        if (kind !== "prompt" || name.text === agents.entry?.text) continue;
        yield {
          at: name,
          wants: "an agent",
          message: `Agent "${prompt.key.text}" delegates to "${name.text}", which is a prompt but not an agent.`,
          advice: 'Add it to the "members" of "agents".',
        };
      }
    },
  },
  "agent-self-tool": {
    summary: "No agent delegates to itself.",
    severity: "warning",
    source: "RFC 0007, delegation",
    *check({ pack: { agents, toolUse } }) {
      for (const { prompt, name, kind } of toolUse.listed) {
        if (name.text !== prompt.key.text || kind !== "member") continue;
        // While the members are unclear, every prompt counts as one.
        if (agents.memberNamed(name.text) === undefined) continue;
        yield {
          at: name,
          message: `Agent "${name.text}" lists itself as a tool, and could delegate to itself forever.`,
          advice: "Remove it from its tools.",
        };
      }
    },
  },
  "agent-ring": {
    summary: "Something bounds the calls of agents that delegate to each other in a ring.",
    severity: "warning",
    source: "promptpack, delegation",
    *check({ pack }) {
      for (const ring of unboundedRings(pack)) {
        const closing = ring.at(-1);
        if (closing === undefined) continue;
        const names = ring.map(({ from }) => from.name.text);
        const budget = pack.workflow === undefined ? "" : '"max_tool_calls" in "engine.budget", or ';
        yield {
          at: closing.name,
          message: `Agents ${listNames(names)} delegate to each other${names.length > 2 ? " in a ring" : ""}, and nothing bounds their calls.`,
          advice: `Set ${budget}"max_rounds" in the "tool_policy" of each.`,
          related: ring
            .slice(0, -1)
            .slice(0, 8)
            .map(({ from, to, name }) => ({
              at: name,
              message: `"${from.name.text}" delegates to "${to.name.text}" here`,
            })),
        };
      }
    },
  },
  "agent-unreached": {
    summary: "Every agent can be reached: from the entry, by a tag, or in a run of the workflow.",
    severity: "info",
    source: "promptpack, delegation",
    *check({ pack }) {
      for (const { name } of unreachedMembers(pack))
        yield {
          at: name,
          message: `Agent "${name.text}" is not reached: no agent that can be reached delegates to it, and no state or step runs its prompt.`,
          advice: 'List it in the "tools" of another agent, give it "tags" or a "state", or remove it.',
        };
    },
  },
});
