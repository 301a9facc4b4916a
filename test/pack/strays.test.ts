import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.js";
import { head } from "./pack-head.js";

const prompt = (id: string) =>
  `  ${id}: {id: ${id}, name: P, version: 1.0.0, system_template: "Go or Back"}\n`;
const findingsIn = (pack: string, file = "pack.yaml") =>
  lint(pack, { file }).diagnostics.map(({ rule, pointer, message }) => `${rule} ${pointer} ${message}`);
const workflow = (states: string) =>
  `${head}prompts:\n${prompt("a")}workflow:\n  version: 1\n  entry: s\n  states:\n${states}`;
const end = "    t: {prompt_task: a, terminal: true}\n";
const looping = (property: string) => `    s: {prompt_task: a, on_event: {Back: s, Go: t}, ${property}}\n`;

/** Each pack is sound but for one thing that stands beside the place where it belongs, or too deep. */
const packs: readonly (readonly [what: string, pack: string, ...findings: string[]])[] = [
  [
    "a state in the workflow",
    workflow("    s: {prompt_task: a, on_event: {Go: t}}\n  t: {prompt_task: a, terminal: true}\n"),
    'schema /workflow/t "t" is not a property of a workflow. It belongs inside "states".',
  ],
  [
    "a state in the pack",
    workflow("    s: {prompt_task: a, on_event: {Go: t}}\nt: {prompt_task: a, terminal: true}\n"),
    'schema /t "t" is not a property of a pack. It belongs inside "workflow.states".',
  ],
  [
    "a state in another",
    workflow(
      "    s:\n      prompt_task: a\n      on_event: {Go: t}\n      t: {prompt_task: a, terminal: true}\n",
    ),
    'schema /workflow/states/s/t "t" is not a property of a state. It looks like a state of its own: put it beside "s".',
  ],
  [
    "a state among the events of another",
    workflow(
      "    s: {prompt_task: a, on_event: {Go: t, t: {prompt_task: a, on_event: {Go: u}}, u: {prompt_task: a, terminal: true}}}\n",
    ),
    'schema /workflow/states/s/on_event/t "t" is a state, not an event. Put it beside "s".',
    'schema /workflow/states/s/on_event/u "u" is a state, not an event. Put it beside "s".',
  ],
  [
    "a state that is called like an event, and that another event leads to",
    workflow(
      "    s: {prompt_task: a, on_event: {Go: End, End: {prompt_task: a, terminal: true}}, max_visits: 1, on_max_visits: End}\n",
    ),
    'schema /workflow/states/s/on_event/End "End" is a state, not an event. Put it beside "s".',
    'dead-guard /workflow/states/s/max_visits This guard never acts: no run tries to enter "s" more than once. Add an event that leads back to it, or remove max_visits and on_max_visits.',
  ],
  [
    "a state in the place of all events",
    workflow("    s: {prompt_task: a, on_event: {t: {prompt_task: a, terminal: true}}}\n"),
    'schema /workflow/states/s/on_event/t "t" is a state, not an event. Put it beside "s".',
  ],
  [
    "a state among the artifacts of another",
    workflow(
      "    s:\n      prompt_task: a\n      on_event: {Go: t}\n      artifacts:\n        t: {prompt_task: a, terminal: true}\n",
    ),
    'schema /workflow/states/s/artifacts/t "t" is a state, not an artifact. Put it beside "s".',
  ],
  [
    "a state among the events or artifacts of another that no event leads to",
    workflow(
      "    s:\n      prompt_task: a\n      on_event: {Go: u, t: {prompt_task: a, terminal: true}}\n" +
        "      artifacts: {v: {prompt_task: a, terminal: true}}\n    u: {prompt_task: a, terminal: true}\n",
    ),
    'schema /workflow/states/s/on_event/t "t" is a state, not an event. Put it beside "s".',
    'schema /workflow/states/s/artifacts/v "v" is a state, not an artifact. Put it beside "s".',
  ],
  [
    "a state among the events of one that stands among those of another",
    workflow(
      "    s: {prompt_task: a, on_event: {Go: t, t: {prompt_task: a, on_event: {Go: u, u: {prompt_task: a, terminal: true}}}}}\n",
    ),
    'schema /workflow/states/s/on_event/t "t" is a state, not an event. Put it beside "s".',
  ],
  [
    "a property of a state in an artifact",
    workflow(
      "    s: {prompt_task: a, artifacts: {plan: {type: text/plain, description: d, prompt_task: a}}, terminal: true}\n",
    ),
    'unused-artifact /workflow/states/s/artifacts/plan No template reads the artifact "plan". Remove it: runs end where it is declared, so no later state can read it.',
    'schema /workflow/states/s/artifacts/plan/prompt_task "prompt_task" is not a property of an artifact. An artifact takes "type", "description" and "mode".',
  ],
  [
    "the entry among the states",
    `${head}prompts:\n${prompt("a")}workflow:\n  version: 1\n  states:\n    s: {prompt_task: a, on_event: {Go: t}}\n${end}    entry: s\n`,
    'schema /workflow/states/entry "entry" is a property of the workflow, not a state. Put it beside "states".',
  ],
  [
    "the engine among the states",
    workflow(
      `    s: {prompt_task: a, on_event: {Back: s, Go: t}, max_visits: 2, on_max_visits: t}\n${end}    engine: {budget: {max_total_visits: 9}}\n`,
    ),
    'schema /workflow/states/engine "engine" is a property of the workflow, not a state. Put it beside "states".',
  ],
  [
    "the engine in a state",
    workflow(`${looping("engine: {budget: {max_total_visits: 9}}")}${end}`),
    'schema /workflow/states/s/engine "engine" is not a property of a state. It belongs inside "workflow".',
  ],
  [
    "the budget in a state",
    workflow(`${looping("budget: {max_total_visits: 9}")}${end}`),
    'schema /workflow/states/s/budget "budget" is not a property of a state. It belongs inside "workflow.engine".',
  ],
  [
    "a limit in a state",
    workflow(`${looping("max_total_visits: 9")}${end}`),
    'schema /workflow/states/s/max_total_visits "max_total_visits" is not a property of a state. It belongs inside "workflow.engine.budget".',
  ],
  [
    "a limit in the pack",
    workflow(`${looping("persistence: transient")}${end}max_total_visits: 9\n`),
    'schema /max_total_visits "max_total_visits" is not a property of a pack. It belongs inside "workflow.engine.budget".',
  ],
  [
    "the budget in the pack, and an engine without any",
    workflow(`${looping("persistence: transient")}${end}  engine:\nbudget: {max_total_visits: 9}\n`),
    'schema /budget "budget" is not a property of a pack. It belongs inside "workflow.engine".',
  ],
  [
    "in the workflow a budget of which the limit is misspelt",
    workflow(`${looping("persistence: transient")}${end}  budget: {max_total_visit: 5}\n`),
    'schema /workflow/budget "budget" is not a property of a workflow. It belongs inside "engine".',
  ],
  [
    "a limit in the pack, and another below the line of the budget",
    workflow(
      `${looping("persistence: transient")}${end}  engine:\n    budget:\n    max_tool_calls: 5\nmax_total_visits: 9\n`,
    ),
    'schema /workflow/engine/budget "budget" must be an object, found nothing (null). Indent "max_tool_calls" to put it inside.',
    'schema /max_total_visits "max_total_visits" is not a property of a pack. It belongs inside "workflow.engine.budget".',
  ],
  [
    "a parameter in a prompt, and another below the line of the parameters",
    `${head}prompts:\n  a:\n    id: a\n    name: A\n    version: 1.0.0\n    system_template: Hi\n` +
      "    temperature: 1\n    parameters:\n    top_p: 1\n",
    'schema /prompts/a/temperature "temperature" is not a property of a prompt. It belongs inside "parameters".',
    'schema /prompts/a/parameters "parameters" must be an object, found nothing (null). Indent "top_p" to put it inside.',
  ],
  [
    "the engine in the pack, and the rest of the workflow below its line",
    `${head}prompts:\n${prompt("a")}engine: {}\nworkflow:\nversion: 1\nentry: s\nstates: {s: {prompt_task: a, terminal: true}}\n`,
    'schema /engine "engine" is not a property of a pack. It belongs inside "workflow".',
    'schema /workflow "workflow" must be an object with "version", "entry" and "states"; found nothing (null). Indent the entries from "version" to "states" to put them inside.',
    'duplicate-key /version The key "version" is already used in this object; only one of them counts. Move the entries from "version" to "states" inside "workflow".',
  ],
  [
    "a prompt in the pack",
    workflow("    s: {prompt_task: b, terminal: true}\n") + prompt("b").trimStart(),
    'schema /b "b" is not a property of a pack. It belongs inside "prompts".',
  ],
  [
    "a prompt in another",
    `${head}prompts:\n  a:\n    id: a\n    name: A\n    version: 1.0.0\n    system_template: Hi\n  ${prompt("b")}` +
      "workflow: {version: 1, entry: s, states: {s: {prompt_task: b, terminal: true}}}\n",
    'schema /prompts/a/b "b" is not a property of a prompt. It looks like a prompt of its own: put it beside "a".',
  ],
  [
    "prompts in a group",
    `${head}prompts:\n  mail:\n  ${prompt("a")}  ${prompt("b")}workflow: {version: 1, entry: s, states: {s: {prompt_task: b, terminal: true}}}\n`,
    'schema /prompts/mail/a "a" is not a property of a prompt. It and 1 more look like prompts of their own: put them in the place of "mail".',
  ],
  [
    "prompts in a group, and something else",
    `${head}prompts:\n  mail:\n  ${prompt("a")}  ${prompt("b")}    notes: {x: 1}\n`,
    'schema /prompts/mail/a "a" is not a property of a prompt. It and 1 more look like prompts of their own: put them in the place of "mail".',
    'schema /prompts/mail/notes "notes" is not a property of a prompt.',
  ],
  [
    "a prompt among the fragments",
    `${workflow("    s: {prompt_task: b, terminal: true}\n")}fragments:\n${prompt("b")}`,
    'schema /fragments/b "b" is a prompt, not a fragment. Put it inside "prompts".',
  ],
  [
    "a prompt among the fragments, and faults of its own and of others",
    `${workflow("    s: {prompt_task: b, terminal: true}\n")}fragments:\n  x: X\n  y: {system_template: Y}\n` +
      '  b: {id: b, name: B, version: 1.0.0, system_template: "{{z}}"}\n',
    'schema /fragments/b "b" is a prompt, not a fragment. Put it inside "prompts".',
    'undeclared-variable /fragments/b/system_template Prompt "b" reads the variable "z", but does not declare it. Add it to "variables".',
    'schema /fragments/y Fragment "y" must be a string, found an object.',
  ],
  [
    "a prompt among the fragments, and fragments that are not used",
    `${head}prompts:\n${prompt("a")}fragments:\n  x: X\n${prompt("b")}`,
    'schema /fragments/b "b" is a prompt, not a fragment. Put it inside "prompts".',
    'unused-fragment /fragments/x No template includes the fragment "x". Include it as {{fragments.x}}, or remove it.',
  ],
  [
    "a prompt among the tools",
    `${workflow("    s: {prompt_task: b, terminal: true}\n")}tools:\n` +
      "  b: {id: b, name: B, description: B, version: 1.0.0, system_template: Hi, parameters: {temperature: 1}}\n",
    'schema /tools/b "b" is a prompt, not a tool. Put it inside "prompts".',
  ],
  [
    "a prompt among the tools that another lists",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: Hi, tools: [b]}}\n` +
      "tools: {b: {id: b, name: b, version: 1.0.0, system_template: Hi}}\n",
    'schema /tools/b "b" is a prompt, not a tool. Put it inside "prompts".',
  ],
  [
    "two teams, where there can be one",
    `${head}prompts:\n${prompt("a")}agents: {x: {entry: a, members: {a: {}}}, y: {entry: a, members: {a: {}}}}\n`,
    'schema /agents/x "x" is not a property of "agents". Put what is inside it directly in the "agents".',
    'schema /agents/y "y" is not a property of "agents". Put what is inside it directly in the "agents".',
  ],
  [
    "a prompt among the agents",
    `${head}prompts:\n${prompt("a")}agents:\n  entry: b\n  members:\n  ${prompt("b")}`,
    'schema /agents/members/b "b" is a prompt, not an agent. Put it inside "prompts".',
  ],
  [
    "a tool in another",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: Hi, tools: [t, u]}}\n` +
      "tools: {t: {name: t, description: T, u: {name: u, description: U}}}\n",
    'schema /tools/t/u "u" is not a property of a tool. It looks like a tool of its own: put it beside "t".',
  ],
  [
    "what looks like a tool, and that no prompt lists",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: Hi, tools: [t]}}\n` +
      "tools: {t: {name: t, description: T, labels: {name: u, description: U}}}\n",
    'schema /tools/t/labels "labels" is not a property of a tool. It looks like a tool of its own: put it beside "t".',
  ],
  [
    "an agent in another",
    `${head}prompts:\n  a: {id: a, name: A, version: 1.0.0, system_template: Hi, tools: [b]}\n${prompt("b")}` +
      "agents: {entry: a, members: {a: {tags: [x], b: {}}}}\n",
    'schema /agents/members/a/b "b" is not a property of an agent. It looks like an agent of its own: put it beside "a".',
  ],
  [
    "an agent beside the members",
    `${head}prompts:\n${prompt("a")}${prompt("b")}agents: {entry: b, members: {a: {}}, b: {tags: [x]}}\n`,
    'schema /agents/b "b" is not a property of "agents". It belongs inside "members".',
  ],
  [
    "an agent in the pack",
    `${head}prompts:\n${prompt("a")}${prompt("b")}agents: {entry: b, members: {a: {}}}\nb: {tags: [x]}\n`,
    'schema /b "b" is not a property of a pack. It belongs inside "agents.members".',
  ],
  [
    "a tool in the pack, and one that no prompt lists",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: Hi, tools: [t, u]}}\n` +
      "tools: {t: {name: t, description: T}}\nu: {name: u, description: U}\nowner: {name: v, description: V}\n",
    'schema /u "u" is not a property of a pack. It belongs inside "tools".',
    'schema /owner "owner" is not a property of a pack.',
  ],
  [
    "fragments in the pack, and a text that no template includes",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: "{{fragments.x}} {{fragments.y}}"}}\n` +
      'fragments: {x: "{{fragments.z}}"}\ny: Y\nz: Z\nowner: X\nyy: Y\n',
    'schema /y "y" is not a property of a pack. It belongs inside "fragments".',
    'schema /z "z" is not a property of a pack. It belongs inside "fragments".',
    'schema /owner "owner" is not a property of a pack.',
    'schema /yy "yy" is not a property of a pack.',
  ],
  [
    "a state in the pack that is called like a prompt",
    workflow("    s: {prompt_task: a, on_event: {Go: a}}\na: {prompt_task: a, terminal: true}\n") +
      "agents: {entry: a, members: {a: {}}}\n",
    'schema /a "a" is not a property of a pack. It belongs inside "workflow.states".',
  ],
  [
    "all agents beside the entry",
    `${head}prompts:\n${prompt("a")}${prompt("b")}agents: {entry: a, a: {tags: [x]}, b: {}}\n`,
    'schema /agents "agents" has no "members". Add it, and put "a" and "b" inside.',
  ],
  [
    "all agents beside the entry, and something else",
    `${head}prompts:\n${prompt("a")}agents: {entry: a, a: {}, metadata: {}}\n`,
    'schema /agents "agents" has no "members". Add it, and put "a" inside.',
    'schema /agents/metadata "metadata" is not a property of "agents".',
  ],
  [
    "agents that are no prompts beside an entry that is none",
    `${head}prompts:\n${prompt("a")}agents: {entry: c, c: {tags: [x]}}\n`,
    'schema /agents "agents" has no "members". Add it, and put "c" inside.',
    'unknown-agent-entry /agents/entry The entry agent "c" is not in "prompts".',
  ],
  [
    "all states in the workflow",
    `${head}prompts:\n${prompt("a")}workflow:\n  version: 1\n  entry: s\n  s: {prompt_task: a, on_event: {Go: t}}\n` +
      "  t: {prompt_task: a, terminal: true}\n",
    'schema /workflow The workflow has no "states". Add it, and put "s" and "t" inside.',
  ],
  [
    "all prompts in the pack",
    `${head}${["a", "b", "c", "d", "e", "f"].map((id) => prompt(id).trimStart()).join("")}`,
    'schema  The pack has no "prompts". Add it, and put "a", "b", "c", "d", "e" and 1 more inside.',
  ],
  [
    "what is no agent in one",
    `${head}prompts:\n${prompt("a")}agents: {entry: a, members: {a: {metadata: {}}}}\n`,
    'schema /agents/members/a/metadata "metadata" is not a property of an agent. An agent takes "description", "tags", "input_modes", "output_modes" and "state".',
  ],
  [
    "the variables in the pack",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: "{{x}}"}}\nvariables: [{name: x, type: string, required: true}]\n`,
    'schema /variables "variables" is not a property of a pack. It belongs inside a prompt.',
  ],
  [
    "the variables in the pack, below their names",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: "{{x}}"}}\nvariables: {x: {type: string}}\n`,
    'schema /variables "variables" is not a property of a pack. It belongs inside a prompt.',
  ],
  [
    "the names of variables in the pack, and another that is read",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: "{{x}} {{y}}"}}\nvariables: [x]\n`,
    'undeclared-variable /prompts/a/system_template Prompt "a" reads the variable "y", but does not declare it. Add it to "variables".',
    'schema /variables "variables" is not a property of a pack. It belongs inside a prompt.',
  ],
  [
    "the template in the pack",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0}}\nsystem_template: Hi\n`,
    'schema /system_template "system_template" is not a property of a pack. It belongs inside a prompt.',
  ],
  [
    "a template in the pack, where several prompts lack one",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0}, b: {id: b, name: B, version: 1.0.0}}\nsystem_template: Hi\n`,
    'schema /prompts/a Prompt "a" has no "system_template".',
    'schema /prompts/b Prompt "b" has no "system_template".',
    'schema /system_template "system_template" is not a property of a pack. It belongs inside a prompt.',
  ],
  [
    "the artifacts in the workflow",
    `${head}prompts: {a: {id: a, name: A, version: 1.0.0, system_template: "{{artifacts.x}}"}}\n` +
      "workflow: {version: 1, entry: s, states: {s: {prompt_task: a, terminal: true}}, artifacts: {x: {type: text/plain}}}\n",
    'schema /workflow/artifacts "artifacts" is not a property of a workflow. It belongs inside a state.',
  ],
  [
    "an event beside the others",
    workflow(
      `    s:\n      prompt_task: a\n      max_visits: 2\n      on_event:\n        Back: s\n      Go: t\n${end}  engine: {budget: {max_total_visits: 9}}\n`,
    ),
    'schema /workflow/states/s/Go "Go" is not a property of a state. It belongs inside "on_event".',
  ],
  [
    "an event beside on_event whose name resembles a property that the state has",
    workflow(
      `    s:\n      prompt_task: a\n      terminal: false\n      on_event: {Go: t}\n      Terminate: u\n${end}    u: {prompt_task: a, terminal: true}\n`,
    ).replace("Back", "Terminate"),
    'schema /workflow/states/s/Terminate "Terminate" is not a property of a state. It belongs inside "on_event".',
  ],
  [
    "all events",
    workflow(`    s:\n      prompt_task: a\n      on_event:\n      Go: t\n${end}`),
    'schema /workflow/states/s/on_event "on_event" must be an object, found nothing (null). Indent "Go" to put it inside.',
  ],
  [
    "an event where none has its place",
    workflow(`    s: {prompt_task: a, Go: t}\n${end}`),
    'schema /workflow/states/s/Go "Go" is not a property of a state. It belongs inside "on_event".',
  ],
  [
    "the mark of an end among events",
    workflow(
      "    s: {prompt_task: a, on_event: {Go: t}}\n    t: {prompt_task: a, on_event: {terminal: true}}\n",
    ),
    'schema /workflow/states/t/on_event/terminal "terminal" is a property of a state, not an event. Put it beside "on_event".',
  ],
  [
    "the mark of an end among events, as YAML once had it",
    workflow(
      "    s: {prompt_task: a, on_event: {Go: t}}\n    t: {prompt_task: a, on_event: {terminal: Yes}}\n",
    ),
    'unknown-event-target /workflow/states/t/on_event/terminal "terminal" is a property of a state, not an event. Put it beside "on_event".',
  ],
  [
    "a guard among events that is no number",
    workflow(
      `    s: {prompt_task: a, on_event: {Back: s, Go: t, max_visits: two}, on_max_visits: t}\n${end}  engine: {budget: {max_total_visits: 9}}\n`,
    ),
    'unknown-event-target /workflow/states/s/on_event/max_visits "max_visits" is a property of a state, not an event. Put it beside "on_event".',
  ],
  [
    "a forced exit among events",
    workflow(
      `    s: {prompt_task: a, on_event: {Back: s, Go: t, on_max_visits: t}, max_visits: 2}\n${end}  engine: {budget: {max_total_visits: 9}}\n`,
    ),
    'event-name-case /workflow/states/s/on_event/on_max_visits Event "on_max_visits" is not in PascalCase. If you mean the state\'s property, put it beside on_event.',
  ],
  [
    "a forced exit among events, to a state that is misspelt",
    workflow(
      `    s: {prompt_task: a, on_event: {Back: s, Go: done, on_max_visits: dnoe}, max_visits: 2}\n    done: {prompt_task: a, terminal: true}\n  engine: {budget: {max_total_visits: 9}}\n`,
    ),
    'unknown-event-target /workflow/states/s/on_event/on_max_visits "on_max_visits" is a property of a state, not an event. Put it beside "on_event".',
    'unknown-max-visits-target /workflow/states/s/on_event/on_max_visits The on_max_visits of state "s" is "dnoe", which is not a state. Did you mean "done"?',
  ],
  [
    "a guard among events",
    workflow(
      `    s: {prompt_task: a, on_event: {Back: s, Go: t, max_visits: 2}}\n${end}  engine: {budget: {max_total_visits: 9}}\n`,
    ),
    'schema /workflow/states/s/on_event/max_visits "max_visits" is a property of a state, not an event. Put it beside "on_event".',
  ],
  [
    "the events among the artifacts",
    workflow(`    s:\n      prompt_task: a\n      artifacts:\n        on_event:\n          Go: t\n${end}`),
    'schema /workflow/states/s/artifacts/on_event "on_event" is a property of a state, not an artifact. Put it beside "artifacts".',
  ],
  [
    "events among the artifacts, without the line above them",
    workflow(
      `    s:\n      prompt_task: a\n      artifacts:\n        Go: t\n        Back: s\n      max_visits: 2\n      on_max_visits: t\n${end}  engine: {budget: {max_total_visits: 9}}\n`,
    ),
    'schema /workflow/states/s/artifacts/Go "Go" and "Back" lead to states: they are events, not artifacts. Put them inside "on_event", beside "artifacts".',
  ],
  [
    "an event among the artifacts, below the line above it",
    workflow(`    s:\n      prompt_task: a\n      artifacts:\n        on_event:\n        Go: t\n${end}`),
    'schema /workflow/states/s/artifacts/on_event "Go" leads to a state: it is an event, not an artifact. Put it inside "on_event", beside "artifacts".',
  ],
  [
    "an event among the artifacts, and others in their place",
    workflow(
      `    s: {prompt_task: a, artifacts: {Go: t}, on_event: {Back: u}}\n${end}    u: {prompt_task: a, terminal: true}\n`,
    ),
    'schema /workflow/states/s/artifacts/Go "Go" leads to a state: it is an event, not an artifact. Put it inside "on_event", beside "artifacts".',
  ],
  [
    "no events, and their line among the artifacts",
    workflow(`    s:\n      prompt_task: a\n      artifacts:\n        on_event:\n`),
    'schema /workflow/states/s/artifacts/on_event "on_event" is a property of a state, not an artifact. Put it beside "artifacts".',
  ],
  [
    "what is not called like an event among the artifacts",
    workflow("    s: {prompt_task: a, terminal: true, artifacts: {plan: s}}\n"),
    'schema /workflow/states/s/artifacts/plan Artifact "plan" must be an object with "type", found "s".',
  ],
  [
    "the name of a state, indented too far",
    workflow(
      "    s:\n      prompt_task: a\n      on_event: {Go: t}\n      t:\n      prompt_task: a\n      terminal: true\n",
    ),
    'duplicate-key /workflow/states/s/prompt_task The key "prompt_task" is already used in this object; only one of them counts. If "t" is the name of another state, indent it less.',
    'schema /workflow/states/s/t "t" is not a property of a state.',
  ],
  [
    "a misspelt name beside a state whose own is missing",
    workflow(
      `    s:\n      prompt_task: a\n      on_event: {Go: gone}\n      prompt_task: a\n      description: D\n    u: {prompt_task: a, on_event: {Go: middel}}\n    middle: {prompt_task: a, terminal: true}\n`,
    ),
    'duplicate-key /workflow/states/s/prompt_task The key "prompt_task" is already used in this object; only one of them counts. If another state starts here, put its name before it.',
    'unknown-event-target /workflow/states/u/on_event/Go State "u" sends Go to "middel", which is not a state. Did you mean "middle"?',
  ],
  [
    "no-break spaces where plain ones belong",
    workflow(`    s:\n      prompt_task: a\n      on_event: {Go:\u00a0t}\n${end}`).replace(
      '"Go or Back"',
      '"Go", tools:\n    -\u00a0x\n    ',
    ),
    'schema /prompts/a/tools "tools" must be a list, found "-\\u00a0x". A no-break space cannot follow "-" in YAML; use a plain space.',
    'schema /workflow/states/s/on_event/Go:\u00a0t The target of event "Go:\\u00a0t" must be a string, found nothing (null). A no-break space cannot follow ":" in YAML; use a plain space.',
  ],
  [
    "a type that is said to end a state that has events, or an end of its own",
    workflow(
      `    s: {prompt_task: a, type: final, on_event: {Go: t}}\n    t: {prompt_task: a, type: end, terminal: true}\n`,
    ),
    'schema /workflow/states/s/type "type" is not a property of a state.',
    'schema /workflow/states/t/type "type" is not a property of a state.',
  ],
  [
    "metadata and required names that are there already",
    workflow(end.replace("t:", "s:")).replace("version: 1\n", "version: 1\n  metadata: {a: b}\n") +
      "metadata: {c: d}\ntools: {x: {name: x, description: X, parameters: {type: object, properties: {required: [q], q: {}}, required: [q]}}}\n",
    'schema /tools/x/parameters/properties/required Parameter "required" must be an object, found a list.',
    'schema /workflow/metadata "metadata" is not a property of a workflow. A workflow takes "version", "entry", "states" and "engine".',
    'unused-tool /tools/x No prompt lists the tool "x". Add it to the "tools" of a prompt, or remove it.',
  ],
  [
    "a property without a value before a state whose name is missing",
    workflow(
      "    s:\n      prompt_task: a\n      description:\n      prompt_task: a\n      terminal: true\n",
    ),
    'duplicate-key /workflow/states/s/prompt_task The key "prompt_task" is already used in this object; only one of them counts. If another state starts here, put its name before it.',
    'schema /workflow/states/s/description "description" must be a string, found nothing (null). Give it a value, or remove it.',
  ],
  [
    "the tools of the pack in a state",
    workflow("    s: {prompt_task: a, terminal: true, tools: {x: {name: x, description: X}}}\n"),
    'schema /workflow/states/s/tools "tools" is not a property of a state. It belongs at the top level of the pack.',
  ],
  [
    "long arrows, and equals signs, in the place of a colon",
    workflow(`    s: {prompt_task: a, on_event: {Go --> t, Back==t, Stay := s}}\n${end}`),
    'schema /workflow/states/s/on_event/Back==t The target of event "Back==t" must be a string, found nothing (null). Write ": " instead of "==".',
    'schema /workflow/states/s/on_event/Go --> t The target of event "Go --> t" must be a string, found nothing (null). Write ":" instead of "-->".',
    'schema /workflow/states/s/on_event/Stay := s The target of event "Stay := s" must be a string, found nothing (null). Write ":" instead of ":=".',
  ],
  [
    "the events in an artifact",
    workflow(
      `    s:\n      prompt_task: b\n      artifacts:\n        x:\n          type: text/plain\n          on_event: {Go: t}\n${end}`,
    ).replace("workflow:", '  b: {id: b, name: B, version: 1.0.0, system_template: "Go"}\nworkflow:'),
    'schema /workflow/states/s/artifacts/x/on_event "on_event" is not a property of an artifact. Put it beside "artifacts".',
    'unused-artifact /workflow/states/s/artifacts/x No template reads the artifact "x". Read it as {{artifacts.x}} in a later state that declares it, too, or remove it.',
  ],
  [
    "the mark of an end among the artifacts",
    workflow(
      "    s: {prompt_task: a, on_event: {Go: t}}\n    t: {prompt_task: a, artifacts: {terminal: true}}\n",
    ),
    'schema /workflow/states/t/artifacts/terminal "terminal" is a property of a state, not an artifact. Put it beside "artifacts".',
  ],
  [
    "a guard among the artifacts",
    workflow(
      `    s: {prompt_task: a, on_event: {Back: s, Go: t}, artifacts: {max_visits: 2, on_max_visits: t}}\n${end}  engine: {budget: {max_total_visits: 9}}\n`,
    ),
    'schema /workflow/states/s/artifacts/max_visits "max_visits" is a property of a state, not an artifact. Put it beside "artifacts".',
    'schema /workflow/states/s/artifacts/on_max_visits "on_max_visits" is a property of a state, not an artifact. Put it beside "artifacts".',
  ],
  [
    "events among the artifacts of a state that has others",
    workflow(`    s: {prompt_task: a, on_event: {Go: t}, artifacts: {on_event: {Back: t}}}\n${end}`),
    'schema /workflow/states/s/artifacts/on_event "on_event" is a property of a state, not an artifact.',
  ],
];

