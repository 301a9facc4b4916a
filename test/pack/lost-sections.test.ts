import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";

const head = "id: p\nname: P\nversion: 1.0.0\n";
const engine = 'template_engine:\n  version: v1\n  syntax: "{{variable}}"\n';
const prompt = (id: string, parts: string) => `  ${id}: {id: ${id}, name: P, version: 1.0.0, ${parts}}\n`;
const workflow =
  "{version: 2, entry: s, states: {s: {prompt_task: b, on_event: {Next: t}, artifacts: &x {x: {type: text/plain}}}, " +
  "t: {prompt_task: a, terminal: true, artifacts: *x}}}";
const findingsIn = (pack: string) =>
  lint(head + pack, { file: "pack.yaml" }).diagnostics.map(({ rule, pointer }) => `${rule} ${pointer}`);
const messagesIn = (pack: string) =>
  lint(head + pack, { file: "pack.yaml" }).diagnostics.map(({ message }) => message);

/** Each pack is sound but for one section that stands inside another. */
const packs: readonly (readonly [place: string, pack: string])[] = [
  [
    "/prompts/fragments",
    `${engine}prompts:\n${prompt("a", 'system_template: "{{fragments.x}} {{y}}"')}  fragments: {x: X, y: Y}\n`,
  ],
  [
    "/prompts/workflow",
    `${engine}prompts:\n${prompt("a", 'system_template: "{{artifacts.x}}"')}${prompt("b", "system_template: Next")}` +
      `  workflow: ${workflow}\nagents: {entry: a, members: {a: {state: t}}}\n`,
  ],
  [
    "/fragments/tools",
    `${engine}fragments:\n  f: F\n  tools: {t: {name: t, description: T}}\nprompts:\n${prompt("a", 'system_template: "{{f}}", tools: [t]')}`,
  ],
  [
    "/workflow/agents",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [b, t]")}${prompt("b", "system_template: Hi")}` +
      "tools: {t: {name: t, description: T}}\nworkflow:\n  version: 1\n  entry: s\n  states: {s: {prompt_task: a, terminal: true}}\n" +
      "  agents: {entry: a, members: {a: {state: s}, b: {}}}\n",
  ],
  [
    "/workflow/skills",
    `${engine}prompts:\n${prompt("a", "system_template: Hi")}workflow:\n  version: 1\n  entry: s\n` +
      "  states: {s: {prompt_task: a, terminal: true, skills: n}}\n  skills: [{name: n, description: N, instructions: I}]\n",
  ],
  [
    "/workflow/states/agents",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [b, t]")}${prompt("b", "system_template: Hi")}` +
      "tools: {t: {name: t, description: T}}\nworkflow:\n  version: 1\n  entry: s\n  states:\n    s: {prompt_task: a, terminal: true}\n" +
      "    agents: {entry: a, members: {a: {state: s}, b: {}}}\n",
  ],
  [
    "/workflow/states/skills",
    `${engine}prompts:\n${prompt("a", "system_template: Hi")}workflow:\n  version: 1\n  entry: s\n  states:\n` +
      "    s: {prompt_task: a, terminal: true, skills: n}\n    skills: [{name: n, description: N, instructions: I}]\n",
  ],
  [
    "/workflow/states/tools",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [t]")}workflow:\n  version: 1\n  entry: s\n  states:\n` +
      "    s: {prompt_task: a, terminal: true}\n    tools: {t: {name: t, description: T}}\n",
  ],
  [
    "/template_engine/prompts",
    `${engine}  prompts:\n  ${prompt("a", "system_template: Hi")}workflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true}}}\n`,
  ],
  [
    "/agents/members/workflow",
    `${engine}prompts:\n${prompt("a", 'system_template: "{{artifacts.x}}"')}${prompt("b", "system_template: Next")}` +
      `agents:\n  entry: a\n  members:\n    a: {state: t}\n    workflow: ${workflow}\n`,
  ],
  [
    "/agents/members/prompts",
    `${engine}agents:\n  entry: a\n  members:\n    a: {}\n    prompts:\n    ${prompt("a", "system_template: Hi")}`,
  ],
  [
    "/agents/members/fragments",
    `${engine}prompts:\n${prompt("a", 'system_template: "{{fragments.f}}"')}agents:\n  entry: a\n  members:\n    a: {}\n    fragments: {f: F}\n`,
  ],
  // The name alone is indented: what belongs inside stands beside it.
  [
    "/tools/workflow",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [t]")}tools:\n  t: {name: t, description: T}\n  workflow:\n` +
      "  version: 1\n  entry: s\n  states: {s: {prompt_task: a, terminal: true}}\nagents: {entry: a, members: {a: {state: s}}}\n",
  ],
  [
    "/fragments/prompts",
    `${engine}fragments:\n  f: F\n  prompts:\n${prompt("a", 'system_template: "{{fragments.f}}"')}${prompt("b/c", "system_template: Hi, description: D")}`,
  ],
  [
    "/prompts/tools",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [t]")}  tools:\n  t: {name: t, description: T, parameters: {type: object, properties: {}}}\n`,
  ],
  [
    "/template_engine/fragments",
    `${engine}  fragments:\n  f: F\nprompts:\n${prompt("a", 'system_template: "{{fragments.f}}"')}`,
  ],
  [
    "/workflow/agents",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [b, t]")}${prompt("b", "system_template: Hi")}` +
      "tools: {t: {name: t, description: T}}\nworkflow:\n  version: 1\n  entry: s\n  states: {s: {prompt_task: a, terminal: true}}\n" +
      "  agents:\n  members: {a: {state: s}, b: {}}\n",
  ],
];

