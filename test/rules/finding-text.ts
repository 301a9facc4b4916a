import type { Diagnostic, Range } from "../../src/diagnostic.js";

/** All fields of a finding, one per line: the format of `fixtures/rules/<id>/bad-*.out`. */
export function findingText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => linesOf(diagnostic).join("\n") + "\n").join("");
}

function linesOf({ file, rule, severity, message, pointer, range, ...rest }: Diagnostic): string[] {
  const { related, trace, data } = rest;
  return [
    `${file === undefined ? "" : `${file}:`}${rangeText(range)} ${severity} ${rule} ${JSON.stringify(pointer)}`,
    `  ${message}`,
    ...(related ?? []).map(
      (place) =>
        `  related ${place.file ?? ""}${place.file === undefined ? "" : ":"}${rangeText(place.range)} ${JSON.stringify(place.pointer)} ${place.message}`,
    ),
    ...(trace?.root === undefined ? [] : [`  from ${trace.root}`]),
    ...(data === undefined ? [] : [`  data ${JSON.stringify(data)}`]),
    ...(trace?.steps ?? []).map((step, index) => {
      const mark = trace?.loopFrom !== undefined && index >= trace.loopFrom ? "loop" : "run ";
      return `  ${mark} ${step.from} -${step.event}-> ${[...(step.forced ?? []), step.to ?? step.end].join(" => ")}`;
    }),
    ...(trace?.outcomes ?? []).map(({ branch, answer }) => `  when ${branch} is ${answer}`),
  ];
}

function rangeText({ start, end }: Range): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}
