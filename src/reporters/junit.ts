import type { Diagnostic } from "../diagnostic.js";
import { ordinalsOf } from "./ordinals.js";
import type { FileReport, Reporter } from "./report.js";
import { soughtIn } from "./summary-text.js";
import { traceLines } from "../text/trace-text.js";
import { visible } from "../text/visible-text.js";
import { escapeXml } from "../text/xml.js";

/** One suite per file, one case per finding, which fails unless it is an info; a clean file is one passing case. */
export const junit: Reporter = (report) => {
  const failures = report.files.reduce((sum, file) => sum + failing(file), 0);
  const tests = report.files.reduce((sum, file) => sum + Math.max(1, file.diagnostics.length), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${quoted(report.tool.name)} tests="${tests}" failures="${failures}" errors="0" time="0">`,
    ...report.files.flatMap(suite),
    "</testsuites>",
    "",
  ].join("\n");
};

function suite(file: FileReport): string[] {
  const { diagnostics } = file;
  const name = quoted(file.file);
  const cases =
    diagnostics.length === 0
      ? [`    <testcase name="No ${soughtIn([file])}" classname=${name} time="0"/>`]
      : casesOf(file);
  return [
    `  <testsuite name=${name} tests="${Math.max(1, diagnostics.length)}" failures="${failing(file)}" errors="0" skipped="0" time="0">`,
    ...cases,
    "  </testsuite>",
  ];
}

/** What is only worth knowing fails no test. */
function failing({ diagnostics }: FileReport): number {
  return diagnostics.filter(({ severity }) => severity !== "info").length;
}

/** Readers take cases of one name for one case: twins are numbered. */
function casesOf({ file, diagnostics }: FileReport): string[] {
  const names = diagnostics.map(({ rule, range }) => `${rule} at ${range.start.line}:${range.start.column}`);
  const ordinals = ordinalsOf(names);
  return diagnostics.flatMap((diagnostic, index) => {
    const ordinal = ordinals[index] ?? 1;
    const name = `${names[index]}${ordinal === 1 ? "" : ` (${ordinal})`}`;
    return [
      `    <testcase name=${quoted(name)} classname=${quoted(file)} time="0">`,
      `      ${outcome(file, diagnostic)}`,
      "    </testcase>",
    ];
  });
}

function outcome(file: string, { severity, message, range, trace }: Diagnostic): string {
  const lines = [
    `${visible(file)}:${range.start.line}:${range.start.column}`,
    visible(message),
    ...(trace === undefined ? [] : traceLines(trace)),
  ];
  const body = escaped(lines.join("\n"));
  if (severity === "info") return `<system-out>${body}</system-out>`;
  return `<failure type="${severity}" message=${quoted(message)}>${body}</failure>`;
}

function quoted(text: string): string {
  return `"${escaped(visible(text))}"`;
}

/** Controls are visible by now; these two are what XML forbids besides. */
const forbidden = /[\ufffe\uffff]/g;

function escaped(text: string): string {
  return escapeXml(text.replace(forbidden, ""));
}
