import { describe, expect, it } from "vitest";
import { lint, rules } from "../src/index.js";
import { fixPack, rulesLeft } from "./fix/fix-pack.js";

/** The findings of one rule as `line:column pointer`, with the places that repeat them. */
function found(rule: string, text: string): readonly string[] {
  const alone = Object.fromEntries(rules.map(({ id }) => [id, id === rule ? "error" : "off"] as const));
  return lint(text, { file: "pack.yaml", rules: alone }).diagnostics.map(({ pointer, range, related = [] }) =>
    [
      `${range.start.line}:${range.start.column} ${pointer}`,
      ...related.map(({ message, pointer: other }) => `${message} ${other}`),
    ].join(", "),
  );
}

const states = (...lines: readonly string[]): string =>
  `workflow:\n  states:\n${lines.map((line) => `    ${line}\n`).join("")}`;

const agents = (...lines: readonly string[]): string =>
  `agents:\n  members:\n${lines.map((line) => `    ${line}\n`).join("")}`;

/** Prompts with these properties. */
const prompts = (...lines: readonly string[]): string =>
  `prompts:\n${lines.map((line, index) => `  p${index}: { ${line} }\n`).join("")}`;

const tool = (parameters: string): string => `{ name: t, parameters: { type: object, ${parameters} } }`;

describe("a value that is wrong is reported once, where it is written", () => {
  it.each([
    [
      "unknown-prompt-task",
      "prompts: { p: {} }\n" + states("a: { prompt_task: &x no }", "b: { prompt_task: *x }"),
    ],
    ["unknown-event-target", states("a: { on_event: { X: &x no } }", "b: { on_event: { Y: *x } }")],
    ["unknown-max-visits-target", states("a: { on_max_visits: &x no }", "b: { on_max_visits: *x }")],
    ["unknown-persistence", states("a: { persistence: &x no }", "b: { persistence: *x }")],
    [
      "unknown-orchestration",
      `$schema: https://promptpack.org/schema/v1.4.0/promptpack.schema.json\n${states("a: { orchestration: &x no }", "b: { orchestration: *x }")}`,
    ],
    ["unknown-state-skills", states("a: { skills: &x no }", "b: { skills: *x }")],
    ["artifact-type", states("a: { artifacts: { s: { type: &x no }, t: { type: *x } } }")],
    ["ambiguous-terminal", states("a: &x { prompt_task: p }", "b: *x")],
    ["unknown-agent-state", agents("a: { state: &x no }", "b: { state: *x }") + states("c: {}")],
    ["agent-mode-type", agents("a: { input_modes: [&x no] }", "b: { output_modes: [*x] }")],
    ["empty-agent-tag", agents('a: { tags: [&x " "] }', "b: { tags: [*x] }")],
    [
      "agent-tool-not-member",
      "prompts: { a: { tools: [&x c] }, b: { tools: [*x] }, c: {} }\n" + agents("a: {}", "b: {}"),
    ],
    ["unknown-tool", "tools: {}\n" + prompts("tools: [&x no]", "tools: [*x]")],
    ["eval-trigger", "evals: [{ id: a, trigger: &x no }, { trigger: *x }]\n"],
    ["eval-metric", "evals: [{ metric: { range: &x { min: 2, max: 1 } } }, { metric: { range: *x } }]\n"],
    [
      "variable-validation",
      prompts(
        'variables: [{ name: a, validation: &x { pattern: "[" } }]',
        "variables: [{ name: b, validation: *x }]",
      ),
    ],
    [
      "tool-parameters",
      `tools:\n  a: ${tool("properties: { a: { type: &x no }, b: { type: *x } }")}\n  b: ${tool("not: { type: *x }")}\n`,
    ],
    ["tool-parameters", `tools: { a: ${tool("not: { properties: { a: &x 1, b: *x } }")} }\n`],
  ])("%s in %j", (rule, text) => {
    const anchor = text.split("&x")[0] ?? "";
    const line = anchor.split("\n").length;
    const [first = "", ...others] = found(rule, text);
    expect(others).toEqual([]);
    expect(first).toMatch(new RegExp(`^${line}:\\d+ \\S+(?:, repeated here \\S+)+$`));
  });

  it("even if its owner is repeated as well", () => {
    const text = states(
      "a: &a { persistence: &x no }",
      "b: *a",
      "c: &c { persistence: *x }",
      "d: *c",
      "e: { <<: *c }",
    );
    expect(found("unknown-persistence", text)).toEqual([
      "3:29 /workflow/states/a/persistence, repeated here /workflow/states/c/persistence",
    ]);
  });

  it("by each rule that checks it", () => {
    const text = states(
      "a: { on_event: { X: &x no } }",
      "b: { on_max_visits: *x }",
      "c: { on_max_visits: *x }",
    );
    expect(found("unknown-event-target", text)).toEqual(["3:28 /workflow/states/a/on_event/X"]);
    expect(found("unknown-max-visits-target", text)).toEqual([
      "4:25 /workflow/states/b/on_max_visits",
      "5:25 /workflow/states/c/on_max_visits",
    ]);
  });
});

