/** A pack without findings that uses what came with the versions 1.5 to 1.9. */
export const everythingPack = {
  id: "complaints",
  name: "Complaints",
  version: "1.0.0",
  template_engine: { version: "v1", syntax: "{{variable}}" },
  requires: {
    providers: [
      "default",
      { key: "thinker", role: "llm", capabilities: { tool_use: true } },
      { key: "sorter", role: "inference" },
      { key: "vectors", role: "embedding", required: false },
    ],
  },
  metadata: {
    governance: {
      vocabularies: { town: "https://town.example/terms#" },
      intended_purpose: "Answers complaints: what happened, and what the town does about it.",
      autonomy_level: "acts_with_oversight",
      accountable_owner: "town-clerk",
      operator_role: "dpv:DataController",
      risk_classification: "eu-aiact:RiskLevelMinimal",
      intended_deployment_contexts: ["town:Office"],
      capabilities: ["ai:Profiling", "town:Sorting"],
      independent_of: { axes: ["model", "accountable_owner"], enforcement: "strict" },
      obligations: [
        {
          id: "say-why",
          obligation: "legal-eu-gdpr:A22",
          applies_to: { capability: "town:Sorting", data_class: "pd:Name", risk_classification: "town:Low" },
          controls: [
            { field: "autonomy_level" },
            { validator: "reasons" },
            { eval: "facts_complete" },
            { external: "Two clerks: one reads, one signs." },
          ],
        },
        { id: "be-kind", obligation: "town:Kindness", controls: [{ eval: "tone" }] },
      ],
      reviews: [
        {
          id: "each-spring",
          type: "pp:BiasTesting",
          cadence: "P1Y",
          owner: "town-council",
          satisfies: ["say-why", "be-kind"],
          eval: "sample",
        },
        { id: "each-month", type: "town:Reading", cadence: "P1M", owner: "town-clerk" },
      ],
    },
  },
  evals: [
    {
      id: "facts_complete",
      type: "llm_judge",
      trigger: "every_turn",
      params: { criteria: "Are all facts there?" },
    },
    { id: "sample", type: "json_valid", trigger: "on_session_complete" },
  ],
  tools: {
    find_rule: {
      name: "find_rule",
      description: "Finds a rule of the town",
      parameters: {
        type: "object",
        properties: { topic: { type: "string" }, most: { type: "integer" } },
        required: ["topic"],
        additionalProperties: false,
      },
      action_scope: { effect: "read", data_classes: ["town:Rules", "dpv:PersonalData"] },
    },
    keep: {
      name: "keep",
      description: "Keeps a text in the archive",
      parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      action_scope: { effect: "write", reversibility: "reversible" },
    },
    hand_in: { name: "hand_in", description: "Hands in the findings" },
  },
  prompts: {
    greet: {
      id: "greet",
      name: "Greet",
      version: "1.0.0",
      system_template: "Ask what happened. Emit Told when you know.",
      evals: [{ id: "tone", type: "llm_judge", trigger: "every_turn", params: { rubric: "Kind or not?" } }],
    },
    choose: {
      id: "choose",
      name: "Choose",
      version: "1.0.0",
      system_template: "Emit Ours if the town can help, and Theirs if not.",
      provider: "thinker",
    },
    read: { id: "read", name: "Read", version: "1.0.0", system_template: "What is it about? {{input}}" },
    recall: {
      id: "recall",
      name: "Recall",
      version: "1.0.0",
      system_template: "Was there one like it? {{input}}",
    },
    apologize: {
      id: "apologize",
      name: "Apologize",
      version: "1.0.0",
      system_template: "Apologize. {{input}}",
      validators: [{ id: "kind-words", type: "banned_words", enabled: true, params: { words: ["fault"] } }],
    },
    search: {
      id: "search",
      name: "Search",
      version: "1.0.0",
      system_template: "Find out what happened. {{input}}",
      tools: ["find_rule", "hand_in"],
    },
    answer: {
      id: "answer",
      name: "Answer",
      version: "1.0.0",
      system_template: "Answer the complaint. {{input}}",
      validators: [{ id: "reasons", type: "contains", enabled: true, params: { patterns: ["because"] } }],
    },
    refer: { id: "refer", name: "Refer", version: "1.0.0", system_template: "Say who can help. {{input}}" },
  },
  agents: {
    entry: "greet",
    members: {
      greet: {},
      choose: {
        state: "choosing",
        governance: {
          autonomy_level: "suggests",
          operator_role: "town:Clerk",
          obligations: [
            { id: "ask-first", obligation: "town:Asking", controls: [{ field: "accountable_owner" }] },
          ],
          reviews: [
            {
              id: "each-week",
              type: "town:Reading",
              cadence: "P1W",
              owner: "clerks",
              satisfies: ["ask-first"],
            },
          ],
        },
      },
    },
  },
  workflow: {
    version: 2,
    entry: "greeting",
    engine: { budget: { max_total_visits: 20 } },
    states: {
      greeting: { prompt_task: "greet", control: "user", on_event: { Told: "choosing" } },
      choosing: {
        prompt_task: "choose",
        control: "agent",
        on_event: { Ours: "handling", Theirs: "referring" },
      },
      handling: { orchestration: "composition", composition: "handle", terminal: true },
      referring: { orchestration: "composition", composition: "refer_on", terminal: true },
    },
  },
  compositions: {
    handle: {
      version: 1,
      input_schema: "schemas/complaint.json",
      output: "reply",
      steps: [
        {
          id: "topic",
          kind: "prompt",
          prompt_task: "read",
          provider: "sorter",
          input: "${input.text}",
          output_schema: "schemas/topic.json",
          modifiers: { retry: { max_attempts: 2 }, eval: ["facts_complete"] },
        },
        {
          id: "gather",
          kind: "parallel",
          branches: [
            {
              id: "rules",
              kind: "tool",
              tool: "find_rule",
              args: { topic: "${topic.output.name}", most: 5 },
            },
            {
              id: "past",
              kind: "prompt",
              prompt_task: "recall",
              input: { about: "${topic.output.name}", said: ["The complaint: ${input.text}"] },
            },
          ],
          reduce: { strategy: "barrier", into: "found" },
        },
        {
          id: "is_small",
          kind: "branch",
          predicate: {
            all_of: [
              { path: "${topic.output.harm}", op: "less_than", value: 3 },
              { not: { path: "${input.lawyer}", exists: true } },
              {
                any_of: [
                  { path: "${topic.output.name}", op: "in", value: ["noise", "dust"] },
                  { path: "${gather.output.found.rules}", op: "equals", value: [] },
                ],
              },
            ],
          },
          then: "sorry",
          else: "enquiry",
        },
        { id: "sorry", kind: "prompt", prompt_task: "apologize", input: "${gather.output.found.past}" },
        {
          id: "keep_sorry",
          kind: "tool",
          tool: "keep",
          args: { text: "${sorry.output}" },
          depends_on: ["sorry"],
        },
        {
          id: "enquiry",
          kind: "agent",
          prompt_task: "search",
          provider: "thinker",
          input: "${gather.output.found}",
          tools: ["find_rule", "hand_in"],
          termination: { max_steps: 8, tool_called: "hand_in" },
          modifiers: { eval: ["sample"] },
        },
        {
          id: "keep_enquiry",
          kind: "tool",
          tool: "keep",
          args: { text: "On ${topic.output.name}: ${enquiry.output}" },
          depends_on: ["enquiry"],
        },
        {
          id: "reply",
          kind: "prompt",
          prompt_task: "answer",
          input: "${gather.output.found}",
          depends_on: ["keep_sorry", "keep_enquiry"],
        },
      ],
    },
    refer_on: {
      version: 1,
      steps: [
        { id: "office", kind: "town.directory" },
        { id: "advice", kind: "prompt", prompt_task: "refer", input: "${office.output}" },
      ],
    },
  },
};

/** The schemas beside it. */
export const everythingSchemas: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "schemas/complaint.json": { text: { type: "string" }, lawyer: { type: "string" } },
    "schemas/topic.json": { name: { type: "string" }, harm: { type: "integer" } },
  }).map(([path, properties]) => [
    path,
    JSON.stringify({ type: "object", properties, additionalProperties: false }),
  ]),
);
