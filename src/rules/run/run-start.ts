import { listNames } from "../../words/wording.js";
import type { RunRule } from "../rule.js";

export const runStart: RunRule = {
  id: "run-start",
  subject: "run",
  summary: "A run starts once, in the entry of the workflow or in the state of an agent.",
  severity: "error",
  source: "RFC 0005, rule 1; RFC 0011",
  *check(replay) {
    for (const { at } of replay.deviations("no-start")) {
      yield { at, message: "The record does not begin with a start: what came before this line is missing." };
    }
    for (const { at } of replay.deviations("second-start")) {
      yield { at, message: "A run starts once, with the first line of its record: this is another start." };
    }
    const roots = listNames(replay.ground.workflow.roots.map(({ name }) => name.text));
    for (const { state, lacksStart } of replay.deviations("no-root")) {
      const message = lacksStart
        ? `The transitions that led to "${state.text}" are missing: runs of this workflow start in ${roots}.`
        : `The run starts in "${state.text}", but runs of this workflow start in ${roots}.`;
      yield { at: state, message };
    }
    for (const { agent, state, root } of replay.deviations("agent")) {
      const message =
        root === undefined
          ? `The run was started by "${agent.text}", which is not an agent with a state of its own.`
          : `The agent "${agent.text}" starts in "${root}", but the run starts in "${state.text}".`;
      yield { at: root === undefined ? agent : state, message };
    }
  },
};
