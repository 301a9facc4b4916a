import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noLevels } from "../../src/lint/run-rules.js";
import type { Diagnostic, Severity } from "../../src/diagnostic.js";
import { readDocument } from "../../src/document/read.js";
import { lint } from "../../src/index.js";
import { applyEdits } from "../../src/fix/apply-edits.js";
import { suppressByComments } from "../../src/suppress/comments.js";
import { rules } from "../../src/rules/index.js";
import { folderOf, promptpack } from "../cli/harness.js";
import { yamlPack } from "../cli/packs.js";

const only = (...ids: readonly string[]) =>
  Object.fromEntries(rules.flatMap(({ id }) => (ids.includes(id) ? [] : [[id, "off" as const]])));

/** Suppresses findings given as `rule@pointer`, and shows what is kept and suppressed. */
function suppressed(
  yaml: string,
  findings: readonly string[],
  options: { off?: readonly string[]; severity?: Severity | "off" } = {},
): { kept: string[]; suppressed: string[] } {
  const document = readDocument(yaml, "yaml");
  const diagnostics = findings.map((finding): Diagnostic => {
    const [rule = "", pointer = ""] = finding.split("@");
    const range = { start: { line: 99, column: 1 }, end: { line: 99, column: 2 } };
    return { rule, severity: "error", message: "m", pointer, range };
  });
  const found = { kept: diagnostics, suppressed: [] };
  const levels = new Map([["unused-suppression", options.severity ?? "warning"]]);
  const result = suppressByComments(document, found, levels, options.off ?? []);
  const show = ({ rule, pointer, message, range }: Diagnostic) =>
    message === "m" ? `${rule}@${pointer}` : `${range.start.line}:${range.start.column} ${message}`;
  return {
    kept: result.kept.map(show),
    suppressed: result.suppressed.map(
      ({ diagnostic, reason }) => show(diagnostic) + (reason === undefined ? "" : ` (${reason})`),
    ),
  };
}

const states = (comment: string, trailing = "") => `workflow:
  entry: a
  states:
    ${comment}
    a:${trailing}
      on_event:
        Go: b
    b:
      terminal: true
`;

describe("a comment alone on its line", () => {
  it("covers the node below it with all that is in it, and nothing else", () => {
    const findings = [
      "dead-guard@/workflow",
      "dead-guard@/workflow/states",
      "dead-guard@/workflow/states/a",
      "dead-guard@/workflow/states/a/on_event/Go",
      "dead-guard@/workflow/states/ab",
      "dead-guard@/workflow/states/b",
      "unknown-entry@/workflow/states/a",
    ];
    expect(
      suppressed(states("# promptpack-disable-next-line dead-guard -- known, see #4"), findings),
    ).toEqual({
      kept: [
        "dead-guard@/workflow",
        "dead-guard@/workflow/states",
        "dead-guard@/workflow/states/ab",
        "dead-guard@/workflow/states/b",
        "unknown-entry@/workflow/states/a",
      ],
      suppressed: [
        "dead-guard@/workflow/states/a (known, see #4)",
        "dead-guard@/workflow/states/a/on_event/Go (known, see #4)",
      ],
    });
  });

  it("covers only the first entry of the file, not the file", () => {
    const yaml = "# promptpack-disable-next-line dead-guard\nname: x\nversion: y\n";
    expect(suppressed(yaml, ["dead-guard@/name", "dead-guard@/version", "dead-guard@"])).toEqual({
      kept: ["dead-guard@", "dead-guard@/version"],
      suppressed: ["dead-guard@/name"],
    });
  });

  it("covers a whole item of a list, across blank lines and other comments", () => {
    const yaml =
      "list:\n  # promptpack-disable-next-line dead-guard\n\n  # why\n  - name: x\n    type: y\n  - name: z\n";
    const findings = [
      "dead-guard@/list/0",
      "dead-guard@/list/0/type",
      "dead-guard@/list/1",
      "dead-guard@/list",
    ];
    expect(suppressed(yaml, findings)).toEqual({
      kept: ["dead-guard@/list", "dead-guard@/list/1"],
      suppressed: ["dead-guard@/list/0", "dead-guard@/list/0/type"],
    });
  });

  it.each(["no", "'no'", "|\n    no", "{ b: 1, c: [2] }", "[1, 2]", "&y { b: 1 }", "!!str no", "*z"])(
    "covers the value below it, whose key stands above it: %s",
    (value) => {
      const yaml = `z: &z { b: 1 }\nx:\n  a:\n    # promptpack-disable-next-line dead-guard\n    ${value}\n  d: 1\n`;
      expect(
        suppressed(yaml, ["dead-guard@/x", "dead-guard@/x/a", "dead-guard@/x/a/c/0", "dead-guard@/x/d"]),
      ).toEqual({
        kept: ["dead-guard@/x", "dead-guard@/x/d"],
        suppressed: ["dead-guard@/x/a", "dead-guard@/x/a/c/0"],
      });
    },
  );

  it.each(["b: 1", "- 1", "&y\n    b: 1", '"b": 1'])(
    "covers the first part of a block below it: %s",
    (block) => {
      const yaml = `x:\n  a:\n    # promptpack-disable-next-line dead-guard\n    ${block}\n  d: 1\n`;
      expect(suppressed(yaml, ["dead-guard@/x/a", "dead-guard@/x/a/b", "dead-guard@/x/a/0"])).toMatchObject({
        kept: ["dead-guard@/x/a", block === "- 1" ? "dead-guard@/x/a/b" : "dead-guard@/x/a/0"],
      });
    },
  );

  it("covers the entry below it where the one above has no value", () => {
    const yaml = "a:\n# promptpack-disable-next-line dead-guard\nb: 1\n";
    expect(suppressed(yaml, ["dead-guard@/a", "dead-guard@/b"])).toEqual({
      kept: ["dead-guard@/a"],
      suppressed: ["dead-guard@/b"],
    });
  });

  it("silences several rules", () => {
    const yaml = "# promptpack-disable-next-line dead-guard, unknown-entry\na: 1\n";
    expect(suppressed(yaml, ["dead-guard@/a", "unknown-entry@/a"])).toEqual({
      kept: [],
      suppressed: ["dead-guard@/a", "unknown-entry@/a"],
    });
  });
});

