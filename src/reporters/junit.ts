import type { Diagnostic } from "../diagnostic.js";
import type { FileReport, Reporter } from "./report.js";
import { traceLines } from "../text/trace-text.js";
import { visible } from "../text/visible-text.js";
import { escapeXml } from "../text/xml.js";

/** One suite per file, one failing case per finding; a clean file is one passing case. */
export const junit: Reporter = (report) => {
  const failures = report.files.reduce((sum, file) => sum + file.diagnostics.length, 0);
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
  const failures = diagnostics.length;
  const name = quoted(file.file);
  const cases =
    failures === 0
      ? [`    <testcase name="No problems" classname=${name} time="0"/>`]
      : diagnostics.flatMap((diagnostic) => failingCase(file.file, diagnostic));
  return [
    `  <testsuite name=${name} tests="${Math.max(1, failures)}" failures="${failures}" errors="0" skipped="0" time="0">`,
    ...cases,
    "  </testsuite>",
  ];
}

function failingCase(file: string, diagnostic: Diagnostic): string[] {
  const { rule, severity, message, range, trace } = diagnostic;
  const place = `${range.start.line}:${range.start.column}`;
  const body = [
    `${visible(file)}:${place}`,
    visible(message),
    ...(trace === undefined ? [] : traceLines(trace)),
  ];
  return [
    `    <testcase name=${quoted(`${rule} at ${place}`)} classname=${quoted(file)} time="0">`,
    `      <failure type="${severity}" message=${quoted(message)}>${escaped(body.join("\n"))}</failure>`,
    "    </testcase>",
  ];
}

function quoted(text: string): string {
  return `"${escaped(visible(text))}"`;
}

/** Controls are visible by now; these two are what XML forbids besides. */
const forbidden = /[\ufffe\uffff]/g;

function escaped(text: string): string {
  return escapeXml(text.replace(forbidden, ""));
}
