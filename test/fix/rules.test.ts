import type { Format } from "../../src/document/file-format.js";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { Analysis } from "../../src/analysis.js";
import { readDocument } from "../../src/document/read.js";
import { applyFixes, type FixOptions } from "../../src/fix/apply-fixes.js";
import { rules } from "../../src/rules/index.js";
import { checkPack, fixPack, rulesLeft } from "./fix-pack.js";

/** A pack without findings; its lines are there to be changed. */
const pack = `id: helper
name: Helper
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
fragments:
  manners: Be kind.
tools:
  search: { name: search, description: Searches., parameters: { type: object, properties: {} } }
prompts:
  plan:
    id: plan
    name: Plan
    version: 1.0.0
    system_template: >
      {{fragments.manners}} Plan for {{user}},
      then emit Ready or Again.
    variables: [{ name: user, type: string, required: true }]
    tools: [search]
  build:
    id: build
    name: Build
    version: 1.0.0
    system_template: 'Build {{artifacts.sha}}, it''s late.'
workflow:
  version: 2
  entry: start # where it begins
  engine: { budget: { max_total_visits: 20 } }
  states:
    start:
      prompt_task: plan
      max_visits: 3
      on_max_visits: finish
      on_event:
        Again: start
        Ready: finish
      artifacts:
        sha: { type: text/plain, mode: replace }
    # the end
    finish:
      prompt_task: 'build'
      skills: refunds # of all that there are
      artifacts:
        sha:
          type: text/plain
          mode: replace
      terminal: true
skills: [{ name: refunds, description: Refunds., instructions: Be generous. }]
agents:
  entry: plan
  members:
    plan: { state: start }
    build: { state: "finish" }
`;

it("starts from a pack without findings", () => {
  expect(fixPack(pack, "yaml", true)).toMatchObject({ text: pack, fixed: 0, checked: { kept: [] } });
});

/** Breaks the pack, and expects that fixing it gives it back, or gives \`after\`. */
function breaks(before: string, broken: string, after = before): [string, string] {
  expect(pack.split(before).length, before).toBe(2);
  return [pack.replace(before, () => broken), pack.replace(before, () => after)];
}

