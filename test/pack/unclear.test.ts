import { describe, expect, it, vi } from "vitest";
import { lint } from "../../src/index.js";

type Json = Record<string, unknown>;

const head = {
  id: "p",
  name: "P",
  version: "1.0.0",
  template_engine: { version: "v1", syntax: "{{variable}}" },
};
const prompt = (id: string, system_template: string, more: Json = {}): Json => ({
  id,
  name: "P",
  version: "1.0.0",
  system_template,
  ...more,
});
const variable = (name: string): Json => ({ name, type: "string", required: true });

/** A key that ends in this mark is written without it: the only way to write a key twice. */
const again = "@again";

/** `rule /pointer` for each finding. */
function findingsIn(pack: Json): readonly string[] {
  const text = JSON.stringify({ ...head, ...pack }).replaceAll(`${again}":`, '":');
  return lint(text, { file: "pack.json" })
    .diagnostics.map(({ rule, pointer }) => `${rule} ${pointer}`)
    .sort();
}

/** Those of other rules than `schema` and `duplicate-key`, which report what makes a part unclear. */
function otherFindingsIn(pack: Json): readonly string[] {
  return findingsIn(pack).filter((finding) => !/^(?:schema|duplicate-key) /.test(finding));
}

/** A copy of the pack in which the value at this pointer is replaced, or removed if undefined. */
function replaceAt(pack: Json, pointer: string, value: unknown): Json {
  const copy = structuredClone(pack);
  const keys = pointer.slice(1).split("/");
  const last = keys.pop() ?? "";
  const owner = keys.reduce((node, key) => node[key] as Json, copy);
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy;
}

function valueAt(pack: Json, pointer: string): unknown {
  return pointer
    .slice(1)
    .split("/")
    .reduce<unknown>((node, key) => (node as Json)[key], pack);
}

/** Every named thing of this pack has a mistake in a name or a value. */
const withMistakes: Json = {
  prompts: {
    plan: prompt("plan", "Emit Go. {{nme}} {{fragments.ton}}", {
      tools: ["serch"],
      variables: [variable("name")],
      evals: [{ id: "f", type: "json_valid", trigger: "every_trn" }],
    }),
    write: prompt("writer", "Emit Done."),
  },
  fragments: { tone: "{{fragments.nothing}}" },
  tools: {
    search: {
      name: "search",
      description: "S",
      parameters: { type: "object", properties: {}, required: ["q"] },
    },
  },
  evals: [
    { id: "e", type: "json_valid", trigger: "every_turn" },
    { id: "g", type: "json_valid", trigger: "sometimes" },
  ],
  skills: [{ path: "./s" }, { name: "n", description: "N", instructions: "I" }],
  agents: { entry: "plan", members: { plan: { state: "nowhere" }, write: { tags: [" "] } } },
  workflow: {
    version: 2,
    entry: "strt",
    states: {
      start: { prompt_task: "pln", on_event: { Go: "en" } },
      end: { prompt_task: "write", persistence: "forever", terminal: true },
    },
  },
};
const mistakes = findingsIn(withMistakes);

it("a clear pack has all its mistakes reported", () => {
  expect(mistakes).toEqual(
    [
      "eval-trigger /evals/1/trigger",
      "eval-trigger /prompts/plan/evals/0/trigger",
      "prompt-id-differs /prompts/write/id",
      "tool-parameters /tools/search/parameters/required/0",
      "undeclared-variable /prompts/plan/system_template",
      "unknown-agent-state /agents/members/plan/state",
      "empty-agent-tag /agents/members/write/tags/0",
      "unknown-entry /workflow/entry",
      "unknown-event-target /workflow/states/start/on_event/Go",
      "unknown-fragment /fragments/tone",
      "unknown-fragment /prompts/plan/system_template",
      "unknown-persistence /workflow/states/end/persistence",
      "unknown-prompt-task /workflow/states/start/prompt_task",
      "unknown-tool /prompts/plan/tools/0",
    ].sort(),
  );
});

