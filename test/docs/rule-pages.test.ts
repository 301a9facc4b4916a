import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LineMap } from "../../src/document/line-map.js";
import { lint, rules } from "../../src/index.js";
import { pretty } from "../../src/reporters/pretty.js";
import type { Report } from "../../src/reporters/report.js";
import { expectFile } from "../expected-file.js";

const root = "docs/rules";
/** What lies beside the packs of the pages. */
const beside = new Set(["skills/refunds"]);

interface Block {
  readonly heading: string;
  readonly language: string;
  readonly body: string;
}

/** The fenced blocks of a page, each under the heading it stands below. */
function blocksOf(page: string): readonly Block[] {
  let heading = "";
  const blocks: Block[] = [];
  for (const match of page.matchAll(/^(?:## (.+)|```(\w+)\n([^]*?)^```)$/gm)) {
    if (match[1] !== undefined) heading = match[1];
    else blocks.push({ heading, language: match[2] ?? "", body: match[3] ?? "" });
  }
  return blocks;
}

/** What `promptpack lint` prints for an example. */
function outputOf({ language, body }: Block): string {
  const file = `pack.${language}`;
  const { specVersion, diagnostics } = lint(body, { file, fileExists: (path) => beside.has(path) });
  const report: Report = {
    tool: { name: "promptpack", version: "0" },
    rules,
    files: [{ file, specVersion, diagnostics, suppressed: [], lines: new LineMap(body) }],
  };
  return pretty(report, { color: false, width: 80, links: false });
}

const isExample = ({ language }: Block): boolean => language === "yaml" || language === "json";

describe.each(rules.map((rule) => [rule.id, rule] as const))("the page of %s", (id, rule) => {
  const path = join(root, `${id}.md`);
  const page = existsSync(path) ? readFileSync(path, "utf8") : "";
  const blocks = blocksOf(page);

  it("begins with what the rule says of itself", () => {
    const head = `# ${id}\n\n${rule.summary}\n\n**Severity:** ${rule.severity}. **Source:** ${rule.source}.\n`;
    expect(page.slice(0, head.length)).toBe(head);
  });

  it("has a wrong example and a right one", () => {
    const headings = blocks.filter(isExample).map(({ heading }) => heading);
    expect(new Set(headings)).toEqual(new Set(["Wrong", "Right"]));
  });

  it("shows the real output of each wrong example, and only this rule's", () => {
    let updated = page;
    blocks.forEach((block, index) => {
      if (block.heading !== "Wrong" || !isExample(block)) return;
      const { diagnostics } = lint(block.body, {
        file: `pack.${block.language}`,
        fileExists: (name) => beside.has(name),
      });
      expect([...new Set(diagnostics.map(({ rule }) => rule))]).toEqual([id]);
      const shown = blocks[index + 1];
      expect(shown?.language, "the output stands in a text block right after the example").toBe("text");
      updated = updated.replace(
        "```text\n" + (shown?.body ?? "") + "```",
        () => "```text\n" + outputOf(block) + "```",
      );
    });
    expectFile(path, updated);
  });

  it("is silent on each right example", () => {
    for (const block of blocks) {
      if (block.heading !== "Right" || !isExample(block)) continue;
      const { diagnostics } = lint(block.body, {
        file: `pack.${block.language}`,
        fileExists: (name) => beside.has(name),
      });
      expect(diagnostics.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
    }
  });
});

it("has no pages for rules that do not exist", () => {
  const ids = rules.map(({ id }) => `${id}.md`);
  expect(readdirSync(root).filter((name) => !ids.includes(name))).toEqual([]);
});