/** As above, and one of the things below the name of the section is not whole. */
const damaged: typeof packs = [
  [
    "/fragments/prompts",
    `${engine}fragments:\n  f: F\n  prompts:\n${prompt("a", 'system_template: "{{fragments.f}}"')}  b: {id: b, name: B, system_template: Hi}\n` +
      "agents: {entry: a, members: {a: {}, b: {}}}\n",
  ],
  [
    "/fragments/prompts",
    `${engine}fragments:\n  f: F\n  prompts:\n${prompt("a", 'system_template: "{{fragments.f}}"')}${prompt("b", "system_templat: Hi")}` +
      "agents: {entry: a, members: {a: {}, b: {}}}\n",
  ],
  [
    "/fragments/tools",
    `${engine}prompts:\n${prompt("a", 'system_template: "{{fragments.f}}", tools: [t, u]')}fragments:\n  f: F\n  tools:\n  t: {name: t, description: T}\n  u: {name: u}\n`,
  ],
  [
    "/prompts/tools",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [t, u]")}  tools:\n  t: {name: t, description: T}\n  u: {name: u, parameters: {type: object, properties: {}}}\n`,
  ],
  [
    "/tools/workflow",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [t]")}tools:\n  t: {name: t, description: T}\n  workflow:\n` +
      "  version: 1\n  entyr: s\n  states: {s: {prompt_task: a, terminal: true}}\nagents: {entry: a, members: {a: {state: s}}}\n",
  ],
];

describe("what follows from a section that is indented too far is not told", () => {
  it.each(packs)("%s", (place, pack) => {
    expect(findingsIn(pack)).toEqual([`schema ${place}`]);
  });

  it.each(damaged)("%s, of which a part is not whole", (place, pack) => {
    expect(findingsIn(pack)).toEqual([`schema ${place}`]);
  });
});

it("says of each where it belongs", () => {
  for (const [place, pack] of packs) {
    const [finding] = lint(head + pack, { file: "pack.yaml" }).diagnostics;
    const name = place.split("/").at(-1);
    expect(finding?.message).toMatch(
      new RegExp(`^"${name}" is a section of the pack, .*: move it to the top level.$`),
    );
  }
});

