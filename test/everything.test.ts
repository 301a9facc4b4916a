import { describe, expect, it } from "vitest";
import { isMap, isNode, isScalar, parseDocument, stringify } from "yaml";
import { LineMap } from "../src/document/scan-text.js";
import { lint } from "../src/index.js";
import { everythingPack, everythingSchemas } from "./everything-pack.js";
import { isFull } from "./runs.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const formats: readonly { readonly file: string; readonly write: (pack: Json) => string }[] = [
  { file: "pack.json", write: (pack) => JSON.stringify(pack, null, 2) },
  { file: "pack.yaml", write: (pack) => stringify(pack, { lineWidth: 0 }) },
];
const formatsTried = isFull ? formats : formats.slice(0, 1);

function findingsIn(text: string, file: string) {
  const { diagnostics } = lint(text, {
    file,
    fileExists: (path) => path === "schemas" || everythingSchemas.has(path),
    readFileBeside: (path) => everythingSchemas.get(path),
  });
  return diagnostics.map(({ rule, pointer, range }) => ({ rule, pointer, range }));
}

it.each(formats)("has no findings in $file", ({ file, write }) => {
  expect(findingsIn(write(everythingPack), file)).toEqual([]);
});

/** What a finding covers: a value, its key, the beginning of an object in a list, or a reference in a string. */
type Shown = "value" | "key" | "item" | `\${${string}`;

interface Defect {
  readonly rule: string;
  readonly at: string;
  readonly shown?: Shown;
  readonly change: (pack: JsonObject) => void;
}

function expectOnly({ rule, at, shown = "value", change }: Defect): void {
  const pack: JsonObject = structuredClone(everythingPack);
  change(pack);
  for (const { file, write } of formatsTried) {
    const text = write(pack);
    const found = findingsIn(text, file);
    expect(found).toEqual([{ rule, pointer: at, range: expect.anything() }]);
    const { start, end } = rangeOf(text, at, shown);
    expect(found[0]?.range).toEqual({ start, end: shown === "item" ? expect.anything() : end });
  }
}

/** Where a part of a file is, according to another parser. */
function rangeOf(text: string, pointer: string, shown: Shown) {
  const path = pointer.split("/").slice(1);
  const document = parseDocument(text);
  const parent = document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
    : undefined;
  const node = shown === "key" ? pair?.key : document.getIn(path, true);
  if (!isNode(node) || !node.range) throw new Error(`There is nothing at ${pointer}.`);
  const [start, end] = node.range;
  if (!shown.startsWith("${")) return new LineMap(text).range(start, end);
  const inside = text.indexOf(shown, start);
  return new LineMap(text).range(inside, inside + shown.length);
}

function objectAt(pack: JsonObject, pointer: string): JsonObject {
  const names = pointer.split("/").slice(1);
  return names.reduce<JsonObject>((object, name) => object[name] as JsonObject, pack);
}

function set(pointer: string, value: Json): (pack: JsonObject) => void {
  const cut = pointer.lastIndexOf("/");
  return (pack) => {
    objectAt(pack, pointer.slice(0, cut))[pointer.slice(cut + 1)] = value;
  };
}

function remove(pointer: string): (pack: JsonObject) => void {
  const cut = pointer.lastIndexOf("/");
  return (pack) => {
    delete objectAt(pack, pointer.slice(0, cut))[pointer.slice(cut + 1)];
  };
}

function insert(pointer: string, item: Json): (pack: JsonObject) => void {
  const cut = pointer.lastIndexOf("/");
  return (pack) => {
    const list = objectAt(pack, pointer.slice(0, cut)) as Json as Json[];
    list.splice(Number(pointer.slice(cut + 1)), 0, item);
  };
}

function all(...changes: readonly ((pack: JsonObject) => void)[]): (pack: JsonObject) => void {
  return (pack) => {
    for (const change of changes) change(pack);
  };
}

const missing = "qqqq_nowhere";

/** Every string of the pack that names something, by the end of its pointer. */
const names: readonly (readonly [pattern: RegExp, rule: string])[] = [
  [/^\/workflow\/states\/\w+\/composition$/, "unknown-composition"],
  [/^\/compositions\/\w+\/output$/, "unknown-step"],
  [/^\/compositions\/.*\/(then|else|depends_on\/\d+)$/, "unknown-step"],
  [/^\/compositions\/.*\/prompt_task$/, "unknown-step-prompt"],
  [/^\/compositions\/.*\/(tool|tools\/\d+)$/, "unknown-step-tool"],
  [/^\/compositions\/.*\/modifiers\/eval\/\d+$/, "unknown-step-eval"],
  [/^\/compositions\/.*\/tool_called$/, "termination-tool"],
  [/\/provider$/, "unknown-provider"],
  [/\/controls\/\d+\/(field|validator|eval)$/, "unknown-control"],
  [/\/reviews\/\d+\/(eval|satisfies\/\d+)$/, "unknown-control"],
  [/_schema$/, "schema-file"],
];