describe("a comment at the end of a line", () => {
  it("covers a value that begins on the line, with its key above", () => {
    const yaml = "x:\n  { a: 1, b: 2 } # promptpack-disable-line dead-guard\ny: 1\n";
    expect(suppressed(yaml, ["dead-guard@/x", "dead-guard@/x/b", "dead-guard@/y"])).toEqual({
      kept: ["dead-guard@/y"],
      suppressed: ["dead-guard@/x", "dead-guard@/x/b"],
    });
  });

  it.each(["promptpack-disable-next-line", "promptpack-disable-line"])(
    "%s covers the node of the line",
    (word) => {
      const yaml = states("# nothing", ` # ${word} dead-guard`);
      expect(
        suppressed(yaml, ["dead-guard@/workflow/states/a/on_event", "dead-guard@/workflow/states/b"]),
      ).toEqual({
        kept: ["dead-guard@/workflow/states/b"],
        suppressed: ["dead-guard@/workflow/states/a/on_event"],
      });
    },
  );

  it("covers everything that begins on the line", () => {
    const yaml = "x:\n  [a, {b: c}, d] # promptpack-disable-line dead-guard\ny: 1\n";
    expect(
      suppressed(yaml, ["dead-guard@/x/0", "dead-guard@/x/1/b", "dead-guard@/x/2", "dead-guard@/y"]),
    ).toEqual({
      kept: ["dead-guard@/y"],
      suppressed: ["dead-guard@/x/0", "dead-guard@/x/1/b", "dead-guard@/x/2"],
    });
  });

  it.each(["-", "- &z", "- !!map", "- &z !!map", "- -", "-   "])(
    "covers the item that begins with %s",
    (dash) => {
      const yaml = `x:\n- a: 1\n${dash} # promptpack-disable-line dead-guard\n    b: 1\n    c: 1\n- d: 1\n`;
      expect(
        suppressed(yaml, ["dead-guard@/x/0/a", "dead-guard@/x/1", "dead-guard@/x/1/c", "dead-guard@/x/2"]),
      ).toEqual({
        kept: ["dead-guard@/x/0/a", "dead-guard@/x/2"],
        suppressed: ["dead-guard@/x/1", "dead-guard@/x/1/c"],
      });
    },
  );

  it.each(["-", "- &z", "- !!null", "- -"])("covers an empty item that begins with %s", (dash) => {
    const yaml = `x:\n${dash} # promptpack-disable-line dead-guard\n- d: 1\n`;
    expect(suppressed(yaml, ["dead-guard@/x/0", "dead-guard@/x/1"])).toEqual({
      kept: ["dead-guard@/x/1"],
      suppressed: ["dead-guard@/x/0"],
    });
  });

  it("covers what ends on the line when nothing begins there", () => {
    const yaml = "x: [\n  a\n  ] # promptpack-disable-line dead-guard\ny: 1\n";
    expect(suppressed(yaml, ["dead-guard@/x", "dead-guard@/y"])).toEqual({
      kept: ["dead-guard@/y"],
      suppressed: ["dead-guard@/x"],
    });
  });
});