describe("what follows from a thing in the wrong place is not told", () => {
  it.each(packs)("%s", (_what, pack, ...findings) => {
    expect(findingsIn(pack).sort()).toEqual(findings.sort());
  });
});

it("states may be called like what the workflow or the pack has", () => {
  const pack = workflow(
    "    s: {prompt_task: a, on_event: {Go: entry, Back: tools}}\n" +
      "    entry: {prompt_task: a, on_event: {Go: tools, Back: engine}}\n" +
      "    tools: {promt_task: a, on_event: {Go: engine, Back: agents}}\n" +
      "    engine: {prompt_task: a, terminal: true}\n    agents: {prompt_task: a, terminal: true}\n",
  );
  expect(findingsIn(pack)).toEqual([
    'schema /workflow/states/tools/promt_task "promt_task" is not a property of a state. Did you mean "prompt_task"?',
  ]);
});

it("a property of a state may be the name of an event, which is doubtful", () => {
  const pack = workflow(
    `    s: {prompt_task: a, on_event: {Go: t, on_max_visits: t}, max_visits: 2}\n${end}`,
  );
  expect(findingsIn(pack)).toContain(
    'event-name-case /workflow/states/s/on_event/on_max_visits Event "on_max_visits" is not in PascalCase. ' +
      "If you mean the state's property, put it beside on_event.",
  );
});

