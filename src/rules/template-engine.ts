import { quoted } from "../schema/show-value.js";
import type { PackRule } from "./rule.js";

const curlyQuoted = /^[\u2018-\u201f].*[\u2018-\u201f]$/;

export const templateEngine: PackRule = {
  id: "template-engine",
  subject: "pack",
  summary: "The delimiters of the template syntax are understood, so that templates can be checked.",
  severity: "info",
  source: "RFC 0001, template engine",
  *check({ templateSyntax, delimiters }) {
    if (templateSyntax === undefined || delimiters !== undefined) return;
    const { text } = templateSyntax;
    yield {
      at: templateSyntax,
      message: `The syntax ${quoted(text)} is not one this tool reads, so it does not check the templates of this pack.`,
      advice: curlyQuoted.test(text)
        ? "Its quotes are curly, and so part of it: use straight ones."
        : `It reads "{{variable}}", "\${variable}" and "{variable}".`,
    };
  },
};
