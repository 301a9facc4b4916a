import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Diagnostic, lint } from "../src/index.js";
import { rules } from "../src/rules/index.js";
import { isFull } from "./runs.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

function lintJson(pack: Json): readonly Diagnostic[] {
  return lint(JSON.stringify(pack), { file: "x.pack.json" }).diagnostics;
}

/** The packs of all fixtures: each has one slip. */
const corpus = readdirSync("fixtures/rules")
  .flatMap((rule) =>
    readdirSync(join("fixtures/rules", rule)).map((file) => join("fixtures/rules", rule, file)),
  )
  .concat(readdirSync("fixtures/packs").map((file) => join("fixtures/packs", file)))
  .filter((file) => /(?:bad-[^/]*|\.pack)\.(?:yaml|json)$/.test(file) && !file.includes(".config."))
  .sort()
  .flatMap((file) => {
    try {
      // Without the objects that aliases share.
      const pack = JSON.parse(
        JSON.stringify(parse(readFileSync(file, "utf8"), { logLevel: "error" })),
      ) as Json;
      return isObject(pack) && ("prompts" in pack || "workflow" in pack) ? [{ file, pack }] : [];
    } catch {
      return [];
    }
  });

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What anything may be in. */
const open = /\/(?:parameters|params|extensions|when|capabilities|metadata|input|args|config)(?:\/|$)/;

/** The pointers of all values, but for those below objects that take anything. */
function* pointersIn(value: Json, pointer = ""): Iterable<string> {
  if (open.test(pointer) || typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    yield at;
    yield* pointersIn(each, at);
  }
}

