import { unlistedTools } from "../pack/tool-mentions.js";
import { listNamesOf } from "../text/wording.js";
import type { PackRule } from "./rule.js";

export const toolNotListed: PackRule = {
  id: "tool-not-listed",
  subject: "pack",
  summary: "A prompt lists the tools that its text names.",
  severity: "warning",
  source: "RFC 0001, tools",
  *check(pack) {
    for (const { tool, source, start, end, prompts } of unlistedTools(pack)) {
      const names = listNamesOf(prompts, ({ key }) => key.text, 4);
      const [subject, lists] =
        prompts.length === 1
          ? [`Prompt ${names} names`, "does not list it"]
          : [`Prompts ${names} name`, "do not list it"];
      yield {
        at: source.placeOf({ start, end }),
        message: `${subject} the tool "${tool.key.text}", but ${lists}.`,
        advice: `Add it to "tools": the model can only call the tools that its prompt lists.`,
      };
    }
  },
};
