import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryTo } from "../../text/collections.js";
import { readLimits } from "../config/flags.js";
import { discover, isFoundHead } from "../files/discover.js";
import { nearestConfig } from "../files/setting-files.js";
import { boundaryOf, displayPath, isBelow } from "../files/paths.js";
import { describeIoError, errorCode, readTextOrEmpty } from "../files/read-file.js";
import { putFile, resolveTarget } from "../files/write-file.js";
import { type Io, printMessage, quoteForShell, UsageError } from "../terminal/io.js";

export async function initProject(
  io: Io,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<number> {
  const top = boundaryOf(io.cwd, io.cwd);
  if (top !== io.cwd)
    throw new UsageError(
      `Hooks and workflows belong at the top of a repository: run this in "${displayPath(top, io.cwd)}".`,
    );
  const present = nearestConfig(io.cwd);
  const isOther = present !== undefined && !existsSync(join(io.cwd, configFile.path));
  if (isOther)
    io.stdout.write(
      `Did not write "${configFile.path}": there is already a config, "${displayPath(present, io.cwd)}".\n`,
    );
  const { heads, checks } = await findProjects(io);
  const hook = heads > 0 ? sourcesHookFile : hookFile;
  const steps = lintStep + checks.join("");
  const workflow = { ...workflowFile, text: workflowFile.text.replace(lintStep, () => steps) };
  const files = [...(isOther ? [] : [configFile]), hook, workflow];
  const results = files.map((file) => writeInitFile(io, file, dryRun));
  if (!dependsOnPromptpack(join(io.cwd, "package.json")))
    printMessage(
      io,
      "The hook and the workflow run the promptpack in package.json, but it is not listed there yet. Add it with " +
        '"npm install --save-dev --allow-git=root" and the git address of promptpack. From version 12 on, npm needs the line ' +
        '"allow-git=root" in .npmrc for "npm ci", too.',
    );
  if (results.at(-1) === "written" && !npmLockFiles.some((name) => existsSync(join(io.cwd, name))))
    printMessage(
      io,
      'The workflow runs "npm ci", which needs a package-lock.json, and there is none. Commit the one that npm writes, ' +
        "or replace that line by the install command of your package manager.",
    );
  return results.includes("failed") ? 2 : 0;
}

/** The projects below the folder, with a step of the workflow for each pack that one of them compiles to. */
async function findProjects({ cwd }: Io) {
  const { targets } = discover(["."], cwd, "pack");
  const heads = targets.filter(({ path }) => isFoundHead(path));
  const checks: string[] = [];
  if (heads.length > 0) {
    const { SourceReader } = await import("../files/source-reader.js");
    const { isCompiledFrom } = await import("../../sources/compile-pack.js");
    const limits = readLimits({});
    const reader = new SourceReader({ cwd, limits });
    for (const head of heads) {
      const source = await reader.open(head.path).catch(() => undefined);
      if (source?.kind !== "project") continue;
      const pack = targets.find(
        ({ path }) =>
          isBelow(dirname(head.path), path) &&
          isCompiledFrom(source.project, readTextOrEmpty(path, limits.maxBytes)),
      );
      const command = `npx --no-install promptpack compile ${quoteForShell(head.file)} --check ${quoteForShell(pack?.file ?? "")}`;
      // GitHub would read it as an expression.
      if (pack !== undefined && !command.includes("${{"))
        checks.push(`      - run: ${JSON.stringify(command)}\n`);
    }
  }
  return { heads: heads.length, checks };
}

type WriteResult = "written" | "left" | "failed";

function writeInitFile(io: Io, file: InitFile, dryRun: boolean): WriteResult {
  const path = join(io.cwd, file.path);
  try {
    // Existing files, even dangling links, are left alone.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return leaveExisting(io, file, path);
    if (dryRun) {
      io.stdout.write(`Would write "${file.path}", ${file.purpose}:\n\n${indentText(file.text)}\n`);
    } else {
      putFile(resolveTarget(path, io.cwd, io.cwd), [file.text], { isNew: true });
      io.stdout.write(`Wrote "${file.path}", ${file.purpose}.\n`);
    }
    return "written";
  } catch (error) {
    if (errorCode(error) === "EEXIST") return leaveExisting(io, file, path);
    printMessage(io, `"${file.path}" ${describeIoError(error, "written")}.`);
    return "failed";
  }
}

function leaveExisting(io: Io, { path: name, addition }: InitFile, path: string): WriteResult {
  const hint =
    addition === undefined || readTextOrEmpty(path).includes("promptpack-lint")
      ? ""
      : ` To add the hook, add this to its "repos":\n\n${indentText(addition)}`;
  io.stdout.write(`Left "${name}" alone: it already exists.${hint}\n`);
  return "left";
}

function indentText(text: string): string {
  return text.replace(/^(?=.)/gmu, "    ");
}

function dependsOnPromptpack(manifest: string): boolean {
  const parsed = tryTo(() => JSON.parse(readTextOrEmpty(manifest)) as Record<string, object | undefined>);
  return Object.hasOwn({ ...parsed?.["dependencies"], ...parsed?.["devDependencies"] }, "promptpack");
}

interface InitFile {
  readonly path: string;
  readonly purpose: string;
  readonly text: string;
  /** The text to add by hand to the `repos` of an existing file. */
  readonly addition?: string;
}

const configFile: InitFile = {
  path: "promptpack.config.yaml",
  purpose: "the config",
  text: `# How "promptpack lint" checks the packs in this folder and below it.
# "promptpack rules" lists the rules, "promptpack schema --kind config" describes this file.
extends: recommended

# A rule can be off, info, warning or error, for example { dead-guard: off }.
rules: {}

# Files to leave out, as patterns like those in .gitignore.
ignore: []
`,
};

const hookText = `  - repo: local
    hooks:
      - id: promptpack-lint
        name: promptpack lint
        entry: npx --no-install promptpack lint
        language: system
        types_or: [json, yaml]
        files: (^|/)([^/]*\\.)?(pack|promptpack)\\.(json|ya?ml)$
        require_serial: true
`;

const sourcesHookText = `  - repo: local
    hooks:
      - id: promptpack-lint-sources
        name: promptpack lint (sources)
        entry: npx --no-install promptpack lint
        language: system
        types_or: [json, yaml]
        pass_filenames: false
        require_serial: true
`;

const lintStep = "      - run: npx --no-install promptpack lint --format github\n";

const workflowFile: InitFile = {
  // A file named promptpack.yml would be linted as a pack.
  path: ".github/workflows/promptpack-lint.yml",
  purpose: "a GitHub workflow that lints all packs and annotates what it finds",
  text: `name: promptpack
on: [push, pull_request]
permissions:
  contents: read
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 24
      - run: npm ci
${lintStep}      - if: github.event_name == 'pull_request'
        env:
          BASE: \${{ github.event.pull_request.base.sha }}
        run: |
          git fetch --no-tags --depth=1 origin "$BASE"
          npx --no-install promptpack diff --against "$BASE" --format github
`,
};

const hookFile: InitFile = {
  path: ".pre-commit-config.yaml",
  purpose: 'a pre-commit hook that lints the packs of each commit once "pre-commit install" has been run',
  text: `repos:\n${hookText}`,
  addition: hookText,
};

const sourcesHookFile: InitFile = {
  path: hookFile.path,
  purpose:
    'a pre-commit hook that lints all projects and packs at each commit once "pre-commit install" has been run',
  text: `repos:\n${sourcesHookText}`,
  addition: sourcesHookText,
};

const npmLockFiles = ["package-lock.json", "npm-shrinkwrap.json"] as const;
