// Writes the generated files anew, by running the tests that compare them: `npm run generate`, or with the ids of rules,
// `npm run generate -- unused-tool`, only what these rules change.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { generateSchemas } from "./generate-schemas.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ids = process.argv.slice(2);

const unknown = ids.filter((id) => !existsSync(join(root, "fixtures", "rules", id)));
if (unknown.length > 0) {
  console.error(
    `There is no folder fixtures/rules/${unknown[0]} (CONTRIBUTING.md, "A rule in ten minutes").`,
  );
  process.exit(2);
}

// What the tests of all files run is the built program; those of a rule need only the sources.
generateSchemas();
if (ids.length === 0)
  spawnSync(process.execPath, [join(root, "scripts", "build.mjs"), "--quiet"], { stdio: "inherit" });

const everything = [
  "test/rules/fixtures",
  "test/docs",
  "test/packs",
  "test/sources/projects",
  "test/sources/damaged",
  "test/replay/records",
  "test/hostile/small-files",
  "test/startup/budget",
];
/** The fixtures and the page of each rule, what lists all rules, and the packs of the specification. */
const ofRules = [
  "test/rules/fixtures",
  "test/docs/rule-pages",
  "test/docs/pages",
  "test/docs/config-schema",
  "test/packs",
];
const named = [
  `(?:the page of )?(?:${ids.join("|")}) `,
  "has no (?:fixtures|pages) for rules that do not exist$",
  "the list of rules has every rule, by its group$",
  "knows every rule,",
  ".*\\.pack\\.\\w+ has exactly the expected findings",
];

const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const args = ids.length === 0 ? everything : [...ofRules, "--testNamePattern", `^(?:${named.join("|")})`];
const { status } = spawnSync(process.execPath, [vitest, "run", "--reporter=dot", ...args], {
  cwd: root,
  env: { ...process.env, UPDATE: "1" },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