describe("an error silences what is said about the value with the error, and nothing else", () => {
  it.each([
    "/prompts/plan/parameters",
    "/prompts/write/parameters",
    "/prompts/write/id",
    "/tools/search/description",
    "/fragments/tone",
    "/evals/1/type",
    "/evals/1/trigger",
    "/prompts/plan/evals/0/type",
    "/skills/1/description",
    "/agents/members/plan/description",
    "/agents/members/plan/state",
    "/workflow/states/start/max_visits",
    "/workflow/states/start/orchestration",
    "/workflow/states/start/prompt_task",
    "/workflow/states/end/description",
    "/workflow/states/end/persistence",
  ])("%s", (place) => {
    const left = mistakes.filter((finding) => !finding.endsWith(` ${place}`));
    const pack = replaceAt(withMistakes, place, 7.5);
    expect(otherFindingsIn(pack)).toEqual(left);
    expect(findingsIn(pack)).toHaveLength(left.length + 1);
  });
});

describe("it is unclear what a key means that occurs twice", () => {
  it.each([
    ["/prompts/plan", ["/prompts/plan/"]],
    ["/prompts/plan/system_template", ["/prompts/plan/system_template"]],
    // A prompt may list the tool by a name that is not known.
    ["/tools/search/name", ["unknown-tool"]],
    ["/fragments/tone", ["/fragments/tone"]],
    ["/evals/1/trigger", ["/evals/1/trigger"]],
    ["/prompts/plan/evals/0/id", []],
    ["/agents/members/plan", ["/agents/members/plan"]],
    ["/workflow/states/start/on_event/Go", ["/on_event/Go"]],
    ["/workflow/states/end", ["/workflow/states/end"]],
  ])("%s", (place, silent) => {
    const pack = replaceAt(withMistakes, place + again, valueAt(withMistakes, place));
    expect(otherFindingsIn(pack)).toEqual(
      mistakes.filter((finding) => !silent.some((part) => finding.includes(part))),
    );
    expect(findingsIn(pack)).toContain(`duplicate-key ${place}`);
  });

  // A plain name may be a fragment as well as a variable.
  it("also of a section", () => {
    const pack = replaceAt(withMistakes, `/fragments${again}`, { ton: "T" });
    expect(otherFindingsIn(pack)).toEqual(
      mistakes.filter((finding) => !/^(?:unknown-fragment|undeclared-variable) /.test(finding)),
    );
  });
});

it.each(["/prompts/plan/name", "/tools/search/description", "/workflow/version", "/evals/1/type"])(
  "an object is clear but for the property that it lacks: %s",
  (place) => {
    const pack = replaceAt(withMistakes, place, undefined);
    expect(otherFindingsIn(pack)).toEqual(mistakes);
    expect(findingsIn(pack)).toHaveLength(mistakes.length + 1);
  },
);

describe("a section of the wrong type is unclear", () => {
  it.each([
    ["/prompts", ["/prompts/", "unknown-prompt-task"]],
    ["/fragments", ["unknown-fragment", "undeclared-variable"]],
    ["/tools", ["tool-parameters", "unknown-tool"]],
    ["/agents/members", ["/agents/members/"]],
    ["/workflow/states", ["/workflow/", "unknown-agent-state"]],
    ["/workflow", ["/workflow/", "unknown-agent-state"]],
  ])("%s", (section, silent) => {
    for (const value of [null, 7, "x", []])
      expect(otherFindingsIn(replaceAt(withMistakes, section, value))).toEqual(
        mistakes.filter((finding) => !silent.some((part) => finding.includes(part))),
      );
  });
});

describe("an unknown key", () => {
  it("may be a section that the pack lacks", () => {
    const { fragments, workflow, ...others } = withMistakes;
    expect(otherFindingsIn({ ...others, workflow, fragmnts: fragments })).toEqual(
      mistakes.filter((finding) => !/^(?:unknown-fragment|undeclared-variable) /.test(finding)),
    );
    expect(otherFindingsIn({ ...others, fragments, state_machine: workflow })).toEqual(
      mistakes.filter((finding) => !/ \/workflow\/|unknown-agent-state/.test(finding)),
    );
    expect(otherFindingsIn({ ...others, fragments })).toContain(
      "agent-state-without-workflow /agents/members/plan/state",
    );
  });

  it("may be the states of the workflow", () => {
    const workflow = { version: 2, entry: "strt", stages: valueAt(withMistakes, "/workflow/states") };
    expect(otherFindingsIn({ ...withMistakes, workflow })).toEqual(
      mistakes.filter((finding) => !/ \/workflow\/|unknown-agent-state/.test(finding)),
    );
  });

  it.each(["/extra", "/workflow/extra", "/agents/extra"])("hides no section that is there: %s", (place) => {
    expect(otherFindingsIn(replaceAt(withMistakes, place, 7))).toEqual(mistakes);
  });
});

