import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { presets } from "../../src/cli/config/flags.js";
import { lint } from "../../src/index.js";
import { rules } from "../../src/rules/index.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { Editor } from "../editor/editor.js";
import { pages } from "./pages.js";

const read = (path: string) => readFileSync(path, "utf8");

/** The first cells of the table with this heading; of a cell with code, the code. */
function firstColumn(path: string, heading: string): readonly string[] {
  const rows = read(path).split("\n");
  const start = rows.findIndex((row) => row.startsWith(`| ${heading} `));
  const length = rows.slice(start).findIndex((row) => !row.startsWith("|"));
  const cells = rows.slice(start + 2, start + length).map((row) => row.split("|")[1]?.trim() ?? "");
  return cells.map((cell) => /`([^`]+)`/.exec(cell)?.[1] ?? cell);
}

const help = async (...command: string[]) => (await promptpack([...command, "--help"], { cwd: "/" })).stdout;
const commands = [...(await help()).matchAll(/^ {2}([a-z]+) {2,}|^ {2}([a-z]+) [[<]/gm)]
  .map(([, plain, withArguments]) => plain ?? withArguments ?? "")
  .filter((name) => name !== "help");

it("command-line.md lists every command", () => {
  const listed = firstColumn("docs/command-line.md", "command").map((cell) => cell.split(" ")[1]);
  expect([...listed].sort()).toEqual([...commands].sort());
});

it("no page names a command, a flag, a rule or a script that does not exist", async () => {
  const helps = await Promise.all(commands.map((command) => help(command)));
  const flags = new Set(helps.join("\n").match(/--[a-z][\w-]*/g));
  const ofOthers = {
    npm: ["--allow-git", "--global", "--save-dev", "--silent"],
    npx: ["--no-install"],
    git: ["--git", "--unified"],
    scripts: ["--mode", "--no-tests", "--seconds"],
  };
  for (const flag of ["--version", ...Object.values(ofOthers).flat()]) flags.add(flag);
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  const ids = new Set(rules.map(({ id }) => id));
  const unknown = [...pages, "CONTRIBUTING.md", "SECURITY.md", "docs/coverage.md", "docs/diff.md"].flatMap(
    (page) => {
      const text = read(page);
      const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
      return [
        ...all(/(?:`|^)promptpack ([a-z]+)/gm).filter((name) => !commands.includes(name)),
        ...all(/(?<![\w-])(--[a-z][a-z-]*)/g).filter((flag) => !flags.has(flag)),
        ...all(/rules\/([a-z-]+)\.md/g).filter((id) => !ids.has(id)),
        ...all(/npm run ([\w:]+)/g).filter((name) => !Object.hasOwn(scripts, name)),
      ].map((name) => `${page}: ${name}`);
    },
  );
  expect(unknown).toEqual([]);
});

it("configuration.md lists the keys and the presets", () => {
  const schema = JSON.parse(read("schema/config.schema.json")) as { properties: object };
  const keys = Object.keys(schema.properties).filter((key) => key !== "$schema");
  expect([...firstColumn("docs/configuration.md", "key")].sort()).toEqual(keys.sort());
  expect([...firstColumn("docs/configuration.md", "preset")].sort()).toEqual([...presets].sort());
});

it("formats.md lists the formats of lint", async () => {
  const [, list = ""] = /report format: ([^;]+);/.exec((await help("lint")).replace(/\s+/g, " ")) ?? [];
  expect(firstColumn("docs/formats.md", "format")).toEqual(list.split(/, | or /));
});

it("library.md lists the options", () => {
  const wrong: object = { "no such option": 1 };
  const [, list = ""] = /The known keys are (.+)\.$/.exec(messageOf(() => lint("", wrong))) ?? [];
  const known = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  expect([...firstColumn("docs/library.md", "option")].sort()).toEqual(known.sort());
});

function messageOf(call: () => unknown): string {
  try {
    call();
    return "";
  } catch (error) {
    return String(error);
  }
}

/** How editors call what a server can do. */
const offers: Readonly<Record<string, string>> = {
  textDocumentSync: "diagnostics",
  codeActionProvider: "code actions",
  definitionProvider: "go to definition",
  referencesProvider: "references",
  documentHighlightProvider: "document highlight",
  renameProvider: "rename",
  completionProvider: "completion",
  hoverProvider: "hover",
  documentSymbolProvider: "document symbols",
  foldingRangeProvider: "folding range",
  codeLensProvider: "code lens",
  executeCommandProvider: "execute command",
};

it("editors.md names everything that the server offers", async () => {
  const { capabilities } = await Editor.silentIn(folderOf({})).initialize();
  const named = firstColumn("docs/editors.md", "in the editor").flatMap((names) => names.split(", "));
  expect(named.sort()).toEqual(
    Object.keys(capabilities)
      .map((name) => offers[name] ?? name)
      .sort(),
  );
});
