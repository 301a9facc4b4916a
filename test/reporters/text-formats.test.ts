import { describe, expect, it } from "vitest";
import type { Diagnostic, Severity } from "../../src/diagnostic.js";
import { compact } from "../../src/reporters/compact.js";
import { github } from "../../src/reporters/github.js";
import { gitlab } from "../../src/reporters/gitlab.js";
import { junit } from "../../src/reporters/junit.js";
import { markdown } from "../../src/reporters/markdown.js";
import type { Report } from "../../src/reporters/report.js";
import { cleanReport, hostileReport, plain, sampleFile, sampleReport } from "./sample-report.js";

function many(counts: Readonly<Record<Severity, number>>): Report {
  const place = { line: 1, column: 1 };
  const diagnostics = Object.entries(counts).flatMap(([severity, number]) =>
    Array.from({ length: number }, (_, index): Diagnostic => {
      const message = `Message ${index + 1}.`;
      const range = { start: place, end: place };
      return { rule: "schema", severity: severity as Severity, message, pointer: `/${index}`, range };
    }),
  );
  return { ...sampleReport, files: [{ ...sampleFile, diagnostics }] };
}

describe("compact", () => {
  it("prints one line per finding", () => {
    expect(compact(sampleReport, plain)).toMatchInlineSnapshot(`
      "packs/codegen.pack.yaml:4:3: info: Short. [forced-exit-chain]
      packs/codegen.pack.yaml:6:5: warning: This loop never has to end: after "implement" has been entered 10 times, ChangesNeeded at "review" is forced straight back to "review", which has no max_visits. [unbounded-loop]
      packs/codegen.pack.yaml:12:22: error: State "test" sends TestsFailed to "implemnt", which is not a state. Did you mean "implement"? [unknown-event-target]
      "
    `);
    expect(compact(cleanReport, plain)).toBe("");
  });

  it("keeps to one line for any name", () => {
    expect(compact(hostileReport("a\nb\u001b[2J"), plain)).toBe(
      'a/a\\nb\\u001b[2J.json:1:1: error: State "a\\nb\\u001b[2J" is not a state. [unknown-event-target]\n',
    );
  });

  it.each([
    ["package.json:1:1: error: forged [x]", "package.json\\u003a1\\u003a1: error: forged [x]"],
    ["C:/a: b/12:x", "C:/a: b/12:x"],
    ["a:1", "a\\u003a1"],
  ])("does not read a location from the path %s", (file, shown) => {
    const [sample] = many({ error: 1, warning: 0, info: 0 }).files;
    if (sample === undefined) expect.unreachable();
    expect(compact({ ...sampleReport, files: [{ ...sample, file }] }, plain)).toBe(
      `${shown}:1:1: error: Message 1. [schema]\n`,
    );
  });
});

