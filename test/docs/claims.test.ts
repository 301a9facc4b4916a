import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { lint, rules } from "../../src/index.js";
import { schemaAtVersion } from "../../src/schema/schema-at-version.js";
import { newestSpecVersion, specVersions } from "../../src/text/tool-info.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { cleanPack } from "../cli/packs.js";

const readme = readFileSync("README.md", "utf8");
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, unknown>;
const codegen = readFileSync("examples/codegen.pack.yaml", "utf8");

const ajv = new Ajv2020({ strict: false });
formats.default.default(ajv);
/** The schema as the newest version has it. */
const schemaAccepts = ajv.compile(
  schemaAtVersion(
    JSON.parse(readFileSync("schema/promptpack.schema.json", "utf8")) as Record<string, unknown>,
    newestSpecVersion,
  ),
);

const rulesIn = (pack: unknown) => lint(JSON.stringify(pack)).diagnostics.map(({ rule }) => rule);
const findIn = (pack: unknown, wanted: string) =>
  lint(JSON.stringify(pack)).diagnostics.find(({ rule }) => rule === wanted);

/** A workflow of these states, all of which run the first prompt. */
function packOf(states: Readonly<Record<string, object>>) {
  const { workflow, ...rest } = cleanPack();
  const all = Object.entries(states).map(([name, state]) => [name, { prompt_task: "greet", ...state }]);
  return { ...rest, workflow: { ...workflow, version: 2, states: Object.fromEntries(all) as object } };
}

const endless = packOf({ hello: { on_event: { Done: "hello", Stop: "end" } }, end: { terminal: true } });
const ending = packOf({
  hello: { max_visits: 3, on_max_visits: "end", on_event: { Done: "hello" } },
  end: { terminal: true },
});
const island = packOf({
  hello: { on_event: { Done: "end" } },
  end: { terminal: true },
  island: { terminal: true },
});
const typo = packOf({ hello: { on_event: { Done: "ende" } }, end: { terminal: true } });
const trap = packOf({
  hello: { on_event: { Done: "end", Wait: "a" } },
  a: { on_event: { On: "b" } },
  b: { on_event: { Back: "a" } },
  end: { terminal: true },
});
const nameless = { ...cleanPack(), name: undefined };
const inTemplate = cleanPack();
inTemplate.prompts.greet.system_template = "{{fragments.sign}} Then emit Done.";

/** What shows that a sentence of the README is true: a test, as "file: title", or a check. */
type Proof = string | (() => void | Promise<void>);
/** Says what to do, what something is called, or where to read on. Links have a test of their own. */
const noClaim: Proof = () => undefined;
/** What commands of the README print or do is tested where they are run. */
const isPlayed = "test/docs/pages.test.ts: shows what its commands print";