it.each(["label: The end", "Label: The end", "id: s", "name: s", "Title: First step"])(
  "%s in a state is no event",
  (property) => {
    const pack = workflow(`    s: {prompt_task: a, terminal: true, ${property}}\n`);
    expect(findingsIn(pack)).toEqual([expect.stringMatching(/^schema .* is not a property of a state\.$/)]);
  },
);

it("a state in the place of a target is a target that is not known", () => {
  const pack = workflow("    s: {prompt_task: a, on_event: {Go: {prompt_task: a, terminal: true}}}\n");
  expect(findingsIn(pack)).toEqual([
    'schema /workflow/states/s/on_event/Go "Go" is a state, not an event. Put it beside "s".',
  ]);
});

it("an artifact may be called like a property of a state", () => {
  const names = ["description", "skills", "on_event"];
  const reads = names.map((name) => `{{artifacts.${name}}}`).join(" ");
  const own = names.map((name) => `${name}: {type: text/plain}`).join(", ");
  const pack = workflow(
    `    s: {prompt_task: a, on_event: {Go: t}, artifacts: {${own}}}\n    t: {prompt_task: b, terminal: true, artifacts: {${own}}}\n`,
  ).replace("workflow:", `  b: {id: b, name: B, version: 1.0.0, system_template: "${reads}"}\nworkflow:`);
  expect(findingsIn(pack)).toEqual([]);
});

