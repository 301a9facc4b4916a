const words = [
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "- ",
  "? ",
  "\n",
  "\r",
  "\r\n",
  "\t",
  " ",
  '"',
  "'",
  "|",
  ">",
  "|2-",
  ">+",
  "&a ",
  "*a",
  "<<: ",
  "!!str ",
  "!x ",
  "#",
  "---\n",
  "...\n",
  "%YAML 1.2\n",
  "null",
  "~",
  "true",
  "0x1F",
  "1e999",
  "-0",
  ".inf",
  "2001-01-01",
  "\\u0000",
  "\\",
  "\u0000",
  "\u0007",
  "\u001b[2J",
  "\u0085",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\ud83d\ude00",
  "é",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "{{",
  "}}",
  "{{#if x}}",
  "{{/if}}",
  "{{artifacts.x}}",
  "{{fragments.x}}",
  "{{> x}}",
  "# promptpack-disable-next-line schema\n",
  "# promptpack-disable all\n",
  "prompts:",
  "workflow:",
  "states",
  "on_event",
  "max_visits: 1",
  "on_max_visits",
  "terminal: true",
  "$schema",
  "agents",
  "members",
  "skills",
  "evals",
  "tools",
];
const names = [
  "a",
  "b",
  "plan",
  "implement",
  "Done",
  "done",
  "__proto__",
  "constructor",
  "toString",
  "x y",
  "a/b~c",
  "",
  "é",
  "\u001b[31m",
  "\u202ex",
  "s0",
  "true",
  "1",
];

/** A file of the project with bytes changed. */
export function hostileBytes(random, seeds) {
  let bytes = random.pick(seeds);
  const most = 1 + random.below(8);
  for (let i = 0; i < most; i++) bytes = mutate(random, bytes, seeds);
  return bytes.subarray(0, 200_000);
}

function mutate(random, bytes, seeds) {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(random.chance(20) ? 400 : 12));
  const put = (middle) => Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(to)]);
  switch (random.below(7)) {
    case 0:
      return put(Buffer.alloc(0));
    case 1:
      return put(Buffer.from([random.below(256)]));
    case 2:
      return put(Buffer.from(random.pick(words).repeat(1 + random.below(3))));
    case 3:
      return put(Buffer.concat([bytes.subarray(at, to), bytes.subarray(at, to)]));
    case 4: {
      const other = random.pick(seeds);
      const from = random.below(other.length + 1);
      return put(other.subarray(from, from + random.below(200)));
    }
    case 5:
      return put(Buffer.from(random.list(30, () => random.below(256))));
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(words)), bytes.subarray(at)]);
  }
}

/** Any YAML there is, in any style. */
export function yamlTree(random) {
  const tree = { random, left: 60 };
  const lines = random.list(8, () => `${yamlKey(random)}:${yamlValue(tree, 2)}\n`);
  return (random.chance(10) ? "---\n" : "") + lines.join("") + (random.chance(5) ? "...\n" : "");
}

function yamlKey(random) {
  const name = random.chance(50)
    ? random.pick(["id", "prompts", "workflow", "states", "tools", "a", "<<"])
    : random.pick(names);
  return random.chance(30)
    ? JSON.stringify(name)
    : random.chance(10)
      ? `'${name.replaceAll("'", "''")}'`
      : /^[\w<]+$/.test(name)
        ? name
        : JSON.stringify(name);
}

function yamlValue(tree, indent) {
  const { random } = tree;
  const pad = " ".repeat(indent);
  const properties = `${random.chance(8) ? ` &${random.pick(["a", "b"])}` : ""}${random.chance(4) ? ` ${random.pick(["!!str", "!!int", "!!map", "!x", "!!seq"])}` : ""}`;
  if (--tree.left < 0 || indent > 16) return " 1";
  switch (random.below(10)) {
    case 0:
      return ` *${random.pick(["a", "b"])}`;
    case 1:
      return `${properties} |${random.pick(["", "-", "+", "2"])}\n${random.list(4, () => `${pad}${random.pick(words).replace(/[\r\n]/g, "")}\n`).join("")}`.replace(
        /\n$/,
        "",
      );
    case 2:
      return `${properties} >${random.pick(["", "-", "+"])}\n${random.list(4, () => `${pad}${random.pick(["a", "  b", "", "{{x}}"])}\n`).join("")}`.replace(
        /\n$/,
        "",
      );
    case 3:
      return `${properties} [${random.list(4, () => flowValue(tree)).join(", ")}]`;
    case 4:
      return `${properties} {${random.list(4, () => `${yamlKey(random)}: ${flowValue(tree)}`).join(", ")}}`;
    case 5:
      return `${properties}${random.list(4, () => `\n${pad}-${yamlValue(tree, indent + 2)}`).join("")}`;
    case 6:
    case 7:
      return `${properties}${random.list(5, () => `\n${pad}${yamlKey(random)}:${yamlValue(tree, indent + 2)}`).join("")}`;
    case 8:
      return `${properties} ${JSON.stringify(random.pick(words))}`;
    default:
      return `${properties} ${random.pick(["", "x", "1", "true", "~", "plain text", "# comment", "2001-01-01"])}`;
  }
}

