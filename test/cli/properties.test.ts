import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Editor } from "../editor/editor.js";
import { folderOf, promptpack } from "./harness.js";
import { clean } from "./packs.js";

/** A pack whose second refund needs no approval, and that has no other finding. */
const refunds = `id: refunds
name: Refunds
version: 1.0.0
template_engine: { version: v1, syntax: "{{variable}}" }
prompts:
  talk: { id: talk, name: Talk, version: 1.0.0, system_template: "Emit Wanted, Solved, Approved, Denied, Paid or OneMore." }
workflow:
  version: 2
  entry: desk
  engine: { budget: { max_total_visits: 20 } }
  states:
    desk: { prompt_task: talk, on_event: { Wanted: approval, Solved: done } }
    approval: { prompt_task: talk, on_event: { Approved: refund, Denied: done } }
    refund: { prompt_task: talk, max_visits: 3, on_max_visits: done, on_event: { Paid: done, OneMore: refund } }
    done: { prompt_task: talk, terminal: true }
`;
const fixed = refunds
  .replace("max_visits: 3, on_max_visits: done, ", "")
  .replace("OneMore: refund", "OneMore: done");

const promise = `properties:
  - name: own approval
    never: refund
    before: approval
    since: refund
`;
const brokenLine =
  'a.pack.yaml:14:5: warning: The property "own approval" is broken: this run enters "refund" without having entered "approval" since it last entered "refund". [property-broken]\n';

const config = "promptpack.config.yaml";

async function lintIn(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const cwd = folderOf(files);
  return { cwd, ...(await promptpack(["lint", "-f", "compact", ...args], { cwd })) };
}

describe("a property in the config", () => {
  it("is proved for every run, and broken by the shortest one", async () => {
    const broken = await lintIn({ "a.pack.yaml": refunds, [config]: promise });
    expect(broken).toMatchObject({ code: 0, stdout: brokenLine, stderr: "" });
    expect(await lintIn({ "a.pack.yaml": fixed, [config]: promise })).toMatchObject({ code: 0, stdout: "" });
  });

  it("is read from package.json as well", async () => {
    const manifest = JSON.stringify({
      promptpack: { properties: [{ name: "own approval", never: "refund" }] },
    });
    const { stdout } = await lintIn({ "a.pack.yaml": refunds, "package.json": manifest });
    expect(stdout).toContain("[property-broken]");
  });

  it.each([
    ["", "warning", 0],
    ["    severity: error\n", "error", 1],
    ["    severity: info\n", "info", 0],
  ])("has the severity that it names: %j", async (line, severity, exitCode) => {
    const { code, stdout } = await lintIn({ "a.pack.yaml": refunds, [config]: promise + line });
    expect(stdout).toContain(`: ${severity}: The property`);
    expect(code).toBe(exitCode);
  });

  it("keeps its severity only while the rule is on", async () => {
    const strict = `${promise}    severity: error\nrules: { property-broken: off }\n`;
    expect(await lintIn({ "a.pack.yaml": refunds, [config]: strict })).toMatchObject({ code: 0, stdout: "" });
    const level = `${promise}rules: { property-broken: error }\n`;
    expect((await lintIn({ "a.pack.yaml": refunds, [config]: level })).code).toBe(1);
  });

  it("is suppressed by a comment, by the config and by a baseline", async () => {
    const comment = refunds.replace(
      "    refund:",
      "    # promptpack-disable-next-line property-broken\n    refund:",
    );
    expect(await lintIn({ "a.pack.yaml": comment, [config]: promise })).toMatchObject({
      code: 0,
      stdout: "",
    });
    const entry =
      "ignore: [{ file: a.pack.yaml, rule: property-broken, pointer: /workflow/states/refund }]\n";
    expect((await lintIn({ "a.pack.yaml": refunds, [config]: promise + entry })).stdout).toBe("");
    const { cwd } = await lintIn(
      { "a.pack.yaml": refunds, [config]: promise },
      "--baseline",
      "b.json",
      "--update-baseline",
    );
    const known = await promptpack(["lint", "-f", "compact", "--baseline", "b.json"], { cwd });
    expect(known).toMatchObject({ code: 0, stdout: "" });
  });

  it("leaves a comment alone that is about a property that is not judged", async () => {
    const comment = fixed.replace(
      "    refund:",
      "    # promptpack-disable-next-line property-broken\n    refund:",
    );
    const stale = await lintIn({ "a.pack.yaml": comment, [config]: promise });
    expect(stale.stdout).toContain('"property-broken" reports nothing here');
    expect((await lintIn({ "a.pack.yaml": comment })).stdout).toBe("");
    const misspelt = promise.replace("approval\n    since", "aproval\n    since");
    const unjudged = await lintIn({ "a.pack.yaml": comment, [config]: misspelt });
    expect(unjudged.stdout).not.toContain("unused-suppression");
  });

  it("is listed by --print-config for the files that it is for", async () => {
    const cwd = folderOf({ [config]: `${promise}    files: support/*.yaml\n` });
    const shown = async (file: string) =>
      JSON.parse((await promptpack(["lint", "--print-config", file], { cwd })).stdout) as object;
    expect(await shown("support/a.yaml")).toMatchObject({ properties: ["own approval"] });
    expect(await shown("a.yaml")).not.toHaveProperty("properties");
  });
});

