import { quoteValue } from "../schema/show-value.js";
import type { PackRule } from "./rule.js";

const curlyQuoted = /^[\u2018-\u201f].*[\u2018-\u201f]$/;

export const templateEngine: PackRule = {
  id: "template-engine",
  subject: "pack",
  summary: "The template syntax is one that this tool can read, so that it can check the templates.",
  severity: "info",
  source: "RFC 0001, template engine",
  *check({ templateSyntax, delimiters }) {
    if (templateSyntax === undefined || delimiters !== undefined) return;
    const { text } = templateSyntax;
    yield {
      at: templateSyntax,
      message: `The syntax ${quoteValue(text)} is not one that this tool can read, so it does not check the templates of this pack.`,
      advice: curlyQuoted.test(text)
        ? "Its curly quotes are read as part of it: use straight quotes."
        : `It reads "{{variable}}", "\${variable}" and "{variable}".`,
    };
  },
};
