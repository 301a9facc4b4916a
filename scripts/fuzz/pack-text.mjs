import { names } from "./vocabulary.mjs";

/** A pack by the grammar of the spec, with a chance of a mistake in every place; as JSON, or as YAML that looks so. */
export function packText(random) {
  const indent = random.pick([0, 2, 2]);
  const text = JSON.stringify(pack(random), null, indent);
  return random.chance(15) ? text.replaceAll('"', random.pick(["'", '"', ""])) : text;
}

function pack(random) {
  const name = () => random.pick(random.chance(80) ? names.slice(0, 6) : names);
  const some = (percent, make) => (random.chance(percent) ? make() : undefined);
  const odd = (value) =>
    random.chance(3) ? random.pick([null, 7, "", [], {}, [{}], true, -1, 1e9, "x"]) : value;
  const object = (most, make) => {
    const result = Object.create(null);
    for (const key of random.list(most, name)) result[key] = odd(make(key));
    return odd(result);
  };
  const template = () =>
    odd(
      random
        .list(6, () =>
          random.pick([
            `{{${name()}}}`,
            `{{artifacts.${name()}}}`,
            `{{fragments.${name()}}}`,
            "{{#each a}}",
            "{{/each}}",
            name(),
            "{{",
            "}}",
            "Emit Done.",
          ]),
        )
        .join(" "),
    );
  const variable = () =>
    odd({
      name: odd(name()),
      type: odd(random.pick(["string", "number", "boolean", "object", "array"])),
      required: odd(random.chance(50)),
      default: some(30, () => odd("x")),
      example: some(20, () => odd(1)),
      validation: some(30, () =>
        odd({
          pattern: some(60, () => random.pick(["^a+$", "(a+)+$", "[", "(?<x>a)\\k<x>", "^(a|a)*$"])),
          min: some(30, () => random.below(9)),
          max: some(30, () => random.below(9)),
          enum: some(20, () => ["a", "b"]),
        }),
      ),
    });
  const state = () =>
    odd({
      prompt_task: odd(name()),
      on_event: some(70, () => object(3, name)),
      terminal: some(20, () => odd(random.chance(70))),
      max_visits: some(35, () => odd(1 + random.below(4))),
      on_max_visits: some(30, () => odd(name())),
      artifacts: some(25, () =>
        object(2, () => ({
          type: odd(random.pick(["text/plain", "x"])),
          mode: some(40, () => random.pick(["replace", "append", "x"])),
        })),
      ),
      persistence: some(10, () => odd("transient")),
      orchestration: some(10, () => odd(random.pick(["internal", "external", "composition"]))),
      skills: some(10, () => odd(name())),
    });
  return {
    $schema: some(40, () =>
      odd(
        `https://promptpack.org/schema/${random.pick(["v1.3", "v1.4", "latest", "v9", "x"])}/promptpack.schema.json`,
      ),
    ),
    id: odd("pack"),
    name: odd("Pack"),
    version: odd("1.0.0"),
    template_engine: odd({
      version: "v1",
      syntax: odd(random.pick(["{{variable}}", "{variable}", "${variable}", "<% %>"])),
    }),
    prompts: object(4, (key) => ({
      id: odd(key),
      name: "P",
      version: "1.0.0",
      system_template: template(),
      variables: some(40, () => odd(random.list(3, variable))),
      tools: some(30, () => odd(random.list(3, name))),
      tool_policy: some(15, () =>
        odd({ tool_choice: odd("required"), blocklist: odd(random.list(2, name)) }),
      ),
      evals: some(10, () => odd([{ id: odd(name()), type: "x", trigger: odd("every_turn"), params: {} }])),
    })),
    fragments: some(40, () => object(3, template)),
    tools: some(40, () =>
      object(3, (key) => ({
        name: odd(key),
        description: "T",
        parameters: some(50, () =>
          odd({
            type: "object",
            properties: object(2, () => ({ type: odd("string") })),
            required: odd(random.list(2, name)),
            $ref: some(5, () => "#/properties/a"),
          }),
        ),
      })),
    ),
    skills: some(15, () =>
      odd(random.list(3, () => odd({ name: odd(name()), description: "S", instructions: "x" }))),
    ),
    evals: some(15, () =>
      odd(
        random.list(3, () =>
          odd({
            id: odd(name()),
            type: "x",
            trigger: odd(random.pick(["every_turn", "sample_turns"])),
            sample_percentage: some(40, () => odd(5)),
            metric: some(40, () =>
              odd({ name: "m", type: "gauge", range: odd({ min: random.below(5), max: random.below(5) }) }),
            ),
            params: {},
          }),
        ),
      ),
    ),
    agents: some(30, () =>
      odd({
        entry: odd(name()),
        members: object(3, () => ({
          state: some(50, () => odd(name())),
          tags: some(20, () => odd(["", "x"])),
          input_modes: some(20, () => odd(["text/plain", "x"])),
        })),
      }),
    ),
    workflow: some(80, () =>
      odd({
        version: odd(random.pick([1, 2, 3])),
        entry: odd(name()),
        states: object(6, state),
        engine: some(30, () =>
          odd({
            budget: some(70, () =>
              odd({ max_total_visits: odd(random.below(12)), max_wall_time_sec: some(20, () => odd(5)) }),
            ),
            max_total_visits: some(10, () => 3),
          }),
        ),
      }),
    ),
    ...(random.chance(5) ? { [name()]: 1 } : {}),
  };
}