describe("promptpack-disable", () => {
  it("covers the file, wherever it stands", () => {
    const yaml = "a: 1\nb: 2\n# promptpack-disable dead-guard -- later\n";
    expect(suppressed(yaml, ["dead-guard@", "dead-guard@/a", "unknown-entry@/b"])).toEqual({
      kept: ["unknown-entry@/b"],
      suppressed: ["dead-guard@ (later)", "dead-guard@/a (later)"],
    });
  });
});

describe("unused-suppression", () => {
  it.each([
    ["# promptpack-disable-next-line dead-guard", '"dead-guard" reports nothing here: remove the comment.'],
    ["# promptpack-disable dead-guard", '"dead-guard" reports nothing in this file: remove the comment.'],
    [
      "# promptpack-disable-next-line",
      'This comment names no rule, so it silences nothing. Name the rules to silence: "promptpack rules" lists all rules.',
    ],
    [
      "# promptpack-disable -- reason",
      'This comment names no rule, so it silences nothing. Name the rules to silence: "promptpack rules" lists all rules.',
    ],
    [
      "# promptpack-disable all",
      '"all" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "# promptpack-disable-next-line *",
      '"*" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "# promptpack-disable all of them are known",
      '"all of them are known" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    ["# promptpack-disable ded-guard", 'No rule is called "ded-guard". Did you mean "dead-guard"?'],
    [
      "# promptpack-disable zzz",
      '"zzz" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    ["# promptpack-disable zzz -- meant", '"zzz" is not a rule. "promptpack rules" lists all rules.'],
    [
      "# promptpack-disable toString",
      '"toString" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "# promptpack-disable because our runtime, which we like, is old",
      '"because our runtime, which we like, is o…" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "# promptpack-disable dead-guard because it is old",
      '"dead-guard" reports nothing in this file: remove the comment.',
    ],
    [
      "# promptpack-enable dead-guard",
      '"promptpack-enable" does nothing: a comment cannot turn a rule back on. To silence a rule in one part of the file only, put "promptpack-disable-next-line" above that part.',
    ],
    [
      "# promptpack-disble dead-guard",
      '"promptpack-disble" silences nothing. Did you mean "promptpack-disable"?',
    ],
    [
      "# promptpack-disable-nextline dead-guard",
      '"promptpack-disable-nextline" silences nothing. Did you mean "promptpack-disable-next-line"?',
    ],
    [
      "# promptpack-disable unused-suppression",
      '"unused-suppression" reports nothing in this file: remove the comment.',
    ],
  ])("%s", (comment, message) => {
    expect(suppressed(`a: 1\n${comment}\nb: 2\n`, [])).toEqual({ kept: [`2:1 ${message}`], suppressed: [] });
  });

  it("is known again without its advice", () => {
    const document = readDocument("# promptpack-disble dead-guard\na: 1\n", "yaml");
    const { kept } = suppressByComments(document, { kept: [], suppressed: [] }, noLevels, []);
    expect(kept.map(({ claim }) => claim)).toEqual(['"promptpack-disble" silences nothing.']);
  });

  it("tells a stale name from one that is needed", () => {
    const yaml = "# promptpack-disable-next-line dead-guard, unknown-entry\na: 1\n";
    expect(suppressed(yaml, ["dead-guard@/a"])).toEqual({
      kept: ['1:1 "unknown-entry" reports nothing here: remove the name from the comment.'],
      suppressed: ["dead-guard@/a"],
    });
  });

  it("keeps a comment whose other name is only misspelt", () => {
    const yaml = "# promptpack-disable-next-line dead-guard, unknwn-entry\na: 1\n";
    expect(suppressed(yaml, []).kept).toEqual([
      '1:1 "dead-guard" reports nothing here: remove the name from the comment.',
      '1:1 No rule is called "unknwn-entry". Did you mean "unknown-entry"?',
    ]);
  });

  it.each([
    ["# promptpack-disable-nextline dead-guard", "# promptpack-disable-next-line dead-guard"],
    ["# promptpack-disable x, unknwn-entry: -- y", "# promptpack-disable x, unknown-entry: -- y"],
    [
      "#promptpack-disable: some-unknwn-entry-or-other, unknwn-entry",
      "#promptpack-disable: some-unknwn-entry-or-other, unknown-entry",
    ],
  ])("has fixes for misspelt words: %s", (comment, corrected) => {
    const document = readDocument(`${comment}\na: 1\n`, "yaml");
    const { kept } = suppressByComments(document, { kept: [], suppressed: [] }, noLevels, ["unknown-entry"]);
    const fixes = kept.flatMap(({ fix }) => fix ?? []);
    expect(fixes.map(({ edits }) => applyEdits(comment, edits))).toEqual([corrected]);
    expect(fixes.map(({ unsafe }) => unsafe)).toEqual([true]);
  });

  it("takes a colon behind its word for none", () => {
    const yaml = "# promptpack-disable-next-line: dead-guard -- meant\na: 1\n";
    expect(suppressed(yaml, ["dead-guard@/a"])).toEqual({ kept: [], suppressed: ["dead-guard@/a (meant)"] });
  });

  it.each([
    [
      "dead-guard because our runtime is old",
      '"because our runtime is old" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "dead-guard: meant",
      '"meant" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "dead-guard, unknown-entry--the runtime is old",
      '"unknown-entry--the runtime is old" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "dead-guard as in the old--runtime",
      '"as in the old--runtime" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "dead-guard - meant",
      '"- meant" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "dead-guard, no unknown-entry",
      '"no unknown-entry" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    [
      "zzz, dead-guard, yyy",
      '"zzz, yyy" is not a rule. Put " -- " before a reason; "promptpack rules" lists all rules.',
    ],
    ["dead-guard, unknwn-entry", 'No rule is called "unknwn-entry". Did you mean "unknown-entry"?'],
  ])("silences what it can and tells once what %j says besides", (list, message) => {
    const yaml = `# promptpack-disable ${list}\na: 1\n`;
    expect(suppressed(yaml, ["dead-guard@/a", "unknown-entry@/a"])).toEqual({
      kept: [`1:1 ${message}`, "unknown-entry@/a"],
      suppressed: ["dead-guard@/a"],
    });
  });

  it.each(["dead-guard --meant", "dead-guard: -- meant", "dead-guard, -- meant"])(
    "has a reason: %s",
    (list) => {
      expect(suppressed(`# promptpack-disable ${list}\na: 1\n`, ["dead-guard@/a"])).toEqual({
        kept: [],
        suppressed: ["dead-guard@/a (meant)"],
      });
    },
  );

  it("is silent about rules that are off, about other comments, and when it is off itself", () => {
    expect(
      suppressed("a: 1 # promptpack-disable-line dead-guard\n", [], { off: ["dead-guard"] }).kept,
    ).toEqual([]);
    expect(
      suppressed("a: 1 # promptpack is a linter\n# promptpack-cli\n# promptpack-ignore dead-guard\n", [])
        .kept,
    ).toEqual([]);
    expect(suppressed("a: 1 # promptpack-disable-line dead-guard\n", [], { severity: "off" }).kept).toEqual(
      [],
    );
  });

  it("reports a stale comment only in a file without errors", () => {
    const stale = "# promptpack-disable dead-guard\n";
    const rulesIn = (text: string) => lint(stale + text).diagnostics.map(({ rule }) => rule);
    expect(rulesIn(yamlPack.replace("helo", "hello"))).toEqual(["unused-suppression", "event-name-case"]);
    expect(rulesIn(yamlPack)).toEqual(["unknown-entry", "event-name-case"]);
    const isSilent = "# promptpack-disable-line unknown-entry";
    expect(rulesIn(yamlPack.replace("helo", `helo ${isSilent}`))).toEqual(["event-name-case"]);
  });

  it("can be silenced itself", () => {
    const yaml = "# promptpack-disable unused-suppression\na: 1 # promptpack-disable-line dead-guard\n";
    expect(suppressed(yaml, [])).toEqual({
      kept: [],
      suppressed: ['2:6 "dead-guard" reports nothing here: remove the comment.'],
    });
  });
});

describe("what aliases repeat", () => {
  const yaml = `# promptpack-disable-next-line dead-guard -- all of it
a: &a
  x: &x
    y: 1
  # promptpack-disable-next-line unknown-entry -- the alias
  z: *x
b: *a
`;
  /** The findings of the pointers, each shown at a line of the text above. */
  const silenced = (findings: readonly (readonly [rule: string, pointer: string, line: number])[]) => {
    const diagnostics = findings.map(([rule, pointer, line]): Diagnostic => {
      const range = { start: { line, column: 5 }, end: { line, column: 6 } };
      return { rule, severity: "error", message: "m", pointer, range };
    });
    const found = { kept: diagnostics, suppressed: [] };
    return suppressByComments(readDocument(yaml, "yaml"), found, noLevels, "all").suppressed.map(
      ({ diagnostic, reason }) => `${diagnostic.rule}@${diagnostic.pointer} (${reason})`,
    );
  };

  it("is silenced by a comment at the text it stands in", () => {
    expect(
      silenced([
        ["dead-guard", "/a/x/y", 4],
        ["dead-guard", "/b/x/y", 4],
        ["dead-guard", "/b/z/y", 4],
        ["dead-guard", "/b", 7],
      ]),
    ).toEqual([
      "dead-guard@/a/x/y (all of it)",
      "dead-guard@/b/x/y (all of it)",
      "dead-guard@/b/z/y (all of it)",
    ]);
  });

  it("is silenced by a comment at an alias it is seen through", () => {
    expect(
      silenced([
        ["unknown-entry", "/a/x/y", 4],
        ["unknown-entry", "/a/z/y", 4],
        ["unknown-entry", "/b/z/y", 4],
      ]),
    ).toEqual(["unknown-entry@/a/z/y (the alias)", "unknown-entry@/b/z/y (the alias)"]);
  });
});

describe("a finding that stands for several places", () => {
  const disable = "    # promptpack-disable-next-line undeclared-variable -- known\n";
  /** Three prompts that read a variable which none of them declares, some of them below a comment. */
  const pack = (...silenced: readonly string[]) =>
    yamlPack.replace(
      "prompts:\n",
      [
        "prompts:\n",
        ...["a", "b", "c"].map((key) => (silenced.includes(key) ? disable : "") + prompt(key)),
      ].join(""),
    );
  const prompt = (key: string) =>
    `  ${key}: { id: ${key}, name: A, version: 1.0.0, system_template: "{{who}}" }\n`;
  const shown = (text: string) =>
    lint(text, { rules: only("undeclared-variable", "unused-suppression") }).diagnostics.map(
      ({ rule, pointer, related = [] }) =>
        [rule, pointer, ...related.map((place) => place.pointer)].join(" "),
    );
  const at = (...keys: readonly string[]) => keys.map((key) => `/prompts/${key}/system_template`).join(" ");
  const finding = (...keys: readonly string[]) => [`undeclared-variable ${at(...keys)}`];

  it.each<{ silenced: string[]; left: string[] }>([
    { silenced: [], left: finding("a", "b", "c") },
    { silenced: ["a"], left: finding("b", "c") },
    { silenced: ["b"], left: finding("a", "c") },
    { silenced: ["a", "b"], left: finding("c") },
    { silenced: ["a", "b", "c"], left: [] },
  ])("loses those below a comment, and each comment is needed: $silenced", ({ silenced, left }) => {
    expect(shown(pack(...silenced))).toEqual(left);
  });

  it("loses those that the config ignores, and each entry is needed", async () => {
    const entries = ["a", "c"].map(
      (key) => `{ file: t.pack.yaml, rule: undeclared-variable, pointer: ${at(key)} }`,
    );
    const cwd = folderOf({
      "t.pack.yaml": pack(),
      "promptpack.config.yaml": `ignore: [${entries.join(", ")}]\n`,
    });
    const { stdout } = await promptpack(["lint", "-f", "compact", "--only", "undeclared-variable"], { cwd });
    expect(stdout).toMatch(/^t\.pack\.yaml:\d+:\d+: warning: Prompt "b" reads [^\n]*\n$/u);
  });

  it("loses those of the baseline, so that a new place is reported by itself", async () => {
    const cwd = folderOf({ "t.pack.yaml": pack() });
    const args = ["lint", "--only", "undeclared-variable", "-f", "json", "--baseline", "b.json"];
    await promptpack([...args, "--update-baseline"], { cwd });
    expect(readFileSync(join(cwd, "b.json"), "utf8").match(/"pointer"/gu)).toHaveLength(3);
    expect(await promptpack(args, { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining("[]") });
    writeFileSync(join(cwd, "t.pack.yaml"), pack().replace("prompts:\n", `prompts:\n${prompt("new")}`));
    const { stdout } = await promptpack(args, { cwd });
    expect(stdout.match(/"pointer": "[^"]*"/gu)).toEqual([`"pointer": "${at("new")}"`]);
  });
});

it("silences nothing in a file that cannot be read", () => {
  expect(suppressed("# promptpack-disable parse-error\na: [\n", ["parse-error@"])).toEqual({
    kept: ["parse-error@"],
    suppressed: [],
  });
});