describe("certain fixes", () => {
  it.each<[string, string, string, string?]>([
    [
      "ambiguous-terminal",
      "      terminal: true\n",
      "      on_event: {} # none\n",
      "      on_event: {} # none\n      terminal: true\n",
    ],
    [
      "terminal-with-transitions",
      "      terminal: true\n",
      "      on_event:\n        Go: start\n      terminal: true\n",
    ],
    [
      "terminal-with-transitions",
      "      terminal: true\n",
      "      on_event: # old\n        Go: start # older\n      terminal: true # yes\n",
      "      # old\n      # older\n      terminal: true # yes\n",
    ],
    [
      "max-visits-target-unused",
      "      terminal: true\n",
      "      terminal: true\n      on_max_visits: start\n",
    ],
    [
      "schema",
      "      max_visits: 3\n",
      '      max_visits: "3" # at most\n',
      "      max_visits: 3 # at most\n",
    ],
    ["schema", "max_total_visits: 20", "max_total_visits: '20'"],
    ["schema", "      terminal: true\n", '      terminal: "true"\n'],
    ["schema", "required: true }]", "required: yes }]"],
    ["schema", "{ version: v1, syntax", "{ version: 1.0, syntax", '{ version: "1.0", syntax'],
    [
      "unused-suppression",
      "        Ready: finish\n",
      "        # promptpack-disable-next-line dead-guard -- no more\n        Ready: finish\n",
    ],
    [
      "unused-suppression",
      "        Ready: finish\n",
      "        Ready: finish # promptpack-disable-line dead-guard, unknown-entry\n",
    ],
  ])("%s: %j", (_, before, broken, after) => {
    const [text, expected] = breaks(before, broken, after);
    const first = fixPack(text, "yaml");
    expect({ text: first.text, fixed: first.fixed, left: rulesLeft(first) }).toEqual({
      text: expected,
      fixed: 1,
      left: [],
    });
    expect(fixPack(first.text, "yaml", true).text).toBe(first.text);
  });

  it.each(["leads: { Go: start }", "then: strat", "terminl: false"])(
    "none for an end beside %s, which may be meant to lead on",
    (property) => {
      const text = pack.replace("      terminal: true\n", `      ${property}\n`);
      const result = fixPack(text, "yaml");
      expect(result.text).toBe(text);
      expect(rulesLeft(result)).toContain("schema");
    },
  );

  it.each([
    ["terminal-with-transitions", "      terminl: true\n      on_event: { Go: start }\n"],
    ["terminal-with-transitions", "      Terminal: true\n      on_event: { Go: start }\n"],
    ["max-visits-target-unused", "      terminal: true\n      on_max_visit: 3\n      on_max_visits: start\n"],
  ])("none for %s in a state with a misspelled key: %j", (rule, properties) => {
    const text = pack.replace("      terminal: true\n", properties);
    const result = fixPack(text, "yaml");
    expect(result.text).toBe(text);
    expect(rulesLeft(result)).toContain("schema");
    expect(rulesLeft(result)).not.toContain(rule);
  });

  it.each([
    ["terminal-with-transitions", "      terminal: true\n      on_event: { Go: start, Fail: lost }\n"],
    ["max-visits-target-unused", "      terminal: true\n      on_max_visits: lost\n"],
    ["ambiguous-terminal", "      on_event: {}\n"],
  ])("none for %s while no run enters a state that it may have to lead to", (rule, properties) => {
    const lost =
      "    lost: { prompt_task: build, terminal: true, artifacts: { sha: { type: text/plain } } }\n";
    const text = pack
      .replace("      terminal: true\n", properties)
      .replace("    # the end\n", `${lost}    # the end\n`);
    const result = fixPack(text, "yaml");
    expect(result.text).toBe(text);
    expect(new Set(rulesLeft(result))).toEqual(new Set([rule, "unreachable-state"]));
  });

  it("an end that no run enters is marked as one", () => {
    const lost = (mark: string) =>
      `    lost: { prompt_task: build${mark}, artifacts: { sha: { type: text/plain } } }\n`;
    const withLost = (mark: string) => pack.replace("    # the end\n", `${lost(mark)}    # the end\n`);
    const { text } = fixPack(withLost(", on_event: {}"), "yaml");
    expect(text).toContain("terminal: true }\n    # the end");
  });

  it("names are taken out of a comment that silences something else", () => {
    const marks = (names: string) => `        ready: finish # promptpack-disable-line ${names} -- as it is\n`;
    const text = pack
      .replace("        Ready: finish\n", marks("dead-guard, event-name-case, unknown-entry"))
      .replace("emit Ready", "emit ready");
    const { text: fixed, checked } = fixPack(text, "yaml");
    expect(checked.kept).toEqual([]);
    expect(fixed).toBe(text.replace("dead-guard, event-name-case, unknown-entry", "event-name-case"));
  });
});

