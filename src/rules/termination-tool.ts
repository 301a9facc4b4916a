import type { Step } from "../composition/composition.js";
import type { LocatedString } from "../document/node.js";
import type { Pack } from "../pack/pack.js";
import { mayGrantTools } from "../pack/skills.js";
import { createGuesser, nameAdvice } from "../text/names.js";
import type { PackRule } from "./rule.js";
import { clearSteps } from "./shared/composition-findings.js";

export const terminationTool: PackRule = {
  id: "termination-tool",
  subject: "pack",
  summary: "The tool whose call ends an `agent` step is one that the step can call.",
  severity: "warning",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, agent steps",
  *check(pack) {
    const guess = createGuesser();
    for (const step of clearSteps(pack)) {
      const tool = step.termination?.toolCalled;
      const list = tool && listWithout(tool, step, pack);
      if (tool === undefined || list === undefined) continue;
      const waits = `a call of "${tool.text}", which it cannot call`;
      yield {
        at: tool,
        message:
          step.termination?.maxSteps === undefined
            ? `Step "${step.id.text}" never ends: it waits for ${waits}.`
            : `Only "max_steps" ends step "${step.id.text}": it waits for ${waits}.`,
        advice:
          nameAdvice(tool.text, textsOf(list.tools), guess) ?? `Add it to the "tools" of ${list.owner}.`,
      };
    }
  },
};

interface ToolList {
  readonly owner: string;
  readonly tools: readonly LocatedString[];
}

/** The list that would have to name a tool and does not; undefined if the step may be able to call it. */
function listWithout(tool: LocatedString, step: Step, pack: Pack): ToolList | undefined {
  const { prompts, toolUse, skills } = pack;
  const { tools } = step;
  if (tools !== undefined) {
    // A misspelt name may be this one; step-tool-not-in-prompt reports what the prompt lacks.
    const mayBe = ({ text }: LocatedString) => toolUse.isSame(text, tool.text) || toolUse.isUnknown(text);
    return tools.some(mayBe) ? undefined : { owner: "the step", tools };
  }
  const prompt = step.promptTask && prompts.get(step.promptTask.text);
  if (prompt === undefined || toolUse.mayList(prompt, tool.text)) return undefined;
  if (mayGrantTools(skills) && !toolUse.isUnknown(tool.text)) return undefined;
  return { owner: `prompt "${prompt.key.text}"`, tools: prompt.tools };
}

/** Lazily: only the first thousands of names are compared. */
function* textsOf(names: readonly LocatedString[]): Iterable<string> {
  for (const { text } of names) yield text;
}
