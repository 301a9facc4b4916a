import { describe, expect, it } from "vitest";
import { findingsOf, linesOf, linesOfValue } from "./findings-of.js";
import { validPack } from "./valid-pack.js";

const head = "id: a\nname: A\nversion: 1.0.0\ntemplate_engine: { version: v1, syntax: x }\n";
const prompts = "prompts: { p: { id: p, name: P, version: 1.0.0, system_template: Hi } }\n";

/** A prompt with further properties, in YAML. */
function withPrompt(properties: string): string {
  return `${head}prompts: { p: { id: p, name: P, version: 1.0.0, system_template: Hi, ${properties} } }\n`;
}

/** A state with further properties, in YAML. */
function withState(properties: string): string {
  return `${head}${prompts}workflow: { version: 1, entry: s, states: { s: { prompt_task: p, ${properties} } } }\n`;
}

describe("schemaFindings", () => {
  it("has nothing to say about a valid pack", () => {
    expect(linesOfValue(validPack())).toEqual([]);
    expect(linesOf(head + prompts)).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    [
      "a property one level too high",
      withPrompt("temperature: 0.3"),
      [
        '/prompts/p/temperature | temperature | additionalProperties | "temperature" is not a property of a prompt. It belongs inside "parameters".',
      ],
    ],
    [
      "items of a list in a wrapping, or below a misspelt property",
      withPrompt("variables: [{ variable: { name: x, type: string } }, { names: { type: string } }]"),
      [
        '/prompts/p/variables/0 | { | required | Variable 1 has no "name", "type" or "required".',
        '/prompts/p/variables/0/variable | variable | additionalProperties | "variable" is not a property of a variable.',
        '/prompts/p/variables/1 | { | required | Variable 2 has no "type" or "required".',
        '/prompts/p/variables/1/names | names | additionalProperties | "names" is not a property of a variable. Did you mean "name"?',
      ],
    ],
    [
      "empty properties of items that are not their names",
      `${withPrompt("variables: [{ id: , type: string, required: true }, { type: string, x: , required: true }, { x: , name: y, required: true }]")}evals: [{ name:e, type: judge, trigger: every_turn }]\n`,
      [
        '/prompts/p/variables/0 | { | required | Variable 1 has no "name".',
        '/prompts/p/variables/0/id | id | additionalProperties | "id" is not a property of a variable.',
        '/prompts/p/variables/1 | { | required | Variable 2 has no "name".',
        '/prompts/p/variables/1/x | x | additionalProperties | "x" is not a property of a variable.',
        '/prompts/p/variables/2 | { | required | Variable "y" has no "type".',
        '/prompts/p/variables/2/x | x | additionalProperties | "x" is not a property of a variable.',
        '/evals/0 | { | required | Eval 1 has no "id".',
        '/evals/0/name:e | name:e | additionalProperties | "name:e" is not a property of an eval. Put a space after the colon.',
      ],
    ],
    [
      "the name of an item without its colon",
      withPrompt("variables: [{ name user_language, type: string, required: true }]"),
      [
        '/prompts/p/variables/0 | { | required | Variable 1 has no "name".',
        '/prompts/p/variables/0/name user_language | name user_language | additionalProperties | "name user_language" is not a property of a variable.',
      ],
    ],
    [
      "what may be a property that is lacking, and no setting",
      `${withPrompt("validators: [{ rule: length }]")}evals: [{ id: e, type: judge, run_on: every_turn }]\n`,
      [
        '/prompts/p/validators/0 | { | required | Validator 1 has no "type".',
        '/prompts/p/validators/0/rule | rule | additionalProperties | "rule" is not a property of a validator. A validator takes "id", "type", "enabled", "message", "fail_on_violation" and "params".',
        '/evals/0 | { | required | Eval "e" has no "trigger".',
        '/evals/0/run_on | run_on | additionalProperties | "run_on" is not a property of an eval.',
      ],
    ],
    [
      "whether a tool is required",
      `${head}${prompts}tools: { t: { name: t, description: T, required: true }, u: { name: u, description: U, required: true, properties: {} } }\n`,
      [
        '/tools/t/required | required | additionalProperties | "required" is not a property of a tool. A tool takes "name", "description", "parameters" and "action_scope".',
        '/tools/u/required | required | additionalProperties | "required" is not a property of a tool. A tool takes "name", "description", "parameters" and "action_scope".',
        '/tools/u/properties | properties | additionalProperties | "properties" is not a property of a tool. It belongs inside "parameters".',
      ],
    ],
    [
      "objects that are no texts",
      `${head}prompts:\n  p:\n    id: p\n    name:\n      en: P\n    version: 1.0.0\n    system_template: Hi\nfragments:\n  f:\n    name: F\n    system_template: Hi\nworkflow:\n  version: 1\n  entry: s\n  states:\n    s:\n      prompt_task: p\n      persistence:\n        mode: persistent\ncompilation:\n  created_at: 2026-02-03T09:30:00Z\n  schema: v1\n  compiled_with:\n    tool: x\n`,
      [
        '/prompts/p/name | name | type | "name" must be a string, found an object.',
        '/fragments/f | f | type | Fragment "f" must be a string, found an object.',
        '/workflow/states/s/persistence | persistence | type | "persistence" must be a string, found an object.',
        '/compilation/compiled_with | compiled_with | type | "compiled_with" must be a string, found an object.',
      ],
    ],
    [
      "a value of which it is said already what to write, or in which there is nothing to write",
      `${head}${prompts}workflow:\n  version: 1\n  entry: [""]\n  states:\n    s: { prompt_task: p }\n  engine:\n    budget:\n      max_total_visits:3\n`,
      [
        '/workflow/entry | entry | type | "entry" must be a string, found a list.',
        '/workflow/engine/budget | max_total_visits:3 | type | "budget" must be an object, found "max_total_visits:3". A budget takes "max_total_visits", "max_tool_calls" and "max_wall_time_sec".',
      ],
    ],
    [
      "items of which one has nothing that such a thing has",
      `${head}prompts:\n  p:\n    id: p\n    name: P\n    version: 1.0.0\n    system_template: Hi\n    variables:\n      - name: x\n      - colour: red\n      - type: string\n        required: true\n`,
      [
        '/prompts/p/variables/0 | name | required | Variable "x" has no "type" or "required".',
        '/prompts/p/variables/1 | colour | required | Variable 2 has no "name", "type" or "required".',
        '/prompts/p/variables/1/colour | colour | additionalProperties | "colour" is not a property of a variable.',
        '/prompts/p/variables/2 | type | required | Variable 3 has no "name".',
      ],
    ],
    [
      "what elsewhere is another name of a property that is there",
      withPrompt("content: Ho"),
      ['/prompts/p/content | content | additionalProperties | "content" is not a property of a prompt.'],
    ],
    [
      "a section inside a prompt that the pack has",
      withPrompt("prompts: {}"),
      ['/prompts/p/prompts | prompts | additionalProperties | "prompts" is not a property of a prompt.'],
    ],
    [
      "items of a list of which too little is known",
      withPrompt("variables: [{ key: x }, { variable: { name: x, type: string, required: true } }]"),
      [
        '/prompts/p/variables/0 | { | required | Variable 1 has no "name", "type" or "required".',
        '/prompts/p/variables/0/key | key | additionalProperties | "key" is not a property of a variable.',
        '/prompts/p/variables/1 | { | required | Variable 2 has no "name", "type" or "required".',
        '/prompts/p/variables/1/variable | variable | additionalProperties | "variable" is not a property of a variable.',
      ],
    ],
    [
      "a property of another part that is named much like one here",
      `${head}${prompts}engine: {}\n`,
      [
        '/engine | engine | additionalProperties | "engine" is not a property of a pack. It belongs inside "workflow".',
      ],
    ],
    [
      "the version of a workflow that is not indented",
      `${head}${prompts}workflow:\n  entry: s\n  states: { s: { prompt_task: p } }\nversion: 1\n`,
      [
        '/version | 1 | type | "version" must be a string in quotes (a semantic version such as 1.2.0), found the number 1.',
        '/workflow | workflow | required | The workflow has no "version".',
      ],
    ],
    [
      "the version of the pack once more, below a workflow that does not lack its own",
      `${head}${prompts}workflow: { version: 1, entry: s, states: { s: { prompt_task: p } } }\nversion: 1\n`,
      [
        '/version | 1 | type | "version" must be a string in quotes (a semantic version such as 1.2.0), found the number 1.',
      ],
    ],
    [
      "what is unknown below a text, or below none",
      `${head}prompts:\n  p:\n    id: p\n    name: P\n    version: 1.0.0\n    system_template: |\n      You are a bot.\n    City: Rome\n    Town: Rome\n  q:\n    id: q\n    name: Q\n    version: 1.0.0\n    system_template: |\n      You are a bot.\n    city: Rome\n  r:\n    id: r\n    name: R\n    version: 1.0.0\n    system_template: ""\n    City: Rome\nworkflow:\n  version: 1\n  entry: s\n  states:\n    s:\n      prompt_task: p\n      description: |\n        Asks.\n      Done: t\n    t: { prompt_task: p }\n`,
      [
        '/prompts/p/City | City | additionalProperties | "City" is not a property of a prompt.',
        '/prompts/p/Town | Town | additionalProperties | "Town" is not a property of a prompt.',
        '/prompts/q/city | city | additionalProperties | "city" is not a property of a prompt.',
        '/prompts/r/City | City | additionalProperties | "City" is not a property of a prompt.',
        '/prompts/r/system_template | "" | minLength | "system_template" must not be empty.',
        '/workflow/states/s/Done | Done | additionalProperties | "Done" is not a property of a state.',
      ],
    ],
    [
      "what is somewhat like a property that is there",
      `${head}${prompts}compilation: { compiled_with: c, created_at: "2026-02-03T00:00:00Z", schema: v1 }\ncomposition: {}\n`,
      [
        '/composition | composition | additionalProperties | "composition" is not a property of a pack. Did you mean "compositions"?',
      ],
    ],
    [
      "null for what may be left out",
      `${head}description: null\n${prompts}workflow: null\nevals: [{ id: e, type: t, trigger: every_turn, metric: null }]\nskills: [{ path: s, preload: null }]\n`,
      [
        '/description | null | type | "description" must be a string, found nothing (null). Give it a value.',
        '/workflow | null | type | "workflow" must be an object with "version", "entry" and "states"; found nothing (null). Give it a value.',
        '/evals/0/metric | null | type | "metric" must be an object with "name" and "type", found nothing (null). Give it a value.',
        '/skills/0/preload | null | type | "preload" must be true or false, found nothing (null). Give it a value.',
      ],
    ],
    [
      "null for what is needed, has a name of its own, or may be null",
      `${withPrompt("variables: [{ name: null, type: string, required: true, default: null }, null], parameters: { top_k: null }")}fragments: { f: null }\ntools: { description: { name: t, description: null } }\n`,
      [
        '/prompts/p/variables/0/name | null | type | "name" must be a string, found nothing (null). Give it a value.',
        '/prompts/p/variables/1 | null | type | Variable 2 must be an object with "name", "type" and "required"; found nothing (null). Give it a value.',
        '/fragments/f | null | type | Fragment "f" must be a string, found nothing (null). Give it a value.',
        '/tools/description/description | null | type | "description" must be a string, found nothing (null). Give it a value.',
      ],
    ],
    [
      "what is called only somewhat like a section, and holds nothing that belongs in it",
      `${head}${prompts}compositions: { a: { steps: [] } }\ncomposition: x\n`,
      [
        '/composition | composition | additionalProperties | "composition" is not a property of a pack.',
        '/compositions/a | a | required | Composition "a" has no "version".',
        '/compositions/a/steps | steps | minItems | "steps" must have at least one entry.',
      ],
    ],
    [
      "what is called only somewhat like a section, and is one",
      `${head.replace("template_engine: { version: v1, syntax: x }", "templating_engine: x")}${prompts.replace("Hi", "Hi, model_overviews: { m: {} }")}composition: { shema: v1 }\ntools: { t: { name: t, description: T, input_schema: { city: {} } } }\n`,
      [
        '/templating_engine | templating_engine | additionalProperties | "templating_engine" is not a property of a pack. Did you mean "template_engine"?',
        '/composition | composition | additionalProperties | "composition" is not a property of a pack. Did you mean "compositions"?',
        '/prompts/p/model_overviews | model_overviews | additionalProperties | "model_overviews" is not a property of a prompt.',
        '/tools/t/input_schema | input_schema | additionalProperties | "input_schema" is not a property of a tool. Did you mean "parameters"?',
      ],
    ],
    [
      "what is called much like a section, and holds nothing that belongs in it",
      `${head}${prompts}compilations: { a: { steps: [] } }\nagent: { p: { tags: [] } }\n`,
      [
        '/compilations | compilations | additionalProperties | "compilations" is not a property of a pack. Did you mean "compilation"?',
        '/agent | agent | additionalProperties | "agent" is not a property of a pack. Did you mean "agents"?',
      ],
    ],
    [
      "a null that is written out",
      withState("on_event: null, Done: s"),
      [
        '/workflow/states/s/Done | Done | additionalProperties | "Done" is not a property of a state.',
        '/workflow/states/s/on_event | null | type | "on_event" must be an object, found nothing (null). Give it a value.',
      ],
    ],
    [
      "an agent of which nothing but the name is written",
      `${head}${prompts}agents:\n  entry: p\n  members:\n    p:\n`,
      ['/agents/members/p |  | type | Agent "p" must be an object, found nothing (null). Give it a value.'],
    ],
    [
      "a required property one level too high",
      `${head}${prompts}workflow: { version: 1, entry: s }\nstates: { s: { prompt_task: p } }\n`,
      [
        '/states | states | additionalProperties | "states" is not a property of a pack. It belongs inside "workflow".',
        '/workflow | workflow | required | The workflow has no "states".',
      ],
    ],
    [
      "a faulty prompt that has the name of a section",
      `${head}prompts: { tools: { id: tools, name: Tools, version: 1.0.0 } }\n`,
      ['/prompts/tools | tools | required | Prompt "tools" has no "system_template".'],
    ],
    [
      "a prompt that has the name of a section, with a fault inside",
      `${head}prompts: { tools: { id: tools, name: Tools, version: 1.0.0, system_template: 5 } }\n`,
      [
        '/prompts/tools/system_template | 5 | type | "system_template" must be a string, found the number 5; put it in quotes.',
      ],
    ],
    [
      "a prompt that has the name of a section, and lacks one thing and has another",
      `${head}prompts: { tools: { id: tools, name: Tools, version: 1.0.0, color: red } }\n`,
      [
        '/prompts/tools | tools | required | Prompt "tools" has no "system_template".',
        '/prompts/tools/color | color | additionalProperties | "color" is not a property of a prompt.',
      ],
    ],
    [
      "the tools of a prompt, which are a list, beside it",
      `${head}prompts:\n  p: { id: p, name: P, version: 1.0.0, system_template: Hi }\n  tools: [t]\n`,
      [
        '/prompts/tools | tools | type | Prompt "tools" must be an object with "id", "name", "version" and "system_template"; found a list.',
      ],
    ],
    [
      "what is required one level too deep",
      `${head}${prompts}tools: { t: { function: { name: t, description: T } } }\n`,
      [
        '/tools/t | t | required | Tool "t" has no "name" or "description".',
        '/tools/t/function | function | additionalProperties | "function" is not a property of a tool. A tool takes "name", "description", "parameters" and "action_scope".',
      ],
    ],
    [
      "parameters that are not a schema",
      `${head}${prompts}tools: { t: { name: t, description: T, parameters: { q: { type: string }, required: [q] } }, u: { name: u, description: U, parameters: { q: string } }, v: { name: v, description: V, parameters: {} } }\n`,
      [
        '/tools/t/parameters | parameters | required | "parameters" has no "type" or "properties".',
        '/tools/u/parameters | parameters | required | "parameters" has no "type" or "properties".',
        '/tools/v/parameters | parameters | required | "parameters" has no "type" or "properties".',
      ],
    ],
    [
      "limits of a number and of a text",
      withPrompt(
        "variables: [{ name: n, type: number, required: true, validation: { min: 0 } }, { name: t, type: string, required: true, validation: { max: 9, minimun: 1 } }]",
      ),
      [
        '/prompts/p/variables/0/validation/min | min | additionalProperties | "min" is not a property of "validation". Did you mean "minimum"?',
        '/prompts/p/variables/1/validation/max | max | additionalProperties | "max" is not a property of "validation". Did you mean "maximum"?',
        '/prompts/p/variables/1/validation/minimun | minimun | additionalProperties | "minimun" is not a property of "validation". Did you mean "minimum"?',
      ],
    ],
    [
      "something unknown that has what is missing, but as a part of its own",
      `${head.replace("version: 1.0.0\n", "")}${prompts}build: { version: 3, host: ci }\n`,
      [
        ' | id | required | The pack has no "version".',
        '/build | build | additionalProperties | "build" is not a property of a pack.',
      ],
    ],
    [
      "lists and objects in each other's place, and things in that of their names",
      withPrompt("tools: [{ name: t }], variables: { a: {} }, tested_models: [gpt]") +
        "tools: []\nagents: { entry: p, members: [p] }\n",
      [
        '/prompts/p/tools/0 | { | type | Item 1 of "tools" must be a string, found an object.',
        '/prompts/p/variables | variables | type | "variables" must be a list, found an object; write each entry as a list item.',
        '/prompts/p/tested_models/0 | gpt | type | Tested model 1 must be an object with "provider", "model" and "date"; found "gpt".',
        '/tools | tools | type | "tools" must be an object, found a list; use the name of each entry as its key.',
        '/agents/members | members | type | "members" must be an object, found a list; use the name of each entry as its key.',
      ],
    ],
    [
      "an object in place of a text, and of a name",
      `${head}fragments: { f: { name: f, text: Hi } }\nprompts: { p: { id: p, name: P, version: 1.0.0, system_template: { name: x } } }\n` +
        "workflow: { version: 1, entry: { name: s }, states: { s: { prompt_task: p, on_event: { Go: { target: s } } } } }\n",
      [
        '/fragments/f | f | type | Fragment "f" must be a string, found an object.',
        '/prompts/p/system_template | system_template | type | "system_template" must be a string, found an object.',
        '/workflow/entry | entry | type | "entry" must be a string, found an object.',
        '/workflow/states/s/on_event/Go | Go | type | The target of event "Go" must be a string, found an object.',
      ],
    ],
    [
      "something else in place of an object that has few properties, or needs some",
      `${withPrompt("evals: [{ id: e, type: t, trigger: every_turn, threshold: 0.8 }], variables: [x]")}metadata: 5\n`,
      [
        '/prompts/p/evals/0/threshold | 0.8 | type | "threshold" must be an object, found 0.8. "threshold" takes "operator" and "value".',
        '/prompts/p/variables/0 | x | type | Variable 1 must be an object with "name", "type" and "required"; found "x".',
        '/metadata | 5 | type | "metadata" must be an object, found 5.',
      ],
    ],
    [
      "lists in place of a name, and of a text",
      withState("on_max_visits: [s], on_event: { A: [s, s], B: [] }, description: [Hi]"),
      [
        '/workflow/states/s/on_max_visits | on_max_visits | type | "on_max_visits" must be a string, found a list.',
        '/workflow/states/s/on_event/A | A | type | The target of event "A" must be a string, found a list.',
        '/workflow/states/s/on_event/B | B | type | The target of event "B" must be a string, found a list.',
        '/workflow/states/s/description | description | type | "description" must be a string, found a list.',
      ],
    ],
    [
      "nothing but quotes where a list is due",
      withPrompt('tools: ""'),
      [
        '/prompts/p/tools | "" | type | "tools" must be a list, found an empty string; write each entry as a list item.',
      ],
    ],
    [
      "a key in brackets that begins with a dash, and one of several",
      `${withPrompt("variables: { -name: x }")}skills:\n  -path: x\n  preload: true\n`,
      [
        '/prompts/p/variables | variables | type | "variables" must be a list, found an object; write each entry as a list item.',
        '/skills | skills | type | "skills" must be a list, found an object; write each entry as a list item.',
      ],
    ],
    [
      "an item without its dash",
      `${head}prompts:\n  p:\n    id: p\n    name: P\n    version: 1.0.0\n    system_template: Hi\n    variables:\n      name: x\n      type: string\n    validators:\n      type: length\n    tested_models:\n      provider: o\n      model: m\n      date: "2026-02-03"\n      notes: Good\nskills:\n  path: ./x\n  preload: true\n`,
      [
        '/prompts/p/variables | variables | type | "variables" must be a list, found an object; write each entry as a list item.',
        '/prompts/p/validators | validators | type | "validators" must be a list, found an object; write each entry as a list item.',
        '/prompts/p/tested_models | tested_models | type | "tested_models" must be a list, found an object; write each entry as a list item.',
        '/skills | skills | type | "skills" must be a list, found an object; write each entry as a list item.',
      ],
    ],
    [
      "items by their names instead of in a list",
      `${withPrompt("variables: { name: { type: string, required: true }, type: { type: string, required: true } }, validators: { length: { max: 9 }, none: }, tools: { a: , b: }, tested_models: { gpt: { provider: o, model: gpt, date: 2026-02-03 } }")}evals: { e: { type: t, trigger: every_turn }, f: { type: t, trigger: every_turn, prompt: Kind? } }\nskills: { s: { description: S, instructions: S! } }\n`,
      [
        '/prompts/p/variables | variables | type | "variables" must be a list, found an object; write each entry as a list item.',
        '/prompts/p/validators | validators | type | "validators" must be a list, found an object; write each entry as a list item.',
        '/prompts/p/tools | tools | type | "tools" must be a list, found an object; write each entry as a list item.',
        '/prompts/p/tested_models | tested_models | type | "tested_models" must be a list, found an object; write each entry as a list item.',
        '/evals | evals | type | "evals" must be a list, found an object; write each entry as a list item.',
        '/skills | skills | type | "skills" must be a list, found an object; write each entry as a list item.',
      ],
    ],
    [
      "items that are not whole together, or in brackets",
      `${head}prompts:\n  p:\n    id: p\n    name: P\n    version: 1.0.0\n    system_template: Hi\n    variables:\n      - name: x\n      - type: string\n    evals: [{ id: e }, { type: t }, { trigger: every_turn }]\n`,
      [
        '/prompts/p/variables/0 | name | required | Variable "x" has no "type" or "required".',
        '/prompts/p/variables/1 | type | required | Variable 2 has no "name" or "required".',
        '/prompts/p/evals/0 | { | required | Eval "e" has no "type" or "trigger".',
        '/prompts/p/evals/1 | { | required | Eval 2 has no "id" or "trigger".',
        '/prompts/p/evals/2 | { | required | Eval 3 has no "id" or "type".',
      ],
    ],
    [
      "several names where a list of them is due",
      withPrompt('tools: "t, u"'),
      [
        '/prompts/p/tools | "t, u" | type | "tools" must be a list, found "t, u"; write each entry as a list item.',
      ],
    ],
    [
      "text where a list is due, in which the names cannot be told",
      withPrompt("tools: t u, tool_policy: { blocklist: 'v (w), x' }"),
      [
        '/prompts/p/tools | t u | type | "tools" must be a list, found "t u"; write each entry as a list item.',
        `/prompts/p/tool_policy/blocklist | 'v (w), x' | type | "blocklist" must be a list, found "v (w), x"; write each entry as a list item.`,
      ],
    ],
    [
      "a list of prompts, whose keys are their ids",
      `${head}prompts: [{ id: p, name: P, version: 1.0.0, system_template: Hi }]\n`,
      [
        '/prompts | prompts | type | "prompts" must be an object, found a list; use the name of each entry as its key.',
      ],
    ],
    [
      "a colon without a space after it, between brackets",
      withState("on_event: { Next:s, Stop: s }, artifacts: { a: { type:text/plain } }, terminal:true"),
      [
        '/workflow/states/s/terminal:true | terminal:true | additionalProperties | "terminal:true" is not a property of a state. Put a space after the colon.',
        '/workflow/states/s/on_event/Next:s |  | type | The target of event "Next:s" must be a string, found nothing (null). Put a space after the colon.',
        '/workflow/states/s/artifacts/a | a | required | Artifact "a" has no "type".',
        '/workflow/states/s/artifacts/a/type:text~1plain | type:text/plain | additionalProperties | "type:text/plain" is not a property of an artifact. Put a space after the colon.',
      ],
    ],
    [
      "a no-break space after a colon",
      withState("on_event:\n    Next:\u00a0s"),
      ['/workflow/states/s/on_event | Next: s | type | "on_event" must be an object, found "Next:\\u00a0s".'],
    ],
    [
      "a colon without a space after it, on a line of its own",
      withState("on_event:\n    Next:s"),
      ['/workflow/states/s/on_event | Next:s | type | "on_event" must be an object, found "Next:s".'],
    ],
    [
      "a colon without a space after it, on the line of another key",
      withState("on_event: Next:s"),
      ['/workflow/states/s/on_event | Next:s | type | "on_event" must be an object, found "Next:s".'],
    ],
    [
      "a colon in a name that is in quotes, or has its value left out, or is an address",
      withState('on_event: { "A:s", B:s:, http://x }, artifacts: "a:b"'),
      [
        '/workflow/states/s/on_event/A:s |  | type | The target of event "A:s" must be a string, found nothing (null). Give it a value.',
        '/workflow/states/s/on_event/B:s |  | type | The target of event "B:s" must be a string, found nothing (null). Give it a value.',
        '/workflow/states/s/on_event/http:~1~1x |  | type | The target of event "http://x" must be a string, found nothing (null). Give it a value.',
        '/workflow/states/s/artifacts | "a:b" | type | "artifacts" must be an object, found "a:b".',
      ],
    ],
    [
      "a dash in quotes where a list is due",
      withPrompt('tools: "-t"'),
      [
        '/prompts/p/tools | "-t" | type | "tools" must be a list, found "-t"; write each entry as a list item.',
      ],
    ],
    [
      "one name where a list of them is due",
      withPrompt("tools: t"),
      ['/prompts/p/tools | t | type | "tools" must be a list, found "t"; write each entry as a list item.'],
    ],
    [
      "type, with its range",
      withPrompt("parameters: { temperature: hot }"),
      [
        '/prompts/p/parameters/temperature | hot | type | "temperature" must be a number between 0 and 2, found "hot".',
      ],
    ],
    [
      "maximum",
      withPrompt("parameters: { temperature: 2.50 }"),
      [
        '/prompts/p/parameters/temperature | 2.50 | maximum | "temperature" must be a number between 0 and 2, found 2.50.',
      ],
    ],
    [
      "minimum, with a type of two",
      withPrompt("parameters: { top_k: 0 }"),
      [
        '/prompts/p/parameters/top_k | 0 | minimum | "top_k" must be a whole number of at least 1, or null; found 0.',
      ],
    ],
    [
      "integer",
      withState("max_visits: 1.5"),
      [
        '/workflow/states/s/max_visits | 1.5 | type | "max_visits" must be a whole number of at least 1, found 1.5.',
      ],
    ],
    [
      "a number in the place of a skill, which is not looked for",
      withState("skills: 5"),
      [
        '/workflow/states/s/skills | 5 | type | "skills" must be a string, found the number 5; put it in quotes.',
      ],
    ],
    [
      "the target of an event",
      withState("on_event: { Done: 1, Failed: [s] } }, 1: { prompt_task: 1"),
      [
        '/workflow/states/s/on_event/Done | 1 | type | The target of event "Done" must be a string, found the number 1; put it in quotes.',
        '/workflow/states/s/on_event/Failed | Failed | type | The target of event "Failed" must be a string, found a list.',
        '/workflow/states/1/prompt_task | 1 | type | "prompt_task" must be a string, found the number 1; put it in quotes.',
      ],
    ],
    [
      "infinity",
      withState("max_visits: .inf"),
      [
        '/workflow/states/s/max_visits | .inf | type | "max_visits" must be a whole number of at least 1, found .inf.',
      ],
    ],
    [
      "boolean",
      withState("terminal: yes"),
      [
        '/workflow/states/s/terminal | yes | type | "terminal" must be true or false, found "yes"; write true.',
      ],
    ],
    [
      "boolean, as a text with a capital letter",
      withState('terminal: "False"'),
      [
        '/workflow/states/s/terminal | "False" | type | "terminal" must be true or false, found "False"; write false.',
      ],
    ],
    [
      "enum",
      withState("artifacts: { log: { type: text/plain, mode: add } }"),
      [
        '/workflow/states/s/artifacts/log/mode | add | enum | "mode" must be "replace" or "append", found "add".',
      ],
    ],
    [
      "enum, nearly",
      withPrompt("tool_policy: { tool_choice: Auto }"),
      [
        '/prompts/p/tool_policy/tool_choice | Auto | enum | "tool_choice" must be "auto", "required" or "none"; found "Auto". Did you mean "auto"?',
      ],
    ],
    [
      "enum and type at once",
      withPrompt("tool_policy: { tool_choice: 5 }"),
      [
        '/prompts/p/tool_policy/tool_choice | 5 | type | "tool_choice" must be "auto", "required" or "none"; found 5.',
      ],
    ],
    [
      "pattern",
      head.replace("id: a", "id: My Pack") + prompts,
      [
        '/id | My Pack | pattern | "id" must be lowercase letters, digits and hyphens, starting with a letter; found "My Pack".',
      ],
    ],
    [
      "pattern and minLength at once",
      head.replace("id: a", 'id: ""') + prompts,
      [
        '/id | "" | pattern | "id" must be lowercase letters, digits and hyphens, starting with a letter; found an empty string.',
      ],
    ],
    [
      "minLength",
      head.replace("name: A", "name: ''") + prompts,
      [`/name | '' | minLength | "name" must not be empty.`],
    ],
    [
      "maxLength, in characters",
      head.replace("name: A", `name: ${"😀".repeat(201)}`) + prompts,
      [`/name | ${"😀".repeat(201)} | maxLength | "name" must have at most 200 characters, found 201.`],
    ],
    [
      "format date",
      withPrompt("tested_models: [{ provider: x, model: m, date: 2026-02-30 }]"),
      [
        '/prompts/p/tested_models/0/date | 2026-02-30 | format | "date" must be a date such as 2026-02-03, found "2026-02-30".',
      ],
    ],
    [
      "format date-time",
      `${head}${prompts}compilation: { compiled_with: c, created_at: today, schema: v1 }\n`,
      [
        '/compilation/created_at | today | format | "created_at" must be a date and time such as 2026-02-03T09:30:00Z, found "today".',
      ],
    ],
    [
      "format uri",
      withPrompt(
        "media: { enabled: true, examples: [{ name: n, role: user, parts: [{ type: image, media: { mime_type: a/b, url: x } }] }] }",
      ),
      [
        '/prompts/p/media/examples/0/parts/0/media/url | x | format | "url" must be an absolute address such as https://example.org/photo.png, found "x".',
      ],
    ],
    [
      "items by keys that may not stand for what they lack",
      `${withPrompt("variables: { a: { name: a, type: string } }, tested_models: { first: { provider: o, model: m } }")}evals: { e: { id: e, trigger: every_turn }, f: { type: t, trigger: every_turn } }\n`,
      [
        '/prompts/p/variables | variables | type | "variables" must be a list, found an object; write each entry as a list item.',
        '/prompts/p/tested_models | tested_models | type | "tested_models" must be a list, found an object; write each entry as a list item.',
        '/evals | evals | type | "evals" must be a list, found an object; write each entry as a list item.',
      ],
    ],
    [
      "minItems",
      withPrompt("media: { enabled: true, examples: [{ name: n, role: user, parts: [] }] }"),
      ['/prompts/p/media/examples/0/parts | parts | minItems | "parts" must have at least one entry.'],
    ],
    [
      "minProperties",
      `${head}prompts: {}\n`,
      ['/prompts | prompts | minProperties | "prompts" must have at least one entry.'],
    ],
    [
      "an object at its key",
      `${head}${prompts}evals: { a: 1 }\n`,
      ['/evals | evals | type | "evals" must be a list, found an object; write each entry as a list item.'],
    ],
    [
      "a list without a key of its own",
      withPrompt("tools: [[x]]"),
      ['/prompts/p/tools/0 | [ | type | Item 1 of "tools" must be a string, found a list.'],
    ],
    [
      "a name with slashes and quotes",
      `${head}${prompts}fragments: { 'a/b~"c': 1 }\n`,
      [
        '/fragments/a~1b~0"c | 1 | type | Fragment "a/b~\\"c" must be a string, found the number 1; put it in quotes.',
      ],
    ],
  ])("%s", (_, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });
});