describe("likely fixes, made only where they are asked for", () => {
  it.each<[string, string, string, string?]>([
    ["ambiguous-terminal", "          mode: replace\n      terminal: true\n", "          mode: replace\n"],
    ["unknown-entry", "entry: start # where", "entry: strat # where"],
    ["unknown-prompt-task", "prompt_task: 'build'", "prompt_task: 'biuld'"],
    ["unknown-event-target", "Ready: finish", 'Ready: "finsh"', 'Ready: "finish"'],
    ["unknown-max-visits-target", "on_max_visits: finish", "on_max_visits: finnish"],
    ["unknown-agent-entry", "  entry: plan\n", "  entry: plna\n"],
    ["unknown-agent-state", 'state: "finish"', 'state: "Finish"'],
    ["unknown-agent-member", "    build: { state", "    biuld: { state"],
    ["undeclared-artifact", "Build {{artifacts.sha}}", "Build {{artifacts.sah}}"],
    ["unknown-fragment", "{{fragments.manners}}", "{{fragments.maners}}"],
    [
      "undeclared-variable",
      "Plan for {{user}},",
      "Plan for {{usr}}, {{user}}",
      "Plan for {{user}}, {{user}}",
    ],
    ["unknown-tool", "    tools: [search]", "    tools: [serach]"],
    ["unknown-state-skills", "skills: refunds #", "skills: refundz #"],
    [
      "artifact-not-in-state",
      "      artifacts:\n        sha:\n          type: text/plain\n          mode: replace\n      terminal: true\n",
      "      terminal: true\n",
      "      terminal: true\n      artifacts:\n        sha:\n          type: text/plain\n          mode: replace\n",
    ],
    ["schema", "      max_visits: 3\n", "      max_visit: 3\n"],
    ["schema", "variables: [{ name: user,", 'variables: [{ "nmae": user,', 'variables: [{ "name": user,'],
    ["schema", "{ type: text/plain, mode: replace }", "{ type: text/plain, mode: Replace }"],
    ["schema", "    system_template: 'Build", "    systemTemplate: 'Build"],
    ["schema", "    system_template: 'Build", "    instructions: 'Build"],
    [
      "schema",
      "      on_event:\n        Again",
      "      transitions: # all\n        Again",
      "      on_event: # all\n        Again",
    ],
    ["schema", "    id: build\n    name:", "    id: build\n    nam:"],
    ["schema", "    tools: [search]", "    tools: search"],
    ["schema", "skills: [{ name: refunds, description:", "skills: [{ name: refunds, descriptoin:"],
    ["schema", "search: { name: search,", "search: { name: Web Search,"],
    ["schema", "    id: plan\n", "    id: 'The Plan' # for people\n", "    id: 'plan' # for people\n"],
    [
      "unknown-persistence",
      "      max_visits: 3\n",
      "      max_visits: 3\n      persistence: 'persistant' # to last\n",
      "      max_visits: 3\n      persistence: 'persistent' # to last\n",
    ],
    [
      "schema",
      "      max_visits: 3\n",
      "      max_visits: 3\n      orchestration: exteral\n",
      "      max_visits: 3\n      orchestration: external\n",
    ],
    [
      "eval-trigger",
      "agents:\n",
      "evals: [{ id: polite, type: llm_judge, trigger: every-turn, params: {} }]\nagents:\n",
      "evals: [{ id: polite, type: llm_judge, trigger: every_turn, params: {} }]\nagents:\n",
    ],
    ["unknown-engine-key", "engine: { budget: {", "engine: { budgets: {"],
    [
      "tool-parameters",
      "properties: {} }",
      "properties: { n: { type: int } } }",
      "properties: { n: { type: integer } } }",
    ],
    [
      "tool-parameters",
      "properties: {} }",
      'properties: { n: { type: "string" } }, required: ["N"] }',
      'properties: { n: { type: "string" } }, required: ["n"] }',
    ],
    [
      "tool-parameters",
      "properties: {} }",
      "properties: { n: { type: null } } }",
      'properties: { n: { type: "null" } } }',
    ],
    [
      "tool-parameters",
      "properties: {} }",
      "properties: { n: { $ref: '#/$defs/adress' } }, $defs: { address: {} } }",
      "properties: { n: { $ref: '#/$defs/address' } }, $defs: { address: {} } }",
    ],
    [
      "variable-default",
      "required: true }]",
      "required: false, default: hihg, validation: { enum: [low, high] } }]",
      "required: false, default: high, validation: { enum: [low, high] } }]",
    ],
  ])("%s: %j", (rule, before, broken, after) => {
    const [text, expected] = breaks(before, broken, after);
    const safe = fixPack(text, "yaml");
    expect(safe.text).toBe(text);
    expect(rulesLeft(safe)).toContain(rule);
    const first = fixPack(text, "yaml", true);
    expect({ text: first.text, left: rulesLeft(first) }).toEqual({ text: expected, left: [] });
    expect(fixPack(first.text, "yaml", true).text).toBe(expected);
  });

  it.each([
    ["Build {{artifacts.sha}}", "Build {{artifact.sha}}"],
    ["Build {{artifacts.sha}}", "Build {{artifact: sha}}"],
    ["{{fragments.manners}}", "{{fragments:manners}}"],
    ["Build {{artifacts.sha}}", "Build {{fragments.sha}}"],
    ["{{fragments.manners}}", "{{artifacts.manners}}"],
    ["Plan for {{user}},", "Plan for {{fragments.user}},"],
  ])("the namespace: %j for %j", (before, broken) => {
    const [text, expected] = breaks(before, broken);
    expect(fixPack(text, "yaml", true).text).toBe(expected);
  });

  it.each<[Format, (value: unknown) => string]>([
    ["yaml", (value) => stringify(value)],
    ["json", (value) => JSON.stringify(value, undefined, 2)],
  ])("an artifact is declared with all that is said of it, in %s", (format, write) => {
    const sha = { type: "text/plain", description: 'The "sha": yes #1\n- é\u2028', mode: "replace" };
    const whole = parse(pack) as { workflow: { states: Record<string, object> } };
    const { start, finish } = whole.workflow.states;
    const withEnd = (end: object) =>
      write({
        ...whole,
        workflow: { ...whole.workflow, states: { start: { ...start, artifacts: { sha } }, finish: end } },
      });
    const { text, checked } = fixPack(withEnd({ ...finish, artifacts: undefined }), format, true);
    expect(checked.kept).toEqual([]);
    expect(parse(text)).toEqual(parse(withEnd({ ...finish, artifacts: { sha } })));
  });

  it.each([
    ["without its type", "log: { mode: append }"],
    ["with a text that is very long", `log: { type: text/plain, description: ${"long".repeat(501)} }`],
  ])("not where an artifact would have to be declared %s", (_, declaration) => {
    const declared = "          type: text/plain\n          mode: replace\n";
    const read = pack.replace("{{user}},", "{{user}} and {{artifacts.log}},");
    const text = read.replace(declared, `${declared}        ${declaration}\n`);
    const { kept } = checkPack(readDocument(text, "yaml"));
    const found = kept.find(({ rule }) => rule === "artifact-not-in-state");
    expect(found?.message).toContain('"log"');
    expect(found?.fix).toBeUndefined();
  });

  it("not where a list would name a tool twice", () => {
    const [text] = breaks("    tools: [search]", "    tools: [search, serach]");
    const result = fixPack(text, "yaml", true);
    expect({ text: result.text, left: rulesLeft(result) }).toEqual({ text, left: ["unknown-tool"] });
  });

  it("not where the prompt speaks of the tool by the name that is listed", () => {
    const told = pack.replace("then emit", "with the researcher, then emit");
    const text = told
      .replace("tools: [search]", "tools: [researcher]")
      .replaceAll(/\bsearch\b/g, "researchers");
    const { kept } = checkPack(readDocument(text, "yaml"));
    const found = kept.find(({ rule }) => rule === "unknown-tool");
    expect(found?.message).toContain('Did you mean "researchers"?');
    expect(found?.fix).toBeUndefined();
    const both = text.replace("with the researcher,", "with the researcher among the researchers,");
    expect(fixPack(both, "yaml", true).text).toContain("tools: [researchers]");
  });

  it("declares an artifact as the other state spells it", () => {
    const written =
      "          mode: replace\n          description: Counts (passed/failed), messages — one per line\n          type: text/plain\n";
    const declared = "      artifacts:\n        sha:\n";
    const [text] = breaks(
      `${declared}          type: text/plain\n          mode: replace\n      terminal: true\n`,
      "      terminal: true\n",
    );
    const first = "      artifacts:\n        sha: { type: text/plain, mode: replace }\n";
    const result = fixPack(text.replace(first, `${declared}${written}`), "yaml", true);
    expect(result.text).toContain(`      terminal: true\n${declared}${written}`);
    expect(rulesLeft(result)).toEqual([]);
  });

  it("only one of two that mean the same tool", () => {
    const [text, expected] = breaks("tools: [search]", "tools: [serach, saerch]", "tools: [search, saerch]");
    const result = fixPack(text, "yaml", true);
    expect({ text: result.text, left: rulesLeft(result) }).toEqual({
      text: expected,
      left: ["unknown-tool"],
    });
  });

  it("several misspelt properties of one object at once", () => {
    const [text, expected] = breaks(
      "      max_visits: 3\n      on_max_visits: finish\n",
      "      max_visit: 3\n      on_max_visit: finish\n",
    );
    let lints = 0;
    const check: FixOptions["check"] = (other) => (lints++, checkPack(readDocument(other, "yaml")));
    const result = applyFixes(text, check(text), { check, shouldFix: () => true });
    expect({ text: result.text, lints }).toEqual({ text: expected, lints: 2 });
  });

  it("only one of two that mean the same property", () => {
    const [text, expected] = breaks(
      "      max_visits: 3\n",
      "      max_visit: 3\n      maxVisits: 4\n",
      "      max_visits: 3\n      maxVisits: 4\n",
    );
    const result = fixPack(text, "yaml", true);
    expect({ text: result.text, left: rulesLeft(result) }).toEqual({ text: expected, left: ["schema"] });
  });

  it("in JSON", () => {
    const right = JSON.stringify(parse(pack), null, 2);
    const wrong = right
      .replace('"max_visits"', '"max_visit"')
      .replace('"mode": "replace"', '"mode": "relpace"');
    expect(fixPack(wrong, "json", true).text).toBe(right);
  });

  it.each([
    [
      "two choices are equally near",
      "      max_visits: 3\n",
      "      max_visits: 3\n      orchestration: enternal\n",
    ],
    ["the property is there already", "      max_visits: 3\n", "      max_visits: 3\n      max_visit: 3\n"],
    [
      "the property belongs elsewhere",
      "      max_visits: 3\n",
      "      max_visits: 3\n      max_total_visits: 3\n",
    ],
    ["the name has a value in it", "user, type: string,", "user, 'type = string': string,"],
  ])("not where %s", (_, before, broken) => {
    const [text] = breaks(before, broken);
    const result = fixPack(text, "yaml", true);
    expect(result.text).toBe(text);
    expect(result.checked.kept.length).toBeGreaterThan(0);
    for (const { fix } of result.checked.kept) expect(fix).toBeUndefined();
  });

  it("not where two names are equally near", () => {
    const text = pack
      .replace("entry: start #", "entry: par #")
      .replace(
        "    # the end\n",
        "    part: { prompt_task: plan, terminal: true, artifacts: { sha: { type: text/plain } } }\n    pare: { prompt_task: build, terminal: true, artifacts: { sha: { type: text/plain } } }\n",
      );
    const result = fixPack(text, "yaml", true);
    expect(result.text).toBe(text);
    expect(rulesLeft(result)).toEqual(["unknown-entry"]);
  });

  it("also where a finding comes to light that the mistake had held back", () => {
    // With its entry known, the workflow shows that no run enters "lost".
    const lost =
      "    lost: { prompt_task: build, terminal: true, artifacts: { sha: { type: text/plain } } }\n";
    const text = pack
      .replace("entry: start #", "entry: strat #")
      .replace("    # the end\n", `${lost}    # the end\n`);
    const result = fixPack(text, "yaml", true);
    expect(result.text).toBe(text.replace("strat", "start"));
    expect({ fixed: result.fixed, left: rulesLeft(result) }).toEqual({
      fixed: 1,
      left: ["unreachable-state"],
    });
  });

  it("also where a comment silences what comes to light", () => {
    const lost = [
      "    # promptpack-disable-next-line unreachable-state",
      "    lost: { prompt_task: build, terminal: true, artifacts: { sha: { type: text/plain } } }",
    ];
    const text = pack
      .replace("entry: start #", "entry: strat #")
      .replace("    # the end\n", `${lost.join("\n")}\n    # the end\n`);
    const result = fixPack(text, "yaml", true);
    expect(result.text).toBe(text.replace("strat", "start"));
    expect(rulesLeft(result)).toEqual([]);
  });

  it("not where what comes to light is as grave", () => {
    const text = pack
      .replace("on_max_visits: finish", "on_max_visits: finnish")
      .replace(
        "      terminal: true\n",
        "      on_event: { Ready: start }\n      max_visits: 2\n      on_max_visits: start\n",
      );
    const result = fixPack(text, "yaml", true);
    expect(result.text).toBe(text);
    expect(rulesLeft(result)).toContain("unknown-max-visits-target");
    expect(rulesLeft(fixPack(text.replace("finnish", "finish"), "yaml", true))).toContain(
      "forced-exit-cycle",
    );
  });
});

