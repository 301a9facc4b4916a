import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { LineMap } from "../src/document/scan-text.js";
import { lint } from "../src/index.js";
import { schemaUrl } from "../src/schema/spec-version.js";
import { isFull, runs } from "./runs.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

interface Sketch {
  readonly skips: readonly number[];
  readonly loops: readonly boolean[];
  readonly agents: readonly boolean[];
}

const sketch: fc.Arbitrary<Sketch> = fc.integer({ min: 3, max: 7 }).chain((size) =>
  fc.record({
    skips: fc.array(fc.nat({ max: 10 }), { minLength: size, maxLength: size }),
    loops: fc.array(fc.boolean(), { minLength: size, maxLength: size }),
    agents: fc.array(fc.boolean(), { minLength: size, maxLength: size }),
  }),
);

/** A pack without findings: forward events, guarded loops that lead out, a budget, agents with their own states. */
function validPack({ skips, loops, agents }: Sketch): JsonObject {
  const last = skips.length - 1;
  const loopsAt = (i: number): boolean => i > 0 && i < last && loops[i] === true && loops[i - 1] !== true;
  const states: JsonObject = {};
  const prompts: JsonObject = {};
  skips.forEach((skip, i) => {
    const events: JsonObject = i === last ? {} : { Onward: `state_${i + 1}` };
    if (i < last && skip > 0) events["Skip"] = `state_${Math.min(last, i + 1 + skip)}`;
    if (loopsAt(i)) events["Again"] = `state_${i}`;
    states[`state_${i}`] = {
      prompt_task: `prompt_${i}`,
      ...(i === last ? { terminal: true } : { on_event: events }),
      ...(loopsAt(i) ? { max_visits: 2, on_max_visits: `state_${last}` } : {}),
    };
    prompts[`prompt_${i}`] = {
      id: `prompt_${i}`,
      name: `Prompt ${i}`,
      version: "1.0.0",
      system_template: `Emit ${Object.keys(events).join(" or ")}.`,
    };
  });
  const members = Object.fromEntries(
    agents.flatMap((isAgent, i) => (isAgent || i === 0 ? [[`prompt_${i}`, { state: `state_${i}` }]] : [])),
  );
  return {
    id: "pack",
    name: "Pack",
    version: "1.0.0",
    template_engine: { version: "v1", syntax: "{{variable}}" },
    prompts,
    workflow: { version: 2, entry: "state_0", engine: { budget: { max_total_visits: 100 } }, states },
    agents: { entry: "prompt_0", members },
  };
}

const missing = "qqqq_nowhere";

interface Defect {
  readonly rule: string;
  readonly pointer: string;
  readonly pack: JsonObject;
}

/** The pack with each of its references broken in turn. */
function* defects(pack: JsonObject): Iterable<Defect> {
  const broken = (path: readonly string[], rule: string): Defect => {
    const copy = structuredClone(pack);
    const parent = path.slice(0, -1).reduce<JsonObject>((object, key) => object[key] as JsonObject, copy);
    parent[path.at(-1) ?? ""] = missing;
    return { rule, pointer: `/${path.join("/")}`, pack: copy };
  };
  const workflow = pack["workflow"] as JsonObject;
  const agents = pack["agents"] as JsonObject;
  yield broken(["workflow", "entry"], "unknown-entry");
  yield broken(["agents", "entry"], "unknown-agent-entry");
  for (const [name, state] of Object.entries(workflow["states"] as { [name: string]: JsonObject })) {
    const at = ["workflow", "states", name];
    yield broken([...at, "prompt_task"], "unknown-prompt-task");
    for (const event of Object.keys(state["on_event"] ?? {}))
      yield broken([...at, "on_event", event], "unknown-event-target");
    if (state["on_max_visits"] !== undefined)
      yield broken([...at, "on_max_visits"], "unknown-max-visits-target");
  }
  for (const name of Object.keys(agents["members"] as JsonObject)) {
    yield broken(["agents", "members", name, "state"], "unknown-agent-state");
    const copy = structuredClone(pack);
    const members = (copy["agents"] as JsonObject)["members"] as JsonObject;
    (copy["agents"] as JsonObject)["members"] = Object.fromEntries(
      Object.entries(members).map(([key, value]) => [key === name ? missing : key, value]),
    );
    yield { rule: "unknown-agent-member", pointer: `/agents/members/${missing}`, pack: copy };
  }
}

