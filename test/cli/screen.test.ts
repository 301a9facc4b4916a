import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../src/text/terminal-text.js";
import { folderOf, promptpack } from "./harness.js";

const ordinary = `$schema: https://promptpack.org/schema/v1.4.0/promptpack.schema.json
id: support
name: Support
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  triage:
    id: triage
    name: Triage
    version: 1.0.0
    system_template: Sort the request of {{customer}}. Emit Billing or Technical.
  answer:
    id: answer
    name: Answer
    version: 1.0.0
    system_template: Answer the question.
    variables:
      - { name: tone, type: string, required: false }
      - { name: length, type: string, required: false }
  legacy: { id: legacy, name: Legacy, system_template: Hello }
workflow:
  version: 1
  entry: triage
  states:
    triage: { prompt_task: triage, on_event: { Billing: answer, Technical: answer } }
    answer: { prompt_task: answer, on_event: { Answered: done } }
    old: { prompt_task: answer, on_event: { Answered: done } }
    done: { prompt_task: answer, terminal: true }
  engine: { budgett: { max_total_visits: 9 } }
`;

const linesOf = async (cwd: string, ...args: string[]): Promise<readonly string[]> => {
  const { stdout } = await promptpack(["lint", "--no-color", ...args], { cwd, terminal: 80 });
  return stdout.trimEnd().split("\n");
};

const isInfo = (line: string): boolean => /^ +\d+:\d+ +info /u.test(line);

describe("a terminal of 80 columns and 24 lines", () => {
  it("holds the findings of an ordinary pack, with a line for each info", async () => {
    const cwd = folderOf({ "support.pack.yaml": ordinary });
    const lines = await linesOf(cwd);
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80);
    expect(lines.slice(-8)).toEqual([
      '  18:9   info  Prompt "answer" declares the variable "tone" bu…  unused-variable',
      '  19:9   info  Prompt "answer" declares the variable "length" …  unused-variable',
      '  26:36  info  The prompt "answer" does not mention the ev…  event-not-in-prompt',
      '  27:33  info  The prompt "answer" does not mention the ev…  event-not-in-prompt',
      '  29:13  info  "budgett" is not an engine setting that the …  unknown-engine-key',
      "",
      "✖ 8 problems (1 error, 2 warnings, 5 infos) in 1 file",
      "  Can be fixed: 1 with --fix --unsafe-fixes. Infos in full: --full",
    ]);
  });

  it("shows infos like warnings, in the order of the file, with --full", async () => {
    const cwd = folderOf({ "support.pack.yaml": ordinary });
    const heads = (lines: readonly string[]) =>
      lines.flatMap((line) => /^ +(\d+):\d+ +(error|warning|info) /u.exec(line)?.slice(1).join(" ") ?? []);
    const full = await linesOf(cwd, "--full");
    expect(heads(full)).toEqual([
      "11 warning",
      "18 info",
      "19 info",
      "20 error",
      "26 info",
      "27 warning",
      "27 info",
      "29 info",
    ]);
    expect(full.filter((line) => /^ +29 │ {3}engine: /u.test(line)).length).toBe(1);
    expect(full.slice(-2)).toEqual([
      "✖ 8 problems (1 error, 2 warnings, 5 infos) in 1 file",
      "  Can be fixed: 1 with --fix --unsafe-fixes",
    ]);
  });

  it("is the same in a file", async () => {
    const cwd = folderOf({ "support.pack.yaml": ordinary });
    for (const flags of [[], ["--full"]]) {
      await promptpack(["lint", ...flags, "-f", "pretty=out.txt"], { cwd });
      const written = readFileSync(join(cwd, "out.txt"), "utf8").trimEnd().split("\n");
      expect(written).toEqual(await linesOf(cwd, ...flags));
    }
  });

  const packs = join(process.cwd(), "fixtures/packs");
  it.each(readdirSync(packs).filter((name) => /\.pack\.\w+$/u.test(name)))("holds %s", async (name) => {
    const lines = await linesOf(packs, "--no-config", name);
    const [, infos = "0"] = /(\d+) infos?\)/u.exec(lines.join("\n")) ?? [];
    expect(lines.filter(isInfo).length).toBe(Number(infos));
    // The infos are a block of lines at the end.
    const first = lines.findIndex(isInfo);
    if (first >= 0) expect(lines.slice(first, first + Number(infos)).every(isInfo)).toBe(true);
    const others = lines.filter((line) => /^ +\d+:\d+ +(?:error|warning) /u.test(line)).length;
    if (others <= 2) expect(lines.length).toBeLessThanOrEqual(24);
  });
});
