import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LineMap } from "../../src/document/scan-text.js";
import type { Workspace } from "../../src/agentic/loop-files.js";
import { rules } from "../../src/rules/index.js";
import type { Rule } from "../../src/rules/rule.js";
import { examine, type Examined } from "../rules/examine.js";
import { findingsIn, printedFor } from "../rules/lint-folder.js";
import { pretty } from "../../src/reporters/pretty.js";
import type { Report } from "../../src/reporters/report.js";
import { plainPaint } from "../../src/text/paint.js";
import { expectFile } from "../expected-file.js";

const root = "docs/rules";
/** The files beside the packs of the pages. */
const beside = new Map([
  ["skills/refunds", ""],
  ["schemas", ""],
  [
    "schemas/intent.json",
    '{ "type": "object", "properties": { "intent": { "type": "string" } }, "additionalProperties": false }',
  ],
]);

interface Block {
  readonly heading: string;
  readonly language: string;
  readonly body: string;
  /** The block before it, under the same heading. */
  readonly before: Block | undefined;
  /** The pack that a recorded run is checked against: the last YAML block before it. */
  readonly pack: string | undefined;
  /** The config whose properties count: the last one before it, under the same heading. */
  readonly config: string | undefined;
  /** The log that a state is compared with: the last JSONL block before it. */
  readonly log: string | undefined;
  /** The files of a project up to this one: it and the blocks before it, each of which begins with the name of its file. */
  readonly project: Readonly<Record<string, string>> | undefined;
}

const names: Partial<Record<Rule["subject"], string>> = {
  routes: "routes",
  agentic: "events",
  "agentic-state": "state",
  run: "run",
};

/** The workspace of the runs on the pages. */
const workspaceOfPages = new Map<string, "file" | "folder">([
  ["context.md", "file"],
  ["memory.md", "file"],
  ["plan.md", "file"],
  ["trace.jsonl", "file"],
  ["artifacts", "folder"],
  ["artifacts/page.html", "file"],
  ["artifacts/critique.md", "file"],
]);

const fileName = /^# (\S+\.yaml)\n/u;

const isConfig = ({ body }: Pick<Block, "body">): boolean => body.startsWith("# promptpack.config.yaml\n");

