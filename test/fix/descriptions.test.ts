import { expect, it } from "vitest";
import { lint } from "../../src/index.js";

const prompts = "prompts: { p: { id: p, system_template: '{{artifacts.notes}} {{artifacts.plan}}' } }\n";
const states = (text: string) => `${prompts}workflow:\n  entry: a\n  states:\n${text}`;
const sound = `id: x
name: X
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts: { p: { id: p, name: P, version: 1.0.0, system_template: Hi } }
workflow:
  version: 2
  entry: a
  states: { a: { prompt_task: p, terminal: true } }
`;

it.each<[string, string, string]>([
  [
    "unknown-entry",
    states("    alpha: { prompt_task: p, terminal: true }\n").replace("entry: a", "entry: alpa"),
    'Replace "alpa" with "alpha".',
  ],
  [
    "unknown-persistence",
    states("    a: { prompt_task: p, terminal: true, persistence: Transient }\n"),
    'Replace "Transient" with "transient".',
  ],
  ["schema", sound.replace("version: 2", "Version: 2"), 'Replace "Version" with "version".'],
  ["ambiguous-terminal", states("    a: { prompt_task: p }\n"), "Add terminal: true."],
  [
    "ambiguous-terminal",
    states("    a: { prompt_task: p, on_event: {} }\n").replace("entry", "version: 2\n  entry"),
    "Add terminal: true.",
  ],
  [
    "ambiguous-terminal",
    states("    entry: a\n    a: { prompt_task: p }\n").replace("  entry: a\n", ""),
    "Add terminal: true.",
  ],
  [
    "max-visits-target-unused",
    states("    a: { prompt_task: p, terminal: true, on_max_visits: a }\n"),
    "Remove on_max_visits.",
  ],
  [
    "artifact-not-in-state",
    states(
      "    a: { prompt_task: p, on_event: { Go: b } }\n    b: { prompt_task: p, terminal: true, artifacts: { notes: { type: text/plain }, plan: { type: text/plain } } }\n",
    ),
    'Declare "notes" and "plan" in "a".',
  ],
  [
    "artifact-not-in-state",
    states(
      "    a: { prompt_task: p, on_event: { Go: b } }\n    b: { prompt_task: p, on_event: { Go: c } }\n    c: { prompt_task: p, terminal: true, artifacts: { notes: { type: text/plain }, plan: { type: text/plain } } }\n",
    ),
    "Declare in each state the artifacts that it reads.",
  ],
  [
    "unused-suppression",
    sound.replace("workflow:", "# promptpack-disable unknown-entry\nworkflow:"),
    "Remove the comment.",
  ],
  [
    "unused-suppression",
    sound.replace(
      "workflow:",
      "# promptpack-disable unused-fragment, unknown-tool, duplicate-eval\nfragments: { extra: Hi }\nworkflow:",
    ),
    'Remove "unknown-tool", "duplicate-eval" from the comment.',
  ],
])("the fix of %s says what it does", (rule, pack, description) => {
  const found = lint(pack, { file: "pack.yaml" }).diagnostics.filter((each) => each.rule === rule);
  expect(found.map(({ fix }) => fix?.description)).toEqual([description]);
});