it.each(["skills: text/plain", "persistence: {mode: append}"])(
  "%s among the artifacts may be meant for one",
  (artifact) => {
    const pack = workflow(`    s: {prompt_task: a, on_event: {Go: t}, artifacts: {${artifact}}}\n${end}`);
    expect(findingsIn(pack)).toContainEqual(expect.stringMatching(/^schema .* Artifact /));
  },
);

it("nothing is written into a state of which a part stands among its artifacts", () => {
  const pack = workflow(`    s: {prompt_task: a, on_event: {Go: t}, artifacts: {terminal: true}}\n${end}`);
  const { diagnostics } = lint(pack, { file: "pack.yaml" });
  expect(diagnostics.flatMap(({ rule, fix }) => (fix === undefined ? [] : rule))).toEqual([]);
  expect(diagnostics.map(({ rule }) => rule)).toContain("terminal-with-transitions");
});

it("nothing is written into a state in the wrong place", () => {
  const pack = workflow("    s: {prompt_task: a, on_event: {Go: t}, t: {prompt_task: a}}\n");
  const { diagnostics } = lint(pack, { file: "pack.yaml" });
  expect(diagnostics.map(({ rule, fix }) => [rule, fix])).toEqual([
    ["ambiguous-terminal", undefined],
    ["schema", undefined],
  ]);
});

