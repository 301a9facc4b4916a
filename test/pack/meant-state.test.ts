import { expect, it } from "vitest";
import { findingsInStates, fixesInStates } from "./states-findings.js";

const findingsIn = (event: string) =>
  findingsInStates(
    `s: { prompt_task: a, on_event: { Go: t, ${event} } }`,
    "t: { prompt_task: a, terminal: true }",
  );

it.each([
  ["persistence", "persistent"],
  ["orchestration", "external"],
  ["description", "The start"],
  ["skills", "none"],
  ["terminal", '"false"'],
])("%s among the events is reported once", (name, value) => {
  expect(findingsIn(`${name}: ${value}`)).toEqual([
    `unknown-event-target /workflow/states/s/on_event/${name} "${name}" is a property of a state, not an event. Put it beside "on_event".`,
  ]);
});

it("counts as a property of the state: an outsider sends the events", () => {
  expect(findingsIn("Later: t").map((finding) => finding.split(" ")[0])).toEqual(["event-not-in-prompt"]);
  expect(findingsIn("Later: t, orchestration: external").map((finding) => finding.split(" ")[0])).toEqual([
    "unknown-event-target",
  ]);
});

it("leaves open whether a state that has nothing else among its events is an end", () => {
  const start = "s: { prompt_task: a, on_event: { description: The start } }";
  expect(fixesInStates(start, "t: { prompt_task: a, on_event: {} }")).toEqual([
    "ambiguous-terminal /workflow/states/t",
  ]);
});

it("is an event where it may be a misspelt state that is meant", () => {
  expect(findingsIn("skills: tt")).toContainEqual(expect.stringContaining('"tt", which is not a state'));
  expect(findingsIn("prompt_task: b")).toContainEqual(expect.stringContaining('"b", which is not a state'));
});

it("leaves an event that leads to a state, and one that has another name", () => {
  expect(findingsIn("skills: t").map((finding) => finding.split(" ")[0])).toEqual(["event-name-case"]);
  expect(findingsIn("Persistence: persistent, Skills: t").map((finding) => finding.split(" ")[0])).toEqual([
    "event-not-in-prompt",
    "unknown-event-target",
  ]);
});