describe("older versions", () => {
  it("an end of a 1.3 pack is not reported", () => {
    const old = `$schema: https://promptpack.org/schema/v1.3.1/promptpack.schema.json
id: helper
name: Helper
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts: { plan: { id: plan, name: Plan, version: 1.0.0, system_template: Plan. } }
workflow: { version: 1, entry: start, states: { start: { prompt_task: plan } } }
`;
    const result = fixPack(old, "yaml", true);
    expect(rulesLeft(result)).toEqual([]);
    expect(result.text).toBe(old);
  });
});

describe("the edit that a message spells out", () => {
  const engine = 'template_engine: { version: v1, syntax: "{{variable}}" }\n';

  it.each<[string, Format, string, string, string?]>([
    ["a space after the colon", "yaml", "required: true }]", "required:true }]"],
    [
      "the template engine",
      "yaml",
      `${engine}fragments:\n`,
      "fragments:\n",
      'template_engine:\n  version: v1\n  syntax: "{{variable}}"\n',
    ],
  ])("%s", (_, format, before, broken, after) => {
    const text = pack.replace(before, broken);
    const result = fixPack(text, format, true);
    expect(rulesLeft(result)).toEqual([]);
    expect(result.text).toBe(after === undefined ? pack : text + after);
  });

  it("orchestration: composition", () => {
    const text = pack.replace(
      "      prompt_task: plan\n",
      "      composition: plan\n      orchestration: external # ?\n",
    );
    const result = fixPack(text, "yaml", true);
    expect(result.text).toBe(text.replace("external", "composition"));
  });

  it.each<[Format, string, string]>([
    ["yaml", "    temperature: 0.7 # warm\n", "    parameters: { temperature: 0.7 } # warm\n"],
    [
      "yaml",
      "    temperature: 0.7 # warm\n    max_tokens: 900\n",
      "    parameters: { temperature: 0.7, max_tokens: 900 } # warm\n",
    ],
    [
      "yaml",
      "    max_tokens: 900\n    parameters:\n      temperature: 0.7\n",
      "    parameters:\n      temperature: 0.7\n      max_tokens: 900\n",
    ],
    [
      "yaml",
      "    parameters:\n      temperature: 0.7\n    max_tokens: 900\n",
      "    parameters:\n      temperature: 0.7\n      max_tokens: 900\n",
    ],
  ])("%s: a property into its part: %j", (format, misplaced, expected) => {
    const at = "    id: plan\n";
    const result = fixPack(pack.replace(at, at + misplaced), format, true);
    expect({ text: result.text, left: rulesLeft(result) }).toEqual({
      text: pack.replace(at, at + expected),
      left: [],
    });
  });

  it("a property into its part, in JSON", () => {
    const right = JSON.stringify(parse(pack));
    const wrong = right.replace('"id":"plan",', '"id":"plan","temperature":0.7,');
    expect(fixPack(wrong, "json", true).text).toBe(
      right.replace('"id":"plan",', '"id":"plan","parameters": { "temperature":0.7 },'),
    );
  });

  it("types in JSON", () => {
    const right = JSON.stringify(parse(pack), null, 2);
    const wrong = right
      .replace('"max_visits": 3', '"max_visits": "3"')
      .replace('"required": true', '"required": "yes"')
      .replace('"terminal": true', '"terminal": "true"')
      .replace('"version": "v1"', '"version": 1');
    expect(fixPack(wrong, "json").text).toBe(right.replace('"version": "v1"', '"version": "1"'));
  });

  it.each([
    ["a number with leading zeros", "max_visits: '003'"],
    ["a text of several lines", "max_visits: >-\n        3"],
    ["a tagged number", "max_visits: !!str 3"],
    ["a number out of range", "max_visits: '0'"],
  ])("none for %s", (_, broken) => {
    const text = pack.replace("max_visits: 3", broken);
    expect(fixPack(text, "yaml", true).text).toBe(text);
  });

  it("none for several words where a list belongs", () => {
    const text = pack.replace("tools: [search]", "tools: search, find");
    expect(fixPack(text, "yaml", true).text).toBe(text);
  });

  it("once for a value that aliases repeat", () => {
    const text = pack
      .replace("max_visits: 3", "max_visits: &n '3'")
      .replace("terminal: true", "max_visits: *n\n      on_event: { Go: start }");
    const { kept } = checkPack(readDocument(text, "yaml"));
    expect(kept.filter(({ rule }) => rule === "schema")).toHaveLength(1);
    expect(fixPack(text, "yaml").text).toBe(text.replace("'3'", "3"));
  });
});

