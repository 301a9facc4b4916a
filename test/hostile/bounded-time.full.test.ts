import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../src/fix/unified-diff.js";
import { lint } from "../../src/index.js";
import { patternError } from "../../src/pattern/pattern-error.js";

const many = 200_000;
const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Where work grew with the square of its input, these would run into the time limit of tests. */
describe("bounded time is enough", () => {
  const levels = 10_000;
  const indented = (mark: string) => list(levels, (index) => " ".repeat(index) + mark).join("\n");
  it.each([
    ["keys, each on a line of its own", "yaml", indented("a:"), "202:202"],
    ["dashes, each on a line of its own", "yaml", indented("-"), "203:203"],
    ["brackets, each on a line of its own", "yaml", indented("["), "202:202"],
    ["braces, each on a line of its own", "json", indented('{"a":'), "201:201"],
    ["dashes on one line", "yaml", "- ".repeat(levels ** 2 / 4), "1:405"],
    ["brackets on one line", "yaml", "[".repeat(levels ** 2 / 2), "1:202"],
    ["braces on one line", "yaml", "{a: ".repeat(levels ** 2 / 8), "1:802"],
    ["lists on one line", "json", "[".repeat(levels ** 2 / 2), "1:201"],
  ] as const)("for %s, nested without end: read only up to the limit", (_, format, text, place) => {
    const { diagnostics } = lint(text, { format });
    expect(
      diagnostics.map(({ message, range: { start } }) => [message, `${start.line}:${start.column}`]),
    ).toEqual([['The values are nested more than 200 levels deep. "--max-depth" raises the limit.', place]]);
  });

  it.each([
    ["before", `a:\n${" ".repeat(12_000_000)}b: c: d\n`, "2:12000005"],
    ["after", `a: b: c${" ".repeat(12_000_000)}\n`, "1:5"],
  ])("for endless spaces %s a mistake in YAML", (_, text, place) => {
    const { diagnostics } = lint(text, { format: "yaml" });
    const places = diagnostics.map(({ rule, range: { start } }) => [rule, `${start.line}:${start.column}`]);
    expect(places).toEqual([["parse-error", place]]);
  });

  it("for as many comments as findings, each comment silencing all of them", () => {
    const comments = list(50_000, (index) => `# promptpack-disable schema -- reason ${index}\n`).join("");
    const strangers = list(20_000, (index) => `stranger${index}: 1\n`).join("");
    const { diagnostics } = lint(comments + strangers, { format: "yaml" });
    expect(diagnostics).toEqual([]);
  });

  it("for as many comments at one value as aliases that repeat it", () => {
    const comments = "  # promptpack-disable-next-line schema\n".repeat(1_500);
    const yaml = `base: &b\n${comments}  k: v\nlist:\n${"  - *b\n".repeat(40_000)}`;
    const { diagnostics } = lint(yaml, { format: "yaml" });
    expect(diagnostics.map(({ pointer }) => pointer)).toEqual(["", "/base", "/list"]);
  });

  it("for a patch that changes every line", () => {
    const before = list(many, (index) => `old ${index}\n`).join("");
    const after = list(many, (index) => `new ${index}\n`).join("");
    const lines = unifiedDiff("a.yaml", before, after).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "--- a/a.yaml",
      "+++ b/a.yaml",
      `@@ -1,${many} +1,${many} @@`,
      "-old 0",
    ]);
    expect(lines.length).toBe(3 + 2 * many + 1);
  });

  it("for places told with one finding: a thousand of them", () => {
    const states = Object.fromEntries(
      list(5_000, (index) => [`s${index}`, { prompt_task: "p", on_event: { odd: `s${index + 1}` } }]),
    );
    const { diagnostics } = lint(JSON.stringify({ workflow: { version: 1, entry: "s0", states } }));
    const odd = diagnostics.filter(({ rule }) => rule === "event-name-case");
    expect(odd.map(({ related }) => related?.length)).toEqual([1_000]);
  });

  it("for errors on one line of YAML", () => {
    const { diagnostics } = lint(`a: ${'"b" '.repeat(30_000)}`, { format: "yaml" });
    expect(diagnostics.map(({ rule, range }) => [rule, range.start.column])).toEqual([["parse-error", 8]]);
  });

  it.each([
    ["quotes that are escaped", `a: ${'\\"'.repeat(120_000)}: b: c\n`],
    ["marks that look like aliases", `a: b: ${"x{*".repeat(80_000)}\n`],
    ["an anchor and a comment in one word", `a: &${"#".repeat(240_000)}\u2028\n  b: c: d\n`],
  ])("for a broken line of YAML with %s", (_, yaml) => {
    const { diagnostics } = lint(yaml, { format: "yaml" });
    expect(diagnostics.map(({ rule }) => rule)).toEqual(["parse-error"]);
  });

  it("for a string of JSON that is out of place", () => {
    const { diagnostics } = lint(`{"a":1 "${"b".repeat(20_000_000)}"}`, { format: "json" });
    expect(diagnostics.map(({ rule, range }) => [rule, range.start.column])).toEqual([["parse-error", 8]]);
  });

  it("for a long line of YAML before a bracket that is out of place", () => {
    const { diagnostics } = lint(`a: [ "${"b".repeat(20_000_000)}"\n]\n`, { format: "yaml" });
    expect(diagnostics.map(({ rule, range }) => [rule, range.start.line])).toEqual([["parse-error", 2]]);
  });

  it.each([
    ["brackets under their keys", (index: number) => `k${index}: [\n  a\n]\n`],
    ["tabs before brackets", (index: number) => `k${index}:\t[a]\n`],
    ["brackets and texts with some", (index: number) => `k${index}: {\n  a: b\n}\nt${index}: |\n  [\n  ]\n`],
  ])("for %s in YAML, which are read however many there are", (_, entry) => {
    const { diagnostics } = lint(list(20_000, entry).join(""), { format: "yaml", rules: { schema: "off" } });
    expect(diagnostics).toEqual([]);
  });

  it("for a pattern that asks for a property of characters again and again", () => {
    const asked = "\\p{L}[\\P{Nd}\\\\p{x}]".repeat(100_000);
    expect(patternError(asked)).toBeUndefined();
    expect(patternError(`${asked}(`)).toBe('a "(" is not closed');
  });

  it("for a long fragment that every prompt includes", () => {
    const size = 10_000;
    const house = list(size, (index) => (index % 2 === 0 ? `Event${index}` : `word${index}`)).join(" ");
    const prompts = list(size, (index) => [`p${index}`, { system_template: "{{fragments.house}}" }]);
    const states = list(size, (index) => [
      `s${index}`,
      { prompt_task: `p${index}`, on_event: { [`Event${index}`]: `s${(index + 1) % size}` } },
    ]);
    const text = JSON.stringify({
      template_engine: { version: "v1", syntax: "{{variable}}" },
      fragments: { house },
      prompts: Object.fromEntries(prompts),
      workflow: { version: 1, entry: "s0", states: Object.fromEntries(states) },
    });
    const { diagnostics } = lint(text, { rules: { schema: "off" } });
    const silent = diagnostics.filter(({ rule }) => rule === "event-not-in-prompt");
    expect(silent.map(({ pointer }) => pointer)).toEqual(
      list(size / 2, (index) => `/workflow/states/s${2 * index + 1}/on_event`),
    );
  });

  it("for suggestions: the first three hundred names get one", () => {
    const states = Object.fromEntries(
      list(2_000, (index) => [`state${index}`, { prompt_task: "p", on_event: { Go: `stat${index}` } }]),
    );
    const { diagnostics } = lint(JSON.stringify({ workflow: { version: 1, entry: "state0", states } }));
    const lost = diagnostics.filter(({ rule }) => rule === "unknown-event-target");
    expect(lost.length).toBe(2_000);
    expect(lost.filter(({ message }) => message.includes("Did you mean")).length).toBe(300);
  });

  it("for fixes: only the first names get one", () => {
    const prompts = list(310, (index) => [`task${index}`, { system_template: "Hi" }]);
    const running = list(310, (index) => [`tosk${index}`, { prompt_task: `task${index}` }]);
    const wrong = list(310, (index) => [`wrong${index}`, { prompt_task: `tosk${index}` }]);
    const states = Object.fromEntries([...running, ...wrong]);
    const text = JSON.stringify({
      prompts: Object.fromEntries(prompts),
      workflow: { version: 1, entry: "tosk0", states },
    });
    const { diagnostics } = lint(text);
    const lost = diagnostics.filter(({ rule }) => rule === "unknown-prompt-task");
    expect(lost.map(({ message }) => message.split(". ")[1] ?? "")).toEqual(
      list(310, (index) => (index < 300 ? `Did you mean "task${index}"?` : "")),
    );
    expect(lost.filter(({ fix }) => fix !== undefined).length).toBe(300);
  });
});
