import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { LineMap } from "../src/document/scan-text.js";
import { lint, rules, type Diagnostic, type LintResult, type TextEdit } from "../src/index.js";
import { badEntry, clean, oddEvent, yamlPack } from "./cli/packs.js";
import { folderOf, promptpack } from "./cli/harness.js";
import { specVersions } from "../src/text/tool-info.js";

const found = (...args: Parameters<typeof lint>) =>
  lint(...args).diagnostics.map(({ rule, severity }) => `${severity} ${rule}`);

/** As the JSON report has it: a program edits by offset, a reader by line and column, and steps have no places. */
function asReported(text: string, result: LintResult): unknown {
  const lines = new LineMap(text);
  const placed = (key: string, value: unknown): unknown => {
    if (key === "at") return undefined;
    if (key !== "edits") return value;
    return (value as TextEdit[]).map(({ start, end, text }) => ({ range: lines.range(start, end), text }));
  };
  return JSON.parse(JSON.stringify(result, placed));
}

/** As from JavaScript, where nobody checks the types. */
const call = (...args: unknown[]): unknown => Reflect.apply(lint, undefined, args);

describe("lint", () => {
  const fixture = (name: string) => readFileSync(`fixtures/rules/${name}`, "utf8");

  it.each([
    ["a.pack.yaml", yamlPack],
    ["a.pack.json", badEntry.slice(0, -1)],
    ["a.pack.yaml", fixture("skill-path/bad-missing.yaml")],
    ["routes.yaml", fixture("route-missing/bad-no-pipeline.yaml")],
  ])("gives the findings that the command gives for standard input: %s", async (file, text) => {
    const cwd = folderOf({ "promptpack.config.yaml": "extends: errors\n" });
    const args = ["lint", "--no-config", "-", "--stdin-filename", file, "-f", "json"];
    const { stdout } = await promptpack(args, { cwd, stdin: text });
    expect([asReported(text, lint(text, { file }))]).toEqual(
      (JSON.parse(stdout) as { files: unknown }).files,
    );
  });

  it("looks beside the pack where it is told how", async () => {
    const text = fixture("skill-path/bad-missing.yaml");
    const cwd = folderOf({ "a.pack.yaml": text });
    const { stdout } = await promptpack(["lint", "-f", "json"], { cwd });
    const told = lint(text, { file: "a.pack.yaml", fileExists: (path) => existsSync(join(cwd, path)) });
    expect([asReported(text, told)]).toEqual((JSON.parse(stdout) as { files: unknown }).files);
    const isOfPath = ({ rule }: Diagnostic) => rule === "skill-path";
    expect([told, lint(text)].map(({ diagnostics }) => diagnostics.some(isOfPath))).toEqual([true, false]);
  });

  it("reads strings and bytes, and tells the format by name or content", () => {
    expect(found(badEntry)).toEqual(["error unknown-entry"]);
    expect(found(Buffer.from(badEntry))).toEqual(["error unknown-entry"]);
    expect(found(yamlPack)).toEqual(["error unknown-entry", "info event-name-case"]);
    expect(new Set(found(yamlPack, { format: "json" }))).toEqual(new Set(["error parse-error"]));
    expect(new Set(found(yamlPack, { file: "a.json" }))).toEqual(new Set(["error parse-error"]));
  });

  it.each(["terminal-with-transitions/bad-one-event.yaml", "trapped-states/bad-two-states.yaml"])(
    "gives offsets into the string that it was given, also behind a byte order mark: %s",
    (name) => {
      const text = fixture(name);
      const parts = (source: string) =>
        lint(source).diagnostics.map(({ fix, trace }) =>
          [...(fix?.edits ?? []), ...structuredClone(trace?.steps ?? []).flatMap(({ at }) => at ?? [])].map(
            ({ start, end }) => source.slice(start, end),
          ),
        );
      expect(parts(text).flat()).not.toEqual([]);
      expect(parts(`\ufeff${text}`)).toEqual(parts(text));
      expect(lint(Buffer.from(`\ufeff${text}`))).toEqual(lint(text));
      const places = (source: string) => lint(source).diagnostics.map(({ range }) => range);
      expect(places(`\ufeff${text}`)).toEqual(places(text));
    },
  );

  it("takes severities, a spec version and limits", () => {
    expect(found(oddEvent, { rules: { "event-name-case": "error" } })).toEqual(["error event-name-case"]);
    expect(found(oddEvent, { rules: { "event-name-case": "off" } })).toEqual([]);
    expect(lint(clean, { specVersion: "1.3" }).specVersion).toBe("1.3.1");
    expect(found(clean, { limits: { maxDepth: 1 } })).toEqual(["error parse-error"]);
    expect(found(clean, { limits: { maxDepth: Infinity } })).toEqual([]);
  });

  it("takes runtimes, and types of your own", () => {
    const text = `
evals: [{ id: own, type: own_eval, trigger: every_turn }]
prompts: { p: { validators: [{ type: own_words, enabled: true }, { type: toxicity, enabled: true }] } }`;
    const unknown = (options?: Parameters<typeof lint>[1]) =>
      lint(text, options).diagnostics.flatMap(({ rule, pointer }) =>
        /^unknown-.*-type$/.test(rule) ? pointer : [],
      );
    const [own, toxicity] = [0, 1].map((index) => `/prompts/p/validators/${index}/type`);
    expect(unknown()).toEqual(["/evals/0/type", own]);
    expect(unknown({ runtimes: [] })).toEqual([]);
    expect(unknown({ runtimes: ["langchain-js"] })).toEqual([own, toxicity]);
    expect(unknown({ runtimes: ["promptkit", "langchain-js"] })).toEqual(["/evals/0/type", own, toxicity]);
    expect(unknown({ validatorTypes: ["own_words"] })).toEqual(["/evals/0/type"]);
    expect(unknown({ evalTypes: ["own_eval"] })).toEqual([own]);
  });

  it("takes what is undefined as absent", () => {
    const options = { file: undefined, kind: undefined, rules: undefined, limits: { maxDepth: undefined } };
    expect(lint(badEntry, options)).toEqual(lint(badEntry));
    const deep = `{"id": ${"[".repeat(300)}${"]".repeat(300)}}`;
    expect(lint(deep, options)).toEqual(lint(deep));
  });

  it.each([[new Error("no such disk")], [undefined]])("throws what a callback throws: %s", (error) => {
    const fileExists = (): never => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw error;
    };
    const thrown: unknown[] = [];
    try {
      lint(fixture("skill-path/bad-missing.yaml"), { fileExists });
    } catch (caught) {
      thrown.push(caught);
    }
    expect(thrown).toEqual([error]);
    expect(thrown[0]).toBe(error);
  });

  it("throws for a callback that answers with a promise, which would always be yes", () => {
    const options: unknown = { fileExists: () => Promise.resolve(false) };
    const message = '"fileExists" must return true or false.';
    expect(() => call(fixture("skill-path/bad-missing.yaml"), options)).toThrow(new TypeError(message));
  });

  it("reads bytes of another realm", () => {
    const bytes: unknown = runInNewContext("Uint8Array.from(bytes)", { bytes: Buffer.from(badEntry) });
    expect(call(bytes)).toEqual(lint(badEntry));
  });

  const known =
    '"file", "format", "kind", "specVersion", "rules", "runtimes", "validatorTypes", "evalTypes", "inlineConfig", "fileExists", "readFileBeside" and "limits"';
  it.each<[unknown, string]>([
    [{ kind: "route" }, '"kind" cannot be "route". Did you mean "routes"?'],
    [{ kind: null }, '"kind" cannot be "null". Choose "pack" or "routes".'],
    [{ format: "yml" }, '"format" cannot be "yml". Did you mean "yaml"?'],
    [{ format: "toml" }, '"format" cannot be "toml". Choose "json" or "yaml".'],
    [
      { specVersion: "nonsense" },
      `There is no spec version "nonsense". The known versions are ${specVersions.join(", ")} and latest.`,
    ],
    [{ specVersion: 1.4 }, '"specVersion" must be a string.'],
    [
      { rules: { "event-name-cas": "off" } },
      'No rule is called "event-name-cas". Did you mean "event-name-case"?',
    ],
    [{ rules: { constructor: "off" } }, 'No rule is called "constructor". "promptpack rules" lists them.'],
    [{ rules: { "dead-guard": "warn" } }, '"dead-guard" cannot be "warn". Did you mean "warning"?'],
    [
      { rules: { "dead-guard": 2 } },
      '"dead-guard" cannot be "2". Choose "off", "info", "warning" or "error".',
    ],
    [{ rules: ["dead-guard"] }, '"rules" must be an object of rule ids and severities.'],
    [{ rules: new Map([["dead-guard", "off"]]) }, '"rules" must be an object of rule ids and severities.'],
    [Promise.resolve({}), `"options" must be an object with ${known}.`],
    [{ limits: { maxDepth: -1 } }, '"maxDepth" must be a whole number of 0 or more, not "-1".'],
    [{ limits: { maxBytes: "64MB" } }, '"maxBytes" must be a whole number of 0 or more, not "64MB".'],
    [{ limits: { maxByte: 1 } }, '"limits" has no key "maxByte". Did you mean "maxBytes"?'],
    [
      { limits: { maxSize: 1 } },
      '"limits" has no key "maxSize". The known keys are "maxBytes", "maxDepth", "maxAliasNodes" and "maxValues".',
    ],
    [{ runtimes: "promptkit" }, '"runtimes" must be a list.'],
    [{ runtimes: ["promtkit"] }, '"runtimes[0]" cannot be "promtkit". Did you mean "promptkit"?'],
    [{ validatorTypes: ["own", 1] }, '"validatorTypes[1]" must be a string.'],
    [{ evalTypes: null }, '"evalTypes" must be a list.'],
    [{ file: 1 }, '"file" must be a string.'],
    [{ inlineConfig: "false" }, '"inlineConfig" must be a boolean.'],
    [{ fileExists: true }, '"fileExists" must be a function.'],
    [{ ruels: {} }, '"options" has no key "ruels". Did you mean "rules"?'],
    [{ constructor: {} }, `"options" has no key "constructor". The known keys are ${known}.`],
    ["a.pack.yaml", `"options" must be an object with ${known}.`],
    [null, `"options" must be an object with ${known}.`],
  ])("throws for the options %j", (options, message) => {
    expect(() => call(clean, options)).toThrow(new TypeError(message));
  });

  it("takes the options that a module exports", async () => {
    const code = "export const kind = 'routes'; export const rules = {};";
    const options: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    expect(() => call(clean, options)).not.toThrow();
  });

  it.each([[undefined], [null], [{}], [[]], [3], [new Uint16Array(1)]])(
    "throws for the text %s",
    (source) => {
      expect(() => call(source)).toThrow(new TypeError('"source" must be a string or a Uint8Array.'));
    },
  );

  it("says what the command says of the same mistake", async () => {
    const refusal = async (...flags: string[]) => (await promptpack(["lint", ...flags])).stderr;
    const thrown = (options: object) => {
      try {
        return String(call(clean, options));
      } catch (error) {
        return error instanceof Error ? error.message : "";
      }
    };
    expect(await refusal("--kind", "route")).toBe(
      `promptpack: ${thrown({ kind: "route" }).replace("kind", "--kind")}\n`,
    );
    expect(await refusal("--rule", "dead-guard:warn")).toBe(
      `promptpack: ${thrown({ rules: { "dead-guard": "warn" } }).replace("dead-guard", "--rule dead-guard")}\n`,
    );
    expect(await refusal("--max-depth", "-1")).toBe(
      `promptpack: ${thrown({ limits: { maxDepth: -1 } }).replace("maxDepth", "--max-depth")}\n`,
    );
  });

  it("heeds comments, unless told not to", () => {
    const text = yamlPack.replace("# the door", "# promptpack-disable-next-line unknown-entry");
    expect(found(text)).toEqual(["info event-name-case"]);
    expect(found(text, { inlineConfig: false })).toEqual(["error unknown-entry", "info event-name-case"]);
  });
});

it("describes the rules", () => {
  expect(rules.find(({ id }) => id === "unknown-entry")).toEqual({
    id: "unknown-entry",
    summary: expect.any(String) as string,
    severity: "error",
    fix: "unsafe",
    source: expect.stringMatching(/^RFC 0005/) as string,
  });
  expect(rules.find(({ id }) => id === "dead-guard")).not.toHaveProperty("fix");
});
