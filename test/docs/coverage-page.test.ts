import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOf, promptpack, type Ran } from "../cli/harness.js";
import { expectFile } from "../expected-file.js";
import { fencedBlocks } from "./fenced-blocks.js";

const path = "docs/coverage.md";

/** Runs a line of the page: a command whose output may go to a file. */
async function runLine(line: string, cwd: string): Promise<Ran> {
  const [, command = "", file] = /^promptpack (.*?)(?: > (\S+))?$/.exec(line) ?? [];
  const ran = await promptpack(command.split(" "), { cwd });
  if (file !== undefined) writeFileSync(join(cwd, file), ran.stdout);
  return file === undefined ? ran : { ...ran, stdout: "" };
}

/** The loop of the page, as a shell would run it. */
async function runLoop(body: string, cwd: string): Promise<void> {
  const [, command = "", input = "", output = ""] =
    /^while read -r run; do\n {2}promptpack (.*) "\$run"\ndone < (\S+) > (\S+)\n$/.exec(body) ?? [];
  const runs: string[] = [];
  for (const line of readFileSync(join(cwd, input), "utf8").trim().split("\n")) {
    runs.push((await promptpack([...command.split(" "), line], { cwd })).stdout);
  }
  writeFileSync(join(cwd, output), runs.join(""));
}

it("the page shows what the program prints", async () => {
  const page = readFileSync(path, "utf8");
  const cwd = folderOf({ "codegen.pack.yaml": readFileSync("examples/codegen.pack.yaml", "utf8") });
  const codes: number[] = [];
  let printed = "";
  let updated = page;
  for (const { language, body } of fencedBlocks(page)) {
    if (language === "sh" && body.startsWith("while")) await runLoop(body, cwd);
    else if (language === "sh") {
      for (const line of body.trim().split("\n")) {
        const { code, stdout, stderr } = await runLine(line, cwd);
        codes.push(code);
        printed = stdout + stderr;
      }
    }
    if (language === "text")
      updated = updated.replace(`\`\`\`text\n${body}\`\`\``, () => `\`\`\`text\n${printed}\`\`\``);
  }
  expectFile(path, updated);
  expect(codes).toEqual([0, 0, 0, 0, 1, 0]);
  expect(existsSync(join(cwd, "tried.html"))).toBe(true);
});

it("its JSON is what the program prints", async () => {
  const page = readFileSync(path, "utf8");
  const shown = fencedBlocks(page).find(({ language }) => language === "json");
  const cwd = folderOf({ "codegen.pack.yaml": readFileSync("examples/codegen.pack.yaml", "utf8") });
  await runLine(
    /^promptpack simulate.*$/m.exec(page.slice(page.indexOf("## What recorded")))?.[0] ?? "",
    cwd,
  );
  const { stdout } = await promptpack(["coverage", "codegen.pack.yaml", "monday.jsonl", "-f", "json"], {
    cwd,
  });
  const { missing } = (JSON.parse(stdout) as { transitions: { missing: unknown[] } }).transitions;
  expect(missing).toHaveLength(3);
  const { transitions, ...rest } = JSON.parse(shown?.body ?? "") as { transitions: { missing: unknown[] } };
  expect(JSON.parse(stdout)).toMatchObject({ ...rest, transitions: { ...transitions, missing } });
  expect(missing).toEqual(expect.arrayContaining(transitions.missing));
});