/** A loop without an end, and one of everything that is never used. */
const withUnused: Json = {
  prompts: {
    a: prompt("a", "Emit Go.", { variables: [variable("x")] }),
    b: prompt("b", "Emit Go."),
  },
  fragments: { f: "F" },
  tools: { t: { name: "t", description: "T" } },
  evals: [{ id: "e", type: "json_valid", trigger: "every_turn" }],
  agents: { entry: "a", members: { a: { state: "s" } } },
  workflow: {
    version: 2,
    entry: "s",
    states: {
      s: { prompt_task: "a", on_event: { Go: "s" }, artifacts: { note: { type: "text/plain" } } },
      t: { prompt_task: "b", terminal: true },
    },
  },
};
const unused = [
  "unused-artifact /workflow/states/s/artifacts/note",
  "unused-fragment /fragments/f",
  "unused-tool /tools/t",
  "unused-variable /prompts/a/variables/0",
];
const lost = "variable-lost /prompts/a/variables/0";
const graph = ["trapped-states /workflow/states/s", "unreachable-state /workflow/states/t"];

function findingsWith(place: string, value: unknown): readonly string[] {
  return otherFindingsIn(replaceAt(withUnused, place, value));
}

describe("rules about the graph", () => {
  it("report what a clear workflow does", () => {
    expect(findingsIn(withUnused)).toEqual([...graph, ...unused, lost].sort());
  });

  it.each([
    ["/workflow/states/s/max_visits", "3"],
    ["/workflow/states/t/on_event", 7],
    ["/workflow/states/t/orchestration", "nope"],
    ["/workflow/states/t", null],
    ["/workflow/states", []],
    ["/workflow/entry", 7],
    ["/workflow/entry", undefined],
  ])("are silent while something that runs depend on is unclear: %s = %j", (place, value) => {
    expect(findingsWith(place, value).filter((finding) => graph.includes(finding))).toEqual([]);
  });

  it.each([
    ["/prompts/a/name", 7],
    ["/tools/t/name", 7],
    ["/fragments/f", 7],
    ["/evals/0/id", 7],
    ["/workflow/version", "two"],
    ["/workflow/engine", 7],
    ["/workflow/engine", { budget: { max_total_visits: "9" } }],
    ["/workflow/enigne", {}],
    ["/workflow/states/s/prompt_task", 7],
    ["/workflow/states/t/description", 7],
    ["/workflow/states/t/foo", 7],
  ])("do not depend on other parts of the pack: %s", (place, value) => {
    expect(findingsWith(place, value)).toEqual(expect.arrayContaining(graph));
  });
});

describe("rules about unused names are silent while something that could use the name is unclear", () => {
  it.each<[string, unknown, readonly string[]]>([
    ["/prompts/b/name", 7, unused],
    ["/prompts/b/tools", 7, unused.filter((finding) => !finding.startsWith("unused-tool"))],
    ["/prompts/b/system_template", 7, ["unused-tool /tools/t", "unused-variable /prompts/a/variables/0"]],
    ["/prompts/a/system_template", 7, ["unused-tool /tools/t"]],
    ["/prompts", 7, []],
    ["/fragments/f", 7, ["unused-tool /tools/t", "unused-variable /prompts/a/variables/0"]],
    ["/tools/t/description", 7, unused],
    ["/evals/0/id", 7, unused],
    ["/workflow/states/t/description", 7, unused],
    ["/workflow/states/t/artifacts", 7, unused.filter((finding) => !finding.startsWith("unused-artifact"))],
  ])("%s", (place, value, expected) => {
    expect(findingsWith(place, value).filter((finding) => finding.startsWith("unused-"))).toEqual(expected);
  });
});

it("reads the schema once for many unknown properties", () => {
  const strangers = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`stranger${index}`, 1]));
  const parse = vi.spyOn(JSON, "parse");
  findingsIn({ prompts: { a: prompt("a", "Hi", strangers) } });
  expect(parse.mock.calls.length).toBeLessThan(300);
  parse.mockRestore();
});