describe("YAML's pitfalls", () => {
  it.each<[string, string, string[]]>([
    [
      "a number where the same text in quotes would do",
      head.replace("version: v1", "version: 1.0") + prompts,
      [
        '/template_engine/version | 1.0 | type | "version" must be a string, found the number 1.0; put it in quotes.',
      ],
    ],
    [
      "a number where quotes are not enough",
      head.replace("1.0.0", "1.0") + prompts,
      [
        '/version | 1.0 | type | "version" must be a string in quotes (a semantic version such as 1.2.0), found the number 1.0.',
      ],
    ],
    [
      "a boolean",
      `${head}${prompts}description: true\n`,
      ['/description | true | type | "description" must be a string, found true; put it in quotes.'],
    ],
    [
      "an empty value",
      `${head}${prompts}description: ~\n`,
      ['/description | ~ | type | "description" must be a string, found nothing (null). Give it a value.'],
    ],
    [
      "a number in quotes",
      withState("max_visits: '3'"),
      [
        `/workflow/states/s/max_visits | '3' | type | "max_visits" must be a whole number of at least 1, found "3"; remove the quotes.`,
      ],
    ],
    [
      "a number that a tag makes a text",
      withState("max_visits: !!str 3"),
      [
        `/workflow/states/s/max_visits | 3 | type | "max_visits" must be a whole number of at least 1, found "3"; remove the tag.`,
      ],
    ],
    [
      "a boolean in quotes",
      withState('terminal: "true"'),
      [
        '/workflow/states/s/terminal | "true" | type | "terminal" must be true or false, found "true"; remove the quotes.',
      ],
    ],
    [
      "quotes around a number that would not do",
      withState('max_visits: "0"'),
      [
        '/workflow/states/s/max_visits | "0" | type | "max_visits" must be a whole number of at least 1, found "0".',
      ],
    ],
    [
      "quotes around a number that is no whole one",
      withState('max_visits: "3.5"'),
      [
        '/workflow/states/s/max_visits | "3.5" | type | "max_visits" must be a whole number of at least 1, found "3.5".',
      ],
    ],
    [
      "numbers in quotes, of which one is too large",
      withPrompt('parameters: { temperature: "5", top_p: "0.5" }'),
      [
        '/prompts/p/parameters/temperature | "5" | type | "temperature" must be a number between 0 and 2, found "5".',
        '/prompts/p/parameters/top_p | "0.5" | type | "top_p" must be a number between 0 and 1, found "0.5"; remove the quotes.',
      ],
    ],
    [
      "a model, which a pack does not choose",
      withPrompt("model: gpt-4o"),
      ['/prompts/p/model | model | additionalProperties | "model" is not a property of a prompt.'],
    ],
    [
      "a limit in the unit of its name",
      `${head}${prompts}workflow: { version: 1, entry: s, states: { s: { prompt_task: p } }, engine: { budget: { max_wall_time_seconds: 5 } } }\n`,
      [
        '/workflow/engine/budget/max_wall_time_seconds | max_wall_time_seconds | additionalProperties | "max_wall_time_seconds" is not a property of a budget. Did you mean "max_wall_time_sec"?',
      ],
    ],
    [
      "a limit by the name that RFC 0009 decides against",
      `${head}${prompts}workflow: { version: 1, entry: s, states: { s: { prompt_task: p } }, engine: { budget: { max_total_iterations: 5 } } }\n`,
      [
        '/workflow/engine/budget/max_total_iterations | max_total_iterations | additionalProperties | "max_total_iterations" is not a property of a budget. Did you mean "max_total_visits"?',
      ],
    ],
    [
      "what describes the pack in its workflow",
      `${head}${prompts}workflow: { version: 1, entry: s, states: { s: { prompt_task: p } }, metadata: { domain: x } }\n`,
      [
        '/workflow/metadata | metadata | additionalProperties | "metadata" is not a property of a workflow. It belongs at the top level of the pack; settings of a runtime belong inside "engine".',
      ],
    ],
    [
      "the tools of a prompt in a state",
      withState("tools: [t]"),
      ['/workflow/states/s/tools | tools | additionalProperties | "tools" is not a property of a state.'],
    ],
  ])("%s", (_, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it("takes 1.0 for an integer", () => {
    expect(linesOf(withState("max_visits: 1.0"))).toEqual([]);
  });
});

describe("properties", () => {
  it.each<[string, string, string[]]>([
    ["missing in the pack", head, [' | id | required | The pack has no "prompts".']],
    [
      "missing in a prompt",
      `${head}prompts: { planner: { id: p, name: P, system_template: Hi } }\n`,
      ['/prompts/planner | planner | required | Prompt "planner" has no "version".'],
    ],
    [
      "missing twice",
      `${head}${prompts}workflow: { version: 1 }\n`,
      ['/workflow | workflow | required | The workflow has no "entry" or "states".'],
    ],
    [
      "missing in something without a name",
      withPrompt("variables: [{ name: goal, type: string }, { type: string, required: true }]"),
      [
        '/prompts/p/variables/0 | { | required | Variable "goal" has no "required".',
        '/prompts/p/variables/1 | { | required | Variable 2 has no "name".',
      ],
    ],
    [
      "missing in something without a role",
      withPrompt("pipeline: {}"),
      ['/prompts/p/pipeline | pipeline | required | "pipeline" has no "stages".'],
    ],
    [
      "unknown",
      withState("colour: red"),
      ['/workflow/states/s/colour | colour | additionalProperties | "colour" is not a property of a state.'],
    ],
    [
      "unknown, with a known one near",
      withState("maxVisits: 3"),
      [
        '/workflow/states/s/maxVisits | maxVisits | additionalProperties | "maxVisits" is not a property of a state. Did you mean "max_visits"?',
      ],
    ],
    [
      "a required one misspelt is one fault",
      head + prompts.replace("prompts", "promts"),
      [
        '/promts | promts | additionalProperties | "promts" is not a property of a pack. Did you mean "prompts"?',
      ],
    ],
    [
      "unknown where there is no role",
      withPrompt("media: { enabled: true, image: { depth: 1 } }"),
      [
        '/prompts/p/media/image/depth | depth | additionalProperties | "depth" is not a property of "image". "image" takes "max_size_mb", "allowed_formats", "default_detail", "require_caption" and "max_images_per_msg".',
      ],
    ],
    [
      "unknown in a skill, which has several forms",
      `${head}${prompts}skills: [{ path: x, colour: red }]\n`,
      ['/skills/0/colour | colour | additionalProperties | "colour" is not a property of a skill.'],
    ],
    [
      "two keys that could stand for the same property",
      withPrompt("validators: [{ kind: length, name: short }]"),
      [
        '/prompts/p/validators/0 | { | required | Validator 1 has no "type".',
        '/prompts/p/validators/0/kind | kind | additionalProperties | "kind" is not a property of a validator. A validator takes "id", "type", "enabled", "message", "fail_on_violation" and "params".',
        '/prompts/p/validators/0/name | name | additionalProperties | "name" is not a property of a validator.',
      ],
    ],
    [
      "what a thing takes, once",
      `${head}${prompts}evals: [{ id: e, type: judge, trigger: every_turn, threshold: { min: 1, most: 2 } }]\n`,
      [
        '/evals/0/threshold/min | min | additionalProperties | "min" is not a property of "threshold". "threshold" takes "operator" and "value".',
        '/evals/0/threshold/most | most | additionalProperties | "most" is not a property of "threshold".',
      ],
    ],
    [
      "in an eval: what belongs in its metric, and what is no setting",
      `${head}${prompts}evals: [{ id: e, type: judge, trigger: every_turn, range: { min: 1 }, tags: [a] }]\n`,
      [
        '/evals/0/range | range | additionalProperties | "range" is not a property of an eval. It belongs inside "metric".',
        '/evals/0/tags | tags | additionalProperties | "tags" is not a property of an eval.',
      ],
    ],
    [
      "settings that depend on a type, beside it",
      `${withPrompt("validators: [{ type: length, limit: 5 }], pipeline: { stages: [], middleware: [{ type: cache, ttl: 5 }] }")}evals: [{ id: e, type: judge, trigger: every_turn, rubric: R }]\n`,
      [
        '/prompts/p/validators/0/limit | limit | additionalProperties | "limit" is not a property of a validator. A validator takes "id", "type", "enabled", "message", "fail_on_violation" and "params".',
        '/prompts/p/pipeline/middleware/0/ttl | ttl | additionalProperties | "ttl" is not a property of a middleware. A middleware takes "type" and "config".',
        '/evals/0/rubric | rubric | additionalProperties | "rubric" is not a property of an eval.',
      ],
    ],
    [
      "parameters of a model override, and tools of an agent, a level too high",
      `${withPrompt("model_overrides: { m: { temperature: 1 } }")}agents: { entry: p, members: { p: { tools: [t] } } }\n`,
      [
        '/prompts/p/model_overrides/m/temperature | temperature | additionalProperties | "temperature" is not a property of a model override. It belongs inside "parameters".',
        '/agents/members/p/tools | tools | additionalProperties | "tools" is not a property of an agent. An agent takes "description", "tags", "input_modes", "output_modes", "state" and "governance".',
      ],
    ],
    [
      "a part of the schema of the parameters beside them, and the type of the tool",
      `${head}${prompts}tools: { t: { name: t, description: T, parameters: { type: object, properties: {} }, required: [] }, u: { name: u, description: U, type: function, properties: {} } }\n`,
      [
        '/tools/t/required | required | additionalProperties | "required" is not a property of a tool. It belongs inside "parameters".',
        '/tools/u/type | type | additionalProperties | "type" is not a property of a tool. A tool takes "name", "description", "parameters" and "action_scope".',
        '/tools/u/properties | properties | additionalProperties | "properties" is not a property of a tool. It belongs inside "parameters".',
      ],
    ],
    [
      "of an agent",
      `${head}${prompts}agents: { entry: p, members: { p: { State: s } } }\n`,
      [
        '/agents/members/p/State | State | additionalProperties | "State" is not a property of an agent. Did you mean "state"?',
      ],
    ],
  ])("%s", (_, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it("accepts the state of an agent", () => {
    const text = `${head}${prompts}agents: { entry: p, members: { p: { state: s } } }\n`;
    expect(findingsOf(text)).toEqual([]);
  });
});

describe("oneOf", () => {
  const media = (settings: string): string => withPrompt(`media: { enabled: true, hologram: ${settings} }`);
  it.each<[string, string, string[]]>([
    [
      "a skill of a wrong type",
      `${head}${prompts}skills: [1.0, [a]]\n`,
      [
        "/skills/0 | 1.0 | oneOf | Skill 1 must be a string or an object, found 1.0.",
        "/skills/1 | [ | oneOf | Skill 2 must be a string or an object, found a list.",
      ],
    ],
    [
      "a skill path",
      `${head}${prompts}skills: [{ path: x, preload: 1 }]\n`,
      ['/skills/0/preload | 1 | type | "preload" must be true or false, found 1.'],
    ],
    [
      "an inline skill",
      `${head}${prompts}skills: [{ name: x, description: "" }]\n`,
      [
        '/skills/0 | { | required | Skill "x" has no "instructions".',
        '/skills/0/description | "" | minLength | "description" must not be empty.',
      ],
    ],
    [
      "an inline skill that has as many faults as a skill path",
      `${head}${prompts}skills: [{ instructions: x }]\n`,
      ['/skills/0 | { | required | Skill 1 has no "name" or "description".'],
    ],
    [
      "a skill with a misspelt property",
      `${head}${prompts}skills: [{ pth: x }]\n`,
      [
        '/skills/0/pth | pth | additionalProperties | "pth" is not a property of a skill. Did you mean "path"?',
      ],
    ],
    [
      "skills of two forms at once",
      `${head}${prompts}skills: [{ name: n, path: x, description: d, instructions: i }, { path: y, description: z }]\n`,
      [
        '/skills/0/path | path | additionalProperties | "path" cannot be used together with "name", "description" and "instructions" in a skill.',
        '/skills/1/description | description | additionalProperties | "description" cannot be used together with "path" in a skill.',
      ],
    ],
    [
      "a skill of two forms that would be no two skills",
      `${head}${prompts}skills:\n  - path: x\n    description: d\n    preload: true\n  - name: n\n    path: y\n    description: d\n    instructions: i\n`,
      [
        '/skills/0/description | description | additionalProperties | "description" cannot be used together with "path" and "preload" in a skill.',
        '/skills/1/path | path | additionalProperties | "path" cannot be used together with "name", "description" and "instructions" in a skill.',
      ],
    ],
    [
      "an empty skill",
      `${head}${prompts}skills: [{}]\n`,
      ['/skills/0 | { | required | Skill 1 has no "path".'],
    ],
    [
      "a media type of several kinds",
      media("{ max_size_mb: 5 }"),
      [
        '/prompts/p/media/hologram | hologram | oneOf | Media type "hologram" matches several kinds at once: image, audio, video, document and custom.',
      ],
    ],
    [
      "a media type of two kinds",
      media("{ max_pages: 5 }"),
      [
        '/prompts/p/media/hologram | hologram | oneOf | Media type "hologram" matches several kinds at once: document and custom.',
      ],
    ],
    [
      "settings of media that are misspelt",
      withPrompt("media: { enable: true, images: { max_size_mb: 5 }, supported_type: [image] }"),
      [
        '/prompts/p/media/enable | true | oneOf | Media type "enable" must be an object, found true. Did you mean "enabled"?',
        '/prompts/p/media/images | images | oneOf | Media type "images" matches several kinds at once: image, audio, video, document and custom. Did you mean "image"?',
        '/prompts/p/media/supported_type | supported_type | oneOf | Media type "supported_type" must be an object, found a list. Did you mean "supported_types"?',
      ],
    ],
    [
      "a media type beside the setting that has its name",
      withPrompt("media: { enabled: true, image: {}, images: {} }"),
      [
        '/prompts/p/media/images | images | oneOf | Media type "images" matches several kinds at once: image, audio, video, document and custom.',
      ],
    ],
    [
      "a media type that fits none",
      media("{ max_size_mb: big, allowed_formats: [1], depth: 3 }"),
      [
        '/prompts/p/media/hologram/max_size_mb | big | type | "max_size_mb" must be a whole number of at least 1, found "big".',
        '/prompts/p/media/hologram/allowed_formats/0 | 1 | type | Item 1 of "allowed_formats" must be a string, found the number 1; put it in quotes.',
      ],
    ],
    [
      "a media type that is no object",
      media("3"),
      ['/prompts/p/media/hologram | 3 | oneOf | Media type "hologram" must be an object, found 3.'],
    ],
  ])("%s", (_, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });
});