describe("github", () => {
  it("keeps the list in the log and annotates errors first", () => {
    expect(github(sampleReport, plain)).toMatchInlineSnapshot(`
      "packs/codegen.pack.yaml:4:3: info: Short. [forced-exit-chain]
      packs/codegen.pack.yaml:6:5: warning: This loop never has to end: after "implement" has been entered 10 times, ChangesNeeded at "review" is forced straight back to "review", which has no max_visits. [unbounded-loop]
      packs/codegen.pack.yaml:12:22: error: State "test" sends TestsFailed to "implemnt", which is not a state. Did you mean "implement"? [unknown-event-target]
      ::error file=packs/codegen.pack.yaml,line=12,endLine=12,col=22,endColumn=32,title=unknown-event-target::State "test" sends TestsFailed to "implemnt", which is not a state. Did you mean "implement"?
      ::warning file=packs/codegen.pack.yaml,line=6,endLine=6,col=5,endColumn=14,title=unbounded-loop::This loop never has to end: after "implement" has been entered 10 times, ChangesNeeded at "review" is forced straight back to "review", which has no max_visits.%0Aplan ─PlanReady→ implement ─CodeReady→ test ─TestsFailed→ implement … (10 visits) ─CodeReady→ test ─TestsPassed→ review%0A↻ review ─ChangesNeeded→ implement ⇒ review
      ::notice file=packs/codegen.pack.yaml,line=4,endLine=5,title=forced-exit-chain::Short.
      "
    `);
    expect(github(cleanReport, plain)).toBe("");
  });

  it("cannot be made to forge a command", () => {
    expect(github(hostileReport("a%0A::error::x"), plain)).toMatchInlineSnapshot(`
      "a/a%0A::error::x.json:1:1: error: State "a%0A::error::x" is not a state. [unknown-event-target]
      ::error file=a/a%250A%3A%3Aerror%3A%3Ax.json,line=1,endLine=1,col=1,endColumn=2,title=unknown-event-target::State "a%250A::error::x" is not a state.%0A↻ "a%250A::error::x" ─"a%250A::error::x"→ "a%250A::error::x" ⇒ "a%250A::error::x"
      "
    `);
    expect(github(hostileReport("::set-env,b=1\r\n##[error]x"), plain)).toMatchInlineSnapshot(`
      "a/::set-env,b=1\\r\\n## [error]x.json:1:1: error: State "::set-env,b=1\\r\\n## [error]x" is not a state. [unknown-event-target]
      ::error file=a/%3A%3Aset-env%2Cb=1\\r\\n##[error]x.json,line=1,endLine=1,col=1,endColumn=2,title=unknown-event-target::State "::set-env,b=1\\r\\n##[error]x" is not a state.%0A↻ "::set-env,b=1\\r\\n##[error]x" ─"::set-env,b=1\\r\\n##[error]x"→ "::set-env,b=1\\r\\n##[error]x" ⇒ "::set-env,b=1\\r\\n##[error]x"
      "
    `);
  });

  it("annotates ten of a level and counts the rest", () => {
    const lines = github(many({ info: 12, warning: 10, error: 11 }), plain).split("\n");
    const of = (command: string): string[] => lines.filter((line) => line.startsWith(`::${command} `));
    expect(of("error")).toHaveLength(10);
    expect(of("warning")).toHaveLength(10);
    expect(of("notice")).toHaveLength(10);
    expect(lines.filter((line) => line.startsWith("packs/codegen.pack.yaml:1:1: "))).toHaveLength(33);
    expect(lines.at(-2)).toBe(
      "::notice title=promptpack::4 more problems are not annotated: GitHub shows 10 annotations per level and step. The log of this step lists all of them.",
    );
  });

  it("does not mention the limit if it is just reached", () => {
    const lines = github(many({ info: 10, warning: 10, error: 10 }), plain).split("\n");
    expect(lines.filter((line) => line.startsWith("::"))).toHaveLength(30);
    expect(lines.some((line) => line.includes("not annotated"))).toBe(false);
  });
});

describe("gitlab", () => {
  it("prints an array of issues", () => {
    expect(gitlab(sampleReport, plain)).toMatchInlineSnapshot(`
      "[
        {
          "description": "Short.",
          "check_name": "forced-exit-chain",
          "fingerprint": "17832b0a487b03be:1",
          "severity": "info",
          "location": {
            "path": "packs/codegen.pack.yaml",
            "lines": {
              "begin": 4
            }
          }
        },
        {
          "description": "This loop never has to end: after \\"implement\\" has been entered 10 times, ChangesNeeded at \\"review\\" is forced straight back to \\"review\\", which has no max_visits.",
          "check_name": "unbounded-loop",
          "fingerprint": "74067f824b608754:1",
          "severity": "minor",
          "location": {
            "path": "packs/codegen.pack.yaml",
            "lines": {
              "begin": 6
            }
          }
        },
        {
          "description": "State \\"test\\" sends TestsFailed to \\"implemnt\\", which is not a state. Did you mean \\"implement\\"?",
          "check_name": "unknown-event-target",
          "fingerprint": "2effc5bc5db5729e:1",
          "severity": "major",
          "location": {
            "path": "packs/codegen.pack.yaml",
            "lines": {
              "begin": 12
            }
          }
        }
      ]
      "
    `);
    expect(gitlab(cleanReport, plain)).toBe("[]\n");
  });

  it("gives every issue a fingerprint of its own", () => {
    const issues = JSON.parse(gitlab(many({ error: 40, warning: 40, info: 0 }), plain)) as {
      fingerprint: string;
    }[];
    expect(new Set(issues.map((issue) => issue.fingerprint)).size).toBe(80);
  });
});

