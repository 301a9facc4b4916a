import { packText } from "./pack-text.mjs";

const apiVersion = "promptkit.altairalabs.ai/v1alpha1";

/** A head and two files that it names, made of the parts of a pack; sometimes one of them is damaged. */
export function projectFiles(random) {
  const pack = partsOf(random);
  const [[taskType, prompt] = ["plan", {}]] = Object.entries(pack.prompts ?? {});
  const [[name, tool] = ["search", {}]] = Object.entries(pack.tools ?? {});
  const { tools: allowed, variables, ...shared } = prompt ?? {};
  const files = [
    [
      "arena.yaml",
      source("Arena", "desk", {
        prompt_configs: [{ id: taskType, file: "book.yaml" }],
        tools: random.list(2, () => ({ file: random.pick(["tool.yaml", "../out.yaml", "book.yaml"]) })),
        scenario_specs: { a: { task_type: taskType, conversation_assertions: assertions(random) } },
        workflow: pack.workflow,
        agents: pack.agents,
        pack_evals: pack.evals,
        skills: pack.skills,
        ...(random.chance(5) && { pack_file: "two.pack.json" }),
      }),
    ],
    [
      "book.yaml",
      source("PromptConfig", "Book", { task_type: taskType, ...shared, variables, allowed_tools: allowed }),
    ],
    ["tool.yaml", source("Tool", name, { ...tool, input_schema: tool?.parameters })],
  ];
  return files.map(([file, text]) => [file, Buffer.from(random.chance(10) ? damaged(random, text) : text)]);
}

function partsOf(random) {
  try {
    return JSON.parse(packText(random));
  } catch {
    return {};
  }
}

function source(kind, name, spec) {
  return JSON.stringify({ apiVersion, kind, metadata: { name }, spec }, null, 1);
}

function assertions(random) {
  const types = ["state_is", "transitioned_to", "workflow_transition_order", "tools_called"];
  const names = random.list(3, () => random.pick(["plan", "work", "search", ""]));
  return random.list(2, () => ({
    type: random.pick(types),
    params: { state: names[0], sequence: names, tools: names },
  }));
}

function damaged(random, text) {
  const at = text.indexOf(random.pick(['"', "{", "[", ":", ","]), text.length / 3);
  return text.slice(0, at) + random.pick(["", "\u202e", "&a ", "*a", "{{", "\u0000"]) + text.slice(at + 1);
}
