/** A valid pack with every property of the schema in it. Each call gives a fresh copy. */
export function validPack(): Record<string, unknown> {
  return structuredClone(pack);
}

const pack = {
  $schema: "https://promptpack.org/schema/v1.4.0/promptpack.schema.json",
  id: "release-desk",
  name: "Release desk",
  version: "1.2.0-rc.1+build.5",
  description: "Plans, writes and reviews a release.",
  template_engine: { version: "v1", syntax: "{{variable}}", features: ["basic_substitution", "fragments"] },
  prompts: {
    planner: {
      id: "planner",
      name: "Planner",
      description: "Plans the release.",
      version: "v0.3.0",
      system_template: "Plan {{goal}} for {{team}}.",
      variables: [
        {
          name: "goal",
          type: "string",
          required: true,
          description: "What to reach",
          example: "ship it",
          validation: {
            pattern: "^.+$",
            min_length: 0,
            max_length: 80,
            minimum: -1,
            maximum: 9,
            enum: ["a", 1, null],
          },
        },
        {
          name: "team",
          type: "string",
          required: false,
          default: { any: "value" },
          binding: { kind: "session", field: "team", auto_populate: true, filter: "trim" },
        },
      ],
      tools: ["read_file"],
      tool_policy: {
        tool_choice: "required",
        max_rounds: 3,
        max_tool_calls_per_turn: 1,
        blocklist: ["delete_branch"],
      },
      pipeline: {
        stages: ["template", "provider"],
        middleware: [{ type: "cache", config: { ttl: 60 } }, { type: "log" }],
      },
      parameters: {
        temperature: 0,
        max_tokens: 1,
        top_p: 1,
        top_k: null,
        frequency_penalty: -2,
        presence_penalty: 2,
      },
      validators: [
        {
          type: "max_length",
          enabled: false,
          message: "Too long.",
          fail_on_violation: true,
          params: { max: 10 },
        },
      ],
      evals: [
        {
          id: "politeness",
          description: "Is it polite?",
          type: "llm_judge",
          trigger: "sample_turns",
          sample_percentage: 100,
          enabled: true,
          params: { model: "any" },
          metric: { name: "desk:politeness", type: "gauge", range: { min: 0, max: 1 }, unit: "score" },
          threshold: { operator: "gte", value: 0.5 },
          message: "Rude.",
          when: { turn_count_gte: 2 },
          groups: ["manners"],
        },
      ],
      tested_models: [
        {
          provider: "anthropic",
          model: "claude-sonnet-4",
          date: "2026-02-03",
          success_rate: 0.5,
          avg_tokens: 10.5,
          avg_cost: 0,
          avg_latency_ms: 900,
          notes: "Fine.",
        },
      ],
      model_overrides: {
        "some-model": {
          system_template_prefix: "Think.\n",
          system_template_suffix: "\nBe brief.",
          system_template: "Plan.",
          parameters: { top_k: 40 },
        },
      },
      media: {
        enabled: true,
        supported_types: ["image", "point_cloud"],
        image: {
          max_size_mb: 8,
          allowed_formats: ["png"],
          default_detail: "low",
          require_caption: true,
          max_images_per_msg: 4,
        },
        audio: { max_size_mb: 8, allowed_formats: ["ogg"], max_duration_sec: 60, require_metadata: false },
        video: { max_size_mb: 8, allowed_formats: ["webm"], max_duration_sec: 60, require_metadata: false },
        document: {
          max_size_mb: 8,
          allowed_formats: ["pdf"],
          max_pages: 40,
          require_metadata: true,
          extraction_mode: "structured",
        },
        point_cloud: {
          max_size_mb: 64,
          allowed_formats: ["ply"],
          require_metadata: false,
          validation_params: { max_points: 50000 },
        },
        examples: [
          {
            name: "crash",
            description: "A screenshot",
            role: "user",
            parts: [
              { type: "text", text: "Why?" },
              {
                type: "image",
                media: {
                  file_path: "samples/crash.png",
                  url: "https://example.org/crash.png",
                  base64: "iVBORw0K",
                  mime_type: "image/png",
                  detail: "high",
                  caption: "The dialog",
                },
              },
            ],
          },
        ],
      },
    },
    writer: { id: "writer_2", name: "Writer", version: "1.0.0", system_template: "Write." },
  },
  fragments: { house_style: "Be brief." },
  tools: {
    read_file: {
      name: "read_file",
      description: "Reads a file.",
      parameters: {
        type: "object",
        properties: { path: { type: "string" } },
        required: ["path"],
        title: "more",
      },
    },
    list_files: { name: "list_files", description: "Lists files." },
  },
  metadata: {
    domain: "software",
    language: "en",
    tags: ["release"],
    cost_estimate: { min_cost_usd: 0, max_cost_usd: 1.5, avg_cost_usd: 0.5, more: true },
    more: [1],
  },
  compilation: {
    compiled_with: "packc-v1.4.0",
    created_at: "2026-02-03T09:30:00Z",
    schema: "v1",
    source: "desk.yaml",
    more: null,
  },
  evals: [{ id: "tone", type: "regex", trigger: "every_turn" }],
  workflow: {
    version: 1,
    entry: "plan",
    states: {
      plan: {
        prompt_task: "planner",
        description: "Planning",
        on_event: { PlanReady: "write" },
        persistence: "transient",
        orchestration: "internal",
        skills: "none",
        max_visits: 3,
        on_max_visits: "write",
        artifacts: { notes: { type: "text/plain", description: "Notes", mode: "append" } },
      },
      write: { prompt_task: "writer", terminal: true },
    },
    engine: { budget: { max_total_visits: 9, max_tool_calls: 1, max_wall_time_sec: 60 }, timeout: 5 },
  },
  agents: {
    entry: "planner",
    members: {
      planner: {
        description: "Plans.",
        tags: ["plan"],
        input_modes: ["text/plain"],
        output_modes: ["text/markdown"],
        state: "plan",
      },
      writer: {},
    },
  },
  skills: [
    "./skills/reviewing",
    { path: "./skills/style", preload: true },
    { name: "commits", description: "Small commits", instructions: "One idea each." },
  ],
};
