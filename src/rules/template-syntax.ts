import type { PackRule } from "./rule.js";

export const templateSyntax: PackRule = {
  id: "template-syntax",
  subject: "pack",
  summary: "Every reference and block of a template is complete and closed.",
  severity: "error",
  source: "RFC 0003, variable syntax",
  *check({ templates }) {
    for (const { text } of templates.all) {
      for (const fault of text.template.errors) yield { at: text.placeOf(fault), message: fault.message };
    }
  },
};