describe("a value that is wrong because of its surroundings is reported in each place", () => {
  it.each([
    ["max-visits-target-unused", states("a: { on_max_visits: &x c }", "b: { on_max_visits: *x }", "c: {}")],
    [
      "agent-state-prompt-differs",
      "prompts: { a: {}, b: {}, c: {} }\n" +
        agents("a: { state: &x c }", "b: { state: *x }") +
        states("c: { prompt_task: c }"),
    ],
    [
      "eval-trigger",
      "evals:\n- { id: a, trigger: &x every_turn, sample_percentage: 5 }\n- { id: b, trigger: *x, sample_percentage: 5 }\n",
    ],
    ["schema", states("a: { on_event: &x 3 }", "b: { prompt_task: *x }")],
    ["schema", states("a: { x_y: &x 3 }", "b: { x_y: *x }")],
    [
      "tool-parameters",
      `tools:\n  a: ${tool("not: { type: [string, &x string] }")}\n  b: ${tool("not: { type: [string, *x] }")}\n`,
    ],
  ])("%s in %j", (rule, text) => {
    const lines = new Set(found(rule, text).map((each) => each.split(":")[0]));
    const marked = text.split("\n").flatMap((line, index) => (/[&*]x/.test(line) ? [String(index + 1)] : []));
    expect(marked.filter((line) => !lines.has(line))).toEqual([]);
    expect(found(rule, text).join()).not.toContain("repeated here");
  });
});

/** A pack without findings, to be changed by the tests. */
const pack = `id: helper
name: Helper
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  work: { id: work, name: Work, version: 1.0.0, system_template: "Emit Next, Again or Done.", tools: [search] }
  rest: { id: rest, name: Rest, version: 1.0.0, system_template: Rest., tools: [search, find] }
tools:
  search: { name: search, description: Searches., parameters: { type: object, properties: {} } }
  find: { name: find, description: Finds., parameters: { type: object, properties: {} } }
workflow:
  version: 2
  entry: draft
  engine: { budget: { max_total_visits: 20 } }
  states:
    draft: { prompt_task: work, max_visits: 3, on_max_visits: human, on_event: { Again: draft, Next: check } }
    check: { prompt_task: work, max_visits: 3, on_max_visits: human, on_event: { Again: check, Done: human, Next: end } }
    human: { prompt_task: rest, terminal: true }
    end: { prompt_task: rest, terminal: true }
`;

const messages = (text: string): readonly string[] =>
  lint(text, { file: "pack.yaml" }).diagnostics.map(
    ({ range: { start }, message }) => `${start.line}:${start.column} ${message}`,
  );

it("starts from a pack without findings", () => {
  expect(messages(pack)).toEqual([]);
});

type Change = readonly [from: string, to: string];

/** The pack with each of these texts replaced, the first time it occurs. */
const changed = (...changes: readonly Change[]): string =>
  changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, () => to);
  }, pack);

describe("advice at an alias is about the aliased value", () => {
  it.each([
    [
      changed(["Helper", '&x "3"'], ["max_visits: 3,", "max_visits: *x,"]),
      '16:45 "max_visits" must be a whole number of at least 1, found "3"; write 3.',
    ],
    [
      changed(
        ["max_visits: 3,", "max_visits: &x 3,"],
        ["end: { prompt_task: rest", "end: { description: *x, prompt_task: rest"],
      ),
      '19:25 "description" must be a string, found the number 3; write "3".',
    ],
  ])("in %j", (text, message) => {
    expect(messages(text).filter((each) => each.includes("must be"))).toEqual([message]);
  });
});

