import type { Diagnostic } from "../diagnostic.js";
import { escapeInvisible, escapeXml } from "../text/escape.js";
import { traceLines } from "../text/format-trace.js";
import { numberRepeats } from "../text/collections.js";
import { type FileReport, problemNoun, type Reporter } from "./report.js";

/** One suite per file, one case per finding, which fails unless it is an info; a clean file has one passing case. */
export const junit: Reporter = (report) => {
  const failures = report.files.reduce((sum, file) => sum + countFailures(file), 0);
  const tests = report.files.reduce((sum, file) => sum + Math.max(1, file.diagnostics.length), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${quoteAttribute(report.tool.name)} tests="${tests}" failures="${failures}" errors="0" time="0">`,
    ...report.files.flatMap(testSuite),
    "</testsuites>",
    "",
  ].join("\n");
};

function testSuite(file: FileReport): string[] {
  const name = quoteAttribute(file.file);
  const cases = file.diagnostics.length > 0 ? testCases(file) : [cleanCase(file)];
  return [
    `  <testsuite name=${name} tests="${Math.max(1, file.diagnostics.length)}" failures="${countFailures(file)}" errors="0" skipped="0" time="0">`,
    ...cases,
    "  </testsuite>",
  ];
}

function cleanCase(file: FileReport): string {
  return `    <testcase name="No ${problemNoun([file])}" classname=${quoteAttribute(file.file)} time="0"/>`;
}

function countFailures({ diagnostics }: FileReport): number {
  return diagnostics.filter(({ severity }) => severity !== "info").length;
}

/** Duplicate names are numbered, because readers merge cases with the same name. */
function testCases({ file, diagnostics }: FileReport): string[] {
  const places = diagnostics.map(({ rule, range }) => `${rule} at ${range.start.line}:${range.start.column}`);
  const names = numberRepeats(places, (name, ordinal) => (ordinal === 1 ? name : `${name} (${ordinal})`));
  return diagnostics.flatMap((diagnostic, index) => [
    `    <testcase name=${quoteAttribute(names[index] ?? "")} classname=${quoteAttribute(file)} time="0">`,
    `      ${testOutcome(file, diagnostic)}`,
    "    </testcase>",
  ]);
}

function testOutcome(file: string, { severity, message, range, trace }: Diagnostic): string {
  const lines = [
    `${escapeInvisible(file)}:${range.start.line}:${range.start.column}`,
    escapeInvisible(message),
    ...(trace === undefined ? [] : traceLines(trace)),
  ];
  const body = escapeText(lines.join("\n"));
  if (severity === "info") return `<system-out>${body}</system-out>`;
  return `<failure type="${severity}" message=${quoteAttribute(message)}>${body}</failure>`;
}

function quoteAttribute(text: string): string {
  return `"${escapeText(escapeInvisible(text))}"`;
}

/** Control characters are escaped before; XML also forbids these two. */
const forbiddenInXml = /[\ufffe\uffff]/g;

function escapeText(text: string): string {
  return escapeXml(text.replace(forbiddenInXml, ""));
}
