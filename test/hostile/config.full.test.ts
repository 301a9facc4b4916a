import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOf, promptpack } from "../cli/harness.js";
import { badEntry, clean } from "../cli/packs.js";

const lint = (files: Readonly<Record<string, string>>, ...args: string[]) =>
  promptpack(["lint", "-f", "compact", ...args], { cwd: folderOf({ "a.pack.json": clean, ...files }) });
const config = "promptpack.config.yaml";

describe("a hostile config", () => {
  it.each([
    [
      "nested",
      `rules: ${"[".repeat(200_000)}`,
      `${config}:1:209: The values are nested more than 200 levels deep.`,
    ],
    [
      "full of aliases",
      [
        "a: &a [x]",
        ...Array.from(
          { length: 9 },
          (_, i) =>
            `a${i}: &a${i} [${Array(9)
              .fill(`*a${i === 0 ? "" : i - 1}`)
              .join()}]`,
        ),
      ].join("\n"),
      `${config}:6:34: Aliases and merge keys add more than 100000 values.`,
    ],
    ["too large", `# ${"x".repeat(2 ** 20)}`, `The config file "${config}" has more than 1048576 bytes.`],
    ["not UTF-8", "rules: \ud800", `${config}:1:8: `],
    ["a list", "[]", `${config}:1:1: `],
    ["__proto__", "__proto__: { rules: {} }", `${config}:1:1: The configuration has no key "__proto__".`],
    ["a rule __proto__", "rules: { __proto__: off }", `${config}:1:10: No rule is called "__proto__".`],
    ["a preset toString", "extends: toString", `${config}:1:10: "toString" is not a preset.`],
    [
      "a level constructor",
      "rules: { schema: constructor }",
      `${config}:1:18: "constructor" is not a severity.`,
    ],
    ["steering", 'rules: { "\\e[2J\\u202e": off }', `${config}:1:10: No rule is called "\\u001b[2J\\u202e".`],
  ])("that is %s ends in one clear line", async (_, text, line) => {
    const { code, stderr } = await lint({ [config]: text });
    expect(code).toBe(2);
    expect(stderr.split("\n").slice(0, -1)).toHaveLength(1);
    expect(stderr.slice(0, `promptpack: ${line}`.length)).toBe(`promptpack: ${line}`);
  });

  it("with mistakes without end tells twenty, and how many there are", async () => {
    const rules = Array.from({ length: 20_000 }, (_, index) => `  unknown-entr${index}: error`).join("\n");
    const { code, stderr } = await lint({ [config]: `rules:\n${rules}\n` });
    const lines = stderr.split("\n");
    expect({ code, lines: lines.length, last: lines.at(-2) }).toEqual({
      code: 2,
      lines: 22,
      last: `promptpack: ${config}: There are 19980 more mistakes.`,
    });
  });

  it.each([
    "{a,b}".repeat(60),
    `{${",".repeat(9_000)}`,
    `${"[".repeat(9_000)}x`,
    `${"*a".repeat(4_000)}b`,
    `${"**/".repeat(3_000)}b`,
    `[${"a-z".repeat(3_000)}]`,
    "a".repeat(300_000),
  ])("with a glob made to keep a matcher busy is refused: %#", async (glob) => {
    const text = JSON.stringify({
      ignore: [glob, { file: glob, rule: "unknown-entry", pointer: "/workflow" }],
      overrides: [{ files: glob, rules: { "unknown-entry": "off" } }],
    });
    const { code, stderr } = await lint({ "promptpack.config.json": text, "a.pack.json": badEntry });
    expect(code).toBe(2);
    const fault = /^promptpack: promptpack\.config\.json:1:\d+: ".{1,81}" has (?:too many|more than) .*\.$/u;
    expect(stderr.trimEnd().split("\n")).toEqual(
      Array.from({ length: stderr.trimEnd().split("\n").length }, () => expect.stringMatching(fault)),
    );
  });

  it("with thousands of globs as complex as allowed is applied", async () => {
    const files = Array.from({ length: 2_000 }, (_, index) => `**/${"{a,b}".repeat(6)}*a*a${index}`);
    const text = JSON.stringify({ overrides: [{ files, rules: { "unknown-entry": "off" } }] });
    const { code } = await lint({ "promptpack.config.json": text, "a.pack.json": badEntry });
    expect(code).toBe(1);
  });
});

describe("hostile ignore files", () => {
  it.each([
    " ".repeat(900_000) + "x",
    "[".repeat(900_000),
    "\\".repeat(900_000),
    `${"*a".repeat(400_000)}b`,
    "!\n".repeat(400_000),
    "\u0000\ufffd\n[z-a]\n",
    "x".repeat(5_000_000),
  ])("of .gitignore change nothing: %#", async (text) => {
    const { code, stdout, stderr } = await lint({ ".gitignore": text, ".promptpackignore": text });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("that are folders are passed by", async () => {
    const cwd = folderOf({ "a.pack.json": clean });
    mkdirSync(join(cwd, ".gitignore"));
    mkdirSync(join(cwd, ".promptpackignore"));
    expect(await promptpack(["lint", "-f", "compact"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("a hostile package.json", () => {
  it.each([
    `{"promptpack":${"[".repeat(200_000)}`,
    `{"a":"\\"promptpack\\"","__proto__":{"promptpack":{"extends":"nope"}}}`,
    '["promptpack"]',
    '"promptpack"',
    "\u0000",
    `{"promptpack": 1, ${" ".repeat(17 * 1024 * 1024)}`,
  ])("that says nothing we can read is passed by: %#", async (text) => {
    expect(await lint({ "package.json": text })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("that speaks to us is held to what a config may say", async () => {
    const { code, stderr } = await lint({ "package.json": '{"promptpack": {"__proto__": {}, "rules": 1}}' });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'promptpack: package.json:1:17: The configuration has no key "__proto__". The known keys are "$schema", "extends", "rules", "overrides", "ignore", "properties", "runtimes", "validatorTypes" and "evalTypes".\n' +
        'promptpack: package.json:1:43: "rules" must be an object of rule ids and severities.\n',
    });
  });
});

describe("a hostile baseline", () => {
  it.each([
    ["[".repeat(200_000), "base.json:1:201: "],
    ['{"findings":7}', '"base.json" is not a baseline'],
    ['{"findings":[{"__proto__":1}]}', "base.json:1:14: An entry needs"],
    ["", "base.json:1:1: "],
  ])("is refused with one line: %#", async (text, start) => {
    const { code, stderr } = await lint({ "base.json": text }, "--baseline", "base.json");
    expect(code).toBe(2);
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr.slice("promptpack: ".length).startsWith(start)).toBe(true);
  });

  it("cannot hide what it does not name", async () => {
    const cwd = folderOf({ "a.pack.json": badEntry });
    const findings = [{ file: "a.pack.json", rule: "*", pointer: "", fingerprint: "*" }];
    writeFileSync(join(cwd, "base.json"), JSON.stringify({ schemaVersion: 1, findings }));
    const { code } = await promptpack(["lint", "-f", "compact", "--baseline", "base.json"], { cwd });
    expect(code).toBe(1);
  });
});
