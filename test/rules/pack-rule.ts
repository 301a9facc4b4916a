import { rules } from "../../src/rules/index.js";
import type { PackRule } from "../../src/rules/rule.js";

/** The rule about packs with this id. */
export function packRule(id: string): PackRule {
  const rule = rules.find((each) => each.id === id);
  if (rule?.subject !== "pack") throw new Error(`"${id}" is not a rule about packs.`);
  return rule;
}