describe("junit", () => {
  it("prints one suite per file, and a passing case for a clean one", () => {
    expect(junit(sampleReport, plain)).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="promptpack" tests="4" failures="2" errors="0" time="0">
        <testsuite name="packs/codegen.pack.yaml" tests="3" failures="2" errors="0" skipped="0" time="0">
          <testcase name="forced-exit-chain at 4:3" classname="packs/codegen.pack.yaml" time="0">
            <system-out>packs/codegen.pack.yaml:4:3
      Short.</system-out>
          </testcase>
          <testcase name="unbounded-loop at 6:5" classname="packs/codegen.pack.yaml" time="0">
            <failure type="warning" message="This loop never has to end: after &quot;implement&quot; has been entered 10 times, ChangesNeeded at &quot;review&quot; is forced straight back to &quot;review&quot;, which has no max_visits.">packs/codegen.pack.yaml:6:5
      This loop never has to end: after &quot;implement&quot; has been entered 10 times, ChangesNeeded at &quot;review&quot; is forced straight back to &quot;review&quot;, which has no max_visits.
      plan ─PlanReady→ implement ─CodeReady→ test ─TestsFailed→ implement … (10 visits) ─CodeReady→ test ─TestsPassed→ review
      ↻ review ─ChangesNeeded→ implement ⇒ review</failure>
          </testcase>
          <testcase name="unknown-event-target at 12:22" classname="packs/codegen.pack.yaml" time="0">
            <failure type="error" message="State &quot;test&quot; sends TestsFailed to &quot;implemnt&quot;, which is not a state. Did you mean &quot;implement&quot;?">packs/codegen.pack.yaml:12:22
      State &quot;test&quot; sends TestsFailed to &quot;implemnt&quot;, which is not a state. Did you mean &quot;implement&quot;?</failure>
          </testcase>
        </testsuite>
        <testsuite name="packs/clean.pack.json" tests="1" failures="0" errors="0" skipped="0" time="0">
          <testcase name="No problems" classname="packs/clean.pack.json" time="0"/>
        </testsuite>
      </testsuites>
      "
    `);
  });

  it("claims only that there are no errors if other findings are hidden", () => {
    const files = cleanReport.files.map((file) => ({ ...file, hiddenCount: 2 }));
    expect(junit({ ...cleanReport, files }, plain)).toContain('<testcase name="No errors" ');
  });

  it("gives every case of a file a name of its own", () => {
    const names = junit(many({ error: 3, warning: 0, info: 1 }), plain).match(
      /(?<=<testcase name=").*?(?=")/g,
    );
    expect(names).toEqual(["schema at 1:1", "schema at 1:1 (2)", "schema at 1:1 (3)", "schema at 1:1 (4)"]);
  });

  it("escapes XML and drops what it forbids", () => {
    expect(junit(hostileReport("]]></failure>\u0000\uffff\"'&"), plain)).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="promptpack" tests="1" failures="1" errors="0" time="0">
        <testsuite name="a/]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;.json" tests="1" failures="1" errors="0" skipped="0" time="0">
          <testcase name="unknown-event-target at 1:1" classname="a/]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;.json" time="0">
            <failure type="error" message="State &quot;]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;&quot; is not a state.">a/]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;.json:1:1
      State &quot;]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;&quot; is not a state.
      ↻ &quot;]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;&quot; ─&quot;]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;&quot;→ &quot;]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;&quot; ⇒ &quot;]]&gt;&lt;/failure&gt;\\u0000&quot;&apos;&amp;&quot;</failure>
          </testcase>
        </testsuite>
      </testsuites>
      "
    `);
  });
});