function* stringsIn(value: Json, pointer = ""): Iterable<readonly [pointer: string, text: string]> {
  if (typeof value === "string") yield [pointer, value];
  else if (typeof value === "object" && value !== null)
    for (const [name, child] of Object.entries(value)) yield* stringsIn(child, `${pointer}/${name}`);
}

function* brokenNames(): Iterable<Defect> {
  for (const [at, text] of stringsIn(everythingPack)) {
    const rule = names.find(([pattern]) => pattern.test(at))?.[1];
    const value = rule === "schema-file" ? text.replace(".json", ".yaml") : missing;
    if (rule !== undefined) yield { rule, at, change: set(at, value) };
  }
}

function* brokenReferences(): Iterable<Defect> {
  for (const [at, text] of stringsIn(everythingPack)) {
    for (const [reference] of at.startsWith("/compositions/") ? text.matchAll(/\$\{.*?\}/g) : []) {
      const broken = `\${${missing}.output}` as const;
      yield {
        rule: "unknown-reference",
        at,
        shown: broken,
        change: set(at, text.replace(reference, broken)),
      };
    }
  }
}

function* unknownPrefixes(): Iterable<Defect> {
  for (const [at, text] of stringsIn(everythingPack))
    if (/^[\w-]+:[A-Z]/.test(text))
      yield { rule: "governance-prefix", at, change: set(at, text.replace(/^[\w-]+/, "nowhere")) };
}

describe.each([
  ["name", [...brokenNames()], 37],
  ["reference", [...brokenReferences()], 15],
  ["prefix", [...unknownPrefixes()], 17],
])("one broken %s", (_, defects, count) => {
  it("is tried at every place", () => {
    expect(defects.map(({ at }) => at)).toHaveLength(count);
  });
  it.each(defects)("$rule at $at", expectOnly);
});

const steps = "/compositions/handle/steps";
const topic = `${steps}/0`;
const gather = `${steps}/1`;
const branch = `${steps}/2`;
const sorry = `${steps}/3`;
const keepSorry = `${steps}/4`;
const enquiry = `${steps}/5`;
const reply = `${steps}/7`;
const states = "/workflow/states";
const governance = "/metadata/governance";
const agentGovernance = "/agents/members/choose/governance";
const providers = "/requires/providers";

function value(rule: string, at: string, wrong: Json): Defect {
  return { rule, at, change: set(at, wrong) };
}

function key(rule: string, at: string, change: Defect["change"]): Defect {
  return { rule, at, shown: "key", change };
}

function item(rule: string, at: string, change: Defect["change"]): Defect {
  return { rule, at, shown: "item", change };
}

function reference(rule: string, at: string, wrong: `\${${string}`): Defect {
  return { rule, at, shown: wrong, change: set(at, wrong) };
}

const askHarm = { path: "${topic.output.harm}", op: "less_than", value: 3 };

