import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isFull } from "../runs.js";
import { folderOf, promptpack } from "./harness.js";

const example = (name: string): string => readFileSync(`fixtures/agentic/worked-example/${name}`, "utf8");
const files = {
  "events.jsonl": example("mended.jsonl"),
  "conf/pipelines.yaml": example("mended.routes.yaml").replace(/plugins:[^]*$/, ""),
  "conf/deep/plugins.yaml": example("mended.routes.yaml").replace(/^[^]*?(?=plugins:)/, ""),
};
const workspace = {
  "work/context.md": "",
  "work/memory.md": "",
  "work/plan.md": "",
  "work/trace.jsonl": '{"turn": 1}\n',
  "work/artifacts/fetch-01.html": "",
  "work/artifacts/critique.md": "",
};

describe("replay of an event log", () => {
  it("prints a table per run and what was found", async () => {
    const { code, stdout, stderr } = await promptpack(["replay", "events.jsonl"], { cwd: folderOf(files) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      [
        "Run 01JABC: done, 2 steps",
        "Step │ Tool   │ Plugin      │ Tries │ Status │",
        "─────┼────────┼─────────────┼───────┼────────┤",
        "1    │ fetch  │ jina-reader │ 1     │ ok     │",
        "2    │ fabric │ fabric      │ 1     │ ok     │",
        "Outcome: Two paragraph critique generated in artifacts/critique.md",
        "",
        "✔ No problems in 1 file",
        "",
      ].join("\n"),
    );
  });

  it("checks the record that is named, whatever is to be skipped, and promises nothing else", async () => {
    const config = "ignore: ['*.jsonl']\n";
    const cwd = folderOf({ ...files, ".promptpackrc": config, ".promptpackignore": "*.jsonl\n" });
    const { code, stdout, stderr } = await promptpack(["replay", "events.jsonl"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^✔ No problems in 1 file$/m);
    const { stdout: help } = await promptpack(["replay", "--help"]);
    expect(help).toMatch(/^ +--no-config +use no config file$/m);
    expect(help).not.toContain(".promptpackignore");
  });

  it("takes routes from the files of a folder, a state and a workspace", async () => {
    const state = '{ "runs": { "01JABC": { "status": "done", "step": 1, "pending_step": 2 } } }';
    const cwd = folderOf({ ...files, ...workspace, "state.json": state });
    const args = ["--routes", "conf", "--state", "state.json", "--workspace", "work", "-f", "compact"];
    expect(await promptpack(["replay", "events.jsonl", ...args], { cwd })).toEqual({
      code: 1,
      stdout:
        'state.json:1:51: error: The state says that run "01JABC" is at step 1, but by the log it is at step 2 (line 4 of the log). [agentic-state-log]\n' +
        'state.json:1:70: warning: Run "01JABC" has ended (done) but still has pending fields: clear them. [agentic-state-pending]\n',
      stderr: "",
    });
  });

  it.each(["fetch-01.html/inside", "x".repeat(300)])(
    "misses an artifact that no file can be: %s",
    async (name) => {
      const log = files["events.jsonl"].replaceAll("critique.md", name);
      const cwd = folderOf({ "events.jsonl": log, ...workspace });
      const args = ["replay", "events.jsonl", "--workspace", "work", "-f", "compact"];
      const { code, stdout, stderr } = await promptpack(args, { cwd });
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      expect(stdout).toMatch(/^(?:.*\[agentic-workspace\]\n)+$/);
    },
  );

  it("takes the whole configuration that a file of routes belongs to", async () => {
    const { "conf/pipelines.yaml": pipelines, "conf/deep/plugins.yaml": plugins } = files;
    const cwd = folderOf({
      "events.jsonl": files["events.jsonl"],
      "flat/config.yaml": plugins.replace("fabric, ", ""),
      "flat/tools.yaml": pipelines,
      "tree/config.yaml": plugins,
      "tree/pipelines/tools.yaml": pipelines,
    });
    const replayed = async (routes: string) =>
      (await promptpack(["replay", "events.jsonl", "--routes", routes, "-f", "compact"], { cwd })).stdout;
    for (const routes of ["tree", "tree/config.yaml", "tree/pipelines/tools.yaml"])
      expect(await replayed(routes)).toBe("");
    for (const routes of ["flat", "flat/config.yaml", "flat/tools.yaml"])
      expect(await replayed(routes)).toBe(
        'events.jsonl:4:10: error: The routes do not allow the plugin "fabric". [agentic-route]\n',
      );
  });

  it("knows routes that allow every plugin", async () => {
    const plugins = files["conf/deep/plugins.yaml"].replace(/allowed_plugins: .*/, 'allowed_plugins: ["*"]');
    const args = ["replay", "events.jsonl", "--routes", "conf", "-f", "compact"];
    const cwd = folderOf({ ...files, "conf/deep/plugins.yaml": plugins });
    expect(await promptpack(args, { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("says where no routes are", async () => {
    const cwd = folderOf({
      ...files,
      "empty/a.txt": "",
      "other/a.yaml": "a: 1\n",
      "a.pack.yaml": "id: a\nprompts: {}\n",
      "plugins.yaml": "plugins: { fetch: {} }\n",
    });
    const said = async (routes: string) => {
      const { code, stdout, stderr } = await promptpack(["replay", "events.jsonl", "--routes", routes], {
        cwd,
      });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      return stderr;
    };
    for (const folder of ["empty", "other"])
      expect(await said(folder)).toBe(`promptpack: No routes (RFC-103) were found in "${folder}".\n`);
    for (const file of ["a.pack.yaml", "plugins.yaml"])
      expect(await said(file)).toBe(
        `promptpack: "${file}" is not an RFC-103 configuration: it has neither "pipelines" nor the plugin "agentic-loop".\n`,
      );
    expect(await said("none")).toBe('promptpack: "none" does not exist.\n');
  });

  it("finds what is missing in a workspace, and a trace that is broken", async () => {
    const cwd = folderOf({ ...files, ...workspace, "work/trace.jsonl": "{}\n{" });
    const { "work/plan.md": _plan, "work/artifacts/critique.md": _critique, ...less } = workspace;
    const bare = folderOf({ ...files, ...less });
    const args = ["replay", "events.jsonl", "--workspace", "work", "-f", "compact"];
    expect((await promptpack(args, { cwd })).stdout).toMatch(
      /^work\/trace\.jsonl:2:2: error: .* \[parse-error\]\n$/,
    );
    expect((await promptpack(args, { cwd: bare })).stdout).toBe(
      'events.jsonl:1:10: error: The workspace "work" has no file "plan.md". [agentic-workspace]\n' +
        'events.jsonl:5:138: error: The workspace "work" has no artifact "artifacts/critique.md". [agentic-workspace]\n',
    );
  });

  it("knows severities, presets and the config as lint does", async () => {
    const log = files["events.jsonl"].split("\n").slice(0, 5).join("\n");
    const cwd = folderOf({
      "events.jsonl": log,
      "promptpack.config.yaml": "rules: { agentic-run-open: warning }\n",
    });
    const run = (...args: string[]) =>
      promptpack(["replay", "events.jsonl", "-f", "compact", ...args], { cwd });
    expect((await run()).stdout).toContain(": warning: Run");
    expect(await run("--preset", "errors")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await run("--max-warnings", "0")).code).toBe(1);
    expect((await run("--rule", "agentic-run-open:error")).code).toBe(1);
  });

  it("reports entries of ignore that silence nothing in the record, as far as it can tell", async () => {
    const entries = ["after-end", "route", "workspace", "max-steps", "double-advance"].map(
      (rule) => `  - { file: events.jsonl, rule: agentic-${rule}, pointer: "" }\n`,
    );
    const cwd = folderOf({
      ...files,
      "open.jsonl": files["events.jsonl"].split("\n").slice(0, 5).join("\n"),
      "promptpack.config.yaml":
        `ignore:\n${entries.join("")}  - { file: open.jsonl, rule: agentic-after-end, pointer: "" }\n` +
        "rules: { agentic-double-advance: off }\n",
    });
    const unused = async (...args: string[]) => {
      const ran = await promptpack(["replay", ...args, "-f", "compact"], { cwd });
      return [...ran.stdout.matchAll(/^promptpack.config.yaml:(\d+):.*unused-suppression/gm)].map(
        ([, line]) => line,
      );
    };
    expect(await unused("events.jsonl")).toEqual(["2"]);
    expect(await unused("events.jsonl", "--routes", "conf")).toEqual(["2", "3", "5"]);
    expect(await unused("open.jsonl")).toEqual([]);
    expect(await unused("events.jsonl", "--no-config")).toEqual([]);
  });

  it("tells each mistake of a config as lint does", async () => {
    const config = "rulez: {}\nextends: strct\n";
    const ran = await promptpack(["replay", "events.jsonl"], {
      cwd: folderOf({ ...files, "promptpack.config.yaml": config }),
    });
    expect(ran).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'promptpack: promptpack.config.yaml:1:1: The configuration has no key "rulez". Did you mean "rules"?\n' +
        'promptpack: promptpack.config.yaml:2:10: "strct" is not a preset. Did you mean "strict"?\n',
    });
  });

  it("has the flags of lint that are for reports and limits, each with its effect", async () => {
    const log = files["events.jsonl"].split("\n").slice(0, 5).join("\n");
    const aliases = "base: &base [1, 2, 3]\npipelines: []\ncopies: [*base, *base]\n";
    const cwd = folderOf({
      "events.jsonl": log,
      "routes.yaml": aliases,
      "promptpack.config.yaml": "rules: { agentic-run-open: error }\n",
      "off.yaml": 'rules: { agentic-run-open: "off" }\n',
    });
    const run = (...args: string[]) => promptpack(["replay", "events.jsonl", ...args], { cwd });
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await run("-f", "compact", ...args);
      return `${code} ${stdout}${stderr}`;
    };
    const open = / error: Run "01JABC" .* \[agentic-run-open\]\n$/;
    expect(await said()).toMatch(new RegExp(`^1 .*${open.source}`));
    expect(await said("--exit-zero")).toMatch(new RegExp(`^0 .*${open.source}`));
    expect(await said("--config", "off.yaml")).toBe("0 ");
    expect(await said("--no-config")).not.toMatch(open);
    expect(await said("--rule", "agentic-run-open:warning", "--quiet")).toBe("0 ");
    expect(await said("--max-depth", "1")).toContain('"--max-depth" raises the limit');
    expect(await said("--max-values", "2")).toContain('"--max-values" raises the limit');
    expect(await said("--routes", "routes.yaml", "--max-alias-nodes", "3")).toContain(
      '"--max-alias-nodes" raises the limit',
    );
    expect((await run("--color")).stdout).toContain("\u001b[");
    expect((await run("--no-color")).stdout).not.toContain("\u001b[");
  });

  it("reads standard input, and says what is no record", async () => {
    const cwd = folderOf({
      "a.json": "{}",
      "b.jsonl": '{"type": "agentic.start", "payload": {"goal": "g"}}\n{',
    });
    expect((await promptpack(["replay", "-"], { cwd, stdin: files["events.jsonl"] })).code).toBe(0);
    expect(await promptpack(["replay", "a.json"], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'promptpack: "a.json" is not the record of a run: it contains neither RFC-103 events, nor transitions, nor a workflow context.\n',
    });
    expect((await promptpack(["replay", "b.jsonl", "-f", "compact"], { cwd })).stdout).toMatch(
      /^b\.jsonl:2:2: error: .* \[parse-error\]\n$/,
    );
    expect((await promptpack(["replay", "none.jsonl"], { cwd })).code).toBe(2);
  });

  it("says once that a log is not written one event per line", async () => {
    const lines = files["events.jsonl"].trimEnd().split("\n");
    const spread = lines.map((line) => JSON.stringify(JSON.parse(line), null, 2)).join("\n");
    const { code, stdout } = await promptpack(["replay", "-", "-f", "compact"], { stdin: spread });
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        "<stdin>:1:1: error: A record has one JSON object per line; this one spans several lines. [parse-error]\n",
    });
  });

  it("finds a bad line at its place, the first one, too", async () => {
    const lines = files["events.jsonl"].trimEnd().split("\n");
    for (const line of [1, 3]) {
      const stdin = lines.toSpliced(line - 1, 0, "INFO the loop starts").join("\n");
      const { code, stdout } = await promptpack(["replay", "-", "-f", "compact"], { stdin });
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringMatching(
          new RegExp(`^<stdin>:${line}:1: error: .* \\[parse-error\\]\n$`),
        ) as string,
      });
    }
  });

  it("does not say that a run goes on where a line hides what follows", async () => {
    const lines = files["events.jsonl"].trimEnd().split("\n");
    const { stdout } = await promptpack(["replay", "-"], { stdin: lines.with(2, "{").join("\n") });
    expect(stdout).toMatch(/^Run \S+: cut off, 1 step\n/);
    expect(stdout).toMatch(/Only\s+the\s+lines\s+before\s+this\s+one\s+are\s+checked\./);
  });

  it("does not say that a run is unknown where a line hides what follows", async () => {
    const stdin = '{"type": "agent.completed", "payload": {"run_id": "R1"}}\n{"type": "agen\n';
    const { stdout } = await promptpack(["replay", "-", "-f", "compact"], { stdin });
    expect(stdout).not.toContain("agentic-unknown-run");
    expect(stdout).toContain("parse-error");
  });

  it("tells what a record is by any of its lines, if one is bad", async () => {
    const stdin = '{"note": 1}\n{"type": "agentic.start", "payload": {}\n';
    const { code, stdout } = await promptpack(["replay", "-", "-f", "compact"], { stdin });
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        '<stdin>:1:1: error: This line has no "type" to say which event it is. [agentic-event]\n' +
        '<stdin>:2:40: error: The line ends before its object is closed; add "}". Only the lines before this one are checked. [parse-error]\n',
    });
  });

  it("takes no record for clean that cannot be read, also where nothing may say so", async () => {
    const config = JSON.stringify({ rules: { "parse-error": "off" } });
    const cwd = folderOf({
      "a.jsonl": `${files["events.jsonl"]}garbage\n`,
      "promptpack.config.json": config,
    });
    expect(await promptpack(["replay", "a.jsonl", "-f", "compact"], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'promptpack: "a.jsonl" cannot be parsed, and "parse-error", which would say why, is off: turn it on.\n',
    });
  });

  it("takes nothing for a record that is none", async () => {
    const cwd = folderOf({ "a.pack.yaml": "id: a\nprompts: {}\n", "b.jsonl": "garbage", "c.json": "[]" });
    for (const file of ["a.pack.yaml", "b.jsonl", "c.json"]) {
      const { code, stderr } = await promptpack(["replay", file], { cwd });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `promptpack: "${file}" is not the record of a run: it contains neither RFC-103 events, nor transitions, nor a workflow context.\n`,
      });
    }
  });

  it("says that a file is empty", async () => {
    const cwd = folderOf({ "e.jsonl": " \r\n\n" });
    expect(await promptpack(["replay", "e.jsonl"], { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr: 'promptpack: "e.jsonl" is empty: there is no record in it.\n',
    });
  });

  it("--max-size raises the limit for the record, and lowers it", async () => {
    const [first = "", ...more] = files["events.jsonl"].split("\n");
    // Without a flag, 64 MB is the limit.
    const megabytes = isFull ? 64 : 1;
    const asLarge = isFull ? [] : ["--max-size", "1MB"];
    const large = [first, " ".repeat(megabytes * 1024 * 1024), ...more].join("\n");
    const cwd = folderOf({ "large.jsonl": large });
    const said = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await promptpack(["replay", "-f", "compact", ...args], {
        cwd,
        stdin: files["events.jsonl"],
      });
      return `${code} ${stdout}${stderr}`;
    };
    const refused = (file: string, bytes: number) =>
      `2 promptpack: "${file}" has more than ${bytes} bytes. "--max-size" raises the limit.\n`;
    expect(await said("large.jsonl", ...asLarge)).toBe(refused("large.jsonl", megabytes * 1024 * 1024));
    expect(await said("large.jsonl", "--max-size", `${megabytes + 1}MB`)).toBe("0 ");
    expect(await said("-")).toBe("0 ");
    expect(await said("-", "--max-size", "100")).toBe(refused("<stdin>", 100));
  });

  it("--max-size is for the pack, too", async () => {
    const record = '{"record": "start", "state": "a"}\n';
    const cwd = folderOf({ "run.jsonl": record, "a.pack.yaml": `id: ${"a".repeat(200)}\nprompts: {}\n` });
    const args = ["replay", "run.jsonl", "--pack", "a.pack.yaml", "--max-size", "100"];
    expect(await promptpack(args, { cwd })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'a.pack.yaml:1:1: error: The file has more than 100 bytes. "--max-size" raises the limit. [parse-error]\n',
    });
  });

  it("says which flags are for another kind of record", async () => {
    const cwd = folderOf({ ...files, "run.jsonl": '{"record": "start", "state": "a"}\n' });
    const said = async (...args: readonly string[]) =>
      (await promptpack(["replay", ...args], { cwd })).stderr;
    expect(await said("events.jsonl", "--no-budget")).toBe(
      'promptpack: "events.jsonl" is a log of RFC-103 events: "--no-budget" can only be used with a workflow, which "--pack" names.\n',
    );
    expect(await said("-", "--pack", "-")).toBe(
      'promptpack: Standard input is the record, so it cannot also be the pack: give "--pack" a file.\n',
    );
    expect(await said("run.jsonl", "--pack", "none.yaml", "--state", "s.json")).toBe(
      'promptpack: "run.jsonl" is the record of a workflow run: "--state" can only be used with a log of RFC-103 events.\n',
    );
  });

  it.runIf(isFull)("survives a hostile log", async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      JSON.stringify({
        type: "agentic.tool_request.x",
        payload: { run_id: "__proto__", step: i + 1, tool: "x" },
        dedupe_key: `agentic:run:__proto__:step:${i + 1}:request`,
      }),
    );
    const starts = Array.from(
      { length: 20_000 },
      (_, i) => `{"type":"agentic.start","payload":{"goal":"${i}","run_id":"r${i}"}}`,
    );
    const cwd = folderOf({ "events.jsonl": [...starts, ...lines].join("\n") });
    const { code, stdout } = await promptpack(["replay", "events.jsonl", "-f", "compact"], { cwd });
    expect(code).toBe(1);
    expect(stdout.split("\n").length).toBe(20_000 + 19_999 + 1 + 1);
  });
});
