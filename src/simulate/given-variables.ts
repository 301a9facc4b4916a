import { didYouMean } from "../words/nearest-name.js";
import type { Pack } from "../pack/pack.js";
import { BadInput } from "../words/bad-input.js";
import type { Assignment } from "./event-list.js";
import { availableNames } from "./follow-events.js";

/** Refuses a value for what no prompt declares and no template reads: it would fill nothing. */
export function checkVariableNames(given: readonly Assignment[], { prompts, templates }: Pack): void {
  if (given.length === 0) return;
  const declared = [...prompts.values()].flatMap((prompt) => [...prompt.declared.keys()]);
  const read = templates.all
    .flatMap(({ text }) => text.template.references)
    .filter(({ kind }) => kind === "name");
  const variables = new Set([
    ...declared,
    ...read.flatMap(({ name, local }) => (local === true ? [] : name)),
  ]);
  for (const { name } of given) {
    if (variables.has(name) || read.some((reference) => reference.name === name)) continue;
    const advice = didYouMean(name, variables) || availableNames([...variables]);
    throw new BadInput(`No prompt declares or reads the variable "${name}".${advice}`);
  }
}