/** Each pack is sound but for one section that stands inside a thing of another. */
const inThings: typeof packs = [
  [
    "/prompts/b/workflow",
    `${engine}agents: {entry: a, members: {a: {state: t}}}\nprompts:\n${prompt("a", 'system_template: "{{artifacts.x}}"')}` +
      prompt("b", `system_template: Next, workflow: ${workflow}`),
  ],
  [
    "/tools/a~1b/prompts",
    `${engine}tools:\n  a/b:\n    name: ab\n    description: T\n    prompts:\n    ${prompt("a", 'system_template: Hi, tools: ["a/b"]')}`,
  ],
  [
    "/agents/members/a/fragments",
    `${engine}prompts:\n${prompt("a", 'system_template: "{{fragments.f}}"')}agents: {entry: a, members: {a: {fragments: {f: F}}}}\n`,
  ],
  [
    "/workflow/states/s/agents",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [b, t]")}${prompt("b", "system_template: Hi")}tools: {t: {name: t, description: T}}\n` +
      "workflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true, agents: {entry: a, members: {a: {}, b: {}}}}}}\n",
  ],
  [
    "/prompts/a/skills",
    `${engine}prompts:\n${prompt("a", "system_template: Hi, skills: [{name: n, description: N, instructions: I}]")}` +
      "workflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true, skills: n}}}\n",
  ],
];

describe("nor what follows from one that is indented further", () => {
  it.each(inThings)("%s", (place, pack) => {
    expect(findingsIn(pack)).toEqual([`schema ${place}`]);
    expect(messagesIn(pack)).toEqual([
      expect.stringMatching(/ is not a property of an? \w+\. It belongs at the top level of the pack\.$/),
    ]);
  });

  it("but what several things have is no section of the pack", () => {
    const a = prompt("a", 'system_template: "{{fragments.f}}", fragments: {f: F}');
    const b = prompt("b", 'system_template: "{{fragments.g}}", fragments: {g: G}');
    expect(findingsIn(`${engine}prompts:\n${a}${b}agents: {entry: a, members: {a: {}, b: {}}}\n`)).toEqual([
      "unknown-fragment /prompts/a/system_template",
      "schema /prompts/a/fragments",
      "unknown-fragment /prompts/b/system_template",
      "schema /prompts/b/fragments",
    ]);
  });
});

it("an agent that has the name of a section is an agent", () => {
  const called = (name: string, parts: string) =>
    `${engine}prompts:\n${prompt(name, "system_template: Hi")}agents: {entry: ${name}, members: {${name}: ${parts}}}\n`;
  expect(findingsIn(called("tools", "{tags: [a]}"))).toEqual([]);
  for (const [name, property] of [
    ["tools", "colour"],
    ["fragments", "colour"],
    ["fragments", "descripton"],
    ["workflow", "version"],
  ] as const)
    expect(findingsIn(called(name, `{${property}: x}`))).toEqual([
      `schema /agents/members/${name}/${property}`,
    ]);
});

it("and so is one whose prompt is missing, when its property is but misspelt", () => {
  const members = "members: {a: {}, fragments: {descripton: x}}";
  const pack = `${engine}prompts:\n${prompt("a", "system_template: Hi")}agents: {entry: a, ${members}}\n`;
  expect(findingsIn(pack)).toEqual([
    "unknown-agent-member /agents/members/fragments",
    "schema /agents/members/fragments/descripton",
  ]);
});

it("what is wrong inside such a section is told", () => {
  const tools = "  tools: {t: {name: t, description: T}}\n";
  expect(findingsIn(`${engine}prompts:\n${prompt("a", "system_template: Hi, tools: [u]")}${tools}`)).toEqual([
    "unknown-tool /prompts/a/tools/0",
    "schema /prompts/tools",
  ]);
});

it("a prompt that has the name of a section is a prompt", () => {
  const called = prompt("tools", 'system_template: "{{x}}"');
  expect(findingsIn(`${engine}prompts:\n${called}`)).toEqual([
    "undeclared-variable /prompts/tools/system_template",
  ]);
});

it("a prompt among others, of which nothing but the name is written, is no section", () => {
  const described = prompt("b", "system_template: Hi, description: D");
  expect(findingsIn(`${engine}prompts:\n  tools:\n${described}`)).toEqual(["schema /prompts/tools"]);
  expect(messagesIn(`${engine}prompts:\n  tools:\n${described}`)).toEqual([
    'Prompt "tools" must be an object with "id", "name", "version" and "system_template"; found nothing (null).',
  ]);
});