function keysOf(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function replaceAt(pack: Json, pointer: string, value: Json): Json {
  const copy = structuredClone(pack);
  const keys = [...keysOf(pointer)];
  const last = keys.pop() ?? "";
  const owner = keys.reduce<Json>((node, key) => (node as JsonObject)[key] ?? null, copy) as JsonObject;
  owner[last] = value;
  return copy;
}

const wrongValues: readonly Json[] = [7.5, "n o p e", [7.5], { zz: 7.5 }];

const unknownName = "qqzzqq";

/** The pack with one error more, which the schema reports at this pointer. */
function withError(
  pack: Json,
  pointer: string,
  isUnknown: boolean,
): { readonly pack: Json; readonly at: string } | undefined {
  const at = isUnknown ? pointer.replace(/[^/]*$/, unknownName) : pointer;
  for (const value of isUnknown ? [1] : wrongValues) {
    const broken = replaceAt(pack, at, value);
    if (
      lintJson(broken).some(
        ({ rule, pointer: found, data }) =>
          rule === "schema" && found === at && (!isUnknown || data?.["keyword"] === "additionalProperties"),
      )
    )
      return { pack: broken, at };
  }
  return undefined;
}

const ruleSubjects = new Map(rules.map(({ id, subject }) => [id, subject]));

/** The fields that runs of a workflow depend on. */
const runFields =
  /^\/workflow$|^\/workflow\/(?:entry|states)$|^\/workflow\/states\/[^/]+$|^\/workflow\/states\/[^/]+\/(?:on_event(?:\/[^/]+)?|terminal|max_visits|on_max_visits|orchestration|composition)$|^\/agents(?:\/members(?:\/[^/]+(?:\/state)?)?)?$/;

const ofPrompt = String.raw`/prompts/[^/]+`;
const ofState = String.raw`/workflow/states/[^/]+`;
const ofStep = String.raw`/compositions/[^/]+/steps/\d+(?:/branches/\d+)*`;
const templates = [
  `${ofPrompt}/(?:system_template|model_overrides.*)`,
  "/fragments/.*",
  "/template_engine/syntax",
];
const variables = [`${ofPrompt}/variables(?:/\\d+(?:/name)?)?`];
const promptsOfStates = [
  `${ofState}/(?:prompt_task|orchestration|composition)`,
  `${ofStep}/(?:id|kind|prompt_task)`,
];
const artifactsOfStates = [`${ofState}/artifacts`];
const toolLists = [
  `${ofPrompt}/tools.*`,
  `${ofStep}/(?:id|kind|tools?.*)`,
  "/tools/[^/]+/name",
  "/skills/.*",
];
/** Of a composition, whatever decides which steps run, and what they read. */
const stepRuns = [
  "/compositions/[^/]+/output",
  `${ofStep}/(?:id|kind|depends_on.*|predicate.*|then|else|input.*|args.*|branches(?:/\\d+)?|reduce.*|output_schema)`,
];
const events = [...templates, `${ofState}/(?:prompt_task|on_event.*|terminal|orchestration)`];
const ids = [".*/(?:evals|validators|obligations|reviews)(?:/\\d+(?:/(?:id|enabled))?)?"];
const providers = ["/requires/providers.*"];
const budget = ["/workflow/engine(?:/budget(?:/(?:max_total_visits|max_wall_time_sec))?)?"];

/** The other fields that a claim rests on, by rule: those that it is about as well, and those that may hold what it says is absent. */
const premises: Readonly<Record<string, readonly string[]>> = {
  "agent-ring": [
    ...toolLists,
    ...promptsOfStates,
    `${ofPrompt}/tool_policy(?:/.*)?`,
    `${ofState}/(?:on_event.*|terminal|max_visits|on_max_visits)`,
    "/agents/members/[^/]+/state",
    "/workflow/engine(?:/budget(?:/max_tool_calls)?)?",
  ],
  "agent-state-prompt-differs": promptsOfStates,
  "agent-tool-not-member": toolLists,
  "agent-turn-loop": [`${ofState}/control`, ...budget],
  "agent-unreached": [
    ...toolLists,
    ...promptsOfStates,
    "/agents/entry",
    "/agents/members/[^/]+/(?:state|tags.*)",
  ],
  "ambiguous-terminal": ["/workflow/version", `${ofState}/(?:on_event.*|terminal|max_visits|on_max_visits)`],
  "artifact-conflict": [`${ofState}/artifacts/.*`, ...artifactsOfStates],
  "artifact-never-set": [...templates, ...variables, ...promptsOfStates, ...artifactsOfStates],
  "artifact-not-in-state": [...templates, ...variables, ...promptsOfStates, ...artifactsOfStates],
  "artifact-outside-workflow": [...templates, ...variables, ...promptsOfStates],
  "artifact-type": [`${ofState}/artifacts.*`],
  "check-params": [".*/(?:evals|validators)/\\d+/(?:type|params)"],
  "composition-exit": [`${ofState}/(?:orchestration|terminal|on_event.*)`],
  "composition-not-run": [`${ofState}/orchestration`],
  "control-on-terminal": [`${ofState}/(?:on_event|terminal)`],
  "disabled-control": ids,
  "duplicate-eval": [".*/evals/\\d+/id"],
  "duplicate-prompt-tool": ["/tools/[^/]+/name"],
  "duplicate-validator-id": [".*/validators/\\d+/id"],
  "duplicate-variable": variables,
  "eval-metric": [".*/evals/\\d+/metric/range/(?:min|max)"],
  "eval-unknown-name": [
    ".*/evals/\\d+/(?:type|params)",
    ...toolLists,
    "/tools/[^/]+",
    "/agents(?:/members)?",
    "/workflow/states",
    `${ofStep}(?:/(?:id|kind|branches))?`,
    "/compositions/[^/]+/steps",
  ],
  "event-left-out": events,
  "event-not-in-prompt": [...events, ...variables],
  "event-unknown-in-prompt": [
    ...events,
    ...variables,
    ...artifactsOfStates,
    ...toolLists,
    "/tools/[^/]+(?:/parameters.*)?",
    `${ofStep}/(?:id|kind|prompt_task)`,
  ],
  "forced-exit-unchecked": budget,
  "fragment-cycle": templates,
  "guardrail-off": [`${ofPrompt}/validators/\\d+/enabled`],
  "loop-held-by-budget-only": budget,
  "loop-without-budget": budget,
  "max-visits-target-unused": [`${ofState}/(?:max_visits|on_event|terminal)`],
  "metric-conflict": [".*/evals/\\d+/(?:enabled|metric/(?:name|type|range(?:/(?:min|max))?))"],
  "optional-provider": [...providers, `${ofStep}/kind`],
  "provider-role": [...providers, ...promptsOfStates, `${ofStep}/output_schema`],
  "reading-unset": [
    ...templates,
    ...variables,
    ...promptsOfStates,
    ...artifactsOfStates,
    `${ofPrompt}/variables/\\d+/(?:required|default|binding)`,
  ],
  "step-tool-not-in-prompt": [...toolLists, `${ofStep}/prompt_task`],
  "template-engine": templates,
  "template-not-filled": [...templates, ...variables, ...artifactsOfStates],
  "template-syntax": templates,
  "termination-tool": [...toolLists, `${ofStep}/prompt_task`],
  "tool-not-listed": [`${ofPrompt}/tools.*`],
  "tool-policy": [...toolLists, `${ofPrompt}/tool_policy/.*`],
  "undeclared-artifact": [...templates, ...variables, ...promptsOfStates, ...artifactsOfStates],
  "undeclared-variable": [...templates, ...variables],
  "unguarded-reentry": budget,
  "unbounded-loop": [`${ofState}/control`, ...budget],
  "unknown-control": ids,
  "unknown-fragment": [...templates, ...variables],
  "unknown-provider": providers,
  "unknown-state-skills": ["/skills/.*"],
  "unknown-step-eval": ids,
  "unknown-step-field": [`${ofStep}/kind`],
  "unknown-step-tool": toolLists,
  "unknown-tool": toolLists,
  "unstructured-output": stepRuns,
  "unused-artifact": [...templates, ...variables, ...artifactsOfStates, `${ofState}/(?:on_event.*|terminal)`],
  "unused-composition": [`${ofState}/(?:composition|orchestration)`],
  "unused-fragment": [...templates, ...variables, ...artifactsOfStates],
  "unused-provider": [...providers, `(?:${ofPrompt}|${ofStep})/provider`, `${ofStep}/(?:id|kind)`],
  "unused-step-output": stepRuns,
  "unused-tool": toolLists,
  "unused-variable": [
    ...templates,
    ...variables,
    ...artifactsOfStates,
    `${ofPrompt}/(?:evals|validators).*`,
    "/(?:evals|skills).*",
  ],
  "variable-default": [`${ofPrompt}/variables/\\d+/(?:type|required|validation.*)`],
  "variable-lost": [
    ...templates,
    ...variables,
    ...promptsOfStates,
    `${ofPrompt}/variables/\\d+/(?:required|default|binding)`,
  ],
  "variable-validation": [`${ofPrompt}/variables/\\d+/validation.*`],
};

function mayHide({ rule, pointer, related = [] }: Diagnostic, broken: string): boolean {
  const isAbout = (place: string) => `${place}/`.startsWith(`${broken}/`);
  if (isAbout(pointer) || related.some((each) => isAbout(each.pointer))) return true;
  if (ruleSubjects.get(rule) === "graph" && runFields.test(broken)) return true;
  return premises[rule]?.some((field) => new RegExp(`^${field}$`).test(broken)) === true;
}

/** A field of something that has a name, or of the pack or its workflow: without the sections and the named things themselves. */
function isField(pointer: string): boolean {
  return !/^\/[^/]+$|^\/(?:prompts|tools|fragments|evals|skills|compositions)\/[^/]+$|^\/workflow\/(?:states(?:\/[^/]+)?|engine)$|^\/agents\/members(?:\/[^/]+)?$|\/steps(?:\/\d+)?$/.test(
    pointer,
  );
}

describe("one error never hides another", () => {
  it("has a corpus", () => {
    expect(corpus.length).toBeGreaterThan(500);
  });

  it("keeps each finding about another field when a schema error is added", () => {
    const bases = new Map<Json, readonly Diagnostic[]>();
    const failures: string[] = [];
    let pairs = 0;
    // As many for each pack, so that no other fixture decides which are tried.
    const sites = corpus
      .filter((_, index) => isFull || index % 20 === 0)
      .flatMap(({ file, pack }) => {
        const change = {
          pointer: fc.constantFrom(...pointersIn(pack)),
          isUnknown: fc.nat(4).map((n) => n === 0),
        };
        return fc.sample(fc.record(change), 10).map((each) => ({ file, pack, ...each }));
      });
    for (const { file, pack, pointer, isUnknown } of sites) {
      if (!isUnknown && !isField(pointer)) continue;
      const error = withError(pack, pointer, isUnknown);
      if (error === undefined) continue;
      const base = bases.get(pack) ?? lintJson(pack);
      bases.set(pack, base);
      pairs++;
      const left = new Set(lintJson(error.pack).map((found) => `${found.rule} ${found.pointer}`));
      for (const found of base) {
        if (found.rule === "schema" || left.has(`${found.rule} ${found.pointer}`) || mayHide(found, error.at))
          continue;
        failures.push(`${file}: an error at ${error.at} hides ${found.rule} ${found.pointer}`);
      }
    }
    expect(pairs).toBeGreaterThanOrEqual(isFull ? 2_000 : 60);
    expect(failures).toEqual([]);
  }, 600_000);
});