const defects: readonly Defect[] = [
  value("composition-not-run", `${states}/choosing/composition`, "handle"),
  key("unused-composition", "/compositions/refer_on", set(`${states}/referring/composition`, "handle")),
  key("reserved-composition-name", "/compositions/workflow__refer", (pack) => {
    const compositions = objectAt(pack, "/compositions");
    set("/compositions/workflow__refer", compositions["refer_on"] ?? null)(pack);
    remove("/compositions/refer_on")(pack);
    set(`${states}/referring/composition`, "workflow__refer")(pack);
  }),
  key(
    "composition-exit",
    `${states}/handling/on_event`,
    all(remove(`${states}/handling/terminal`), set(`${states}/handling/on_event`, { Stuck: "referring" })),
  ),

  value("duplicate-step", `${branch}/id`, "topic"),
  value("duplicate-step", `${branch}/id`, "past"),
  value("duplicate-step", `${branch}/id`, "input"),
  {
    rule: "duplicate-step",
    at: `${gather}/branches/2/id`,
    change: set(`${gather}/branches/2`, { id: "topic", kind: "prompt", prompt_task: "read" }),
  },
  value("unknown-step", "/compositions/handle/output", "is_small"),
  value("unknown-step", "/compositions/handle/output", "past"),
  value("step-order", `${branch}/then`, "topic"),
  value("step-order", `${branch}/else`, "is_small"),
  value("step-order", `${keepSorry}/depends_on/0`, "reply"),
  value("step-order", `${keepSorry}/depends_on/0`, "keep_sorry"),
  value("nested-step", `${branch}/then`, "past"),
  value("nested-step", `${reply}/depends_on/0`, "rules"),
  {
    rule: "nested-step",
    at: `${gather}/branches/1/depends_on/0`,
    change: set(`${gather}/branches/1/depends_on`, ["topic"]),
  },
  {
    rule: "nested-step",
    at: `${gather}/branches/2/kind`,
    change: set(`${gather}/branches/2`, { id: "fork", kind: "branch", predicate: askHarm, then: "sorry" }),
  },

  reference("reference-syntax", `${topic}/input`, "${input.text"),
  reference("reference-syntax", `${topic}/input`, "${input.texts[0]}"),
  reference("reference-syntax", `${topic}/input`, "${input.first-text}"),
  reference("reference-syntax", `${topic}/input`, "${input.text + 1}"),
  reference("unknown-reference", `${sorry}/input`, "${topic.name}"),
  reference("unknown-reference", `${sorry}/input`, "${past.output}"),
  reference("unknown-reference", `${sorry}/input`, "${is_small.output}"),
  reference("unknown-reference", `${sorry}/input`, "${gather.output.lost}"),
  reference("unknown-reference", `${sorry}/input`, "${gather.output.found.future}"),
  reference("reference-before-step", `${topic}/input`, "${topic.output}"),
  reference("reference-before-step", `${topic}/input`, "${reply.output}"),
  reference("reference-may-be-skipped", `${reply}/input`, "${sorry.output}"),
  reference("reference-may-be-skipped", `${reply}/input`, "${enquiry.output}"),
  reference("unstructured-output", `${keepSorry}/args/text`, "${sorry.output.text}"),
  reference("unknown-output-field", `${topic}/input`, "${input.title}"),
  reference("unknown-output-field", `${sorry}/input`, "${topic.output.title}"),

  item("unreachable-step", "/compositions/refer_on/steps/3", (pack) => {
    const isKnown = { path: "${input.text}", exists: true };
    const branches = [
      { id: "is_known", kind: "branch", predicate: isKnown, then: "note" },
      { id: "is_new", kind: "branch", predicate: { not: isKnown }, then: "note" },
    ];
    const note = { id: "note", kind: "tool", tool: "keep", args: { text: "${input.text}" } };
    for (const step of [note, ...branches.toReversed()]) insert("/compositions/refer_on/steps/1", step)(pack);
  }),
  item(
    "arm-runs-on",
    keepSorry,
    insert(keepSorry, { id: "log", kind: "tool", tool: "keep", args: { text: "${input.text}" } }),
  ),
  {
    rule: "composition-output-skipped",
    at: "/compositions/handle/output",
    change: all(set("/compositions/handle/output", "enquiry"), (pack) => {
      (objectAt(pack, steps) as Json as Json[]).pop();
    }),
  },
  key(
    "composition-without-output",
    "/compositions/refer_on/steps",
    set("/compositions/refer_on/steps", [
      {
        id: "is_known",
        kind: "branch",
        predicate: { path: "${input.office}", exists: true },
        then: "advice",
      },
      { id: "advice", kind: "prompt", prompt_task: "refer" },
    ]),
  ),
  item(
    "unused-step-output",
    reply,
    insert(reply, { id: "again", kind: "prompt", prompt_task: "read", input: "${input.text}" }),
  ),
  value("predicate-path", `${branch}/predicate/all_of/0/path`, "topic.output.harm"),
  value("predicate-path", `${branch}/predicate/all_of/0/path`, "${topic.output.harm} points"),
  value("predicate-value", `${branch}/predicate/all_of/0/value`, "three"),
  value("predicate-value", `${branch}/predicate/all_of/2/any_of/0/value`, "noise"),
  item(
    "predicate-constant",
    `${branch}/predicate/all_of/2/any_of/0`,
    set(`${branch}/predicate/all_of/2/any_of/0/value`, []),
  ),
  key("predicate-constant", `${branch}/predicate`, set(`${branch}/else`, "sorry")),
  key("predicate-constant", "/compositions/refer_on/steps/1/predicate", (pack) => {
    const known = [true, false].map((exists) => ({ path: "${input.text}", exists }));
    const never = { id: "is_odd", kind: "branch", predicate: { all_of: known }, then: "note" };
    const note = { id: "note", kind: "tool", tool: "keep", args: { text: "${input.text}" } };
    for (const step of [note, never]) insert("/compositions/refer_on/steps/1", step)(pack);
  }),
  value("unknown-reducer", `${gather}/reduce/strategy`, "merge"),
  value("termination-tool", `${enquiry}/termination/tool_called`, "keep"),
  value("step-tool-not-in-prompt", `${enquiry}/tools/0`, "keep"),
  key("tool-step-args", `${gather}/branches/0/args`, set(`${gather}/branches/0/args`, { most: 5 })),
  key("tool-step-args", `${gather}/branches/0/args/least`, set(`${gather}/branches/0/args/least`, 1)),
  value("tool-step-args", `${gather}/branches/0/args/most`, "five"),
  key("unknown-step-field", `${sorry}/tools`, set(`${sorry}/tools`, ["keep"])),

  value("control-on-terminal", `${states}/handling/control`, "agent"),
  key(
    "agent-turn-loop",
    `${states}/choosing`,
    all(
      set(`${states}/choosing/on_event/Unsure`, "choosing"),
      set("/prompts/choose/system_template", "Emit Ours, Theirs or Unsure."),
    ),
  ),
  value("duplicate-provider", `${providers}/4`, "thinker"),
  {
    rule: "optional-provider",
    at: "/prompts/choose/provider",
    change: all(set(`${providers}/1/required`, false), remove(`${enquiry}/provider`)),
  },
  {
    rule: "optional-provider",
    at: `${enquiry}/provider`,
    change: all(set(`${providers}/1/required`, false), remove("/prompts/choose/provider")),
  },
  value("provider-role", "/prompts/greet/provider", "sorter"),
  value("provider-role", "/compositions/refer_on/steps/1/provider", "sorter"),
  value("provider-role", `${gather}/branches/1/provider`, "sorter"),
  item("provider-role", `${providers}/0`, set(`${providers}/0`, { key: "default", role: "embedding" })),
  value("unused-provider", `${providers}/4`, "spare"),

  item(
    "duplicate-obligation",
    `${governance}/obligations/1`,
    all(
      set(`${governance}/obligations/1/id`, "say-why"),
      set(`${governance}/reviews/0/satisfies`, ["say-why"]),
    ),
  ),
  item("duplicate-obligation", `${governance}/reviews/1`, set(`${governance}/reviews/1/id`, "each-spring")),
  item(
    "duplicate-validator-id",
    "/prompts/answer/validators/0",
    set("/prompts/apologize/validators/0/id", "reasons"),
  ),
  value("unknown-control", `${governance}/obligations/0/controls/0/field`, "approved_environments"),
  value("unknown-control", `${agentGovernance}/reviews/0/satisfies/0`, "say-why"),
  {
    rule: "disabled-control",
    at: `${governance}/obligations/0/controls/1/validator`,
    change: set("/prompts/answer/validators/0/enabled", false),
  },
  {
    rule: "disabled-control",
    at: `${governance}/obligations/1/controls/0/eval`,
    change: set("/prompts/greet/evals/0/enabled", false),
  },
  ...[true, false].map((enforces) =>
    key(
      "deprecated-field",
      "/prompts/answer/validators/0/fail_on_violation",
      set("/prompts/answer/validators/0/fail_on_violation", enforces),
    ),
  ),

  item("guardrail-off", "/prompts/answer/validators/0", remove("/prompts/answer/validators/0/enabled")),
  value("unknown-validator-type", "/prompts/answer/validators/0/type", "tone_check"),
  value("unknown-eval-type", "/evals/1/type", "tone_check"),
  item("check-params", "/prompts/answer/validators/0", remove("/prompts/answer/validators/0/params")),
  item("check-params", "/evals/0", remove("/evals/0/params/criteria")),
  value("check-params", "/prompts/answer/validators/0/params/patterns", "because"),
  {
    rule: "eval-unknown-name",
    at: "/evals/1/params/state",
    change: all(set("/evals/1/type", "state_is"), set("/evals/1/params", { state: missing })),
  },
];

it.each(defects)("one defect: $rule at $at", expectOnly);
