import { placeOf } from "../document/node.js";
import type { PackRule } from "./rule.js";

export const duplicateVariable: PackRule = {
  id: "duplicate-variable",
  subject: "pack",
  summary: "The variables of a prompt have different names.",
  severity: "error",
  source: "RFC 0003, variable definitions",
  *check({ clearPrompts }) {
    for (const { variables, declared } of clearPrompts) {
      for (const variable of variables) {
        const first = variable.name === undefined ? undefined : declared.get(variable.name.text);
        if (first === undefined || first === variable) continue;
        yield {
          at: placeOf(variable.node),
          message: `The variable "${first.name?.text ?? ""}" is already declared in this prompt.`,
          advice: "Keep one of them.",
          related: [{ at: placeOf(first.node), message: "it is first declared here" }],
        };
      }
    }
  },
};