describe("reports of a broken property", () => {
  const files = { "packs/a.pack.yaml": refunds, [config]: promise };
  const report = async (format: string) => {
    const { stdout } = await promptpack(["lint", "-f", format, "."], { cwd: join(folderOf(files), "packs") });
    return stdout;
  };

  it("name the place of the property in pretty", async () => {
    expect(await report("pretty")).toContain(
      "       the property is declared here: ../promptpack.config.yaml:2:11\n       desk ─Wanted→ approval ─Approved→ refund ─OneMore→ refund\n",
    );
  });

  it("name it in JSON, with the run", async () => {
    const json = JSON.parse(await report("json"));
    const schema = JSON.parse(readFileSync("schema/report.schema.json", "utf8")) as object;
    expect(new Ajv2020({ strict: false }).validate(schema, json)).toBe(true);
    expect(json.files[0].diagnostics).toMatchObject([
      {
        rule: "property-broken",
        pointer: "/workflow/states/refund",
        data: { property: "own approval" },
        related: [
          {
            message: "the property is declared here",
            file: "../promptpack.config.yaml",
            pointer: "/properties/0/name",
            range: { start: { line: 2, column: 11 }, end: { line: 2, column: 23 } },
          },
        ],
        trace: {
          root: "desk",
          steps: [
            { from: "desk", event: "Wanted", to: "approval" },
            { from: "approval", event: "Approved", to: "refund" },
            { from: "refund", event: "OneMore", to: "refund" },
          ],
        },
      },
    ]);
  });

  it("name it in SARIF", async () => {
    const [result] = JSON.parse(await report("sarif")).runs[0].results;
    expect(result.relatedLocations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "../promptpack.config.yaml" },
      region: { startLine: 2, startColumn: 11, endLine: 2, endColumn: 23 },
    });
  });

  it("name it in an editor", async () => {
    const cwd = folderOf(files);
    const editor = await Editor.in(cwd);
    await editor.open("packs/a.pack.yaml", refunds);
    const { diagnostics } = await editor.next();
    expect(diagnostics.map(({ code }) => code)).toEqual(["property-broken"]);
    expect(diagnostics[0]?.relatedInformation?.[0]).toEqual({
      location: {
        uri: pathToFileURL(join(cwd, config)).href,
        range: { start: { line: 1, character: 10 }, end: { line: 1, character: 22 } },
      },
      message: "the property is declared here",
    });
  });
});