describe("markdown", () => {
  it("prints a table and the findings", () => {
    const diagram = "stateDiagram-v2\n  plan --> implement: PlanReady\n";
    const [first, second] = sampleReport.files;
    if (first === undefined || second === undefined) throw new Error("The sample has two files.");
    const report = { ...sampleReport, files: [{ ...first, diagram }, second] };
    expect(markdown(report, plain)).toMatchInlineSnapshot(`
      "## ❌ 3 problems (1 error, 1 warning, 1 info) in 1 of 2 files

      | File | Errors | Warnings | Infos |
      | --- | ---: | ---: | ---: |
      | packs/codegen.pack.yaml | 1 | 1 | 1 |

      ### packs/codegen.pack.yaml

      - **info** 4:3 Short. \`forced-exit-chain\`
      - **warning** 6:5 This loop never has to end: after "implement" has been entered 10 times, ChangesNeeded at "review" is forced straight back to "review", which has no max\\_visits. \`unbounded-loop\`

        \`\`\`text
        plan ─PlanReady→ implement ─CodeReady→ test ─TestsFailed→ implement … (10 visits) ─CodeReady→ test ─TestsPassed→ review
        ↻ review ─ChangesNeeded→ implement ⇒ review
        \`\`\`

      - **error** 12:22 State "test" sends TestsFailed to "implemnt", which is not a state. Did you mean "implement"? [\`unknown-event-target\`](<https://example.org/rules/unknown-event-target.html>)

      \`\`\`mermaid
      stateDiagram-v2
        plan --> implement: PlanReady
      \`\`\`
      "
    `);
  });

  it("is one line without findings", () => {
    expect(markdown(cleanReport, plain)).toBe("## ✅ No problems in 1 file\n");
    expect(markdown({ ...cleanReport, files: [] }, plain)).toBe("## – Nothing was checked\n");
  });

  it("never looks clean after an incomplete run", () => {
    const why = "Not everything could be checked: the log says why.";
    expect(markdown({ ...cleanReport, files: [], incomplete: true }, plain)).toBe(
      `## ❌ Nothing was checked\n\n${why}\n`,
    );
    expect(markdown({ ...cleanReport, incomplete: true }, plain)).toBe(
      `## ❌ No problems in 1 file\n\n${why}\n`,
    );
  });

  it("stays text for any name", () => {
    expect(markdown(hostileReport("| `a` <script> [x](https://evil.example) *b* $x$ \n# T"), plain))
      .toMatchInlineSnapshot(`
      "## ❌ 1 problem (1 error) in 1 file

      | File | Errors | Warnings | Infos |
      | --- | ---: | ---: | ---: |
      | a/&#124; &#96;a&#96; &lt;script&gt; \\[x\\](https:<span></span>//evil.example) \\*b\\* &#36;x&#36; \\\\n\\# T.json | 1 | 0 | 0 |

      ### a/&#124; &#96;a&#96; &lt;script&gt; \\[x\\](https:<span></span>//evil.example) \\*b\\* &#36;x&#36; \\\\n\\# T.json

      - **error** 1:1 State "&#124; &#96;a&#96; &lt;script&gt; \\[x\\](https:<span></span>//evil.example) \\*b\\* &#36;x&#36; \\\\n\\# T" is not a state. \`unknown-event-target\`

        \`\`\`text
        ↻ "| \`a\` <script> [x](https://evil.example) *b* $x$ \\n# T" ─"| \`a\` <script> [x](https://evil.example) *b* $x$ \\n# T"→ "| \`a\` <script> [x](https://evil.example) *b* $x$ \\n# T" ⇒ "| \`a\` <script> [x](https://evil.example) *b* $x$ \\n# T"
        \`\`\`


      \`\`\`mermaid
      stateDiagram-v2
        | \`a\` <script> [x](https://evil.example) *b* $x$ 
      # T
      \`\`\`
      "
    `);
  });

  it("closes a fence that a name tries to close", () => {
    const output = markdown(hostileReport("````\nx"), plain);
    expect(output.split("\n").filter((line) => /^ *`{3,}/.test(line))).toEqual([
      "  `````text",
      "  `````",
      "`````mermaid",
      "  ````",
      "`````",
    ]);
  });

  it("leaves out a diagram that GitHub would not draw", () => {
    const report = {
      ...cleanReport,
      files: [{ ...sampleFile, diagnostics: [], diagram: "x".repeat(50_001) }],
    };
    expect(markdown(report, plain)).toBe(
      "## ✅ No problems in 1 file\n\n### packs/codegen.pack.yaml\n\nThe workflow is too large to be drawn here.\n",
    );
  });

  it("fits into a step summary and counts what does not", () => {
    const output = markdown(many({ error: 40_000, warning: 0, info: 0 }), plain);
    expect(Buffer.byteLength(output)).toBeLessThan(1_048_576);
    const shown = output.match(/^- \*\*error\*\*/gm)?.length ?? 0;
    expect(output.trimEnd().split("\n").at(-1)).toBe(`Not shown here: ${40_000 - shown} more problems.`);
  });

  it("leaves room for the existing page: prints at least its heading, or nothing", () => {
    const report = many({ error: 40_000, warning: 0, info: 0 });
    const after = (existingBytes: number) => markdown(report, { ...plain, existingBytes });
    const [heading = ""] = after(0).split("\n");
    for (const before of [500_000, 1_000_000, 1_047_000, 1_047_500]) {
      expect(after(before).startsWith(`${heading}\n`)).toBe(true);
      expect(before + Buffer.byteLength(after(before))).toBeLessThan(2 ** 20);
    }
    expect(after(1_047_500)).toBe(`${heading}\n\nNot shown here: 40000 more problems.\n`);
    expect(after(1_048_000)).toBe("");
  });

  it("shows no finding under the heading of another file once it is full", () => {
    const { diagnostics } = many({ error: 1, warning: 0, info: 0 }).files[0] ?? sampleFile;
    const files = Array.from({ length: 3_000 }, (_, index) => {
      return { ...sampleFile, file: `${"x".repeat(200)}-${index}`, diagnostics };
    });
    const output = markdown({ ...sampleReport, files }, plain);
    const [, ...sections] = output.split(/^### .*$/m);
    const last = sections.pop();
    const item = "- **error** 1:1 Message 1. `schema`\n";
    expect(new Set(sections)).toEqual(new Set([`\n\n${item}\n`]));
    expect(last).toMatch(/^\n\n(?:- .*\n)?\nNot shown here: \d+ more problems\.\n$/);
  });

  it("omits the rest of a file after a finding that is too large, but not the other files", () => {
    const { diagnostics } = many({ error: 1, warning: 0, info: 0 }).files[0] ?? sampleFile;
    const [small] = diagnostics;
    if (small === undefined) expect.unreachable();
    const large = { ...small, message: "x".repeat(2 ** 20) };
    const files = [
      { ...sampleFile, file: "a", diagnostics: [small, large, small] },
      { ...sampleFile, file: "b", diagnostics: [small] },
    ];
    const output = markdown({ ...sampleReport, files }, plain);
    const item = "- **error** 1:1 Message 1. `schema`\n";
    expect(output.slice(output.indexOf("###"))).toBe(
      `### a\n\n${item}\n### b\n\n${item}\nNot shown here: 2 more problems.\n`,
    );
  });
});
