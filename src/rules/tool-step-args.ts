import type { Step } from "../composition/composition.js";
import type { Finding } from "../diagnostic.js";
import { placeOf } from "../document/node.js";
import { type ArgumentFault, argumentFaults } from "../pack/tool-arguments.js";
import { describeFound } from "../schema/show-value.js";
import { createGuesser, lookAlikeNote, misspelledAsAdvice } from "../text/names.js";
import { listNames } from "../text/wording.js";
import type { PackRule } from "./rule.js";
import { clearSteps } from "./shared/composition-findings.js";

export const toolStepArgs: PackRule = {
  id: "tool-step-args",
  subject: "pack",
  summary: "The arguments of a `tool` step fit the parameters of its tool.",
  severity: "error",
  since: "1.5.0",
  section: "compositions",
  source: "RFC 0010, tool steps",
  *check(pack) {
    const guess = createGuesser();
    for (const step of clearSteps(pack)) {
      const tool = step.tool && pack.toolUse.toolNamed(step.tool.text);
      if (tool?.parameters === undefined || tool.isUnclear) continue;
      for (const fault of argumentFaults(step.args, tool.parameters, guess))
        yield findingOf(fault, step, tool.key.text, pack.document.text);
    }
  },
};

function findingOf(fault: ArgumentFault, { id, at, args }: Step, tool: string, source: string): Finding {
  const step = `Step "${id.text}"`;
  switch (fault.kind) {
    case "missing": {
      const [first = ""] = fault.names;
      const others = args?.entries.map(({ key }) => key.text) ?? [];
      return {
        at: args === undefined ? at : placeOf(args),
        message: `${step} calls "${tool}" without ${listNames(fault.names)}, which it requires.`,
        advice: misspelledAsAdvice(first, others),
      };
    }
    case "unknown": {
      const { key, near } = fault;
      return {
        at: key,
        message: `${step} passes "${key.text}" to "${tool}", which has no such parameter.`,
        advice: near === undefined ? undefined : `Did you mean "${near}"?${lookAlikeNote(key.text, near)}`,
      };
    }
    case "type":
      return {
        at: placeOf(fault.value),
        message: `${step} passes ${describeFound(fault.value, source)} as "${fault.key.text}" to "${tool}", which takes ${fault.expected}.`,
      };
  }
}
