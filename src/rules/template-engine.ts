import { quoteValue } from "../schema/show-value.js";
import type { PackRule } from "./rule.js";

export const templateEngine: PackRule = {
  id: "template-engine",
  subject: "pack",
  summary: "The template syntax is one that this tool can read and check.",
  severity: "info",
  source: "RFC 0001, template engine",
  *check({ templateSyntax, delimiters }) {
    if (templateSyntax === undefined || delimiters !== undefined) return;
    yield {
      at: templateSyntax,
      message: `The syntax ${quoteValue(templateSyntax.text)} is unknown to this tool, so it does not check the templates of this pack.`,
      advice: `It reads "{{variable}}", "\${variable}" and "{variable}".`,
    };
  },
};
