import { expect, it } from "vitest";
import {
  CodeLensRequest,
  DocumentHighlightRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  RenameRequest,
} from "vscode-languageserver-protocol/node";
import { Analysis } from "../../src/analysis.js";
import { defaultLimits } from "../../src/document/file-format.js";
import { loadReader } from "../../src/document/read-lazily.js";
import { namesIn } from "../../src/pack/name-index.js";
import { folderOf } from "../cli/harness.js";
import { Editor } from "./editor.js";

const count = 200;
const each = (text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join("");

/** About 100 kB. */
const pack = `id: big
name: Big
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
fragments:
  tone: Be kind.
prompts:
${each(
  (index) => `  p${index}:
    id: p${index}
    name: P
    version: 1.0.0
    variables:
      - { name: who, type: string, required: true }
      - name: what
        type: string
        required: true
    system_template: |
      You are {{who}}. {{fragments.tone}} Do {{what}}, and say Done or Again when you are ready.
      ${"Take your time. ".repeat(5)}
`,
)}workflow:
  version: 1
  entry: s0
  states:
${each(
  (index) => `    s${index}:
      prompt_task: p${index}
      max_visits: 3
      on_max_visits: end
      on_event:
        Done: ${index + 1 < count ? `s${index + 1}` : "end"}
        Again: s0
`,
)}    end: { prompt_task: p0, terminal: true }
`;

const name = "a.pack.yaml";

/** In milliseconds of the processor, which other programs hardly change. */
async function medianTime(work: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const start = process.cpuUsage();
    await work(round);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b)[4] ?? Infinity;
}

/** Reading a pack of 100 kB takes 30 ms. The bounds are generous: linting goes on at the same time. */
it("answers about as fast as a pack of 100 kB can be read", async () => {
  expect(pack.length).toBeGreaterThan(100_000);
  const read = await loadReader("yaml");
  const reading = await medianTime(() => {
    const analysis = new Analysis("", read(pack, defaultLimits));
    return analysis.pack && namesIn(analysis.pack);
  });
  const editor = await Editor.in(folderOf({}));
  await editor.open(name, pack);
  await editor.findings();
  const typing = pack.replace("  entry: s0", "  entry: s0\n  en");
  const first = await medianTime(async (round) => {
    await editor.change(name, { text: `${typing}# ${round}\n` });
    expect(await editor.completions(name, "\n  en|\n")).toContain("engine → engine:");
  });
  expect(first).toBeLessThan(4 * reading);
  const next = await medianTime(async (round) => {
    await editor.change(name, { text: pack.replace("  entry: s0", `  entry: ${"s".repeat(round)}`) });
    expect(await editor.completions(name, "\n  entry: |")).toHaveLength(count + 1);
  });
  expect(next).toBeLessThan(reading);
  const types = [HoverRequest.type, DocumentHighlightRequest.type, DocumentSymbolRequest.type];
  for (const type of [...types, FoldingRangeRequest.type, CodeLensRequest.type, RenameRequest.type]) {
    const time = await medianTime(async (round) => {
      await editor.change(name, { text: `${pack}# ${round}\n` });
      await editor.ask<unknown, unknown>(type, name, "prompt_task: p10|\n", { newName: "x" });
    });
    expect(time, type.method).toBeLessThan(10 * reading);
  }
});
