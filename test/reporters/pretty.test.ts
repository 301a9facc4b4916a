import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { pretty } from "../../src/reporters/pretty.js";
import { loadPaint } from "../../src/text/paint.js";
import { textWidth } from "../../src/text/terminal-text.js";
import { cleanReport, plain, sampleFile, sampleReport } from "./sample-report.js";

describe("pretty", () => {
  it("prints findings for a person at 80 columns", () => {
    expect(pretty(sampleReport, plain)).toMatchInlineSnapshot(`
      "packs/codegen.pack.yaml

         6:5   warning  This loop never has to end: after "implement" has been entered
                        10 times, ChangesNeeded at "review" is forced straight back to
                        "review", which has no max_visits.  unbounded-loop
         6 │     implement:
           │     ^^^^^^^^^
             plan ─PlanReady→ implement ─CodeReady→ test
               ─TestsFailed→ implement … (10 visits) ─CodeReady→ test
               ─TestsPassed→ review
             ↻ review ─ChangesNeeded→ implement ⇒ review

        12:22  error    State "test" sends TestsFailed to "implemnt", which is not a
                        state. Did you mean "implement"?  unknown-event-target
        12 │         TestsFailed: "implemnt"
           │                      ^^^^^^^^^^
              6:5   "implement" is defined here.
         6 │     implement:
           │     ---------

         4:3   info  Short.  forced-exit-chain

      ✖ 3 problems (1 error, 1 warning, 1 info) in 1 of 2 files
        Can be fixed: 1 with --fix --unsafe-fixes. Infos in full: --full
      "
    `);
  });

  it("shows infos like warnings on request", () => {
    expect(pretty(sampleReport, { ...plain, full: true })).toMatchInlineSnapshot(`
      "packs/codegen.pack.yaml

         4:3   info     Short.  forced-exit-chain
         4 │   states:
           │   ^^^^^^^

         6:5   warning  This loop never has to end: after "implement" has been entered
                        10 times, ChangesNeeded at "review" is forced straight back to
                        "review", which has no max_visits.  unbounded-loop
         6 │     implement:
           │     ^^^^^^^^^
             plan ─PlanReady→ implement ─CodeReady→ test
               ─TestsFailed→ implement … (10 visits) ─CodeReady→ test
               ─TestsPassed→ review
             ↻ review ─ChangesNeeded→ implement ⇒ review

        12:22  error    State "test" sends TestsFailed to "implemnt", which is not a
                        state. Did you mean "implement"?  unknown-event-target
        12 │         TestsFailed: "implemnt"
           │                      ^^^^^^^^^^
              6:5   "implement" is defined here.
         6 │     implement:
           │     ---------

      ✖ 3 problems (1 error, 1 warning, 1 info) in 1 of 2 files
        Can be fixed: 1 with --fix --unsafe-fixes
      "
    `);
  });

  it("cuts infos to a line each, and wraps them where that leaves too little", () => {
    const long = {
      message: "A sentence that is 日本 long. ".repeat(4).trim(),
      related: [
        {
          message: "here",
          pointer: "",
          range: { start: { line: 1000, column: 1 }, end: { line: 1000, column: 2 } },
        },
      ],
    };
    const diagnostics = sampleFile.diagnostics.flatMap((diagnostic) =>
      diagnostic.severity === "info" ? [diagnostic, { ...diagnostic, ...long }] : [],
    );
    const report = { ...cleanReport, files: [{ ...sampleFile, diagnostics }] };
    expect(pretty(report, plain)).toMatchInlineSnapshot(`
      "packs/codegen.pack.yaml

        4:3  info  Short.  forced-exit-chain
        4:3  info  A sentence that is 日本 long. A sentence that i…  forced-exit-chain

      ℹ 2 problems (2 infos) in 1 file
        Infos in full: --full
      "
    `);
    expect(pretty(report, { ...plain, width: 61 })).toMatchInlineSnapshot(`
      "packs/codegen.pack.yaml

        4:3  info     Short.  forced-exit-chain
        4:3  info     A sentence that is 日本 long. A sentence that
                      is 日本 long. A sentence that is 日本 long. A
                      sentence that is 日本 long.
                      forced-exit-chain

      ℹ 2 problems (2 infos) in 1 file
        Infos in full: --full
      "
    `);
  });

  it("prints the same in colour, with links where the terminal shows them", async () => {
    const paint = await loadPaint({ color: true, links: true });
    const colored = pretty(sampleReport, { paint, width: 80 });
    expect(colored.replaceAll("\u001b", "␛")).toMatchInlineSnapshot(`
      "␛[1m␛[4mpacks/codegen.pack.yaml␛[24m␛[22m

        ␛[2m 6:5 ␛[22m  ␛[33mwarning␛[39m  This loop never has to end: after "implement" has been entered
                        10 times, ChangesNeeded at "review" is forced straight back to
                        "review", which has no max_visits.  ␛[2munbounded-loop␛[22m
      ␛[2m   6␛[22m ␛[2m│␛[22m     implement:
           ␛[2m│␛[22m     ␛[33m^^^^^^^^^␛[39m
             plan ─PlanReady→ implement ─CodeReady→ test
               ─TestsFailed→ implement … (10 visits) ─CodeReady→ test
               ─TestsPassed→ review
             ␛[33m↻␛[39m review ─ChangesNeeded→ implement ⇒ review

        ␛[2m12:22␛[22m  ␛[31merror␛[39m    State "test" sends TestsFailed to "implemnt", which is not a
                        state. Did you mean "implement"?  ␛]8;;https://example.org/rules/unknown-event-target.html␛\\␛[2munknown-event-target␛[22m␛]8;;␛\\
      ␛[2m  12␛[22m ␛[2m│␛[22m         TestsFailed: "implemnt"
           ␛[2m│␛[22m                      ␛[31m^^^^^^^^^^␛[39m
             ␛[2m 6:5 ␛[22m  "implement" is defined here.
      ␛[2m   6␛[22m ␛[2m│␛[22m     implement:
           ␛[2m│␛[22m     ␛[2m---------␛[22m

        ␛[2m 4:3 ␛[22m  ␛[36minfo␛[39m  Short.  ␛[2mforced-exit-chain␛[22m

      ␛[31m✖ 3 problems (1 error, 1 warning, 1 info) in 1 of 2 files␛[39m
        ␛[2mCan be fixed: 1 with --fix --unsafe-fixes. Infos in full: --full␛[22m
      "
    `);
    expect(stripVTControlCharacters(colored)).toBe(pretty(sampleReport, plain));
  });

  it("stacks everything at 20 columns", () => {
    expect(pretty(sampleReport, { ...plain, width: 20 })).toMatchInlineSnapshot(`
      "packs/codegen.pack.yaml

         6:5  warning
        This loop never
        has to end: after
        "implement" has
        been entered 10
        times,
        ChangesNeeded at
        "review" is forced
        straight back to
        "review", which
        has no max_visits.
        unbounded-loop
         6 │ …  implement:
           │    ^^^^^^^^^
        plan ─PlanReady→
          implement
          ─CodeReady→ test
          ─TestsFailed→
          implement … (10
          visits)
          ─CodeReady→ test
          ─TestsPassed→
          review
        ↻ review
          ─ChangesNeeded→
          implement ⇒
          review

        12:22  error
        State "test" sends
        TestsFailed to
        "implemnt", which
        is not a state.
        Did you mean
        "implement"?
        unknown-event-target
        12 │ …: "implemnt"
           │    ^^^^^^^^^^
         6:5
        "implement" is
        defined here.

         4:3  info
        Short.
        forced-exit-chain

      ✖ 3 problems (1
        error, 1 warning,
        1 info) in 1 of 2
        files
        Can be fixed: 1
        with --fix
        --unsafe-fixes.
        Infos in full:
        --full
      "
    `);
  });

  it.each([20, 24, 40, 60, 80, 100, 120])("keeps to %i columns", (width) => {
    const unbreakable = [sampleFile.file, "unknown-event-target"];
    for (const line of pretty(sampleReport, { ...plain, width }).split("\n")) {
      if (!unbreakable.includes(line.trim())) expect(textWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it("grows no wider than 120 columns, and no narrower than 20", () => {
    const at = (width: number): string => pretty(sampleReport, { ...plain, width });
    expect(at(1000)).toBe(at(120));
    expect(at(0)).toBe(at(20));
  });

  it("is brief without findings", () => {
    expect(pretty(cleanReport, plain)).toBe("✔ No problems in 1 file\n");
    expect(pretty({ ...cleanReport, files: [] }, plain)).toBe("– Nothing was checked\n");
  });

  it("mentions what was suppressed and what can be fixed", () => {
    const suppressed = sampleFile.diagnostics.map((diagnostic) => ({ diagnostic, by: "comment" as const }));
    const silenced = { ...cleanReport, files: [{ ...sampleFile, diagnostics: [], suppressed }] };
    expect(pretty(silenced, plain)).toBe("✔ No problems in 1 file, 3 suppressed\n");

    const edits = [{ start: 0, end: 1, text: "" }];
    const fixable = sampleFile.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      severity: "warning" as const,
      fix: { description: "x", edits },
    }));
    const output = pretty({ ...cleanReport, files: [{ ...sampleFile, diagnostics: fixable }] }, plain);
    expect(output.split("\n").slice(-3)).toEqual([
      "⚠ 3 problems (3 warnings) in 1 file",
      "  Can be fixed: 3 with --fix",
      "",
    ]);
  });

  it("counts the findings of each rule where there are more than ten", () => {
    const [info, loop, typo] = sampleFile.diagnostics;
    if (info === undefined || loop === undefined || typo === undefined) throw new Error("Three findings.");
    const ten = [typo, ...Array.from({ length: 9 }, () => info)];
    const output = (diagnostics: typeof ten) =>
      pretty({ ...cleanReport, files: [{ ...sampleFile, diagnostics }] }, plain);
    expect(output(ten)).not.toContain("promptpack explain");
    expect(
      output([...ten, loop, info])
        .split("\n\n")
        .at(-1),
    ).toBe(
      [
        "✖ 12 problems (1 error, 1 warning, 10 infos) in 1 file",
        "  3 rules; most: forced-exit-chain 10 … About one: promptpack explain <rule>",
        "  Can be fixed: 1 with --fix --unsafe-fixes. Infos in full: --full\n",
      ].join("\n"),
    );
    expect(
      output([...ten, info])
        .split("\n")
        .at(-3),
    ).toBe("  2 rules; most: forced-exit-chain 10 … About one: promptpack explain <rule>");
    const same = Array.from({ length: 11 }, () => loop);
    expect(output(same)).toContain("\n  1 rule: unbounded-loop 11. About one: promptpack explain <rule>\n");
    const different = same.map((finding, index) => ({ ...finding, rule: `${finding.rule}-${index}` }));
    expect(output(different)).toContain("\n  11 rules, each once. About one: promptpack explain <rule>\n");
  });

  it("shows five related places and counts the rest", () => {
    const [first] = sampleFile.diagnostics;
    if (first === undefined) throw new Error("The sample has findings.");
    const related = Array.from({ length: 7 }, (_, index) => ({
      message: "Used again here.",
      pointer: "",
      range: { start: { line: index + 6, column: 1 }, end: { line: index + 6, column: 2 } },
    }));
    const diagnostics = [{ ...first, related }];
    expect(pretty({ ...sampleReport, files: [{ ...sampleFile, diagnostics }] }, { ...plain, full: true }))
      .toMatchInlineSnapshot(`
      "packs/codegen.pack.yaml

         4:3  info     Short.  forced-exit-chain
         4 │   states:
           │   ^^^^^^^
              6:1  Used again here.
              7:1  Used again here.
              8:1  Used again here.
              9:1  Used again here.
             10:1  Used again here.
             and 2 more places

      ℹ 1 problem (1 info) in 1 file
      "
    `);
  });
});
