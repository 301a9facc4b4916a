import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { changeCatalogue } from "../../src/diff/change.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { gitEnv, Repository } from "../cli/repository.js";
import { expectFile } from "../expected-file.js";
import { fencedBlocks } from "./fenced-blocks.js";

const path = "docs/diff.md";
/** Read again by each test, as `npm run generate` lets several of them write it. */
const readPage = () => readFileSync(path, "utf8");
const blocks = fencedBlocks(readPage());

/** The packs of the page, by the names in their first lines. */
const packs = Object.fromEntries(
  blocks.flatMap(({ body }) => {
    const name = /^# (\w+\.pack\.yaml)\n/.exec(body)?.[1];
    return name === undefined ? [] : [[name, body] as const];
  }),
);

interface Shape {
  readonly old: object;
  readonly new: object;
  readonly requiredBump: string;
}

describe("the page about differences", () => {
  it("shows what the program prints for its example", async () => {
    const cwd = folderOf(packs);
    const page = readPage();
    const shown = [...page.matchAll(/<!-- output: (.+) -->\n\n```text\n([^]*?)```/g)];
    expect(shown).toHaveLength(1);
    let updated = page;
    for (const [whole, command = "", body = ""] of shown) {
      const { code, stdout, stderr } = await promptpack(command.split(" "), { cwd });
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      updated = updated.replace(
        whole,
        () => `${whole.slice(0, whole.length - body.length - 3)}${stdout}\`\`\``,
      );
    }
    expectFile(path, updated);
  });

  it("has an example without errors", async () => {
    expect(Object.keys(packs)).toEqual(["old.pack.yaml", "new.pack.yaml"]);
    const { stdout } = await promptpack(["lint", "-f", "compact"], { cwd: folderOf(packs) });
    expect(stdout.match(/: (?:error|warning): .*/g) ?? []).toEqual([]);
  });

  it("has commands that work", async () => {
    const commands =
      blocks
        .find(({ language }) => language === "sh")
        ?.body.trimEnd()
        .split("\n") ?? [];
    expect(commands).toHaveLength(3);
    const { "old.pack.yaml": old = "" } = packs;
    const repository = new Repository({ ...packs, "support.pack.yaml": old });
    repository.git("tag", "v1.2.0");
    for (const line of commands) {
      const args = line.replace(/ *#.*/, "").split(" ").slice(1);
      const { code, stderr } = await promptpack(args, { cwd: repository.cwd, env: gitEnv });
      expect({ line, failed: code === 2, stderr }).toEqual({ line, failed: false, stderr: "" });
    }
  });

  it("shows the shape of the JSON", async () => {
    const shape = JSON.parse(blocks.find(({ language }) => language === "json")?.body ?? "") as Shape;
    const { stdout } = await promptpack(["diff", "old.pack.yaml", "new.pack.yaml", "-f", "json"], {
      cwd: folderOf(packs),
    });
    const report = JSON.parse(stdout) as object;
    expect(Object.keys(report)).toEqual(Object.keys(shape));
    const { old, new: now, requiredBump } = shape;
    expect(report).toMatchObject({ old, new: now, requiredBump });
  });

  it("names a hook that exists", () => {
    const config = blocks.find(({ body }) => body.startsWith("# .pre-commit-config.yaml\n"))?.body ?? "";
    const { repos } = parse(config) as { repos: [{ hooks: [{ id: string; args: string[] }] }] };
    const ours = parse(readFileSync(join(".pre-commit-hooks.yaml"), "utf8")) as {
      id: string;
      entry: string;
    }[];
    const [hook] = repos[0].hooks;
    expect(ours.find(({ id }) => id === hook.id)?.entry).toBe("promptpack diff --against HEAD");
    expect(hook.args).toEqual(["--against", "main"]);
  });

  it("lists every change", () => {
    const rows = changeCatalogue.map(({ id, level, text }) => `| \`${id}\` | ${level} | ${text} |`);
    const table = ["| change | level | what it means |", "| --- | --- | --- |", ...rows].join("\n");
    expectFile(
      path,
      readPage().replace(/(<!-- changes -->\n)[^]*$/, (_, start: string) => `${start}\n${table}\n`),
    );
  });
});

it("the last --against counts, so that the hook can be given another", async () => {
  const repository = new Repository({ "a.pack.yaml": packs["old.pack.yaml"] ?? "" });
  repository.git("branch", "other");
  repository.write({ "a.pack.yaml": packs["new.pack.yaml"] ?? "" });
  repository.commit("more");
  const args = ["diff", "--against", "HEAD", "--against", "other", "a.pack.yaml", "-f", "json"];
  const { stdout } = await promptpack(args, { cwd: repository.cwd, env: gitEnv });
  expect(JSON.parse(stdout)).toMatchObject({ packs: [{ status: "changed" }] });
});