const claims: Readonly<Record<string, Proof>> = {
  "A schema validator and static linter for PromptPack files, JSON and YAML, and for the sources that they are compiled from.":
    async () => {
      expect(rulesIn(typo)).toContain("unknown-event-target");
      expect(lint(codegen, { format: "yaml" }).diagnostics).not.toEqual([]);
      const { stdout } = await promptpack(["lint", "-f", "compact"], { cwd: resolve("examples/repair") });
      expect(stdout).toContain("prompts/book.yaml:16:28: warning: ");
    },
  "A pack is more than its prompts.": noClaim,
  "Its *workflow* is a state machine, and a state machine can have a loop that never ends, a state that no run enters, or an event that leads nowhere.":
    () => {
      expect(rulesIn(endless)).toContain("unbounded-loop");
      expect(rulesIn(island)).toContain("unreachable-state");
      expect(rulesIn(typo)).toContain("unknown-event-target");
    },
  "The published schema catches none of these.": () => {
    for (const pack of [endless, island, typo]) expect(schemaAccepts(pack)).toBe(true);
  },
  "`promptpack` explores the runs that a workflow can make and shows you the one that goes wrong, event by event.":
    () => {
      const steps = findIn(endless, "unbounded-loop")?.trace?.steps;
      expect(steps).toMatchObject([{ from: "hello", event: "Done", to: "hello" }]);
    },
  "A page that promptpack drew: a workflow with a loop in red, its findings beside it, and buttons that play the runs":
    "test/browser/picture.full.test.ts: is the page of today",
  "In a clone of this repository, lint an example pack, or your own by its path:": isPlayed,
  "Run the tests:": noClaim,
  "The example is a coding agent: plan, write, test, review.": isPlayed,
  "Its `implement` state may be entered ten times and then hands over to `review`, so the loop looks guarded.":
    () => {
      const { workflow } = parse(codegen) as { workflow: { states: Record<string, object> } };
      expect(workflow.states["implement"]).toMatchObject({ max_visits: 10, on_max_visits: "review" });
    },
  "It is not:": isPlayed,
  "Every finding has a rule, a severity, an exact position and a message in plain words.":
    "test/schema/agreement.test.ts: never in the validator's words",
  "For a name that does not exist, it suggests a similar one that does, if there is one.": () => {
    expect(findIn(typo, "unknown-event-target")?.message).toContain('Did you mean "end"?');
  },
  "For a loop, a trap or a budget that is too small, it shows the run that gets there: the shortest, unless there are too many runs to try them all.":
    "test/machine/explore.test.ts: reaches each configuration by a shortest way",
  "The same file always gives the same output, byte for byte.":
    "test/reporters/hostile.test.ts: prints the same bytes for the same report",
  "The picture above is the same pack, drawn by `promptpack graph examples/codegen.pack.yaml -o codegen.html`: one page without dependencies, which plays each run step by step.":
    "test/browser/graph-page.full.test.ts: plays the run that shows a finding",
  "To try promptpack in a browser, run `npm run site` and open `site/dist/playground.html`: it lints, draws and simulates while you type, and sends nothing anywhere.":
    "test/browser/playground.full.test.ts: works as a file, with the network off",
  "Every published version of PromptPack is known, 1.0 to 1.9, compositions included.": () => {
    expect([specVersions[0], specVersions.at(-1)]).toEqual(["1.0.0", "1.9.0"]);
    expect(rules.map(({ id }) => id)).toContain("unknown-composition");
  },
  "A pack is held against the version that it pins in `$schema`, and gets a warning for each field that came later; `latest`, `v1` or no `$schema` at all means 1.9.":
    () => {
      const pinned = (version: string) => ({
        $schema: `https://promptpack.org/schema/${version}/promptpack.schema.json`,
        ...cleanPack(),
      });
      expect(findIn(pinned("v1.2"), "newer-field")?.severity).toBe("warning");
      for (const version of ["latest", "v1"]) {
        expect(lint(JSON.stringify(pinned(version))).specVersion).toBe("1.9.0");
      }
      expect(lint(JSON.stringify(cleanPack())).specVersion).toBe("1.9.0");
    },
  "Many packs are compiled: people write a file for each prompt, tool and test scenario, and PromptKit's compiler makes one pack of them.":
    noClaim,
  "`promptpack` lints such a project as that pack, and each finding is in the line that you typed:": isPlayed,
  "It reads the test scenarios, too, and says which expectations no run can meet.": isPlayed,
  "`promptpack compile` makes the pack, and with `--check` it fails where a committed pack is out of date.":
    "test/cli/compile.test.ts: prints the differences of content and fails",
  "The guide to sources goes on with this project.":
    "test/docs/pages.test.ts: the guide to sources shows its example as it is",
  "`ajv` checks any JSON against any schema.": noClaim,
  "`packc`, the compiler of the reference runtime PromptKit, validates the packs that it builds.": noClaim,
  "On the coding agent above, `ajv` finds nothing, and `packc` warns that there is a cycle, as it would if the cycle ended.":
    () => {
      expect(schemaAccepts(parse(codegen))).toBe(true);
    },
  "If the schema is all you need, and your program has `ajv` already, use that.": noClaim,
  "If you build packs with PromptKit, `packc` is a part of it; lint what goes in.": noClaim,
  "The column about `packc` was read from its source in November 2026; tests check the other two.":
    "test/docs/claims.test.ts: the comparison with ajv",
  "You need Node 20.19 or newer.": () => {
    expect(manifest["engines"]).toEqual({ node: ">=20.19" });
  },
  "The package is not in a registry yet.": noClaim,
  "From a clone of this repository, install it globally:":
    "test/integration/install.full.test.ts: on your machine",
  "To add it to a project, and for CI, install it from git: Install.":
    "test/integration/install.full.test.ts: in a project",
  "It has no dependencies.": () => {
    expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual(["devDependencies"]);
  },
  "For machines without Node, `npm run binary` makes one file.":
    "test/integration/binary.full.test.ts: the standalone binary does what the program does",
  "In your repository, lint every pack and every project below the working folder, then read what a rule means:":
    isPlayed,
  "Then:": noClaim,
  "`promptpack init` writes a config, a pre-commit hook and a GitHub workflow, and never overwrites a file.":
    "test/cli/init.test.ts: never writes over a file",
  "If there are many findings already, record them in a baseline, so that only new ones are reported.":
    isPlayed,
  "If a finding is intended, silence it with a reason.": "test/docs/snippets.test.ts: promptpack-disable",
  "`promptpack lint --fix` fixes what is certain, and keeps comments and layout.": isPlayed,
  "By default only errors fail a run.": async () => {
    const cwd = folderOf({ "a.pack.yaml": codegen });
    expect((await promptpack(["lint"], { cwd })).code).toBe(0);
    expect((await promptpack(["lint", "--rule", "unbounded-loop:error"], { cwd })).code).toBe(1);
  },
  "`--max-warnings 0` makes warnings fail, too (exit codes).": async () => {
    const cwd = folderOf({ "a.pack.yaml": codegen });
    expect((await promptpack(["lint", "--max-warnings", "0"], { cwd })).code).toBe(1);
  },
  "`promptpack inspect` summarises a pack on one screen, and `simulate` steps through it without a model (all commands).":
    isPlayed,
  "Lint what is staged, or what changed since the branch left `main`:": isPlayed,
  "With pre-commit, where `ADDRESS` is the git address of this repository and `COMMIT` a commit of it:":
    "test/integration/pre-commit.full.test.ts: stops a bad commit",
  "In GitHub Actions, where `OWNER/promptpack` is your copy of this repository:": noClaim,
  "It annotates the code, uploads to code scanning, draws the workflow in the step summary, and says what a pull request changes for those who depend on a pack.":
    "test/integration/action.full.test.ts: fetches the base, annotates, and writes the step summary",
  "CI and hooks has more, and the settings for GitLab CI and lint-staged.": noClaim,
  "`promptpack lsp` is a language server: findings as you type, fixes, completion, hover, rename, and from each name to what it names.":
    "test/docs/names.test.ts: editors.md names everything that the server offers",
  "Editors has the settings for Neovim, Helix and Zed, and an extension for VS Code.":
    "test/docs/snippets.test.ts: startsServerOfHelix",
  "In any other editor, `promptpack lint --watch` lints again on every save.":
    "test/cli/watch.test.ts: lints again when a pack is saved",
  "Use it: install, sources, command line and exit codes, files and limits, configuration, fixes, report formats, CI and hooks, editors, from code.":
    noClaim,
  "Rules: all of them, by topic, each with a page of its own.":
    "test/docs/rule-pages.test.ts: has no pages for rules",
  "What more can be proved: properties of every run, differences between two versions, coverage of what was tried.":
    noClaim,
  "What runtimes did: recorded runs, and resumable loops (RFC-103).": noClaim,
  "What runtimes do: where they differ from the RFCs, and a kit to test one.": noClaim,
  "Background: PromptPack in one page, how a workflow runs, performance, security.": noClaim,
  "Contributing: a rule in ten minutes.": noClaim,
  "Changes, licence.": noClaim,
};

