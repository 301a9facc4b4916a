import { expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { triage } from "../composition/triage-pack.js";
import { Editor } from "./editor.js";

async function opened(text: string, name: string): Promise<Editor> {
  const editor = await Editor.in(folderOf({}));
  await editor.open(name, text);
  return editor;
}

const reading = triage.replace(
  "provider: judge }",
  'provider: judge, input: "First ${ kind.output.intent }, then ${facts.output.all.left.n} and ${ nobody.output }" }',
);

it.each([
  ["composition: tri|age", ["19 triage"]],
  ["  tri|age:\n", ["19 triage"]],
  ["then: fac|ts", ["29 facts"]],
  ["else: a|sk", ["35 ask"]],
  ["depends_on: [fac|ts, ask]", ["29 facts"]],
  ["[facts, as|k]", ["35 ask"]],
  ["output: rep|ly", ["36 reply"]],
  ["id: fa|cts", ["29 facts"]],
  ['path: "${ki|nd.output', ["23 kind"]],
  ["First ${ ki|nd.output", ["23 kind"]],
  ["then ${fac|ts.output", ["29 facts"]],
  ["all.le|ft.n}", ["33 left"]],
  ["prompt_task: clas|sify", ["15 classify"]],
  ["tool: or|ders", ["12 orders"]],
  ["tools: [or|ders]\n        termination", ["12 orders"]],
  ["eval: [pol|ite]", ["10 polite"]],
  ["provider: jud|ge", ["7 judge"]],
  ["provider: fa|st", ["6 fast"]],
  ["key: voi|ce", ["8 voice"]],
])("goes from %j to %j", async (marked, places) => {
  const editor = await opened(reading, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", marked)).toEqual(places);
});

it.each([['${kind.out|put.intent}", op'], ["${ nob|ody"], ['"${inp|ut.text}'], ["output.al|l.left"]])(
  "goes nowhere from %j",
  async (marked) => {
    const editor = await opened(reading, "a.pack.yaml");
    expect(await editor.leadsTo("a.pack.yaml", marked)).toEqual([]);
  },
);

it("finds all references to a step", async () => {
  const editor = await opened(reading, "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", "id: ki|nd", "references")).toEqual(["26 kind", "35 kind"]);
  expect(await editor.leadsTo("a.pack.yaml", "id: fa|cts", "references")).toEqual([
    "27 facts",
    "35 facts",
    "39 facts",
  ]);
  expect(await editor.leadsTo("a.pack.yaml", "  or|ders: {", "references")).toEqual([
    "12 orders",
    "16 orders",
    "32 orders",
    "40 orders",
  ]);
});

it("keeps the steps of two compositions apart", async () => {
  const second =
    "  other: { version: 1, steps: [{ id: kind, kind: prompt, prompt_task: close }] }\nworkflow:";
  const editor = await opened(triage.replace("workflow:", second), "a.pack.yaml");
  expect(await editor.leadsTo("a.pack.yaml", "[{ id: ki|nd", "all")).toEqual(["43 kind"]);
});

it("finds steps in JSON, after escapes", async () => {
  const steps = [
    { id: "kind", kind: "prompt", prompt_task: "p" },
    {
      id: "say",
      kind: "prompt",
      prompt_task: "p",
      input: { a: 'A "quote"\n${kind.output} and ${kind.output}' },
    },
  ];
  const prompt = { id: "p", name: "P", version: "1.0.0", system_template: "P" };
  const pack = { prompts: { p: prompt }, compositions: { c: { version: 1, output: "say", steps } } };
  const editor = await opened(JSON.stringify(pack, null, 1), "a.pack.json");
  expect(await editor.leadsTo("a.pack.json", "${ki|nd.output} and")).toEqual(['15 "kind"']);
  expect(await editor.leadsTo("a.pack.json", '"id": "ki|nd"', "references")).toEqual(["24 kind", "24 kind"]);
  expect(await editor.leadsTo("a.pack.json", '"output": "s|ay"')).toEqual(['20 "say"']);
});
