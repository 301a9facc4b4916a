import fc from "fast-check";
import { stringify } from "yaml";
import { compareText } from "../../src/diagnostic.js";
import { type Files, headName } from "./memory-project.js";

type Json = Readonly<Record<string, unknown>>;

const apiVersion = "promptkit.altairalabs.ai/v1alpha1";
const promptNames = ["greet", "solve", "close", "greet-again"];
const toolNames = ["find", "keep", "send"];
const stateNames = ["opening", "solving", "closed", "a~b"];
const events = ["Asked", "Solved", "Left"];
const artifacts = ["notes", "plan"];
const variables = ["town", "day"];

/** Mostly one of these, now and then a name that nothing has. */
function nameOf(names: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom("nobody", `${names[0] ?? ""}s`) },
  );
}

/** Mostly there. */
function maybe<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

function rarely<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

/** Now and then of a type that is hardly right. What is empty, false or zero is not compiled. */
function rarelyWrong<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 250, arbitrary: value },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(7.5, "n o p e", [7.5], { zz: 7.5 }, true) },
  );
}

type Parts = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** An object without the parts that are undefined, of which any may be wrong. */
function record(parts: Parts): fc.Arbitrary<Json> {
  return objectOf(
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, rarelyWrong(part)] as const)),
  );
}

function objectOf(parts: Parts): fc.Arbitrary<Json> {
  return fc
    .record(parts)
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)));
}

function mapOf(names: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>, maxLength = 3) {
  return fc
    .uniqueArray(fc.tuple(names, rarelyWrong(value)), { minLength: 1, maxLength, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries));
}

function listOf(value: fc.Arbitrary<unknown>, maxLength = 3): fc.Arbitrary<unknown> {
  return fc.array(rarelyWrong(value), { minLength: 1, maxLength });
}