describe("a fix", () => {
  it.each([
    ["a name", "prompt_task: work", "prompt_task: wrok"],
    ["a target", "on_max_visits: human", "on_max_visits: hunan"],
  ])("of %s is made at the anchor", (_, right, wrong) => {
    const [key = "", name = ""] = wrong.split(" ");
    const shared = (text: string) => changed([right, `${key} &x ${text}`], [right, `${key} *x`]);
    const result = fixPack(shared(name), "yaml", true);
    expect(result).toMatchObject({ text: shared(right.split(" ")[1] ?? ""), fixed: 1 });
    expect(rulesLeft(result)).toEqual([]);
  });

  it("of a state is made at the anchor, and is safe", () => {
    const shared = (state: string) =>
      changed(
        ["human: { prompt_task: rest, terminal: true }", `human: &x ${state}`],
        ["end: { prompt_task: rest, terminal: true }", "end: *x"],
      );
    const result = fixPack(shared("{ prompt_task: rest, on_event: {} }"), "yaml");
    expect(result.text).toBe(shared("{ prompt_task: rest, on_event: {}, terminal: true }"));
    expect(rulesLeft(result)).toEqual([]);
  });

  it.each<readonly [string, string, Change, Change]>([
    [
      "is right where it is written",
      "unknown-prompt-task",
      ["Finds.", "&x wrok"],
      ["task: work", "task: *x"],
    ],
    [
      "is right elsewhere",
      "unknown-prompt-task",
      ["task: work", "task: &x wrok"],
      [
        "    end: { prompt_task: rest, terminal: true }\n",
        "    end: { prompt_task: rest, terminal: true }\nmetadata: { note: *x }\n",
      ],
    ],
    [
      "stands for something else elsewhere",
      "unknown-persistence unknown-state-skills",
      ["terminal: true", "persistence: &x persistnt, terminal: true"],
      ["rest, terminal: true", "rest, skills: *x, terminal: true"],
    ],
    [
      "would be there twice elsewhere",
      "unknown-tool",
      ["tools: [search]", "tools: [&x serch]"],
      ["tools: [search, find]", "tools: [search, *x, find]"],
    ],
    [
      "is reported by another rule elsewhere",
      "unknown-entry unknown-event-target",
      ["entry: draft", "entry: &x draff"],
      ["Again: draft", "Again: *x"],
    ],
  ])("is neither made nor offered where the value %s", (_, expected, ...changes) => {
    const text = changed(...changes);
    expect(fixPack(text, "yaml", true).text).toBe(text);
    const { diagnostics } = lint(text, { file: "pack.yaml" });
    expect(diagnostics.map(({ rule }) => rule).join(" ")).toBe(expected);
    expect(diagnostics.filter(({ fix }) => fix !== undefined)).toEqual([]);
  });
});

it("does not expose the internals of a fix", () => {
  const { diagnostics } = lint(changed(["task: work", "task: &x no"], ["task: work", "task: *x"]), {
    file: "pack.yaml",
  });
  expect(diagnostics.map((found) => Object.keys(found).sort())).toEqual([
    ["message", "pointer", "range", "related", "rule", "severity"],
  ]);
});

describe("a comment", () => {
  const typo = (atAnchor: string, atAlias: string): string =>
    changed(
      ["    draft: { prompt_task: work", `${atAnchor}    draft: { prompt_task: &x wrok`],
      ["    check: { prompt_task: work", `${atAlias}    check: { prompt_task: *x`],
    );
  const comment = "    # promptpack-disable-next-line unknown-prompt-task\n";
  const unknown = 'State "draft" runs the prompt "wrok", which is not in "prompts". Did you mean "work"?';

  it("at the anchor silences the mistake in every place", () => {
    expect(messages(typo(comment, ""))).toEqual([]);
  });

  it("at an alias silences nothing, as nothing is reported there", () => {
    expect(messages(typo("", comment))).toEqual([`16:30 ${unknown}`]);
  });
});