it("the events of a state in the wrong place may be those that its neighbour has twice", () => {
  const events = (target: string) => `      on_event:\n        Go: ${target}\n`;
  const pack = workflow(
    `    s:\n      prompt_task: a\n${events("t")}      t:\n        prompt_task: a\n${events("u")}    u: {prompt_task: a, terminal: true}\n`,
  );
  const found = findingsIn(pack).map((finding) => finding.split(" ")[0]);
  expect(found).toEqual(["schema", "duplicate-key"]);
});

it("events inside of events are not known", () => {
  const pack = workflow(`    s: {prompt_task: a, on_event: {on_event: {Go: t}}}\n${end}`);
  const found = findingsIn(pack).map((finding) => finding.split(" ")[0]);
  expect(found).toEqual(["schema"]);
});

it("an object in a prompt is a prompt only when it has all that one needs", () => {
  const draft = 'draft: {system_template: "{{z}} {{artifacts.x}}"}';
  const pack = `${head}prompts:\n  a: {id: a, name: A, version: 1.0.0, system_template: Hi, ${draft}}\n`;
  expect(findingsIn(pack)).toEqual(['schema /prompts/a/draft "draft" is not a property of a prompt.']);
});

it("an unknown object beside the agents is no agent", () => {
  const pack = `${head}prompts:\n${prompt("a")}agents: {entry: a, members: {a: {}}, metadata: {}}\n`;
  expect(findingsIn(pack)).toEqual([
    'schema /agents/metadata "metadata" is not a property of "agents". "agents" takes "entry" and "members".',
  ]);
});

