import { expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { ruleIds } from "../../src/rules/index.js";
import { isFull } from "../runs.js";

const size = 10_000;
const names = Array.from({ length: size }, (_, index) => `a${index}`);

const onlyDelegation = Object.fromEntries(
  ruleIds.filter((id) => !/^agent-(?:ring|unreached)$/.test(id)).map((id) => [id, "off" as const]),
);

function found(pack: object) {
  const { diagnostics } = lint(JSON.stringify(pack), { file: "a.pack.json", rules: onlyDelegation });
  return diagnostics.map(({ rule, pointer, message }) => [
    rule,
    pointer,
    message.replace(/, and nothing.*/, ""),
  ]);
}

const each = <Value>(of: (name: string, index: number) => Value) =>
  Object.fromEntries(names.map((name, index) => [name, of(name, index)]));

it("follows a long ring", () => {
  const prompts = each((_, index) => ({ tools: [names[(index + 1) % size]] }));
  expect(found({ prompts, agents: { entry: "a0", members: each(() => ({})) } })).toEqual([
    [
      "agent-ring",
      `/prompts/a${size - 1}/tools/0`,
      `Agents "a0", "a1", "a2", "a3", "a4" and ${size - 5} more delegate to each other in a ring`,
    ],
  ]);
});

it("walks a workflow once for all agents that enter it", () => {
  const states = each((_, index) => ({ prompt_task: "work", on_event: { Next: names[(index + 1) % size] } }));
  const prompts = { ...each(() => ({})), work: { tools: names } };
  const members = each((state) => ({ state }));
  expect(found({ prompts, workflow: { entry: "a0", states }, agents: { entry: "a0", members } })).toEqual([
    ["agent-ring", "/prompts/work/tools/1", 'Agents "a1" and "a0" delegate to each other'],
  ]);
});

it.runIf(isFull)("looks each delegation up in a long blocklist", { timeout: 30_000 }, () => {
  const many = Array.from({ length: 50_000 }, (_, index) => `a${index}`);
  const tool_policy = { blocklist: many.map((name) => `${name}x`) };
  const prompts = { hub: { tools: many, tool_policy }, a1: { tools: ["hub"] } };
  const members = Object.fromEntries(["hub", ...many].map((name) => [name, {}]));
  expect(found({ prompts, agents: { entry: "hub", members } })).toEqual([
    ["agent-ring", "/prompts/a1/tools/0", 'Agents "hub" and "a1" delegate to each other'],
  ]);
});
