import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectFile } from "../expected-file.js";
import { promptpack } from "../cli/harness.js";

const folder = "fixtures/hostile";
const packs = readdirSync(folder)
  .filter((name) => /\.pack\.(?:json|ya?ml)$/.test(name))
  .sort();

/** What must not reach a terminal: controls, bidi overrides, and what cannot be seen. No name here needs a joiner. */
const steering =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{2800}\u{fff9}-\u{fffc}\u{1d159}]/u;

const lint = (...args: string[]) => promptpack(["lint", "--no-config", ...args], { cwd: folder });

describe("a small hostile file", () => {
  it.each(packs.filter((name) => !name.startsWith("steering-")))(
    "%s gets exactly the findings it deserves",
    async (name) => {
      const { code, stdout, stderr } = await lint(name, "-f", "compact");
      expect(stderr).toBe("");
      expectFile(`${folder}/${name}.out`, `exit ${code}\n${stdout}`);
    },
  );
});

describe("names that steer a terminal", () => {
  const files = packs.filter((name) => name.startsWith("steering-"));
  const formats = ["pretty", "compact", "json", "sarif", "github", "gitlab", "junit", "markdown"];
  const others = [
    ["inspect"],
    ["inspect", "-f", "json"],
    ["graph", "-f", "mermaid"],
    ["graph", "-f", "dot"],
    ["graph", "-f", "svg"],
    ["graph", "-f", "json"],
    ["graph", "-f", "html"],
    ["simulate", "--random", "5"],
    ["simulate", "--random", "5", "-f", "json"],
    ["simulate", "--random", "5", "-f", "jsonl"],
    ["simulate", "--random", "3", "--render"],
    ["validate"],
  ];
  const commands = [...formats.map((format) => ["lint", "--no-config", "-f", format]), ...others];

  it.each(files.flatMap((file) => commands.map((command) => [command.join(" "), file, command] as const)))(
    "are seen and not obeyed: %s %s",
    async (_, file, command) => {
      const { stdout, stderr } = await promptpack([...command, file], { cwd: folder });
      expect(stdout + stderr).not.toBe("");
      for (const line of `${stdout}\n${stderr}`.split("\n")) expect(line).not.toMatch(steering);
    },
  );

  it.each(files)("stay harmless on a terminal where a fix is shown: %s", async (file) => {
    const args = ["lint", "--no-config", "--fix-dry-run", "--unsafe-fixes", file];
    const { stdout, stderr } = await promptpack(args, { cwd: folder, terminal: 80 });
    expect(stdout).toContain("@@");
    const colours = /\u001b\[[\d;]*m|\u001b\]8;;[^\u0007\u001b]*(?:\u0007|\u001b\\)/gu;
    for (const line of `${stdout}\n${stderr}`.replace(colours, "").split("\n"))
      expect(line.replaceAll("\t", "")).not.toMatch(steering);
  });

  it.each(files)("break no workflow command out of the log of GitHub: %s", async (file) => {
    const { stdout } = await lint(file, "-f", "github");
    for (const line of stdout.split("\n")) {
      if (!line.startsWith("::")) expect(line).not.toMatch(/^\s*::|##\[/);
      else expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::[^]*$/);
    }
  });

  it("on the command line are seen and not obeyed", async () => {
    const name = "\u001b[2J\u202e\n.pack.json";
    for (const args of [
      ["lint", name],
      ["inspect", name],
      ["explain", name],
      [name],
      ["lint", `--${name}`],
    ]) {
      const { code, stdout, stderr } = await promptpack(args);
      expect(code).toBe(2);
      expect((stdout + stderr).replaceAll("\n", "")).not.toMatch(steering);
      expect(stderr.split("\n")).toHaveLength(2);
    }
  });
});