/** The fenced blocks of a page, each with its heading. */
function blocksOf(page: string): readonly Block[] {
  let heading = "";
  const blocks: Block[] = [];
  for (const match of page.matchAll(/^(?:## (.+)|```(\w+)\n([^]*?)^```)$/gm)) {
    if (match[1] !== undefined) heading = match[1];
    else {
      const before = blocks.at(-1);
      const body = match[3] ?? "";
      const [, file] = fileName.exec(body) ?? [];
      blocks.push({
        heading,
        language: match[2] ?? "",
        body,
        project:
          file === undefined || isConfig({ body })
            ? undefined
            : { ...(before?.heading === heading && before.project), [file]: body },
        before: before?.heading === heading ? before : undefined,
        config: before?.heading !== heading ? undefined : isConfig(before) ? before.body : before.config,
        pack: before?.language === "yaml" ? before.body : before?.pack,
        log: before?.language === "jsonl" ? before.body : before?.log,
      });
    }
  }
  return blocks;
}

/** The findings in an example. */
async function findings(block: Block, rule: Rule): Promise<Examined["diagnostics"]> {
  return block.project === undefined ? examined(block, rule).diagnostics : findingsIn(block.project);
}

/** Lints an example. The routes of a log are in the YAML block before it. */
function examined(
  { language, body, before, pack, log, config }: Block,
  { subject }: Rule,
): Examined & { file: string } {
  const file = `${names[subject] ?? "pack"}.${language}`;
  const routes = language === "jsonl" && before?.language === "yaml" ? before.body : undefined;
  const workspace: Workspace | undefined =
    routes === undefined && subject === "agentic"
      ? { name: "workspace", kindOf: (path) => workspaceOfPages.get(path) }
      : undefined;
  const example = {
    file,
    source: body,
    subject,
    fileExists: (path: string) => beside.has(path),
    readFileBeside: (path: string) => beside.get(path),
    routes,
    workspace,
    pack,
    log,
    config,
  };
  return { file, ...examine(example) };
}

/** What the tool prints for an example. */
async function outputOf(block: Block, rule: Rule): Promise<string> {
  if (block.project !== undefined) return printedFor(block.project);
  const { file: pack, specVersion, diagnostics, text = "", config } = examined(block, rule);
  const file = config === undefined ? pack : "promptpack.config.yaml";
  const report: Report = {
    tool: { name: "promptpack", version: "0" },
    rules,
    files: [{ file, specVersion, diagnostics, suppressed: [], lines: new LineMap(config ?? block.body) }],
  };
  return text + pretty(report, { paint: plainPaint, width: 80, full: true });
}

/** Configs on any page, routes on a page about logs, and packs on a page about runs, are not examples; a project is one. */
const isExample = (block: Block, { subject }: Rule, next: Block | undefined): boolean => {
  const { language } = block;
  if (isConfig(block)) return false;
  if (block.project !== undefined && next?.before === block && next.project !== undefined) return false;
  if (subject === "run") return language === "jsonl" || language === "json";
  return subject === "agentic" ? language === "jsonl" : language === "yaml" || language === "json";
};

/** The page with the generated header. */
function withHeader(page: string, { id, summary, severity, fix, since, source }: Rule): string {
  const fixed = fix === undefined ? "" : ` **Fix:** ${fix}.`;
  const begins = since === undefined ? "" : ` **Since:** v${since.replace(/\.0$/, "")}.`;
  const header = `# ${id}\n\n${summary}\n\n**Severity:** ${severity}.${fixed}${begins} **Source:** ${source}.\n`;
  const body = page.replace(/^# .*\n\n.*\n\n\*\*Severity:\*\*.*\n/u, "");
  return header + (body === page && page !== "" ? `\n${body}` : body);
}

describe.each(rules.map((rule) => [rule.id, rule] as const))("the page of %s", (id, rule) => {
  const path = join(root, `${id}.md`);
  const page = withHeader(existsSync(path) ? readFileSync(path, "utf8") : "", rule);
  const blocks = blocksOf(page);
  const examples = blocks.filter((block, index) => isExample(block, rule, blocks[index + 1]));

  it("begins with the metadata of the rule", () => {
    expectFile(path, page);
  });

  it("has a wrong example and a right one", () => {
    const headings = examples.map(({ heading }) => heading);
    const missing = `docs/rules/${id}.md needs an example below "## Wrong" and "## Right" (CONTRIBUTING.md, step 4)`;
    expect(new Set(headings), missing).toEqual(new Set(["Wrong", "Right"]));
  });

  it("ends with the details", () => {
    const sections = page.replace(/^```[^]*?^```$/gm, "").split(/^## (.+)\n/m);
    const [reason = "", ...rest] = sections;
    expect(rest.filter((_, index) => index % 2 === 0).join()).toMatch(/^Wrong,Right(?:,Details)?$/);
    // The paragraph that introduces a list or the pack of an example goes with it.
    const paragraphs = reason
      .trim()
      .split(/\n{2,}/)
      .slice(3);
    const others = paragraphs.filter((text, index) => index > 0 && !/^- |:$/.test(text));
    expect(paragraphs).not.toEqual([]);
    expect(others).toEqual([]);
  });

  it("shows the real output of each wrong example, and only this rule's", async () => {
    let updated = page;
    for (const block of examples) {
      if (block.heading !== "Wrong") continue;
      const diagnostics = await findings(block, rule);
      expect([...new Set(diagnostics.map(({ rule }) => rule))]).toEqual([id]);
      const shown = blocks[blocks.indexOf(block) + 1];
      expect(shown?.language, "the output stands in a text block right after the example").toBe("text");
      const output = await outputOf(block, rule);
      updated = updated.replace(
        "```text\n" + (shown?.body ?? "") + "```",
        () => "```text\n" + output + "```",
      );
    }
    expectFile(path, updated);
  });

  it("is silent on each right example", async () => {
    for (const block of examples) {
      if (block.heading !== "Right") continue;
      const diagnostics = await findings(block, rule);
      expect(diagnostics.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
    }
  });
});

it("has no pages for rules that do not exist", () => {
  const ids = rules.map(({ id }) => `${id}.md`);
  const unlisted = readdirSync(root).filter((name) => !ids.includes(name));
  expect(unlisted, "src/rules/index.ts does not list these rules (CONTRIBUTING.md, step 2)").toEqual([]);
});
