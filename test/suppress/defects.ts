/** A pack nobody objects to, and for each rule about packs the edits that make it speak. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** What stands at each pointer afterwards; nothing removes what was there. */
export type Edits = Readonly<Record<string, Json | undefined>>;

export function packWith(...edits: readonly Edits[]): JsonObject {
  const pack = structuredClone(soundPack);
  for (const [pointer, value] of edits.flatMap((each) => Object.entries(each))) {
    const keys = pointer.split("/");
    const last = keys.pop() ?? "";
    const parent = keys.reduce<JsonObject>((part, key) => (part[key] ??= {}) as JsonObject, pack);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return pack;
}

const notes = (): JsonObject => ({ notes: { type: "text/plain" } });
const soundPack: JsonObject = {
  $schema: "https://promptpack.org/schema/v1.4/promptpack.schema.json",
  id: "pack",
  name: "Pack",
  version: "1.0.0",
  template_engine: { version: "v1", syntax: "{{variable}}" },
  fragments: { tone: "Be kind.", sign: "{{tone}} Bye." },
  prompts: {
    plan: {
      ...prompt("plan", "{{fragments.sign}} Plan {{goal}}."),
      variables: [{ name: "goal", type: "string", required: true }],
      tools: ["search", "work"],
    },
    work: { ...prompt("work", "Work on {{artifacts.notes}}. Emit Again or Done."), tools: ["write"] },
    close: prompt("close", "Sum up {{artifacts.notes}}."),
    idle: prompt("idle", "Wait."),
  },
  tools: { search: tool("search"), write: tool("write") },
  evals: [{ id: "good", type: "judge", trigger: "every_turn" }],
  skills: [{ name: "billing", description: "Bills", instructions: "Write bills." }],
  workflow: {
    version: 2,
    entry: "plan",
    engine: { budget: { max_total_visits: 40 } },
    states: {
      // Who answers it is not the model, so it needs no words for the events that the edits add.
      plan: {
        prompt_task: "plan",
        orchestration: "external",
        on_event: { Ready: "work", Stop: "close" },
        artifacts: notes(),
        skills: "billing",
      },
      work: {
        prompt_task: "work",
        max_visits: 3,
        on_max_visits: "close",
        on_event: { Again: "work", Done: "close" },
        artifacts: notes(),
      },
      close: { prompt_task: "close", terminal: true, artifacts: notes() },
    },
  },
  agents: { entry: "plan", members: { plan: { state: "plan" }, work: { state: "work" } } },
};

function prompt(id: string, text: string): JsonObject {
  return { id, name: id, version: "1.0.0", system_template: text };
}

function tool(name: string): JsonObject {
  const parameters = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  return { name, description: name, parameters };
}

/** A state more, with a prompt of its own that names its events, entered from the plan. */
function state(name: string, more: JsonObject): Edits {
  const events = Object.keys((more["on_event"] ?? {}) as JsonObject);
  return {
    [`prompts/of_${name}`]: prompt(`of_${name}`, `Emit ${events.join(" or ")}.`),
    [`workflow/states/${name}`]: { prompt_task: `of_${name}`, ...more },
    [`workflow/states/plan/on_event/To${name}`]: name,
  };
}

/** A prompt more that nobody runs. */
function spare(name: string, text: string, more: JsonObject = {}): Edits {
  return { [`prompts/${name}`]: { ...prompt(name, text), ...more } };
}

const states = "workflow/states";
const word = { name: "word", type: "string", required: true };

/** By rule, what makes it speak. */
export const defects: Readonly<Record<string, Edits>> = {
  "spec-version": { $schema: "https://promptpack.org/schema/v9.9.9/promptpack.schema.json" },
  "newer-field": { $schema: "https://promptpack.org/schema/v1.3.0/promptpack.schema.json" },
  "unknown-entry": { "workflow/entry": "zzzz" },
  "unknown-prompt-task": { [`${states}/close/prompt_task`]: "zzzz" },
  "unknown-event-target": { [`${states}/plan/on_event/Stop`]: "zzzz" },
  "event-name-case": { [`${states}/plan/on_event/stop_it`]: "close" },
  "unreachable-state": {
    ...state("Lonely", { on_event: { Leave: "close" } }),
    [`${states}/plan/on_event/ToLonely`]: undefined,
  },
  "unbounded-loop": {
    ...state("Ring", { on_event: { Round: "Ring", Leave: "close" } }),
    "workflow/engine": undefined,
  },
  "no-terminal-state": {
    [`${states}/close/terminal`]: undefined,
    [`${states}/close/on_event`]: { Back: "plan" },
    "prompts/close/system_template": "Sum up {{artifacts.notes}}. Emit Back.",
  },
  "trapped-states": state("Pit", { on_event: { Deeper: "Pit" } }),
  "never-completes": state("Cliff", { max_visits: 1, on_event: { Once: "Cliff" } }),
  "unknown-engine-key": { "workflow/engine/budgte": {} },
  "unknown-persistence": { [`${states}/plan/persistence`]: "zzzz" },
  "unknown-orchestration": { [`${states}/work/orchestration`]: "zzzz" },
  "workflow-version": { "workflow/version": 9 },
  "terminal-with-transitions": state("Last", { terminal: true, on_event: { More: "close" } }),
  "ambiguous-terminal": state("Edge", {}),
  "unknown-max-visits-target": { [`${states}/work/on_max_visits`]: "zzzz" },
  "max-visits-target-unused": state("Gate", { on_max_visits: "close", on_event: { Leave: "close" } }),
  "forced-exit-cycle": {
    ...state("Here", { max_visits: 1, on_max_visits: "There", on_event: { Over: "There" } }),
    ...state("There", { max_visits: 1, on_max_visits: "Here", on_event: { Back: "Here" } }),
  },
  "forced-exit-chain": {
    ...state("One", { max_visits: 2, on_max_visits: "Two", on_event: { Round: "One", Next: "Two" } }),
    ...state("Two", { max_visits: 2, on_max_visits: "close", on_event: { Round: "Two", Leave: "close" } }),
  },
  "dead-guard": state("Once", { max_visits: 3, on_max_visits: "close", on_event: { Leave: "close" } }),
  "budget-coherence": { [`${states}/work/max_visits`]: 100 },
  "budget-too-small": { "workflow/engine/budget/max_total_visits": 1 },
  "loop-without-budget": { "workflow/engine": undefined },
  "loop-held-by-budget-only": state("Wheel", { on_event: { Turn: "Wheel", Leave: "close" } }),
  "unguarded-reentry": {
    ...state("Turn", { max_visits: 2, on_max_visits: "close", on_event: { Rest: "Rest" } }),
    ...state("Rest", { on_event: { Turn: "Turn" } }),
  },
  "undeclared-artifact": { "prompts/work/system_template": "Use {{artifacts.zzzz}}. Emit Again or Done." },
  "artifact-not-in-state": { [`${states}/close/artifacts`]: undefined },
  "artifact-never-set": {
    [`${states}/close/artifacts/late`]: { type: "text/plain" },
    "prompts/close/system_template": "Sum up {{artifacts.notes}} and {{artifacts.late}}.",
  },
  "artifact-outside-workflow": spare("reader", "Read {{artifacts.notes}}."),
  "artifact-conflict": { [`${states}/close/artifacts/notes/mode`]: "append" },
  "artifact-type": { [`${states}/close/artifacts/notes/type`]: "markdown" },
  // Near the name that is never set.
  "unused-artifact": { [`${states}/plan/artifacts/later`]: { type: "text/plain" } },
  "event-not-in-prompt": { [`${states}/work/on_event/Unsaid`]: "close" },
  "unknown-agent-entry": { "agents/entry": "zzzz" },
  "agent-entry-not-member": { "agents/entry": "idle" },
  "unknown-agent-member": { "agents/members/zzzz": {} },
  "unknown-agent-state": { "agents/members/work/state": "zzzz" },
  "agent-state-without-workflow": {
    workflow: undefined,
    "prompts/work/system_template": "Work.",
    "prompts/close/system_template": "Sum up.",
  },
  "agent-state-prompt-differs": { "agents/members/work/state": "plan" },
  "agent-mode-type": { "agents/members/plan/input_modes": ["zz"] },
  "empty-agent-tag": { "agents/members/plan/tags": [" "] },
  "agent-tool-not-member": { "prompts/work/tools/1": "close" },
  "agent-self-tool": { "prompts/work/tools/2": "work" },
  "template-engine": { "template_engine/syntax": "%%%" },
  "template-syntax": spare("broken", "Say {{}}."),
  "undeclared-variable": spare("asking", "Say {{zzzz}}."),
  "unused-variable": spare("quiet", "Say nothing.", { variables: [word] }),
  "duplicate-variable": spare("twice", "Say {{word}}.", { variables: [word, word] }),
  "unknown-fragment": spare("including", "Say {{fragments.zzzz}}."),
  "fragment-cycle": { "fragments/tone": "Be kind. {{fragments.sign}}" },
  "unused-fragment": { "fragments/extra": "Extra." },
  "variable-default": spare("given", "Say {{word}}.", { variables: [{ ...word, default: "x" }] }),
  "variable-validation": spare("strict", "Say {{word}}.", {
    variables: [{ ...word, validation: { min_length: 5, max_length: 1 } }],
  }),
  "unknown-tool": { "prompts/work/tools/3": "zzzz" },
  "unused-tool": { "tools/third": tool("third") },
  "tool-parameters": { "tools/search/parameters/required": ["zzzz"] },
  "tool-policy": { "prompts/plan/tool_policy": { blocklist: ["search"] } },
  "prompt-id-differs": { "prompts/idle/id": "idel" },
  "duplicate-eval": { "evals/1": { id: "good", type: "judge", trigger: "every_turn" } },
  "eval-trigger": { "evals/0/trigger": "zzzz" },
  "eval-metric": { "evals/0/metric": { name: "good", type: "gauge", range: { min: 2, max: 1 } } },
  "duplicate-skill": { "skills/1": { name: "billing", description: "Again", instructions: "Again." } },
  "skill-path": { "skills/2": { path: "./missing" } },
  "unknown-state-skills": { [`${states}/close/skills`]: "./here" },
};
