import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { folderOf } from "../cli/harness.js";
import { badEntry, clean, otherId } from "../cli/packs.js";
import { Repository } from "../cli/repository.js";
import { inFolder, slipProject } from "../cli/projects.js";
import { quietEnv } from "./clone.js";

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync("action.yml", "utf8")) as Action;
const { steps } = action.runs;

/** Runs a step as the runner would: inputs put into its environment, bash told to stop at errors. */
function runStep(
  id: "lint" | "compare",
  cwd: string,
  inputs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) {
  const step = steps.find((each) => each.id === id);
  const values = new Map(
    Object.entries(action.inputs).map(([name, input]) => [name, inputs[name] ?? input.default]),
  );
  const fill = (text: string) =>
    text.replace(/\$\{\{ (?:inputs\.([a-z-]+)|github\.action_path) \}\}/g, (_, name?: string) =>
      name === undefined ? resolve(".") : (values.get(name) ?? `no input ${name}`),
    );
  const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, text]) => [name, fill(text)]));
  const files = { GITHUB_OUTPUT: join(cwd, ".git/output"), GITHUB_STEP_SUMMARY: join(cwd, ".git/summary") };
  const runner = { GITHUB_WORKSPACE: cwd, RUNNER_TEMP: join(cwd, ".git"), GITHUB_ACTIONS: "true", ...files };
  const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step?.run ?? ""];
  const { status, stdout, stderr } = spawnSync("bash", shell, {
    cwd,
    env: { ...quietEnv, ...runner, ...more, ...env },
    encoding: "utf8",
  });
  const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
  const annotated = [...stdout.matchAll(/^::(\w+) file=([^,]*),/gm)].map(
    ([, level, file]) => `${level} ${file}`,
  );
  return {
    status,
    annotated,
    stdout,
    stderr,
    output: read(files.GITHUB_OUTPUT),
    summary: read(files.GITHUB_STEP_SUMMARY),
  };
}

const lint = (cwd: string, inputs: Readonly<Record<string, string>>) => runStep("lint", cwd, inputs);

