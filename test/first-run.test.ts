import { expect, it } from "vitest";
import { lint } from "../src/index.js";

const pack = `$schema: https://promptpack.org/schema/v1.9/promptpack.schema.json
id: claims
name: Claims desk
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }

fragments:
  tone: Be brief and kind.

tools:
  find_policy: { name: find_policy, description: Find a policy. }
  pay_out: { name: pay_out, description: Pay a claim. }

prompts:
  intake:
    id: intake
    name: Intake
    version: 1.0.0
    system_template: "{{fragments.tone}} Greet {{customer}}. Emit Complete or Incomplete."
    variables: [{ name: client, type: string, required: true }]
  check:
    id: check
    name: Check
    version: 1.0.0
    system_template: "{{fragments.tones}} Compare the claim with {{artifacts.policy}}. Emit Covered, Unclear or Refused."
    tools: [find_polcy]
    parameters: { temperature: "low" }
  pay:
    id: pay
    name: Pay
    version: 1.0.0
    system_template: "{{fragments.tone}} Emit Paid or Failed."
    tools: [pay_out]
  say:
    id: say
    name: Say
    version: 1.0.0
    system_template: "{{fragments.tone}} Tell the customer. Emit Told or Asked."

workflow:
  version: 2
  entry: intake
  engine: { budget: { max_total_visits: 60 } }
  states:
    intake:
      prompt_task: intake
      on_event: { Complete: check, Incomplete: ask }
    ask:
      prompt_task: say
      on_event: { Told: intake, Asked: intake }
      max_visits: "3"
      on_max_visits: giveup
    check:
      prompt_task: chek
      on_event: { Covered: amount, Unclear: asses, Refused: refuse }
      max_visits: 4
      on_max_visits: escalate
    assess: { prompt_task: check, on_event: { Covered: amount, Unclear: expert, Refused: refuse } }
    expert: { prompt_task: check, on_event: { Covered: amount, Unclear: escalate, Refused: refuse } }
    amount: { prompt_task: say, on_event: { Told: approve, Asked: check } }
    approve: { prompt_task: say, orchestration: external, on_event: { Told: pay, Asked: amount } }
    pay: { prompt_task: pay, on_event: { Paid: receipt, Failed: retry } }
    retry: { prompt_task: pay, on_event: { Paid: receipt, Failed: escalate }, max_visits: 2, on_max_visits: escalate }
    receipt: { prompt_task: say, on_event: { Told: survey, Asked: escalate } }
    refuse: { prompt_task: say, on_event: { Told: survey, Asked: escalate } }
    survey: { prompt_task: say, terminal: true, on_event: { Told: done, Asked: done } }
    escalate: { prompt_task: say, terminal: true }
    give_up: { prompt_task: say, terminal: true }
    done: { prompt_task: say, terminal: true }
`;

it("shows ten usual mistakes of a new pack with fifteen states in the first run, whatever stands beside them", () => {
  const found = lint(pack, { file: "claims.pack.yaml" }).diagnostics;
  const mistakes = found.filter(({ severity }) => severity !== "info");
  expect(mistakes.map(({ rule, pointer }) => `${rule} ${pointer}`).sort()).toEqual([
    "schema /prompts/check/parameters/temperature",
    "schema /workflow/states/ask/max_visits",
    "terminal-with-transitions /workflow/states/survey/on_event",
    "undeclared-artifact /prompts/check/system_template",
    "undeclared-variable /prompts/intake/system_template",
    "unknown-event-target /workflow/states/check/on_event/Unclear",
    "unknown-fragment /prompts/check/system_template",
    "unknown-max-visits-target /workflow/states/ask/on_max_visits",
    "unknown-prompt-task /workflow/states/check/prompt_task",
    "unknown-tool /prompts/check/tools/0",
  ]);
});