describe("no fix where the suggestion is more than a slip", () => {
  it.each<[string, string, string]>([
    ["another unit", "max_total_visits: 20 }", "max_total_visits: 20, max_wall_time_msec: 9 }"],
    ["the opposite", "      terminal: true\n", "      terminal: true\n      persistence: non-persistent\n"],
    ["a sibling that is there", "      max_visits: 3\n", "      max_visits: 3\n      maxVisit: 4\n"],
    ["a value of another kind", "      max_visits: 3\n", "      max_visit: [3]\n"],
    [
      "events that would be lost with it",
      "      terminal: true\n",
      "      terminl: true\n      on_event: { Go: start }\n",
    ],
  ])("%s", (_, before, broken) => {
    const text = pack.replace(before, broken);
    expect(text).not.toBe(pack);
    expect(fixPack(text, "yaml", true).text).toBe(text);
  });
});

it.each([
  ["Redy_now, Paid_up or Paid_in", "Ready_now, Paid_up or Paid_in"],
  ["Ready_now, Paid_ip or Paid_in", "Ready_now, Paid_ip or Paid_in"],
  ["Ready_new, Paid_up or Paid_in", "Ready_new, Paid_up or Paid_in"],
])("an event that a prompt asks for is corrected only if it can mean one: %s", (asked, left) => {
  const text = `prompts: { p: { system_template: "Emit ${asked}." }, q: { system_template: "Emit Ready_new." } }
workflow:
  states:
    a: { prompt_task: p, on_event: { Ready_now: b, Paid_up: b, Paid_in: b } }
    b: { prompt_task: q, on_event: { Ready_new: a } }
`;
  const { kept } = checkPack(readDocument(text, "yaml"));
  expect(kept.map(({ rule }) => rule)).toContain("event-unknown-in-prompt");
  expect(fixPack(text, "yaml", true).text).toContain(`"Emit ${left}."`);
});

