import { names } from "./vocabulary.mjs";

/** A pack by the grammar of the spec, with a chance of a mistake in every place; as JSON, or as YAML that looks so. */
export function packText(random) {
  const indent = random.pick([0, 2, 2]);
  const text = JSON.stringify(new PackWriter(random).pack(), null, indent);
  return random.chance(15) ? text.replaceAll('"', random.pick(["'", '"', ""])) : text;
}

class PackWriter {
  constructor(random) {
    this.random = random;
    this.name = () => random.pick(random.chance(80) ? names.slice(0, 6) : names);
  }

  pack() {
    return {
      $schema: this.some(40, () => this.odd(this.schemaAddress())),
      id: this.odd("pack"),
      name: this.odd("Pack"),
      version: this.odd("1.0.0"),
      template_engine: this.odd({
        version: "v1",
        syntax: this.oddOf("{{variable}}", "{variable}", "${variable}", "<% %>"),
      }),
      prompts: this.object(4, (key) => this.prompt(key)),
      fragments: this.some(40, () => this.object(3, () => this.template())),
      tools: this.some(40, () => this.object(3, (key) => this.tool(key))),
      skills: this.some(15, () => this.odd(this.random.list(3, () => this.skill()))),
      evals: this.some(15, () => this.odd(this.random.list(3, () => this.eval()))),
      agents: this.some(30, () => this.agents()),
      workflow: this.some(80, () => this.workflow()),
      ...(this.random.chance(5) ? { [this.name()]: 1 } : {}),
    };
  }

  some(percent, make) {
    return this.random.chance(percent) ? make() : undefined;
  }

  odd(value) {
    const { random } = this;
    return random.chance(3) ? random.pick([null, 7, "", [], {}, [{}], true, -1, 1e9, "x"]) : value;
  }

  oddOf(...values) {
    return this.odd(this.random.pick(values));
  }

  object(most, make) {
    const result = Object.create(null);
    for (const key of this.random.list(most, this.name)) result[key] = this.odd(make(key));
    return this.odd(result);
  }

  schemaAddress() {
    const version = this.random.pick(["v1.3", "v1.4", "latest", "v9", "x"]);
    return `https://promptpack.org/schema/${version}/promptpack.schema.json`;
  }

  prompt(key) {
    return {
      id: this.odd(key),
      name: "P",
      version: "1.0.0",
      system_template: this.template(),
      variables: this.some(40, () => this.odd(this.random.list(3, () => this.variable()))),
      tools: this.some(30, () => this.odd(this.random.list(3, this.name))),
      tool_policy: this.some(15, () =>
        this.odd({ tool_choice: this.odd("required"), blocklist: this.odd(this.random.list(2, this.name)) }),
      ),
      evals: this.some(10, () => this.odd([this.eval()])),
    };
  }

  template() {
    const part = () =>
      this.random.pick([
        `{{${this.name()}}}`,
        `{{artifacts.${this.name()}}}`,
        `{{fragments.${this.name()}}}`,
        "{{#each a}}",
        "{{/each}}",
        this.name(),
        "{{",
        "}}",
        "Emit Done.",
      ]);
    return this.odd(this.random.list(6, part).join(" "));
  }

  variable() {
    return this.odd({
      name: this.odd(this.name()),
      type: this.oddOf("string", "number", "boolean", "object", "array"),
      required: this.oddOf(true, false),
      default: this.some(30, () => this.oddOf("x", "aaa", 3)),
      example: this.some(20, () => this.oddOf(1, "b")),
      validation: this.some(30, () => this.validation()),
    });
  }

  validation() {
    const bound = () => this.some(30, () => this.odd(this.random.below(9)));
    return this.odd({
      pattern: this.some(60, () => this.oddOf("^a+$", "(a+)+$", "[", "(?<x>a)\\k<x>", "^(a|a)*$")),
      min_length: bound(),
      max_length: bound(),
      minimum: bound(),
      maximum: bound(),
      enum: this.some(20, () => this.odd(["a", "b"])),
    });
  }

  tool(key) {
    const parameters = () =>
      this.odd({
        type: "object",
        properties: this.object(2, () => ({ type: this.odd("string") })),
        required: this.odd(this.random.list(2, this.name)),
        $ref: this.some(5, () => "#/properties/a"),
      });
    return { name: this.odd(key), description: "T", parameters: this.some(50, parameters) };
  }

  skill() {
    return this.odd({ name: this.odd(this.name()), description: "S", instructions: "x" });
  }

  eval() {
    const range = () => this.odd({ min: this.random.below(5), max: this.random.below(5) });
    return this.odd({
      id: this.odd(this.name()),
      type: "x",
      trigger: this.oddOf("every_turn", "sample_turns"),
      sample_percentage: this.some(40, () => this.odd(5)),
      metric: this.some(40, () => this.odd({ name: "m", type: "gauge", range: range() })),
      params: {},
    });
  }

  agents() {
    const member = () => ({
      state: this.some(50, () => this.odd(this.name())),
      tags: this.some(20, () => this.odd(["", "x"])),
      input_modes: this.some(20, () => this.odd(["text/plain", "x"])),
    });
    return this.odd({ entry: this.odd(this.name()), members: this.object(3, member) });
  }

  workflow() {
    return this.odd({
      version: this.oddOf(1, 2, 3),
      entry: this.odd(this.name()),
      states: this.object(6, () => this.state()),
      engine: this.some(30, () =>
        this.odd({
          budget: this.some(70, () => this.budget()),
          max_total_visits: this.some(10, () => 3),
        }),
      ),
    });
  }

  budget() {
    return this.odd({
      max_total_visits: this.odd(this.random.below(12)),
      max_wall_time_sec: this.some(20, () => this.odd(5)),
    });
  }

  state() {
    const artifact = () => ({
      type: this.oddOf("text/plain", "x"),
      mode: this.some(40, () => this.random.pick(["replace", "append", "x"])),
    });
    return this.odd({
      prompt_task: this.odd(this.name()),
      on_event: this.some(70, () => this.object(3, this.name)),
      terminal: this.some(20, () => this.odd(this.random.chance(70))),
      max_visits: this.some(35, () => this.odd(1 + this.random.below(4))),
      on_max_visits: this.some(30, () => this.odd(this.name())),
      artifacts: this.some(25, () => this.object(2, artifact)),
      persistence: this.some(10, () => this.odd("transient")),
      orchestration: this.some(10, () => this.oddOf("internal", "external", "composition")),
      skills: this.some(10, () => this.odd(this.name())),
    });
  }
}
