import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { yamlPack } from "../cli/packs.js";
import { triage } from "../composition/triage-pack.js";
import { Editor } from "./editor.js";

const pack = `id: desk
name: Desk
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
fragments:
  tone: |
    Be kind.
tools:
  look_up: { name: search, description: "Looks <b>up</b>, as in [x](y).", parameters: { type: object, properties: {} } }
prompts:
  greet:
    id: greet
    name: Greet
    version: 1.0.0
    description: Greets.
    variables:
      - { name: who, type: string, required: true, description: The person. }
    tools: [look_up]
    system_template: |
      Hello {{who}}. {{fragments.tone}}
      Use \`\`\`search\`\`\`.
      {{artifacts.note}}
      Done or Again
      5
      6
      7
      8
      9
workflow:
  version: 1
  entry: hello
  engine: { budget: { max_total_visits: 9 } }
  states:
    hello:
      prompt_task: greet
      description: "Says\\nhello."
      max_visits: 3
      on_max_visits: end
      on_event: { Done: end, Again: hello }
      artifacts: { note: { type: text/plain } }
    end:
      prompt_task: greet
      terminal: true
`;
const name = "a.pack.yaml";

async function opened(text: string): Promise<Editor> {
  const editor = await Editor.in(folderOf({}));
  await editor.open(name, text);
  // Findings are part of what hover shows.
  await editor.next();
  return editor;
}

const hello = `**state** \`hello\`

Says hello.

- prompt_task: \`greet\`
- max_visits: \`3\`
- on_max_visits: \`end\`
- \`Done\` → \`end\`
- \`Again\` → \`hello\`
- most visits: 3`;

it.each([
  ["entry: hel|lo", hello],
  ["    hel|lo:", hello],
  ["Done: en|d", "**state** `end`\n\n- prompt_task: `greet`\n- terminal: `true`\n- most visits: 1"],
  [
    "prompt_task: gr|eet",
    "**prompt** `greet`\n\nGreets.\n\n- id: `greet`\n- name: `Greet`\n- version: `1.0.0`\n\n````\nHello {{who}}. {{fragments.tone}}\nUse ```search```.\n{{artifacts.note}}\nDone or Again\n5\n6\n7\n8\n…\n````",
  ],
  ["{{w|ho}}", "**variable** `who`\n\nThe person.\n\n- name: `who`\n- type: `string`\n- required: `true`"],
  ["{{fragments.to|ne}}", "**fragment** `tone`\n\n```\nBe kind.\n```"],
  ["tools: [look_|up]", "**tool** `look_up`\n\nLooks \\<b>up\\</b>, as in \\[x](y).\n\n- name: `search`"],
  ["{ no|te:", "**artifact** `note`\n\n- type: `text/plain`\n- from state `hello`"],
  [
    "workfl|ow:",
    /^\*\*workflow\*\*\n\nThe state machine that leads from prompt to prompt.*\n\nSince version 1\.3\.0\.$/u,
  ],
  [
    "max_vis|its: 3",
    /^\*\*max_visits\*\*\n\nHow often one run may enter this state.*\n\nSince version 1\.4\.0\. Example: `\d+`$/u,
  ],
  ["{ name: who, ty|pe:", /^\*\*type\*\*\n\nThe type of its value\.\n\nOne of `string`, .*`array`\.$/u],
])("explains %j", async (marked, text) => {
  const found = await (await opened(pack)).hover(name, marked);
  if (typeof text === "string") expect(found).toBe(text);
  else expect(found).toMatch(text);
});

