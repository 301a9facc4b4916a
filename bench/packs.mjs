// Packs to measure with: made up, the same every time.

/** A pack of about 5 kB with a guarded loop: plan, work, check, review, and an end. */
export function smallPack(number) {
  const prompt = (id, text) => ({
    id,
    name: id,
    version: "1.0.0",
    description: `Prompt ${id} of pack ${number}`,
    system_template: text,
  });
  const talk = "Work carefully, say what you did and why, and keep to what was asked. ".repeat(4);
  return {
    $schema: "https://promptpack.org/schema/v1.4/promptpack.schema.json",
    id: `pack-${number}`,
    name: `Pack ${number}`,
    version: "1.0.0",
    template_engine: { version: "v1", syntax: "{{variable}}" },
    prompts: {
      plan: {
        ...prompt("plan", `${talk}Plan for {{goal}}. Emit PlanReady.`),
        variables: [{ name: "goal", type: "string", required: true }],
      },
      work: {
        ...prompt("work", `${talk}Notes: {{artifacts.notes}}. Emit WorkDone or NeedsPlan.`),
        tools: ["search", "write"],
      },
      check: {
        ...prompt("check", `${talk}Look at {{artifacts.notes}}. Emit Passed or Failed.`),
        tools: ["search"],
      },
      review: prompt("review", `${talk}Judge {{artifacts.notes}}. Emit Approved or Rejected.`),
      close: prompt("close", `${talk}Sum up {{artifacts.notes}}.`),
    },
    tools: Object.fromEntries(
      ["search", "write"].map((name) => [
        name,
        {
          name,
          description: `Tool ${name}`,
          parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        },
      ]),
    ),
    workflow: {
      version: 2,
      entry: "plan",
      engine: { budget: { max_total_visits: 60 } },
      states: {
        plan: {
          prompt_task: "plan",
          max_visits: 4,
          on_max_visits: "close",
          on_event: { PlanReady: "work" },
          artifacts: notes(),
        },
        work: {
          prompt_task: "work",
          max_visits: 5,
          on_max_visits: "close",
          on_event: { WorkDone: "check", NeedsPlan: "plan" },
          artifacts: notes(),
        },
        check: { prompt_task: "check", on_event: { Passed: "review", Failed: "work" }, artifacts: notes() },
        review: {
          prompt_task: "review",
          on_event: { Approved: "close", Rejected: "work" },
          artifacts: notes(),
        },
        close: { prompt_task: "close", terminal: true, artifacts: notes() },
      },
    },
  };
}

function notes() {
  return { notes: { type: "text/plain", description: "What is known so far" } };
}

/** A workflow of so many states: a chain with loops back, every tenth state guarded. */
export function largePack(states) {
  const name = (i) => `state_${i}`;
  const entries = Array.from({ length: states }, (_, i) => {
    if (i === states - 1) return [name(i), { prompt_task: "work", terminal: true }];
    const guarded = i % 10 === 0 ? { max_visits: 3, on_max_visits: name(states - 1) } : {};
    return [
      name(i),
      { prompt_task: "work", ...guarded, on_event: { Onward: name(i + 1), Back: name(i - (i % 10)) } },
    ];
  });
  return {
    id: "large",
    name: "Large",
    version: "1.0.0",
    template_engine: { version: "v1", syntax: "{{variable}}" },
    prompts: {
      work: { id: "work", name: "Work", version: "1.0.0", system_template: "Emit Onward or Back." },
    },
    workflow: {
      version: 2,
      entry: name(0),
      engine: { budget: { max_total_visits: 1000000 } },
      states: Object.fromEntries(entries),
    },
  };
}

/** 20 states in a row with ways back, every third guarded. */
export function guardedPack() {
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const state = (index) => ({
    prompt_task: names[index],
    ...(index % 3 === 1 && { max_visits: 3, on_max_visits: "s19" }),
    ...(index === 19
      ? { terminal: true }
      : { on_event: { Go: names[index + 1], Back: names[Math.max(0, index - (index % 3) - 2)] } }),
  });
  const { workflow, prompts, ...pack } = smallPack(0);
  const prompt = (id) => ({ id, name: id, version: "1.0.0", system_template: "Emit Go or Back." });
  return {
    ...pack,
    prompts: Object.fromEntries(names.map((name) => [name, prompt(name)])),
    workflow: {
      ...workflow,
      entry: "s0",
      states: Object.fromEntries(names.map((name, i) => [name, state(i)])),
    },
  };
}

/** A finding for each variable that is not declared. */
export function faultyPack(findings) {
  const names = Array.from({ length: findings }, (_, index) => `{{v${index}}}`);
  const { prompts, workflow, ...pack } = smallPack(0);
  return { ...pack, prompts: { plan: { ...prompts.close, id: "plan", system_template: names.join(" ") } } };
}

/** The sources of a chain of so many prompts with as many states, by the names of their files. */
export function chainProject(prompts) {
  const name = (i) => `step_${i}`;
  const source = (kind, called, spec) => ({
    apiVersion: "promptkit.altairalabs.ai/v1alpha1",
    kind,
    metadata: { name: called },
    spec,
  });
  const all = Array.from({ length: prompts }, (_, i) => i);
  const isLast = (i) => i === prompts - 1;
  const talk = "Work carefully, say what you did and why, and keep to what was asked. ".repeat(4);
  const promptFile = (i) => [
    `prompts/${name(i)}.yaml`,
    source("PromptConfig", name(i), {
      task_type: name(i),
      version: "1.0.0",
      description: `Step ${i}`,
      variables: [{ name: "goal", type: "string", required: true }],
      system_template: `${talk}Do step ${i} for {{goal}}.${isLast(i) ? "" : " Emit Onward."}`,
    }),
  ];
  const states = all.map((i) => [
    name(i),
    { prompt_task: name(i), ...(isLast(i) ? { terminal: true } : { on_event: { Onward: name(i + 1) } }) },
  ]);
  const head = source("Arena", "chain", {
    prompt_configs: all.map((i) => ({ id: name(i), file: `prompts/${name(i)}.yaml` })),
    workflow: { version: 2, entry: name(0), states: Object.fromEntries(states) },
  });
  return Object.fromEntries([["arena.yaml", head], ...all.map(promptFile)]);
}
