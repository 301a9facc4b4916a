import { rules } from "../../src/rules/index.js";
import type { RuleFor } from "../../src/rules/rule.js";

/** The rule about packs with this id. */
export function packRule(id: string): RuleFor<"pack"> {
  const rule = rules.find((each) => each.id === id);
  if (rule?.subject !== "pack") throw new Error(`"${id}" is not a rule about packs.`);
  return rule;
}