const template = fc
  .array(
    fc.constantFrom(
      "Be kind.",
      "You serve {{town}}.",
      "It is {{day}}.",
      "{{artifacts.notes}}",
      "{{artifacts.plan}}",
      "{{artifacts.nothing}}",
      'Emit "Solved" when it is.',
      "Call workflow__transition with the event Left.",
      "Use the tool find, or {{#if day}}not{{/if}}.",
      "{{#if town}}Say so.",
      "{{ nobody }}",
      "{{day",
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((lines) => lines.join("\n"));

const text = fc.constantFrom("Helps.", "Says what is what.", "Two\nlines");
const evalType = fc.constantFrom("llm_judge", "contains", "regex", "tool_called");

const evaluation = record({
  id: fc.constantFrom("tone", "facts", "tone2"),
  type: evalType,
  trigger: fc.constantFrom("every_turn", "on_session_complete", "sample_turns"),
  description: maybe(text),
  params: maybe(record({ text: text })),
  sample_percentage: maybe(fc.constantFrom(5, 50)),
  metric: maybe(
    record({
      name: fc.constantFrom("tone", "facts"),
      type: fc.constantFrom("gauge", "counter", "boolean"),
      range: maybe(record({ min: fc.constantFrom(1, 3), max: fc.constantFrom(2, 4) })),
    }),
  ),
});

const validator = record({
  type: fc.constantFrom("banned_words", "max_length", "min_length"),
  params: maybe(
    record({ words: maybe(listOf(fc.constantFrom("fault", "never"))), message: maybe(text) }).filter(
      (params) => Object.keys(params).length > 0,
    ),
  ),
  message: maybe(text),
  enabled: maybe(fc.constant(true)),
  fail_on_violation: maybe(fc.constant(true)),
});

const variable = record({
  name: nameOf(variables),
  type: maybe(fc.constantFrom("string", "number", "array")),
  required: fc.constant(true),
  default: maybe(fc.constantFrom<unknown>("here", 3, ["one"])),
  description: maybe(text),
  binding: maybe(fc.constant({ kind: "project" })),
  validation: maybe(
    record({ pattern: fc.constantFrom("^[a-z]+$", "(", "^x"), max_length: maybe(fc.constantFrom(2, 9)) }),
  ),
});

const promptSpec = record({
  version: fc.constantFrom("v1.0.0", "1.2.0"),
  description: text,
  template_engine: rarely(
    fc.constantFrom(
      { version: "v1", syntax: "{{variable}}", features: ["basic_substitution"] },
      { version: "v1", syntax: "handlebars" },
    ),
  ),
  system_template: template,
  variables: maybe(listOf(variable)),
  allowed_tools: maybe(listOf(nameOf([...toolNames, "mcp__files__read"]))),
  tool_policy: maybe(
    record({
      tool_choice: fc.constantFrom("auto", "required"),
      max_rounds: maybe(fc.constantFrom(3, 5)),
      blocklist: maybe(listOf(nameOf(toolNames))),
    }),
  ),
  parameters: maybe(record({ temperature: fc.constantFrom(0.3, 0.7), max_tokens: fc.constantFrom(10, 500) })),
  validators: maybe(listOf(validator)),
  evals: maybe(listOf(evaluation)),
});

const inputSchema = record({
  type: fc.constant("object"),
  properties: mapOf(
    fc.constantFrom("topic", "text"),
    record({ type: fc.constantFrom("string", "strin", "integer") }),
  ),
  required: maybe(listOf(fc.constantFrom("topic", "text", "other"))),
});

const artifact = record({
  type: fc.constantFrom("text/plain", "application/json"),
  description: maybe(text),
  mode: maybe(fc.constantFrom("append", "replace")),
});

const state = record({
  prompt_task: nameOf(promptNames),
  description: maybe(text),
  on_event: maybe(mapOf(nameOf(events), nameOf(stateNames))),
  terminal: rarely(fc.constant(true)),
  max_visits: rarely(fc.constantFrom(1, 2, 3)),
  on_max_visits: rarely(nameOf(stateNames)),
  persistence: maybe(fc.constantFrom("transient", "persistent")),
  orchestration: rarely(fc.constantFrom("internal", "external", "hybrid", "composition")),
  composition: rarely(nameOf(["handle"])),
  artifacts: maybe(mapOf(nameOf(artifacts), artifact)),
  skills: maybe(fc.constantFrom("skills/one", "none")),
});

const workflow = record({
  version: fc.constantFrom(1, 2),
  entry: nameOf(stateNames),
  states: mapOf(fc.constantFrom(...stateNames), state, 4),
  engine: maybe(record({ budget: record({ max_total_visits: fc.constantFrom(2, 20) }) })),
});

const agents = record({
  entry: nameOf(promptNames),
  members: mapOf(
    nameOf(promptNames),
    record({
      description: maybe(text),
      state: maybe(nameOf(stateNames)),
      tags: maybe(listOf(fc.constantFrom("fast", "slow"))),
      input_modes: maybe(listOf(fc.constantFrom("text/plain", "text"))),
    }).filter((member) => Object.keys(member).length > 0),
  ),
});

const step = fc.oneof(
  record({
    id: fc.constantFrom("one", "two", "three"),
    kind: fc.constant("prompt"),
    prompt_task: nameOf(promptNames),
    input: fc.constantFrom("${input.text}", "${one.output}", "${three.output}", "${nine.output}"),
    depends_on: maybe(listOf(fc.constantFrom("one", "two", "nine"))),
  }),
  record({
    id: fc.constantFrom("one", "two", "three"),
    kind: fc.constant("tool"),
    tool: nameOf(toolNames),
    args: maybe(record({ topic: fc.constantFrom("${one.output}", "plain") })),
  }),
);

const compositions = mapOf(
  nameOf(["handle"]),
  record({
    version: fc.constant(1),
    description: maybe(text),
    steps: listOf(step),
    output: maybe(fc.constantFrom("one", "nine")),
  }),
);

const skill = fc.oneof(
  fc.constantFrom<unknown>("skills/one", "skills/two/", "./skills/three"),
  record({ path: fc.constantFrom("skills/one", "skills/two"), preload: maybe(fc.constant(true)) }),
  record({ dir: fc.constant("skills/four") }),
  record({ name: fc.constant("tips"), description: text, instructions: maybe(text) }),
);

interface Rendering {
  readonly json: boolean;
  readonly lineBreak: string;
  readonly bom: boolean;
}

const rendering = fc.record({
  json: fc.boolean(),
  lineBreak: fc.constantFrom("\n", "\n", "\r\n"),
  bom: fc.boolean(),
});

function rendered(value: unknown, { json, lineBreak, bom }: Rendering): string {
  const plain = json
    ? JSON.stringify(value, null, 2)
    : stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
  return (bom ? "\ufeff" : "") + plain.replaceAll("\n", lineBreak);
}

function source(kind: string, name: string, spec: unknown): Json {
  return { apiVersion, kind, metadata: { name }, spec };
}

function byName<Named extends { readonly name: string }>(named: readonly Named[]): readonly Named[] {
  return named.toSorted((a, b) => compareText(a.name, b.name));
}

/** With all keys by name, as the compiler writes maps. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
}

export interface RandomProject {
  readonly files: Files;
  /** Whether names are in the order in which the compiler writes them. */
  readonly isInOrder: boolean;
}

/** Projects of the published shape with faults, in which nothing is empty, false or zero. */
export const randomProject: fc.Arbitrary<RandomProject> = fc
  .record({
    prompts: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...promptNames),
        hasOtherId: fc.nat(5).map((n) => n === 0),
        spec: promptSpec,
        look: rendering,
      }),
      { minLength: 1, maxLength: 4, selector: ({ name }) => name },
    ),
    tools: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...toolNames),
        isBare: fc.boolean(),
        description: rarelyWrong(text),
        schema: inputSchema,
        look: rendering,
      }),
      { maxLength: 3, selector: ({ name }) => name },
    ),
    // Of a part with nothing but keys that it does not know, the compiler writes nothing.
    head: objectOf({
      workflow: maybe(workflow),
      agents: rarely(agents),
      compositions: rarely(compositions),
      skills: rarely(listOf(skill)),
      pack_evals: maybe(listOf(evaluation)),
    }),
    look: rendering,
    isInOrder: fc.boolean(),
  })
  .map(({ prompts: drawn, tools: drawnTools, head, look, isInOrder }) => {
    const prompts = isInOrder ? byName(drawn) : drawn;
    const tools = isInOrder ? byName(drawnTools) : drawnTools;
    const files: Record<string, string> = {};
    const nameOfFile = (folder: string, index: number, { json }: Rendering) =>
      `${folder}/${index + 1}.${json ? "json" : "yaml"}`;
    const promptConfigs = prompts.map(({ name, hasOtherId, spec, look: of }, index) => {
      const file = nameOfFile("prompts", index, of);
      files[`desk/${file}`] = rendered(
        source("PromptConfig", `The ${name}`, { task_type: name, ...spec }),
        of,
      );
      return { id: hasOtherId ? `${name}-id` : name, file };
    });
    const toolFiles = tools.map(({ name, isBare, description, schema, look: of }, index) => {
      const file = nameOfFile("tools", index, { ...of, json: of.json || isBare });
      const shared = { description, input_schema: schema };
      const value = isBare
        ? { name, ...shared }
        : source("Tool", name, { name, ...shared, output_schema: { type: "object" }, mode: "mock" });
      files[`desk/${file}`] = rendered(value, { ...of, json: of.json || isBare });
      return { file };
    });
    const parts = Object.entries({
      prompt_configs: promptConfigs,
      ...(toolFiles.length > 0 && { tools: toolFiles }),
      ...head,
    });
    const spec = isInOrder ? sorted(Object.fromEntries(parts)) : Object.fromEntries(parts.toReversed());
    files[headName] = rendered(source("Arena", "desk", spec), look);
    return { files, isInOrder };
  });
