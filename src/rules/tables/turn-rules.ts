import { runFaults } from "../../machine/facts.js";
import { endsEveryRun } from "../../pack/workflow.js";
import { type Rule, rulesOf } from "../rule.js";
import { describeLoop, findingWithWitness, guardAdvice, stateNamesOf } from "../shared/describe-loop.js";

/** Rules about who has the turn (RFC 0014). */
export const turnRules: readonly Rule[] = [
  ...rulesOf(
    { subject: "workflow", since: "1.7.0" },
    {
      "control-on-terminal": {
        summary: "A state that ends the run does not keep the turn.",
        severity: "warning",
        source: "RFC 0014, rule 3",
        *check({ workflow: { clearStates }, facts: { machine } }) {
          for (const { index, name, control, terminal } of clearStates) {
            if (control?.text !== "agent" || machine.states[index]?.ends !== true) continue;
            yield {
              at: control,
              message: `State "${name.text}" ends the run, so the agent cannot keep the turn there.`,
              advice: "Remove control.",
              related: terminal?.value === true ? [{ at: terminal, message: "marked terminal here" }] : [],
            };
          }
        },
      },
    },
  ),
  ...rulesOf(
    { subject: "graph", since: "1.7.0" },
    {
      "agent-turn-loop": {
        summary: "In every loop that no guard ends, the user gets the turn.",
        severity: "warning",
        source: "RFC 0014, rule 4",
        defersTo: ["no-terminal-state", "trapped-states"],
        *check({ workflow, facts, isOn }) {
          const inOneTurn = endsEveryRun(workflow.budget)
            ? "within one turn, until the budget ends it"
            : "forever within one turn";
          for (const loop of runFaults(workflow, facts, isOn)["agent-turn-loop"]) {
            const fault = `${loop.certain ? "can" : "may"} repeat ${inOneTurn}`;
            yield* findingWithWitness(workflow, loop, {
              message: describeLoop(workflow, facts, loop, fault),
              advice: `${guardAdvice(workflow, loop)}, or let the user have the turn on every lap with control: user.`,
              data: { states: stateNamesOf(workflow, loop.states) },
            });
          }
        },
      },
    },
  ),
];