describe("a pack is concerned", () => {
  const other = "b.pack.json";

  it("if it has one of the names, and not otherwise", async () => {
    const { stdout, code } = await lintIn({ "a.pack.yaml": refunds, [other]: clean, [config]: promise });
    expect({ stdout, code }).toEqual({ stdout: brokenLine, code: 0 });
  });

  it("if it matches the files, whatever names it has", async () => {
    const both = `${promise}    files: "*.pack.*"\n`;
    const { stdout, code } = await lintIn({ "a.pack.yaml": refunds, [other]: clean, [config]: both });
    const lacks = (line: string, name: string) =>
      `${config}:${line}: error: The property "own approval" names the state "${name}", which "${other}" does not have. [property-unknown-name]\n`;
    expect(stdout).toBe(
      brokenLine + lacks("3:12", "refund") + lacks("4:13", "approval") + lacks("5:12", "refund"),
    );
    expect(code).toBe(1);
  });

  it("only if it matches the files", async () => {
    const elsewhere = `${promise}    files: [c/, d.pack.yaml]\n`;
    const { stdout } = await lintIn({ "a.pack.yaml": refunds, "c/a.pack.yaml": fixed, [config]: elsewhere });
    expect(stdout).toBe("");
  });

  it("whatever it has, if the property has no names", async () => {
    const short = 'properties:\n  - { name: short, at-most: 1, of: "*" }\n';
    const { stdout } = await lintIn({ "a.pack.yaml": refunds, [other]: clean, [config]: short });
    expect(stdout.match(/\[property-broken\]/gu)).toHaveLength(2);
  });
});