const allFormats = [
  { file: "pack.json", write: (pack: Json) => JSON.stringify(pack, null, 2), quoted: `"${missing}"` },
  { file: "pack.yaml", write: (pack: Json) => stringify(pack), quoted: missing },
];
const formats = isFull ? allFormats : allFormats.slice(0, 1);

it.each(formats)("finds exactly the one reference that is broken in $file", ({ file, write, quoted }) => {
  fc.assert(
    fc.property(sketch, (drawn) => {
      const pack = validPack(drawn);
      expect(lint(write(pack), { file }).diagnostics).toEqual([]);
      for (const defect of defects(pack)) {
        const text = write(defect.pack);
        const start = text.indexOf(quoted);
        const found = lint(text, { file }).diagnostics.map(({ rule, pointer, range }) => ({
          rule,
          pointer,
          range,
        }));
        const range = new LineMap(text).range(start, start + quoted.length);
        expect(found).toEqual([{ rule: defect.rule, pointer: defect.pointer, range }]);
      }
    }),
    { numRuns: runs(100) },
  );
});

/** The pack with each of its keys misspelt in turn. */
function* slips(pack: JsonObject): Iterable<{ readonly pointer: string; readonly pack: JsonObject }> {
  const [prompt = ""] = Object.keys(pack["prompts"] as JsonObject);
  const states = Object.keys((pack["workflow"] as JsonObject)["states"] as JsonObject);
  const objects = [
    [],
    ["prompts", prompt],
    ["workflow"],
    ["workflow", "engine", "budget"],
    ...states.map((state) => ["workflow", "states", state]),
    ["agents"],
    ["agents", "members", prompt],
  ];
  for (const path of objects) {
    const written = path.reduce<JsonObject>((object, key) => object[key] as JsonObject, pack);
    for (const key of Object.keys(written)) {
      const copy = structuredClone(pack);
      const object = path.reduce<JsonObject>((part, name) => part[name] as JsonObject, copy);
      for (const [name, value] of Object.entries(written)) {
        delete object[name];
        object[name === key ? `${name}${misspelt}` : name] = value;
      }
      yield { pointer: ["", ...path, `${key}${misspelt}`].join("/"), pack: copy };
    }
  }
}

const misspelt = "x";

it.each(formats)("finds exactly the one key that is misspelt in $file", ({ file, write }) => {
  fc.assert(
    fc.property(sketch, (drawn) => {
      for (const { pointer, pack } of slips(validPack(drawn))) {
        const found = lint(write(pack), { file }).diagnostics;
        expect(found.map(({ rule, pointer: at, message }) => [rule, at, message])).toEqual([
          ["schema", pointer, expect.stringMatching(/is not a property of .*Did you mean/)],
        ]);
      }
    }),
    { numRuns: runs(20) },
  );
});

it("reports a field that came later once, even if its value is wrong as well", () => {
  const pack = validPack({ skips: [0, 0, 0], loops: [], agents: [false, false, false] });
  const prompts = pack["prompts"] as Record<string, JsonObject>;
  const pinned = { $schema: schemaUrl("1.8.1"), ...pack };
  Object.assign(prompts["prompt_1"] ?? {}, { provider: 3 });
  const rulesIn = (text: string) => lint(text, { file: "x.pack.json" }).diagnostics.map(({ rule }) => rule);
  expect(rulesIn(JSON.stringify(pinned))).toEqual(["newer-field"]);
  expect(rulesIn(JSON.stringify(pack))).toEqual(["schema"]);
});
