import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readJudgements, shareOf } from "../../scripts/precision.mjs";
import { ruleGroups } from "../../src/rules/index.js";
import { promptpack } from "../cli/harness.js";
import { expectFile } from "../expected-file.js";
import { fencedBlocks } from "./fenced-blocks.js";
import { playPage } from "./page-session.js";
import { pages } from "./pages.js";

describe.each(pages)("%s", (path) => {
  it("shows what its commands print", async () => {
    const { page, troubles } = await playPage(path);
    expect(troubles).toEqual([]);
    expectFile(path, page);
  });

  it("has an example that is run", () => {
    const languages = fencedBlocks(readFileSync(path, "utf8")).map(({ language }) => language);
    expect(languages.some((language) => ["sh", "ts", "lua"].includes(language))).toBe(true);
  });
});

it("every page has a test", () => {
  // These have one of their own; background has no commands.
  const others = ["coverage", "diff", "performance", "promptpack", "properties", "semantics"];
  const names = readdirSync("docs").filter((name) => name.endsWith(".md"));
  expect(["README.md", ...names.map((name) => `docs/${name}`)].sort()).toEqual(
    [...pages, ...others.map((name) => `docs/${name}.md`)].sort(),
  );
});

it("the guide to sources shows its example as it is", () => {
  const blocks = fencedBlocks(readFileSync("docs/sources.md", "utf8"));
  for (const name of ["arena.yaml", "prompts/book.yaml"])
    expect(blocks.find(({ file }) => file === name)?.body).toBe(
      readFileSync(`examples/repair/${name}`, "utf8"),
    );
});

const { judged } = readJudgements();

it("the list of rules has every rule, by its group", () => {
  const tables = ruleGroups.map(({ title, rules }) => {
    const rows = rules.map(({ id, severity, fix = "", since = "", summary }) => {
      const { worth, of } = shareOf(judged[id]);
      const worthIt = severity !== "warning" ? "" : of === 0 ? "–" : `${worth} of ${of}`;
      const cells = [severity, worthIt, fix, since.replace(/\.0$/, ""), summary];
      return `| [\`${id}\`](rules/${id}.md) | ${cells.join(" | ")} |`;
    });
    return [
      `## ${title}\n`,
      "| rule | severity | worth it | fix | since | what it asks for |",
      "|---|---|---|---|---|---|",
      ...rows,
    ].join("\n");
  });
  const path = "docs/rules.md";
  expectFile(
    path,
    readFileSync(path, "utf8").replace(
      /(<!-- rules:start -->\n)[^]*?(<!-- rules:end -->)/,
      (_, start: string, end: string) => `${start}\n${tables.join("\n\n")}\n\n${end}`,
    ),
  );
});

it("the drawings are what the program draws today", async () => {
  const text = readFileSync("docs/command-line.md", "utf8");
  const drawings = [...text.matchAll(/\(pictures\/([\w-]+)\.svg\)/g)].map((match) => match[1] ?? "");
  expect(drawings).toEqual(["codegen"]);
  for (const name of drawings) {
    const args = ["graph", "--format", "svg", `examples/${name}.pack.yaml`];
    const { stdout } = await promptpack(args, { cwd: process.cwd() });
    expectFile(`docs/pictures/${name}.svg`, stdout);
  }
});
