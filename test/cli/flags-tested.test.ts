import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { promptpack } from "./harness.js";

/** The text of every test but this one. */
const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith("flags-tested.test.ts"))
  .map((name) => readFileSync(join("test", name), "utf8"));

const named = (help: string, pattern: RegExp) => [...help.matchAll(pattern)].map(([, name = ""]) => name);

async function helpOf(...command: string[]): Promise<string> {
  const { code, stdout } = await promptpack([...command, "--help"], { cwd: "/" });
  expect(code).toBe(0);
  return stdout;
}

const commands = named(await helpOf(), /^ {2}([a-z]+) .*/gm).filter((name) => name !== "promptpack");

/** Whether a test has the word among its arguments: quoted, alone or with its value, or in a command line. */
const has = (text: string, word: string) => new RegExp(`["'\`\\s]${word}(?:["'\`=\\s])`).test(text);

/** Whether some test of the command has the flag. `validate` is `lint` by another name. */
const isUsed = (command: string, flags: readonly string[]) =>
  tests.some(
    (text) => has(text, command === "validate" ? "lint" : command) && flags.some((flag) => has(text, flag)),
  );

it("finds the commands", () => {
  expect(commands).toEqual(
    expect.arrayContaining(["lint", "graph", "simulate", "init", "completion", "help"]),
  );
});

it.each(commands.map((name) => [name]))("every flag of %s is in some test", async (command) => {
  const lines = named(await helpOf(command), /^ {2}(-.*?)(?: {2}|$)/gm);
  const flags = lines.map((line) => line.split(/, /).map((name) => name.trim().split(/[ =]/)[0] ?? ""));
  expect(flags.length).toBeGreaterThan(0);
  const untested = flags.filter((names) => !names.includes("--help") && !isUsed(command, names));
  expect(untested.map((names) => names.at(-1))).toEqual([]);
});

it.each(commands.filter((name) => name !== "help").map((name) => [name]))(
  "%s has examples that name it",
  async (command) => {
    const [, examples = ""] = (await helpOf(command)).split("\nExamples:\n");
    expect(examples).toContain(`promptpack ${command}`);
  },
);