it("nor where one of the others is not whole, or its own properties follow", () => {
  const described = prompt("b", "system_template: Hi, description: D");
  const faulty = "  a: {id: a, name: A, description: D, system_template: Hi}\n";
  const empty = (name: string) =>
    `Prompt "${name}" must be an object with "id", "name", "version" and "system_template"; found nothing (null).`;
  for (const others of [faulty, faulty + described])
    expect(messagesIn(`${engine}prompts:\n  tools:\n${others}`)).toEqual([
      empty("tools"),
      'Prompt "a" has no "version".',
    ]);
  const properties = "  id: fragments\n  name: F\n  version: 1.0.0\n  system_template: Hi\n";
  expect(messagesIn(`${engine}prompts:\n  fragments:\n${properties}`)).toEqual([
    '"id", "name", "version" and "system_template" are properties of a prompt, not prompts. Move them inside "fragments".',
  ]);
});

it("two sections of which only the names are indented are two findings", () => {
  const lost = `${engine}fragments:\n  prompts:\n${prompt("a", "system_template: Hi, tools: [t]")}  tools:\n  t: {name: t, description: T}\n`;
  expect(findingsIn(lost)).toEqual(["schema /fragments/prompts", "schema /fragments/tools"]);
});

it("all that is below the name of a section counts, or nothing", () => {
  const lost = `${engine}fragments:\n  prompts:\n${prompt("a", "system_template: Hi")}  f: F\n${prompt("b", "system_template: Hi")}`;
  expect(messagesIn(lost)).toEqual([
    'The pack has no "prompts".',
    'Fragment "prompts" must be a string, found nothing (null).',
    '"a" is a prompt, not a fragment. Put it inside "prompts".',
    '"b" is a prompt, not a fragment. Put it inside "prompts".',
  ]);
});

it("what is the workflow's is not taken for what belongs in an empty section", () => {
  const workflow =
    "workflow:\n  version: 1\n  agents:\n  entry: s\n  states: {s: {prompt_task: a, terminal: true}}\n";
  expect(messagesIn(`${engine}prompts:\n${prompt("a", "system_template: Hi")}${workflow}`)).toEqual([
    '"agents" is not a property of a workflow. A workflow takes "version", "entry", "states" and "engine".',
  ]);
});

describe("what is the workflow's is missed where anything is allowed", () => {
  const workflow = (parts: string) =>
    `${engine}prompts:\n${prompt("a", "system_template: Emit Go or Stop.")}workflow:\n  version: 1\n${parts}agents: {entry: a, members: {a: {state: s}}}\n`;
  const strayIn = (name: string) =>
    `"${name}" is a property of the workflow, not of its "engine". Put it beside "engine".`;
  const budget = "    budget: {max_total_visits: 3}\n";

  it.each([
    ["states", `  entry: s\n  engine:\n${budget}    states: {s: {prompt_task: a, terminal: true}}\n`],
    ["states", `  entry: s\n  engine:\n${budget}    states:\n    s: {prompt_task: a, terminal: true}\n`],
    [
      "states",
      `  entry: s\n  engine:\n    states:\n    s: {prompt_task: a, on_event: {Go: t, Stop: u}}\n    t: {prompt_tsk: a, terminal: true}\n    u: {terminal: true}\n${budget}`,
    ],
    ["entry", `  engine:\n    entry: s\n${budget}  states: {s: {prompt_task: a, terminal: true}}\n`],
  ])("%s", (name, parts) => {
    const pack = workflow(parts);
    expect(messagesIn(pack)).toEqual([strayIn(name)]);
    expect(findingsIn(pack)).toEqual([`schema /workflow/engine/${name}`]);
  });

  it("but not where the workflow has it, or nothing is inside", () => {
    const has = `  entry: s\n  engine:\n${budget}    entry: t\n  states: {s: {prompt_task: a, terminal: true}}\n`;
    expect(messagesIn(workflow(has))).not.toContain(strayIn("entry"));
    expect(messagesIn(workflow("  entry: s\n  engine:\n    states:\n"))).toContain(
      'The workflow has no "states".',
    );
  });
});
