import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { head } from "./pack-head.js";

const prompt = (id: string, parts: string) => `{id: ${id}, name: P, version: 1.0.0, ${parts}}`;
const variable = (name: string) => `{name: ${name}, type: string, required: true}`;
const rulesOf = (pack: string) =>
  lint(head + pack, { file: "pack.yaml" }).diagnostics.map(({ rule }) => rule);

/** Each pack is sound but for one key that occurs twice; what is only under the first of them is used elsewhere. */
const packs: readonly (readonly [what: string, pack: string])[] = [
  [
    "the variables of a prompt",
    `prompts: {a: ${prompt("a", `system_template: "{{a}} {{b}}", variables: [${variable("a")}], variables: [${variable("b")}]`)}}`,
  ],
  [
    "the name of a variable",
    `prompts: {a: ${prompt("a", 'system_template: "{{a}}", variables: [{name: a, name: b, type: string, required: true}]')}}`,
  ],
  [
    "a variable that has swallowed the next one",
    `prompts: {a: ${prompt("a", 'system_template: "{{a}} {{b}}", variables: [{name: a, type: string, required: true, example: Ada, name: b, default: silver, validation: {enum: [gold], min_length: 9, max_length: 2}}]')}}`,
  ],
  [
    "an eval that has swallowed the next one",
    `prompts: {a: ${prompt("a", "system_template: Hi")}}\nevals: [{id: e, type: t, trigger: every_turn, id: f, sample_percentage: 5, metric: {name: m, type: gauge, range: {min: 3, max: 1}}}, {id: f, type: t, trigger: every_turn}]`,
  ],
  [
    "a state that has swallowed the next one",
    `prompts: {a: ${prompt("a", "system_template: Next?")}}\nagents: {entry: a, members: {a: {state: t}}}\nworkflow: {version: 1, entry: s, states: {s: {prompt_task: a, on_event: {Next: t}, prompt_task: a, terminal: true}, u: {prompt_task: a, on_event: {Next: s}, max_visits: 2, on_max_visits: t}}}`,
  ],
  [
    "the state where the runs start, as the one before it has swallowed it",
    `prompts: {a: ${prompt("a", "system_template: Next?")}}\nworkflow: {version: 1, entry: t, states: {s: {prompt_task: a, description: S, terminal: true, prompt_task: a, description: T, on_event: {Next: s}}}}`,
  ],
  [
    "a prompt that has swallowed the next one",
    `prompts: {a: ${prompt("a", `system_template: "{{a}}", variables: [${variable("a")}], tools: [t], id: b, name: B, version: 1.0.0, system_template: Hi`)}}\ntools: {t: {name: t, description: T}}\nagents: {entry: b, members: {a: {}, b: {}}}\nworkflow: {version: 1, entry: s, states: {s: {prompt_task: b, terminal: true}}}`,
  ],
  [
    "a tool that has swallowed the next one",
    `prompts: {a: ${prompt("a", "system_template: Hi, tools: [t, u]")}}\ntools: {t: {name: t, description: T, name: u_call, description: U}}`,
  ],
  [
    "the fragments",
    `prompts: {a: ${prompt("a", 'system_template: "{{fragments.x}} {{y}} {{z}}"')}}\nfragments: {x: X, z: Z}\nfragments: {y: Y}`,
  ],
  [
    "a fragment",
    `prompts: {a: ${prompt("a", `system_template: "{{fragments.f}}", variables: [${variable("x")}]`)}}\nfragments: {f: "{{x}} {{g}}", f: "F", g: G}`,
  ],
  [
    "the tools of a prompt",
    `prompts: {a: ${prompt("a", "system_template: Hi, tools: [t], tools: [u]")}}\ntools: {t: {name: t, description: T}, u: {name: u, description: U}}`,
  ],
  [
    "the tools of the pack",
    `prompts: {a: ${prompt("a", "system_template: Hi, tools: [t, u]")}}\ntools: {t: {name: t, description: T}}\ntools: {u: {name: u, description: U}}`,
  ],
  [
    "a template",
    `prompts: {a: ${prompt("a", `system_template: "{{a}}", system_template: Hi, variables: [${variable("a")}]`)}}`,
  ],
  [
    "the template of an override",
    `prompts: {a: ${prompt("a", `system_template: Hi, model_overrides: {m: {system_template: "{{a}}", system_template: Ho}}, variables: [${variable("a")}]`)}}`,
  ],
  [
    "the evals of a prompt",
    `prompts: {a: ${prompt("a", `system_template: Hi, variables: [${variable("a")}], evals: [{id: e, type: t, trigger: every_turn, params: {about: "{{a}}"}}], evals: []`)}}`,
  ],
  [
    "a prompt",
    `prompts: {a: ${prompt("a", 'system_template: "{{f}}", tools: [t]')}, a: ${prompt("a", "system_template: Hi")}}\nfragments: {f: F}\ntools: {t: {name: t, description: T}}`,
  ],
  ["the id of a prompt", `prompts: {a: ${prompt("a", "id: b, system_template: Hi")}}`],
  [
    "the prompts",
    `prompts: {a: ${prompt("a", "system_template: Hi, tools: [t]")}}\nprompts: {b: ${prompt("b", "system_template: Hi")}}\nagents: {entry: a, members: {a: {}, b: {}}}\ntools: {t: {name: t, description: T}}`,
  ],
  [
    "the members",
    `prompts: {a: ${prompt("a", "system_template: Hi, tools: [b]")}, b: ${prompt("b", "system_template: Hi")}}\nagents: {entry: b, members: {b: {}}, members: {a: {}}}`,
  ],
  [
    "the skills",
    `prompts: {a: ${prompt("a", "system_template: Hi")}}\nskills: [{name: n, description: N, instructions: I}]\nskills: []\nworkflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true, skills: n}}}`,
  ],
  [
    "the artifacts of a state",
    `prompts: {a: ${prompt("a", 'system_template: "Next? {{artifacts.x}}"')}}\nworkflow: {version: 2, entry: s, states: {s: {prompt_task: a, on_event: {Next: t}, artifacts: {x: {type: text/plain}}, artifacts: {}}, t: {prompt_task: a, terminal: true, artifacts: {x: {type: text/plain}}}}}`,
  ],
  [
    "a state",
    `prompts: {a: ${prompt("a", 'system_template: "Next? {{artifacts.x}}"')}}\nworkflow: {version: 2, entry: s, states: {s: {prompt_task: a, terminal: true, artifacts: {x: {type: text/plain}}}, s: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "an event",
    `prompts: {a: ${prompt("a", "system_template: Next?")}}\nworkflow: {version: 1, entry: s, states: {s: {prompt_task: a, on_event: {Next: t, Next: s}}, t: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "the prompt of a state",
    `prompts: {a: ${prompt("a", 'system_template: "Go {{artifacts.x}}"')}, b: ${prompt("b", 'system_template: "{{artifacts.y}}"')}}\nagents: {entry: a, members: {a: {state: s}}}\nworkflow: {version: 2, entry: s, states: {s: {prompt_task: a, prompt_task: b, on_event: {Go: t}, artifacts: {x: {type: text/plain}}}, t: {prompt_task: a, terminal: true, artifacts: {x: {type: text/plain}, y: {type: text/plain}}}}}`,
  ],
  [
    "the states",
    `prompts: {a: ${prompt("a", "system_template: Hi")}}\nworkflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true}}, states: {t: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "the workflow",
    `prompts: {a: ${prompt("a", "system_template: Hi")}}\nagents: {entry: a, members: {a: {state: s}}}\nworkflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true}}}\nworkflow: {version: 1, entry: t, states: {t: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "the entry",
    `prompts: {a: ${prompt("a", "system_template: Hi")}}\nworkflow: {version: 1, entry: s, entry: t, states: {s: {prompt_task: a, terminal: true}, t: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "an agent",
    `prompts: {a: ${prompt("a", "system_template: Hi")}}\nagents: {entry: a, members: {a: {state: s}, a: {}}}\nworkflow: {version: 1, entry: t, states: {s: {prompt_task: a, terminal: true}, t: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "a limit of the budget",
    `prompts: {a: ${prompt("a", "system_template: Next or End?")}}\nworkflow: {version: 2, entry: s, engine: {budget: {max_total_visits: 9, max_total_visits: 1}}, states: {s: {prompt_task: a, max_visits: 4, on_max_visits: t, on_event: {Next: s, End: t}}, t: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "the budget",
    `prompts: {a: ${prompt("a", "system_template: Next or End?")}}\nworkflow: {version: 2, entry: s, engine: {budget: {max_total_visits: 9}, budget: {max_total_visits: 1}}, states: {s: {prompt_task: a, max_visits: 4, on_max_visits: t, on_event: {Next: s, End: t}}, t: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "the engine",
    `prompts: {a: ${prompt("a", "system_template: Next or End?")}}\nworkflow: {version: 2, entry: s, engine: {budget: {max_total_visits: 9}}, engine: {budget: {max_total_visits: 1}}, states: {s: {prompt_task: a, max_visits: 4, on_max_visits: t, on_event: {Next: s, End: t}}, t: {prompt_task: a, terminal: true}}}`,
  ],
  [
    "the type of an artifact",
    `prompts: {a: ${prompt("a", 'system_template: "Next? {{artifacts.x}}"')}}\nworkflow: {version: 2, entry: s, states: {s: {prompt_task: a, on_event: {Next: t}, artifacts: {x: {type: text/plain, type: application/json}}}, t: {prompt_task: a, terminal: true, artifacts: {x: {type: text/plain}}}}}`,
  ],
  [
    "the mode of an artifact",
    `prompts: {a: ${prompt("a", 'system_template: "Next? {{artifacts.x}}"')}}\nworkflow: {version: 2, entry: s, states: {s: {prompt_task: a, on_event: {Next: t}, artifacts: {x: {type: text/plain, mode: replace, mode: append}}}, t: {prompt_task: a, terminal: true, artifacts: {x: {type: text/plain}}}}}`,
  ],
  [
    "an artifact",
    `prompts: {a: ${prompt("a", 'system_template: "Next? {{artifacts.x}}"')}}\nworkflow: {version: 2, entry: s, states: {s: {prompt_task: a, on_event: {Next: t}, artifacts: {x: {type: text/plain}, x: {type: application/json}}}, t: {prompt_task: a, terminal: true, artifacts: {x: {type: text/plain}}}}}`,
  ],
  [
    "the state of an agent",
    `prompts: {a: ${prompt("a", "system_template: Hi")}}\nagents: {entry: a, members: {a: {state: s, state: t}}}\nworkflow: {version: 1, entry: t, states: {s: {prompt_task: a, terminal: true}, t: {prompt_task: a, terminal: true}}}`,
  ],
];

describe("what follows from a key that occurs twice is not told", () => {
  it.each(packs)("%s", (_what, pack) => {
    expect(rulesOf(pack)).toEqual(["duplicate-key"]);
  });

  it("nor through an alias", () => {
    const variables = `variables: [${variable("a")}], variables: [${variable("b")}]`;
    const shared = `prompts:\n  a: &a ${prompt("a", `system_template: "{{a}} {{b}}", ${variables}`)}\n`;
    expect(rulesOf(`${shared}  b: {<<: *a, id: b}\n  c: *a\n`).sort()).toEqual([
      "duplicate-key",
      "prompt-id-differs",
    ]);
  });

  it("in JSON as in YAML", () => {
    const pack =
      '{"id": "p", "name": "P", "version": "1.0.0", "template_engine": {"version": "v1", "syntax": "{{variable}}"}, ' +
      '"prompts": {"a": {"id": "a", "name": "A", "version": "1.0.0", "system_template": "Hi", "tools": ["t", "u"]}}, ' +
      '"tools": {"t": {"name": "t", "description": "T"}}, "tools": {"u": {"name": "u", "description": "U"}}}';
    expect(lint(pack, { file: "pack.json" }).diagnostics.map(({ rule }) => rule)).toEqual(["duplicate-key"]);
  });
});

it("tells what is wrong with the events beside one that is written twice", () => {
  const states =
    "{s: {prompt_task: a, on_event: {Next: t, Next: s, Back: u, to_end: t}}, t: {prompt_task: a, terminal: true}}";
  const pack = `prompts: {a: ${prompt("a", "system_template: Next to_end?")}}\nworkflow: {version: 1, entry: s, states: ${states}}`;
  expect(rulesOf(pack).sort()).toEqual([
    "duplicate-key",
    "event-name-case",
    "event-not-in-prompt",
    "unknown-event-target",
  ]);
});

it("reads no template while it is not known how", () => {
  const engine = '{version: v1, syntax: "{{variable}}"';
  const pack = `id: p\nname: P\nversion: 1.0.0\nprompts: {a: ${prompt("a", 'system_template: "{{a}} ${b}"')}}\n`;
  const found = (engines: string) =>
    lint(pack + engines, { file: "pack.yaml" }).diagnostics.map(({ rule }) => rule);
  expect(found(`template_engine: ${engine}, syntax: "\${variable}"}`)).toEqual(["duplicate-key"]);
  expect(found(`template_engine: ${engine}}\ntemplate_engine: ${engine}}`)).toEqual(["duplicate-key"]);
});

it("tells what is wrong with the value that counts", () => {
  const pack = `prompts: {a: ${prompt("a", 'system_template: Hi, system_template: "{{fragments.f}} {{"')}}`;
  expect(rulesOf(pack)).toEqual(["duplicate-key", "unknown-fragment", "template-syntax"]);
});