/** The sentences of a page, outside of its code, tables and headings; links are their text. */
function sentencesOf(page: string): readonly string[] {
  const prose = page.replace(/^```[^]*?^```$/gm, "").replace(/^(?:<!--|\||#).*$/gm, "");
  return prose
    .split(/\n\s*\n|\n(?=- )/)
    .map((part) => part.replace(/^- /, "").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1"))
    .flatMap((part) =>
      part
        .replace(/\s+/g, " ")
        .trim()
        .split(/(?<=[.!?]) (?=[A-Z`])/),
    )
    .filter((sentence) => sentence !== "");
}

describe("the claims of the README", () => {
  it("all have a proof, and no proof is left over", () => {
    expect(sentencesOf(readme)).toEqual(Object.keys(claims));
  });

  it.each(Object.entries(claims))("%s", async (_, proof) => {
    if (typeof proof !== "string") return proof();
    const [, file = "", title = ""] = /^(.+?\.ts): (.+)$/.exec(proof) ?? [];
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, "utf8")).toContain(title);
  });
});

describe("the comparison with ajv", () => {
  it("has these rows", () => {
    const [, table = ""] = /^\| \| `ajv` .*\n\|---.*\n([^]*?)\n\n/m.exec(readme) ?? [];
    const cells = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
    expect(cells.map(([, what, ofAjv, , ours]) => [what, ofAjv, ours?.split(/[,;] /)[0]])).toEqual([
      ["what breaks the schema", "yes", "yes"],
      ["names that lead nowhere", "no", "everywhere"],
      ["loops", "no", "those that can repeat forever"],
      ["states that no run enters, and traps that no run leaves", "no", "yes"],
      ["where", "a path in the data", "line and column"],
      ["reads", "data that you have parsed", "JSON and YAML"],
      ["compiles packs from PromptKit sources", "no", "yes"],
    ]);
  });

  it("breaking the schema", () => {
    expect(schemaAccepts(nameless)).toBe(false);
    const [error] = schemaAccepts.errors ?? [];
    expect(error).toMatchObject({ instancePath: "" });
    expect(error).not.toHaveProperty("line");
    expect(lint(JSON.stringify(nameless)).diagnostics).toMatchObject([
      { rule: "schema", range: { start: { line: 1, column: 1 } } },
    ]);
  });

  it("names that lead nowhere, also in templates", () => {
    for (const pack of [typo, inTemplate]) expect(schemaAccepts(pack)).toBe(true);
    expect(rulesIn(inTemplate)).toContain("unknown-fragment");
  });

  it("loops, and only those that nothing ends", () => {
    for (const pack of [endless, ending]) expect(schemaAccepts(pack)).toBe(true);
    expect(rulesIn(endless)).toContain("unbounded-loop");
    expect(rulesIn(ending)).not.toContain("unbounded-loop");
  });

  it("states that no run enters, and traps with the run into them", () => {
    for (const pack of [island, trap]) expect(schemaAccepts(pack)).toBe(true);
    expect(rulesIn(island)).toContain("unreachable-state");
    expect(findIn(trap, "trapped-states")?.trace?.steps).not.toEqual([]);
  });
});