describe("action.yml", () => {
  it("is a composite action whose steps say which shell they want", () => {
    expect(action.runs.using).toBe("composite");
    expect(steps.map(({ run, shell, uses }) => [run === undefined, shell, uses])).toEqual([
      [false, "bash", undefined],
      [false, "bash", undefined],
      [false, "bash", undefined],
      [true, undefined, expect.stringMatching(/^github\/codeql-action\/upload-sarif@[0-9a-f]{40}$/)],
    ]);
    for (const { description } of [...Object.values(action.inputs), ...Object.values(action.outputs)]) {
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("puts nothing into a script", () => {
    expect(steps.filter(({ run }) => run?.includes("${{") === true)).toEqual([]);
  });

  it("uses every input, and none that it does not have", () => {
    const used = [...JSON.stringify(steps).matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it("is installed from its own folder", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(steps[0]?.run).toContain("npm ci --include=dev");
    expect(scripts["postprepare"]).toMatch(/^node scripts\/build\.mjs/);
  });
});

describe.runIf(process.platform !== "win32")("the step that lints", () => {
  const packs = { "a.pack.json": badEntry, "sub/b.pack.json": clean, "sub/o dd.pack.json": otherId };

  it("annotates, with paths of the repository, and writes the step summary", () => {
    const { status, annotated, stderr, output, summary } = lint(folderOf(packs), {});
    expect({ status, annotated, stderr, output }).toEqual({
      status: 1,
      annotated: ["error a.pack.json", "warning sub/o dd.pack.json"],
      stderr: "",
      output: undefined,
    });
    expect(summary).toMatch(/^## ❌/);
  });

  it("takes paths, a folder, and arguments, one per line", () => {
    const cwd = folderOf(packs);
    expect(lint(cwd, { "working-directory": "sub" })).toMatchObject({
      status: 0,
      annotated: ["warning sub/o dd.pack.json"],
    });
    expect(
      lint(cwd, { paths: "sub/b.pack.json\n\nsub/o dd.pack.json\n", "max-warnings": "0" }),
    ).toMatchObject({
      status: 1,
      annotated: ["warning sub/o dd.pack.json"],
    });
    expect(
      lint(cwd, {
        paths: "*.pack.json",
        "working-directory": "sub",
        args: "--rule=prompt-id-differs:error\n--quiet",
      }),
    ).toMatchObject({
      status: 1,
      annotated: ["error sub/o dd.pack.json"],
    });
  });

  it("takes projects of sources, by a folder, their heads or their files", () => {
    const cwd = folderOf({ ...inFolder("desk", slipProject), ...packs });
    const slip = { status: 0, annotated: ["warning desk/prompts/book.yaml"], stderr: "" };
    for (const paths of ["desk", "desk/arena.yaml", "desk/prompts/book.yaml\ndesk/tools/find-slot.yaml"])
      expect(lint(cwd, { paths })).toMatchObject(slip);
    expect(lint(cwd, { "working-directory": "desk" })).toMatchObject(slip);
    expect(lint(cwd, { paths: "desk", "max-warnings": "0" }).status).toBe(1);
    const { summary, status } = lint(cwd, { sarif: "true" });
    expect(status).toBe(1);
    expect(summary).toContain("desk/prompts/book.yaml");
    const report = readFileSync(join(cwd, ".git/promptpack.sarif"), "utf8");
    expect(report).toContain('"uri": "desk/prompts/book.yaml"');
  });

  it("takes absolute paths as they are", () => {
    const cwd = folderOf(packs);
    expect(lint(cwd, { paths: `${cwd}/sub\nC:\\none.json`, "working-directory": "elsewhere" })).toMatchObject(
      {
        status: 2,
        annotated: ["warning sub/o dd.pack.json"],
        stderr: 'promptpack: "C:\\none.json" does not exist.\n',
      },
    );
  });

  it("says where the report for code scanning is, also when it found something", () => {
    const cwd = folderOf(packs);
    const { status, output } = lint(cwd, { sarif: "true" });
    const report = join(cwd, ".git/promptpack.sarif");
    expect({ status, output }).toEqual({ status: 1, output: `sarif-file=${report}\n` });
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ version: "2.1.0" });
  });

  it("has no report where the tool could not do its job", () => {
    expect(lint(folderOf(packs), { sarif: "true", args: "--nope" })).toMatchObject({
      status: 2,
      output: undefined,
      stderr: 'promptpack: Unknown option "--nope".\n',
    });
  });

  it.each([
    ["a broken config", { "promptpack.config.yaml": "nope: 1" }, "", "❌ Nothing was checked"],
    ["a path that is missing", {}, "sub/b.pack.json\nsub/none.json", "❌ No problems in 1 file"],
  ])("lets code scanning take nothing for fixed after %s", (_, more, paths, title) => {
    const { status, output, summary } = lint(folderOf({ ...packs, ...more }), { sarif: "true", paths });
    expect({ status, output }).toEqual({ status: 2, output: undefined });
    expect(summary?.split("\n")[0]).toBe(`## ${title}`);
  });

  it("runs nothing that an input says", () => {
    const cwd = folderOf(packs);
    const evil = '"; touch made; $(touch made) `touch made`';
    for (const name of Object.keys(action.inputs)) lint(cwd, { [name]: evil });
    lint(cwd, { paths: "--fix" });
    expect(existsSync(join(cwd, "made"))).toBe(false);
    expect(readFileSync(join(cwd, "a.pack.json"), "utf8")).toBe(badEntry);
  });
});

describe.runIf(process.platform !== "win32")("the step that compares", () => {
  const longer = clean.replace(
    '"bye": {',
    '"extra": { "id": "extra", "name": "E", "version": "1.0.0", "system_template": "E." }, "bye": {',
  );

  /** Takes the place of ssh, and has a folder for each repository. */
  const ssh = `#!/bin/sh
echo "$1 $2" >> "$SERVER/asked"
path=\${2#*\\'}
exec git upload-pack "$SERVER\${path%\\'}"
`;

  /** A pull request as `actions/checkout` leaves it: one commit, and the base known to the remote only. */
  function pullRequest(files: Readonly<Record<string, string>> = {}) {
    const origin = new Repository({ "sub/a.pack.json": longer, "b.pack.json": clean });
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true");
    const base = origin.git("rev-parse", "HEAD").trim();
    origin.write({ "sub/a.pack.json": clean, ...files });
    origin.commit("less");
    const server = folderOf({ ssh });
    chmodSync(join(server, "ssh"), 0o755);
    mkdirSync(join(server, "octo"));
    symlinkSync(origin.cwd, join(server, "octo/packs"));
    const cwd = join(folderOf({}), "clone");
    origin.git("clone", "--quiet", "--depth=1", pathToFileURL(origin.cwd).href, cwd);
    const github = {
      SERVER: server,
      GIT_SSH_COMMAND: join(server, "ssh"),
      GIT_SSH_VARIANT: "simple",
      GITHUB_SERVER_URL: "ssh://git@github.invalid",
      GITHUB_REPOSITORY: "octo/packs",
    };
    const asked = () => readFileSync(join(server, "asked"), "utf8");
    const compare = (inputs: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) =>
      runStep("compare", cwd, inputs, { ...github, ...more });
    return { cwd, base, compare, asked };
  }

  it("fetches the base, annotates, and writes the step summary", () => {
    const { base, compare } = pullRequest();
    expect(compare({ against: base })).toMatchObject({
      status: 1,
      annotated: ["error sub/a.pack.json", "warning sub/a.pack.json"],
      stderr: "",
      summary: expect.stringMatching(/^## ❌ 1 pack changed\n/) as string,
    });
    // It is known by now.
    const offline = { GITHUB_SERVER_URL: "https://127.0.0.1:1" };
    expect(compare({ against: base, paths: "b.pack.json" }, offline)).toMatchObject({
      status: 0,
      annotated: [],
    });
    expect(compare({ against: base, "working-directory": "sub" }, offline).annotated).toEqual([
      "error sub/a.pack.json",
      "warning sub/a.pack.json",
    ]);
  });

  it("fails on the changes that fail-on names", () => {
    const { cwd, base, compare } = pullRequest();
    writeFileSync(join(cwd, "sub/a.pack.json"), clean.replace('"version": "1.0.0"', '"version": "2.0.0"'));
    expect(compare({ against: base }).status).toBe(0);
    expect(compare({ against: base, "fail-on": "breaking" }).status).toBe(1);
  });

  const notCompared =
    "title=promptpack::The packs were not compared: git could not fetch the commit to compare with.\n";

  it.each([
    ["an unknown commit", "1".repeat(40)],
    ["no commit at all", "--upload-pack=touch made"],
  ])("says that it could not compare with %s, and passes unless fail-on is set", (_, against) => {
    const { cwd, compare } = pullRequest();
    for (const [failOn, level, expected] of [
      ["", "notice", 0],
      ["breaking", "error", 2],
    ] as const) {
      const { status, stdout, summary } = compare({ against, "fail-on": failOn });
      expect({ status, stdout, summary }).toEqual({
        status: expected,
        stdout: `::${level} ${notCompared}`,
        summary: undefined,
      });
    }
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  it("fetches from the address of the repository, and runs nothing of a pull request", () => {
    const canary = join(folderOf({ "canary.sh": '#!/bin/sh\ntouch "$0.ran"\n' }), "canary.sh");
    chmodSync(canary, 0o755);
    const { cwd, base, compare, asked } = pullRequest({
      "sub/HEAD": "ref: refs/heads/main\n",
      "sub/objects/keep": "",
      "sub/refs/keep": "",
      "sub/config": `[core]
  repositoryformatversion = 0
  bare = true
  fsmonitor = ${canary}
  sshCommand = ${canary}
[remote "origin"]
  url = ext::${canary}
[protocol]
  allow = always
`,
    });
    // Nor does anything run that the clone itself has, such as the hooks of an earlier step.
    for (const hook of ["reference-transaction", "post-checkout", "post-index-change"])
      copyFileSync(canary, join(cwd, ".git/hooks", hook));
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd, env: quietEnv });
    git("remote", "set-url", "origin", `ext::${canary}`);
    git("config", "protocol.ext.allow", "always");
    const { status, annotated, stderr } = compare({ against: base, "working-directory": "sub" });
    expect({ status, annotated, stderr }).toEqual({
      status: 1,
      annotated: ["error sub/a.pack.json", "warning sub/a.pack.json"],
      stderr: "",
    });
    expect(asked()).toBe("git@github.invalid git-upload-pack '/octo/packs'\n");
    expect(existsSync(`${canary}.ran`)).toBe(false);
    // Without the care, one would.
    spawnSync("git", ["fetch", "origin"], { cwd: join(cwd, "sub"), env: quietEnv });
    expect(existsSync(`${canary}.ran`)).toBe(true);
  });

  it.each(["file://", "ext::sh -c touch% made% ", "git://127.0.0.1:1", "http://127.0.0.1:1"])(
    "fetches only over HTTPS or SSH, not from %s",
    (address) => {
      const { cwd, base, compare } = pullRequest();
      const { status, stderr } = compare({ against: base }, { GITHUB_SERVER_URL: address });
      expect(status).toBe(0);
      expect(stderr).toMatch(/^fatal: transport '\w+' not allowed$/m);
      expect(existsSync(join(cwd, "made"))).toBe(false);
    },
  );

  it("passes outside of a repository, and runs nothing that an input says", () => {
    const { cwd, base, compare } = pullRequest();
    const outside = folderOf({ "a.pack.json": clean });
    expect(runStep("compare", outside, { against: base }).status).toBe(0);
    const evil = '"; touch made; $(touch made) `touch made`';
    for (const name of Object.keys(action.inputs)) compare({ against: base, [name]: evil });
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });
});
