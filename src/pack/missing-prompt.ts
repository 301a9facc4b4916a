import type { Pack } from "./pack.js";

/** Whether a state or an agent names a prompt that is not there: what it would use is not known. */
export function namesMissingPrompt({ prompts, agents, workflow }: Pack): boolean {
  const named = [
    agents?.entry,
    ...(agents?.members ?? []).map(({ name }) => name),
    ...(workflow?.states ?? []).map(({ promptTask }) => promptTask),
  ];
  return named.some((name) => name !== undefined && prompts?.has(name.text) !== true);
}
