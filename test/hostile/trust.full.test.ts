import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { folderOf } from "../cli/harness.js";
import { badEntry } from "../cli/packs.js";
import { program, start } from "./child.js";

const major = Number(process.versions.node.split(".")[0]);
const permission = major >= 24 ? "--permission" : "--experimental-permission";

/** Runs the program where it may read, and may neither write, nor start anything. */
function startConfined(cwd: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [permission, "--allow-fs-read=*", "--no-warnings", program, ...args],
    { cwd, encoding: "utf8", input: "" },
  );
  return { status, stdout, stderr };
}

describe("what a pack or a config says", () => {
  it("is never run, and no path in it is written: linting needs no more than to read", () => {
    const cwd = resolve("fixtures/hostile");
    for (const name of readdirSync(cwd).filter((file) => file.includes(".pack."))) {
      if (name.endsWith(".out")) continue;
      const args = ["lint", name, "--no-config", "-f", "json"];
      expect(startConfined(cwd, args)).toEqual(start(cwd, args));
    }
    const own = folderOf({
      "a.pack.json": badEntry.replace(
        '"id": "greeter"',
        '"id": "greeter", "skills": [{"path": "/tmp/evil"}]',
      ),
      "promptpack.config.yaml": "extends: strict\nignore: [/etc/passwd, ../../x]\n",
    });
    expect(startConfined(own, ["lint", "-f", "compact"])).toEqual(start(own, ["lint", "-f", "compact"]));
    expect(readdirSync(own).sort()).toEqual([".git", "a.pack.json", "promptpack.config.yaml"]);
  });

  it("does not make JavaScript of a config: files that would run are not looked for", () => {
    const cwd = folderOf({
      "a.pack.json": badEntry,
      "promptpack.config.js": 'require("fs").writeFileSync("ran", "")',
      "promptpack.config.cjs": 'require("fs").writeFileSync("ran", "")',
      "promptpack.config.mjs": 'import fs from "node:fs"; fs.writeFileSync("ran", "");',
      ".promptpackrc.js": 'require("fs").writeFileSync("ran", "")',
    });
    expect(start(cwd, ["lint", "-f", "compact"]).status).toBe(1);
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  it("does not become a value of a YAML tag that makes objects", () => {
    const cwd = folderOf({
      "a.pack.yaml":
        'id: !!js/function "function () { process.exit(7) }"\nname: !!python/object:os.system x\n',
    });
    const { status, stdout, stderr } = start(cwd, ["lint", "-f", "compact"]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toContain("a.pack.yaml:1:");
  });
});

describe("what is shipped", () => {
  const bundles = ["dist/program.cjs", "dist/index.js"];

  // By its name alone: the minified program asks for modules in ways of its own.
  // A key of an object, as in the schema of a tool, asks for nothing.
  const network = /["'`](?:node:)?(?:https?|http2|net|tls|dns(?:\/promises)?|dgram|inspector)["'`](?!:)/;

  it("touches no network: it asks for no module that could", () => {
    for (const bundle of bundles) {
      const text = readFileSync(bundle, "utf8");
      expect(network.exec(text)?.[0]).toBeUndefined();
      expect(text).not.toMatch(/\b(?:fetch|WebSocket|XMLHttpRequest|EventSource)\(/);
    }
  });

  it("makes no code of text", () => {
    for (const bundle of bundles) {
      expect(readFileSync(bundle, "utf8")).not.toMatch(
        /\bnew Function\b|(?<![\w.$])eval\(|["'](?:node:)?vm["']/,
      );
    }
  });

  it("starts no program but git and the browser, without a shell", () => {
    const starters = sources("src").filter((file) =>
      readFileSync(file, "utf8").includes('"node:child_process"'),
    );
    expect(starters).toEqual(["src/cli/files/git.ts", "src/cli/files/open-in-browser.ts"]);
    const [git = "", browser = ""] = starters.map((file) => readFileSync(file, "utf8"));
    expect(git).toContain('spawnSync("git", [');
    expect(browser).toContain("spawn(program, [...args, pathToFileURL(file).href], options)");
    expect(git + browser).not.toMatch(/shell:|execSync|exec\(/);
  });
});

describe("the module that writes", () => {
  const writer = "src/cli/files/write-file.ts";
  const writing =
    /\b(?:f?(?:append|chmod|chown|copy|cp|link|mk|rename|rm|symlink|sync|truncate|unlink|utimes|write)(?:File|dir|dtemp|v)?Sync|createWriteStream)\b/u;
  const otherways = /fs\/promises|(?:import|require|getBuiltinModule)\(\s*["'`](?:node:)?fs\b/u;

  it("is the only one in src", () => {
    const files = sources("src").map((file) => [file, readFileSync(file, "utf8")] as const);
    expect(files.flatMap(([file, text]) => (writing.test(text) ? file : []))).toEqual([writer]);
    expect(files.flatMap(([file, text]) => (otherways.test(text) ? file : []))).toEqual([]);
  });

  it.each([
    ["src/cli/lint/fixer.ts", 'import { writeFileSync } from "node:fs";', true],
    ["src/cli/lint/fixer.ts", 'import * as fs from "node:fs";', true],
    ["src/cli/lint/fixer.ts", 'import fs from "node:fs";', true],
    ["src/cli/lint/fixer.ts", 'import { openSync } from "node:fs";', true],
    ["src/cli/files/read-file.ts", 'import { renameSync } from "node:fs";', true],
    ["src/cli/files/git.ts", 'import { writeFile } from "node:fs/promises";', true],
    ["src/rules/index.ts", 'import { readFileSync } from "node:fs";', true],
    ["src/cli/lint/fixer.ts", 'import { existsSync } from "node:fs";', false],
    [writer, 'import { writeFileSync } from "node:fs";', false],
  ])("is kept the only one by the check: %s, %s", async (file, text, isRefused) => {
    const { ESLint, Linter } = createRequire(resolve("tools/package.json"))("eslint");
    const { rules } = await new ESLint().calculateConfigForFile(file);
    const name = "no-restricted-imports";
    const found: readonly object[] = new Linter().verify(text, [{ rules: { [name]: rules[name] ?? "off" } }]);
    expect(found).toMatchObject(isRefused ? [{ ruleId: name }] : []);
  });
});

describe("SECURITY.md", () => {
  const text = readFileSync("SECURITY.md", "utf8");
  const rows = [...text.matchAll(/^\| .* \| \[([^\]]+)\]\(([^)]+)\): ([^|]+) \|$/gm)];

  it("points each promise at a test that is there", () => {
    expect(rows.length).toBe(text.split("\n").filter((line) => /^\| (?!---|Promise)/.test(line)).length);
    for (const [, shown = "", file = "", title = ""] of rows) {
      expect(shown).toBe(file);
      expect(readFileSync(file, "utf8"), title).toContain(title.trim());
    }
  });

  it("leads to the limits and their flags as the program has them", async () => {
    expect(text).toContain("](docs/files.md#limits)");
    const limits = readFileSync("docs/files.md", "utf8").split("\n## Limits\n")[1] ?? "";
    const { defaultLimits } = await import("../../src/document/file-format.js");
    expect(limits).toContain(`${defaultLimits.maxBytes / 2 ** 20} MB`);
    for (const [flag, limit] of [
      ["--max-depth", defaultLimits.maxDepth],
      ["--max-alias-nodes", defaultLimits.maxAliasNodes],
      ["--max-values", defaultLimits.maxValues],
    ] as const) {
      expect(limits).toMatch(new RegExp(`${grouped(limit)}.*\`${flag}\``));
    }
    expect(limits).toContain("`--max-size`");
    const help = start(folderOf({}), ["lint", "--help"]).stdout;
    for (const flag of ["--max-size", "--max-depth", "--max-alias-nodes", "--max-values"])
      expect(help).toContain(flag);
  });
});

function grouped(number: number): string {
  return String(number).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
}

function sources(folder: string): readonly string[] {
  return readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .flatMap((path) => (statSync(path).isDirectory() ? sources(path) : [path]))
    .sort();
}