it("a state of which the section has one already is not read twice", () => {
  const pack = workflow(`    s: {prompt_task: a, on_event: {Go: t}}\n${end}  t: {prompt_task: a}\n`);
  expect(findingsIn(pack)).toEqual([
    'schema /workflow/t "t" is not a property of a workflow. It belongs inside "states".',
  ]);
});

it.each(["max_tool_calls: 5", "budget: {max_tool_calls: 5}", "engine: {x: 1}", "engine: gpt"])(
  "what ends no run leaves a loop as it is, wherever it strays: %s",
  (stray) => {
    const rulesIn = (pack: string) => lint(pack, { file: "pack.yaml" }).diagnostics.map(({ rule }) => rule);
    const inPack = `${looping("persistence: transient")}${end}${stray}\n`;
    for (const states of [`${looping(stray)}${end}`, inPack])
      expect(rulesIn(workflow(states))).toEqual(["unbounded-loop", "schema"]);
    const guarded = looping(`max_visits: 2, on_max_visits: t, ${stray}`);
    expect(rulesIn(workflow(`${guarded}${end}`))).toEqual(["schema"]);
  },
);

it("and so does a budget in the workflow", () => {
  const [loop] = findingsIn(
    workflow(`${looping("persistence: transient")}${end}  budget: {max_tool_calls: 5}\n`),
  );
  expect(loop).toMatch(/^unbounded-loop .* set engine\.budget\.max_total_visits\.$/);
});