describe("an unknown name", () => {
  const misspelt = promise.replace("before: approval", "before: aproval # the clerk's");
  const finding = (files: string) =>
    `${config}:4:13: error: The property "own approval" names the state "aproval", which ${files} not have. Did you mean "approval"? [property-unknown-name]\n`;

  it("is reported in the config, once for all packs, and its property is not judged", async () => {
    const { stdout, code } = await lintIn({
      "a.pack.yaml": refunds,
      "b.pack.yaml": refunds,
      [config]: misspelt,
    });
    expect({ stdout, code }).toEqual({ stdout: finding('"a.pack.yaml" and "b.pack.yaml" do'), code: 1 });
  });

  it("is reported for a single file, too", async () => {
    const { stdout } = await lintIn({ "a.pack.yaml": refunds, [config]: misspelt }, "a.pack.yaml");
    expect(stdout).toBe(finding('"a.pack.yaml" does'));
  });

  it("is reported if no pack has it, but only when the folder of the config is searched", async () => {
    const lost = `properties:\n  - name: lost\n    never: invoice\n    files: "*.yaml"\n  - name: misspelt\n    possible: { event: Solvd }\n`;
    const files = {
      "x/a.pack.yaml": refunds,
      "x/b.pack.json": clean,
      [config]: lost.replace("*.yaml", "*.yml"),
    };
    const { cwd, stdout } = await lintIn(files);
    expect(stdout).toBe(
      `${config}:3:12: error: The property "lost" names the state "invoice", which no pack among its files has. [property-unknown-name]\n` +
        `${config}:6:24: error: The property "misspelt" names the event "Solvd", which no pack has. Did you mean "Solved"? [property-unknown-name]\n`,
    );
    for (const path of ["x", "x/a.pack.yaml", "x/*.yaml"])
      expect((await promptpack(["lint", "-f", "compact", path], { cwd })).stdout).toBe("");
    const named = await promptpack(["lint", "-f", "compact", "x", "--config", config], { cwd });
    expect(named.stdout).toBe(stdout);
  });

  it("is not reported while a pack that may have it cannot be read", async () => {
    const lost = "properties:\n  - name: lost\n    never: invoice\n";
    const { stdout } = await lintIn({ "a.pack.yaml": refunds, "b.pack.json": "{", [config]: lost });
    expect(stdout).not.toContain("property-unknown-name");
  });

  it("is not reported if the rule is off", async () => {
    const off = `${misspelt}rules: { property-unknown-name: off }\n`;
    expect((await lintIn({ "a.pack.yaml": refunds, [config]: off })).stdout).toBe("");
  });

  it("is not suggested in place of a name that another pack has", async () => {
    const other = refunds.replaceAll(/approval/gu, "aproval");
    const { stdout } = await lintIn({ "a.pack.yaml": refunds, "b.pack.yaml": other, [config]: misspelt });
    expect(stdout).toContain('which "a.pack.yaml" does not have. Correct it, or list');
  });

  it("is corrected by --fix --unsafe-fixes, and the property is then judged", async () => {
    const { cwd, stdout, stderr, code } = await lintIn(
      { "a.pack.yaml": refunds, [config]: misspelt },
      "--fix",
      "--unsafe-fixes",
    );
    expect({ stdout, stderr, code }).toEqual({
      stdout: brokenLine,
      stderr: "promptpack: Fixed 1 finding in 1 file.\n",
      code: 0,
    });
    expect(readFileSync(join(cwd, config), "utf8")).toBe(misspelt.replace("aproval", "approval"));
  });

  it("is corrected in package.json, which keeps its layout", async () => {
    const manifest =
      '\ufeff{\r\n\t"promptpack": {"properties": [{"name": "p", "possible": ["refund", "Refnd"]}]}\r\n}\r\n';
    const { cwd } = await lintIn(
      { "a.pack.yaml": refunds, "package.json": manifest },
      "--fix",
      "--unsafe-fixes",
    );
    expect(readFileSync(join(cwd, "package.json"), "utf8")).toBe(manifest.replace("Refnd", "refund"));
  });

  it("is not corrected for a pack from standard input", async () => {
    const cwd = folderOf({ [config]: misspelt });
    const args = ["lint", "-", "--stdin-filename", "a.pack.yaml", "--fix", "--unsafe-fixes"];
    const { stdout, stderr } = await promptpack([...args, "-f", "compact"], { cwd, stdin: refunds });
    expect({ stdout, stderr }).toEqual({ stdout: refunds, stderr: finding('"a.pack.yaml" does') });
    expect(readFileSync(join(cwd, config), "utf8")).toBe(misspelt);
  });

  it("is not corrected without --unsafe-fixes, and shown as a diff on request", async () => {
    const { cwd, stdout } = await lintIn({ "a.pack.yaml": refunds, [config]: misspelt }, "--fix");
    expect(stdout).toContain("[property-unknown-name]");
    const shown = await promptpack(["lint", "--fix-dry-run", "--unsafe-fixes", "-f", "compact"], { cwd });
    expect(shown.stdout).toContain(
      "-    before: aproval # the clerk's\n+    before: approval # the clerk's\n",
    );
    expect(shown.stderr).not.toContain("property-unknown-name");
    expect(readFileSync(join(cwd, config), "utf8")).toBe(misspelt);
  });
});

