import { expect, it } from "vitest";
import { findingsInStates } from "./states-findings.js";

const findingsIn = (first: string) =>
  findingsInStates(
    `s: { prompt_task: a, ${first} }`,
    "t: { prompt_task: a, on_event: { Go: u } }",
    "u: { prompt_task: a, terminal: true }",
  );

it.each([
  ["transition", "{ Go: t }"],
  ["transition", "{ target: t, when: tests pass }"],
  ["transition", "{ Go: nowhere }"],
  ["next", "t"],
  ["next_state", "t"],
  ["edges", "[{ event: Go, target: t }]"],
  ["routes", "{ Go: t }"],
  ["targets", "[t]"],
  ["goto", "t"],
  ["on_success", "t"],
  ["onComplete", "t"],
])("events that are called %s (%s) are reported once", (name, value) => {
  expect(findingsIn(`${name}: ${value}`)).toEqual([
    `schema /workflow/states/s/${name} "${name}" is not a property of a state. Did you mean "on_event"?`,
  ]);
});

it.each(["Next", "Goto", "Transition", "NextState", "OnSuccess", "OnComplete", "Routes", "Edges"])(
  "%s beside on_event is an event",
  (name) => {
    expect(findingsIn(`on_event: { Go: u }, ${name}: t`)).toEqual([
      expect.stringMatching(/^event-not-in-prompt /),
      `schema /workflow/states/s/${name} "${name}" is not a property of a state. It belongs inside "on_event".`,
    ]);
  },
);

it.each([
  "then: t",
  "flow: { Go: t }",
  "flow: { t: Go }",
  "flow: [{ on: Go, to: [t] }]",
  "flow: t, on_event: {}",
])("%s may lead on: nothing is said of what would follow if it did not", (property) => {
  expect(findingsIn(property)).toEqual([
    expect.stringMatching(/^schema \S+ "(then|flow)" is not a property of a state\.$/),
  ]);
});

it.each(["label: The start", "id: s", "meta: { owner: me }", "size: 3"])(
  "%s does not lead on",
  (property) => {
    expect(findingsIn(property).map((finding) => finding.split(" ").slice(0, 2).join(" "))).toEqual([
      "ambiguous-terminal /workflow/states/s",
      expect.stringMatching(/^schema /),
      "unreachable-state /workflow/states/t",
      "unreachable-state /workflow/states/u",
    ]);
  },
);

it.each(["on_event: { Go: u }", "terminal: true"])("beside %s, nothing else is meant to lead on", (known) => {
  expect(findingsIn(`${known}, flow: { Go: t }`)).toEqual([
    expect.stringMatching(/^schema /),
    expect.stringMatching(/^unreachable-state \/workflow\/states\/t /),
    ...(known === "terminal: true"
      ? [expect.stringMatching(/^unreachable-state \/workflow\/states\/u /)]
      : []),
  ]);
});

it.each(["type: final", "type: terminal", "kind: End"])("%s marks the end", (property) => {
  expect(
    findingsInStates("s: { prompt_task: a, on_event: { Go: t } }", `t: { prompt_task: a, ${property} }`),
  ).toEqual([
    `schema /workflow/states/t/${property.slice(0, 4)} "${property.slice(0, 4)}" is not a property of a state. Write terminal: true instead.`,
  ]);
});

it.each(["type: task", "kind: 3"])("%s does not mark the end", (property) => {
  const found = findingsInStates(
    "s: { prompt_task: a, on_event: { Go: t } }",
    `t: { prompt_task: a, ${property} }`,
  );
  expect(found.map((finding) => finding.split(" ")[0])).toEqual(["ambiguous-terminal", "schema"]);
});