it.each([
  [
    "compositions:\n  tri|age",
    "**composition** `triage`\n\n- version: `1`\n- output: `reply`\n- `kind`: prompt\n- `route`: branch\n- `facts`: parallel\n- `ask`: prompt\n- `reply`: agent",
  ],
  [
    "${ki|nd.output",
    "**step** `kind`\n\n- id: `kind`\n- kind: `prompt`\n- prompt_task: `classify`\n- input: `${input.text}`\n- output_schema: `./kind.json`",
  ],
  ["provider: jud|ge", "**provider** `judge`\n\n- key: `judge`\n- role: `llm`\n- required: `true`"],
  ["provider: fa|st", "**provider** `fast`"],
  ["eval: [pol|ite]", "**eval** `polite`\n\n- id: `polite`\n- type: `llm_judge`\n- trigger: `every_turn`"],
  ["reduce: { strat|egy", /^\*\*strategy\*\*\n\n`barrier` collects/u],
])("explains in a composition %j", async (marked, text) => {
  const found = await (await opened(triage.replace("required: false", "required: true"))).hover(name, marked);
  if (typeof text === "string") expect(found).toBe(text);
  else expect(found).toMatch(text);
});

it.each(["name: De|sk", "Hel|lo {{", "max_visits: |3"])("has nothing to say about %j", async (marked) => {
  const editor = await opened(pack);
  expect(await editor.hover(name, marked)).toBeUndefined();
});

it("has nothing to say about an unknown key but what is wrong with it", async () => {
  const editor = await opened(`${pack}      mine: x\n`);
  const shown = await editor.hover(name, "mi|ne: x");
  expect(shown).toMatch(/^\*\*schema\*\* /u);
  expect(shown).not.toContain("mine");
});

it("gives the reason of a rule for a finding, before what the name stands for", async () => {
  const editor = await Editor.in(folderOf({}));
  await editor.open(name, yamlPack);
  expect(await editor.findings()).toEqual(["15:9 unknown-entry", "20:8 event-name-case"]);
  expect(await editor.hover(name, "entry: he|lo")).toMatch(
    /^\*\*unknown-entry\*\* The entry of the workflow is one of its states\.\n\n`workflow\.entry` is where every run begins\./u,
  );
  expect(await editor.hover(name, "do|ne: end")).toMatch(/^\*\*event-name-case\*\* /u);
  // What is known about an older text does not count.
  await editor.change(name, { text: yamlPack.replace("entry: helo", "entry: hello") });
  expect(await editor.hover(name, "entry: he|llo")).toMatch(/^\*\*state\*\* `hello`/u);
});

it("finds a summary and a reason on the page of every rule", () => {
  for (const page of readdirSync("docs/rules")) {
    const [title, summary, severity, reason] = readFileSync(`docs/rules/${page}`, "utf8").split("\n\n");
    expect(title).toBe(`# ${page.replace(".md", "")}`);
    expect(summary, page).toMatch(/^[A-Z`].*\.$/su);
    expect(severity, page).toMatch(/^\*\*Severity:\*\*/u);
    expect(reason, page).toMatch(/^[A-Z`"]/u);
  }
});

it("explains what can be read of a broken file", async () => {
  const broken = pack.replace("    id: greet", "    id: greet\n    nam");
  const editor = await opened(broken);
  expect(await editor.hover(name, "entry: hel|lo")).toBe(hello);
  expect(await editor.hover(name, "max_vis|its: 3")).toMatch(/^\*\*max_visits\*\*/u);
  await editor.change(name, { text: "a: [" });
  expect(await editor.hover(name, "|a")).toBeUndefined();
});

it("explains JSON", async () => {
  const editor = await Editor.in(folderOf({}));
  const text = JSON.stringify({
    id: "a",
    prompts: { greet: { id: "greet", name: "Greet", version: "1.0.0", system_template: "Hi.\n" } },
  });
  await editor.open("a.pack.json", text);
  expect(await editor.hover("a.pack.json", '"gr|eet":')).toBe(
    "**prompt** `greet`\n\n- id: `greet`\n- name: `Greet`\n- version: `1.0.0`\n\n```\nHi.\n```",
  );
  expect(await editor.hover("a.pack.json", '"prom|pts"')).toMatch(
    /^\*\*prompts\*\*\n\nThe prompts by task name/u,
  );
});