describe("one fix for several places", () => {
  const ends = (left: string, over: string, comment = "") => `workflow:
  version: 2
  entry: start
  states:
    start: { on_event: { Go: left, Stop: over } }
    left: { ${left} }
    ${comment}
    over: { ${over} }
`;
  const disable = "# promptpack-disable-next-line ambiguous-terminal -- not finished";

  it.each([
    [
      "all of them",
      ends("prompt_task: p", "prompt_task: p"),
      ends("prompt_task: p, terminal: true", "prompt_task: p, terminal: true"),
    ],
    [
      "those that can be fixed",
      ends("terminal: false", "prompt_task: p"),
      ends("terminal: false", "prompt_task: p, terminal: true"),
    ],
    [
      "those that are not suppressed",
      ends("prompt_task: p", "prompt_task: p", disable),
      ends("prompt_task: p, terminal: true", "prompt_task: p", disable),
    ],
  ])("changes %s, and counts as one", (_, before, after) => {
    const levels = new Map(
      rules.map(({ id }) => [id, id === "ambiguous-terminal" ? "warning" : "off"] as const),
    );
    const check = (text: string) => new Analysis("", readDocument(text, "yaml")).lint({ levels });
    const fixed = applyFixes(before, check(before), { check, shouldFix: () => true });
    expect(fixed).toEqual({ text: after, fixed: 1 });
  });
});
