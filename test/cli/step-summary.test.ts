import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "./harness.js";
import { badEntry, clean } from "./packs.js";

/** The summary of a step that lints these files. */
async function summaryOf(files: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const cwd = folderOf(files);
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(cwd, "summary.md") };
  await promptpack(["lint", "-f", "compact", ...args], { cwd, env });
  return readFileSync(join(cwd, "summary.md"), "utf8");
}

const drawn = (text: string) => [...text.matchAll(/^### (.*)\n[^]*?^```mermaid\n/gm)].map(([, file]) => file);

describe("the step summary", () => {
  it("draws the workflow below its findings", async () => {
    const summary = await summaryOf({ "a.pack.json": badEntry });
    expect(summary).toContain(`### a.pack.json

- **error** 25:14 The workflow starts at "helo", which is not a state. Did you mean "hello"? \`unknown-entry\`

\`\`\`mermaid
flowchart TD
`);
    const cwd = folderOf({ "a.pack.json": badEntry });
    const { stdout } = await promptpack(["graph", "a.pack.json"], { cwd });
    expect(summary).toContain("```mermaid\n" + stdout + "```\n");
  });

  it("is shorter where little room is left in it", async () => {
    const before = "x".repeat(2 ** 20 - 1_200);
    const summary = await summaryOf({ "a.pack.json": badEntry, "summary.md": `${before}\n` });
    expect(summary).toMatch(/^x+\n## ❌ 1 problem \(1 error\) in 1 file\n/);
    expect(Buffer.byteLength(summary)).toBeLessThan(2 ** 20);
    expect(drawn(summary)).toEqual([]);
  });

  it("paints only what is reported", async () => {
    const quiet = await summaryOf({
      "a.pack.json": badEntry,
      ".promptpackrc": "rules: { unknown-entry: off }",
    });
    const cwd = folderOf({ "a.pack.json": badEntry });
    const { stdout } = await promptpack(["graph", "--no-findings", "a.pack.json"], { cwd });
    expect(quiet).toContain(stdout + "```");
  });

  it("draws only packs with errors where --quiet is given, and no warning in them", async () => {
    const lone = clean.replace('"end": {', '"lone": { "prompt_task": "bye", "terminal": true }, "end": {');
    const cwd = folderOf({ "a.pack.json": lone });
    const { stdout } = await promptpack(["graph", "--no-findings", "a.pack.json"], { cwd });
    expect(await summaryOf({ "a.pack.json": lone })).not.toContain(stdout + "```");
    const packs = { "a.pack.json": clean, "b.pack.json": lone, "z.pack.json": badEntry };
    expect(drawn(await summaryOf(packs))).toEqual(["a.pack.json", "b.pack.json", "z.pack.json"]);
    const summary = await summaryOf(packs, "--quiet");
    expect(drawn(summary)).toEqual(["z.pack.json"]);
    expect(summary).not.toContain("### b.pack.json");
    const both = lone.replace('"Say goodbye."', '"Say {{goodbye."');
    expect(await summaryOf({ "a.pack.json": both })).not.toContain(stdout + "```");
    expect(await summaryOf({ "a.pack.json": both }, "--quiet")).toContain(stdout + "```");
  });

  it("draws ten workflows at most, those with findings first", async () => {
    const packs = Array.from({ length: 12 }, (_, index) => [
      `${String(index).padStart(2, "0")}.pack.json`,
      clean,
    ]);
    const files = { ...(Object.fromEntries(packs) as Record<string, string>), "z.pack.json": badEntry };
    expect(drawn(await summaryOf(files))).toEqual([
      ...packs.slice(0, 9).map(([name]) => name),
      "z.pack.json",
    ]);
  });

  it("does without, where there is no workflow to draw", async () => {
    const none = clean.replace('"workflow"', '"metadata"');
    expect(drawn(await summaryOf({ "a.pack.json": none, "b.pack.json": "{", "c.pack.json": "[]" }))).toEqual(
      [],
    );
  });

  it("draws no file that is not valid UTF-8, and any that is as large as may be", async () => {
    const cwd = folderOf({ "b.pack.json": clean });
    const broken = clean.replace('"hello"', '"hell\u00e9"');
    writeFileSync(join(cwd, "a.pack.json"), Buffer.from(broken, "latin1"));
    const limit = String(Buffer.byteLength(clean));
    const { stdout } = await promptpack(["lint", "-f", "markdown", "--max-size", limit], { cwd });
    const [, ofBroken = "", ofOther = ""] = stdout.split("### ");
    expect(ofBroken).toMatch(/^a\.pack\.json\n/);
    expect(ofBroken).not.toContain("```mermaid");
    expect(ofOther).toContain("```mermaid");
  });

  it.runIf(process.platform !== "win32")(
    "is not written twice where a Markdown report is led there",
    async () => {
      const cwd = folderOf({ "a.pack.json": badEntry });
      const summary = join(cwd, "summary.md");
      const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
      const program = resolve("bin/promptpack.js");
      const shell = (command: string) => {
        writeFileSync(summary, "before\n");
        spawnSync("sh", ["-c", command.replace("promptpack", `"${process.execPath}" "${program}"`)], {
          cwd,
          env,
        });
        return drawn(readFileSync(summary, "utf8"));
      };
      expect(shell("promptpack lint -f markdown >> summary.md")).toEqual(["a.pack.json"]);
      expect(shell("promptpack lint -f markdown=./summary.md")).toEqual(["a.pack.json"]);
      expect(shell("promptpack lint -f markdown > comment.md")).toEqual(["a.pack.json"]);
      expect(shell("promptpack lint -f markdown=comment.md")).toEqual(["a.pack.json"]);
    },
  );

  it("leaves the other formats as they are", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const alone = await promptpack(["lint", "-f", "json"], { cwd });
    const both = await promptpack(["lint", "-f", "json", "-f", "markdown=a.md"], { cwd });
    expect(both).toEqual(alone);
    expect(drawn(readFileSync(join(cwd, "a.md"), "utf8"))).toEqual(["a.pack.json"]);
  });
});