describe("a mistake in a property", () => {
  const isValid = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync("schema/config.schema.json", "utf8")) as object,
  );
  const scopes = '"before" and "since", or "after" and "until"';
  const step = 'the name of a state, "*", or an object with "event" or "spent"';
  const choices = '"never", "eventually", "at-most", "ends-in", "always-possible" or "possible"';

  it.each<[line: string, marked: string, message: string]>([
    ["never: a, nevre: b", "nevre", 'A property has no key "nevre". Did you mean "never"?'],
    ["from: a", "{ name", `A property needs one of ${choices}.`],
    [
      "never: a, possible: b",
      "possible",
      '"possible" cannot be combined with "never": write two properties.',
    ],
    ["eventually: a, before: b", "before", '"before" does not fit here: "eventually" takes "after".'],
    ["possible: a, after: b", "after", '"after" does not fit here: "possible" takes no other step.'],
    ["ends-in: a, until: b", "until", '"until" does not fit here: "ends-in" takes no other step.'],
    ["always-possible: a, since: b", "since", '"since" does not fit here: "always-possible" takes "until".'],
    ["never: a, of: b", "of", `"of" does not fit here: "never" takes ${scopes}.`],
    ["never: a, since: b", "since", `"since" does not fit here: "never" takes ${scopes}.`],
    ["never: a, before: b, until: c", "until", `"until" does not fit here: "never" takes ${scopes}.`],
    ["never: a, before: b, after: c", "after", `"after" does not fit here: "never" takes ${scopes}.`],
    ["at-most: 1", "at-most", '"at-most" needs "of", the step that is counted.'],
    ["at-most: -1, of: a", "-1", '"at-most" must be a whole number of 0 or more, not "-1".'],
    ["at-most: 1.5, of: a", "1.5", '"at-most" must be a whole number of 0 or more, not "1.5".'],
    ["at-most: [1], of: a", "at-most", '"at-most" must be a whole number of 0 or more, not "sequence".'],
    ["ends-in: [a, { event: E }]", "{ event", '"ends-in" takes only states.'],
    ["never: 3", "3", `A step must be ${step}.`],
    ["never: [a, [b]]", "[b]", `A step must be ${step}.`],
    ['never: ""', '""', `A step must be ${step}.`],
    ["never: []", "never", '"never" is empty.'],
    ["never: { evnt: E }", "evnt", 'A step has no key "evnt". Did you mean "event"?'],
    [
      "never: { state: a }",
      "never",
      'A step needs "event" or "spent"; a state that is entered is just its name.',
    ],
    ["never: { spent: a, event: E }", "never", '"spent" cannot be combined with other keys.'],
    ["never: { event: 3 }", "3", '"event" must be a string.'],
    ['never: { spent: "*" }', '"*"', 'Here, "*" is no state: name one.'],
    ["never: a, from: [3]", "3", 'A state in "from" must be a string.'],
    ["never: a, severity: off", "off", '"off" is not a severity. Choose "error", "warning" or "info".'],
    ["never: a, files: []", "files", '"files" is empty, so it matches no file.'],
  ])("%s", async (line, marked, message) => {
    const item = `  - { name: p, ${line} }`;
    const text = `properties:\n${item}\n`;
    expect(isValid(parse(text))).toBe(false);
    const place = `2:${item.indexOf(marked) + 1}`;
    const { code, stdout, stderr } = await lintIn({ "a.pack.yaml": refunds, [config]: text });
    const [first = ""] = stderr.split("\n");
    expect({ code, stdout, first }).toEqual({
      code: 2,
      stdout: "",
      first: `promptpack: ${config}:${place}: ${message}`,
    });
  });

  it.each([
    "never: a",
    "never: [a, { event: E }, { state: a, event: E }, { spent: a }]",
    "never: a, before: b, since: c",
    "never: a, after: b, until: c",
    "eventually: a, after: b",
    'at-most: 0, of: "*", since: b',
    "ends-in: [a, b]",
    "always-possible: a, until: b",
    "possible: a, from: [a], severity: info, files: [a/, b]",
  ])("is none: %s", async (line) => {
    const text = `properties:\n  - { name: p, ${line} }\n`;
    expect(isValid(parse(text))).toBe(true);
    const cwd = folderOf({ [config]: text });
    expect(await promptpack(["lint", "--print-config", "a"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([
    ["{ never: a }", "3:5", '"name" is missing.'],
    ["{ name: '', never: a }", "3:13", '"name" is empty.'],
    ["{ name: p, possible: b }", "3:13", 'Another property is called "p", too.'],
    ["p", "3:5", 'A property must be an object with "name"'],
  ])("in its name: %s", async (second, place, message) => {
    const text = `properties:\n  - { name: p, never: a }\n  - ${second}\n`;
    const { code, stderr } = await lintIn({ "a.pack.yaml": refunds, [config]: text });
    expect(code).toBe(2);
    expect(stderr).toContain(`promptpack: ${config}:${place}: ${message}`);
  });
});