function flowValue(tree) {
  const { random } = tree;
  if (--tree.left < 0) return "0";
  if (random.chance(20)) return `[${random.list(3, () => flowValue(tree)).join()}]`;
  if (random.chance(20))
    return `{${random.list(3, () => `${yamlKey(random)}: ${flowValue(tree)}`).join(", ")}}`;
  return random.pick(["1", "x", '"y"', "*a", "", "'z'", "~"]);
}

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

const commands = [
  "lint",
  "lint",
  "lint",
  "lint",
  "validate",
  "rules",
  "explain",
  "schema",
  "inspect",
  "graph",
  "simulate",
  "help",
  "replay",
  "--version",
  "lnt",
];
const flags = [
  [
    "-f",
    [
      "json",
      "compact",
      "pretty",
      "sarif",
      "github",
      "gitlab",
      "junit",
      "markdown",
      "json=out.json",
      "svg",
      "dot",
      "mermaid",
      "html",
      "table",
      "jsonl",
      "text",
    ],
  ],
  ["--format", ["json", "compact", "nope", "constructor", "__proto__"]],
  ["--max-warnings", ["0", "-1", "x", "99999999999999999999"]],
  ["--rule", ["schema:off", "unknown-entry:error", "x:error", "schema", ":", "__proto__:off"]],
  ["--preset", ["strict", "spec", "nope", "toString"]],
  ["--config", ["c.yaml", "missing.yaml", "."]],
  ["--baseline", ["base.json", "."]],
  ["--spec-version", ["1.3", "1.4", "9", "latest"]],
  ["--stdin-filename", ["x.pack.yaml", "\u001b[2J.json", "a\nb"]],
  ["--max-size", ["1", "10kB", "0", "x", "1e3"]],
  ["--max-depth", ["0", "1", "3", "100000"]],
  ["--max-alias-nodes", ["0", "5"]],
  ["--max-values", ["0", "1", "5"]],
  ["--print-config", ["one.pack.yaml"]],
  ["--events", ["Done", "a,b", "", "Done,Done,Done"]],
  ["--random", ["1", "50", "x"]],
  ["--seed", ["1", "-1"]],
  ["--set", ["a=1", "=", "__proto__=x"]],
  ["--agent", ["a", "plan"]],
  ...[
    "--quiet",
    "--exit-zero",
    "--no-config",
    "--no-inline-config",
    "--update-baseline",
    "--fix",
    "--fix-dry-run",
    "--unsafe-fixes",
    "--stats",
    "--no-color",
    "--no-budget",
    "--render",
    "--help",
    "--nope",
  ].map((name) => [name]),
];
const paths = [
  "one.pack.yaml",
  "two.pack.json",
  ".",
  "-",
  "missing.json",
  "*.json",
  "**/*.{json,yaml}",
  "[",
  "{a,b",
  "sub",
  "\u001b[2J",
  "",
  "c.yaml",
];

/** A command line, and the folder it runs in. */
export function commandLine(random, seeds) {
  const text = () =>
    random.chance(60)
      ? Buffer.from(packText(random))
      : random.chance(50)
        ? hostileBytes(random, seeds)
        : Buffer.from(yamlTree(random));
  const args = [
    random.pick(commands),
    ...random.list(3, () => random.pick(paths)),
    ...random.list(4, () => flagOf(random)).flat(),
  ];
  if (args.includes("simulate") && !args.includes("--events")) args.push("--random", "5");
  const files = [
    ["one.pack.yaml", text()],
    ["two.pack.json", text()],
    ["sub/three.pack.yaml", text()],
    ["c.yaml", configText(random)],
  ];
  if (random.chance(30)) files.push(["promptpack.config.yaml", configText(random)]);
  if (random.chance(20))
    files.push([
      ".gitignore",
      Buffer.from(
        random.list(4, () => random.pick(["*", "!a", "[", "sub/", "**/x", "\\", "#", "two.*"])).join("\n"),
      ),
    ]);
  if (random.chance(20))
    files.push([
      "base.json",
      random.chance(50) ? Buffer.from('{"schemaVersion":1,"findings":[]}') : hostileBytes(random, seeds),
    ]);
  return { args, files, stdin: text() };
}

function flagOf(random) {
  const [name, values] = random.pick(flags);
  return values === undefined ? [name] : random.chance(95) ? [name, random.pick(values)] : [name];
}

function configText(random) {
  if (random.chance(15)) return Buffer.from(yamlTree(random));
  const lines = random.list(4, () =>
    random.pick([
      "extends: strict",
      "extends: nope",
      "rules: { schema: off }",
      "rules: { x: error, __proto__: off }",
      'ignore: ["sub", "[", "{a,b}{c,d}*"]',
      "ignore: [{ file: one.pack.yaml, rule: schema, pointer: /id }]",
      "overrides: [{ files: '*.yaml', rules: { schema: info } }]",
      "__proto__: { rules: 1 }",
      "overrides: 7",
    ]),
  );
  return Buffer.from(`${lines.join("\n")}\n`);
}
