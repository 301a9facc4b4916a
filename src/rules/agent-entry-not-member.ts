import { nameAdvice } from "../text/names.js";
import type { PackRule } from "./rule.js";

export const agentEntryNotMember: PackRule = {
  id: "agent-entry-not-member",
  subject: "pack",
  summary: "The entry agent is one of the members.",
  severity: "warning",
  source: "RFC 0007, agents",
  *check({ agents, prompts }) {
    const { entry } = agents;
    if (entry === undefined || !agents.hasAllMembers || !prompts.has(entry.text)) return;
    // A member that names no prompt may be the entry, misspelt; unknown-agent-member reports it.
    if (agents.members.some(({ name }) => !prompts.has(name.text)) || agents.memberNamed(entry.text)) return;
    const advice = nameAdvice(
      entry.text,
      agents.members.map(({ name }) => name.text),
    );
    yield {
      at: entry,
      message: `The entry agent "${entry.text}" is not listed in "members".`,
      advice: advice ?? "Add it there, or name a member.",
    };
  },
};
