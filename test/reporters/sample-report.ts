import type { Diagnostic, Range, TraceStep } from "../../src/diagnostic.js";
import { LineMap } from "../../src/document/scan-text.js";
import type { FileReport, Report, ReporterOptions } from "../../src/reporters/report.js";
import { plainPaint } from "../../src/text/paint.js";

export const plain: ReporterOptions = { paint: plainPaint, width: 80 };

const text = `id: codegen
workflow:
  entry: plan
  states:
    plan: { on_event: { PlanReady: implement } }
    implement:
      max_visits: 10
      on_max_visits: review
      on_event: { CodeReady: test }
    test:
      on_event:
        TestsFailed: "implemnt"
        TestsPassed: review
    review: { on_event: { ChangesNeeded: implement, Approved: done } }
    done: { terminal: true }
`;

const sampleLines = new LineMap(text);

/** The range of the first occurrence of `needle` behind the first one of `after`. */
function at(needle: string, after = ""): Range {
  const start = text.indexOf(needle, text.indexOf(after));
  return sampleLines.range(start, start + needle.length);
}

const laps = Array.from({ length: 9 }, (): TraceStep[] => [
  { from: "implement", event: "CodeReady", to: "test" },
  { from: "test", event: "TestsFailed", to: "implement" },
]);

/** The run of the RFC 0009 example: ten visits to `implement`, then `review` for ever. */
export const codegenSteps: readonly TraceStep[] = [
  { from: "plan", event: "PlanReady", to: "implement" },
  ...laps.flat(),
  { from: "implement", event: "CodeReady", to: "test" },
  { from: "test", event: "TestsPassed", to: "review" },
  { from: "review", event: "ChangesNeeded", to: "review", forced: ["implement"] },
];

const loop: Diagnostic = {
  rule: "unbounded-loop",
  severity: "warning",
  message:
    'This loop never has to end: after "implement" has been entered 10 times, ChangesNeeded at "review" is forced straight back to "review", which has no max_visits.',
  pointer: "/workflow/states/implement",
  range: at("implement", "    implement:"),
  trace: { steps: codegenSteps, loopFrom: 21 },
};

const typo: Diagnostic = {
  rule: "unknown-event-target",
  severity: "error",
  message: 'State "test" sends TestsFailed to "implemnt", which is not a state. Did you mean "implement"?',
  claim: 'State "test" sends TestsFailed to "implemnt", which is not a state.',
  pointer: "/workflow/states/test/on_event/TestsFailed",
  range: at('"implemnt"'),
  related: [
    {
      message: '"implement" is defined here.',
      pointer: "/workflow/states/implement",
      range: at("implement", "    implement:"),
    },
  ],
  data: { nearest: "implement" },
  fix: {
    description: 'Write "implement".',
    unsafe: true,
    edits: [{ start: text.indexOf('"implemnt"'), end: text.indexOf('"implemnt"') + 10, text: '"implement"' }],
  },
  docs: "https://example.org/rules/unknown-event-target.html",
};

const chain: Diagnostic = {
  rule: "forced-exit-chain",
  severity: "info",
  message: "Short.",
  pointer: "/workflow/states",
  range: at("states:\n    plan"),
};

export const sampleFile: FileReport = {
  file: "packs/codegen.pack.yaml",
  specVersion: "1.4.1",
  diagnostics: [chain, loop, typo],
  suppressed: [],
  lines: sampleLines,
};

const cleanFile: FileReport = { ...sampleFile, file: "packs/clean.pack.json", diagnostics: [] };

export const sampleReport: Report = {
  tool: { name: "promptpack", version: "0.1.0" },
  rules: [
    {
      id: "forced-exit-chain",
      summary: "No forced exit leads to another guard.",
      severity: "info",
      source: "RFC 0009 rule 2",
    },
    {
      id: "unbounded-loop",
      summary: "Every loop has to end.",
      severity: "warning",
      source: "RFC 0009",
    },
    {
      id: "unknown-event-target",
      summary: "Every event leads to a state.",
      severity: "error",
      source: "RFC 0005",
      docs: "https://example.org/rules/unknown-event-target.html",
    },
  ],
  files: [sampleFile, cleanFile],
};

export const cleanReport: Report = { ...sampleReport, files: [cleanFile] };

/** One finding, whose every word is chosen by someone hostile. */
export function hostileReport(name: string): Report {
  const lines = new LineMap(`${name}\n`);
  const diagnostic: Diagnostic = {
    rule: "unknown-event-target",
    severity: "error",
    message: `State "${name}" is not a state.`,
    pointer: `/workflow/states/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } },
    related: [
      { message: name, pointer: "", range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } } },
    ],
    trace: { steps: [{ from: name, event: name, to: name, forced: [name] }], loopFrom: 0 },
  };
  const file: FileReport = {
    file: `a/${name}.json`,
    specVersion: "1.4.1",
    diagnostics: [diagnostic],
    suppressed: [],
    lines,
    diagram: `stateDiagram-v2\n  ${name}\n`,
  };
  return { ...sampleReport, files: [file] };
}

export const hostileNames = [
  "\u001b[31mred\u001b]8;;http://x\u0007",
  "a%0A::error::x",
  "a\n::error::x\r##[error]y",
  "]]></failure><x a='b' c=\"d\">&amp;",
  "| a | `b` ``` <script>alert(1)</script> [x](https://evil.example)",
  "\u202e\u2066gnp\u0000\u009b\ud800\udc00\ud800\ufffe\uffff\u{e0041}\ufeff",
  "```\n# Title\n- item",
];
