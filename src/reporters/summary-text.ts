import { pluralize } from "../words/wording.js";
import { summarize, type FileReport } from "./report.js";

/** `3 problems (1 error, 2 warnings) in 2 of 5 files`, or that there are none. */
export function summaryText(files: readonly FileReport[]): string {
  const { files: linted, errors, warnings, infos } = summarize(files);
  const problems = errors + warnings + infos;
  if (files.length === 0) return "Nothing was checked";
  if (problems === 0) return `No ${problemNoun(files)} in ${pluralize(linted, "file")}`;
  const kinds = [
    ...(errors > 0 ? [pluralize(errors, "error")] : []),
    ...(warnings > 0 ? [pluralize(warnings, "warning")] : []),
    ...(infos > 0 ? [pluralize(infos, "info")] : []),
  ];
  return `${pluralize(problems, "problem")} (${kinds.join(", ")}) in ${faultyFilesText(files, linted)}`;
}

/** Where findings are only not shown, no more is said than that there are no errors. */
export function problemNoun(files: readonly FileReport[]): string {
  return files.some(({ hiddenCount = 0 }) => hiddenCount > 0) ? "errors" : "problems";
}

/** `2 of 5 files`; with a config or baseline among the two, they are not two of the five that were linted. */
function faultyFilesText(files: readonly FileReport[], linted: number): string {
  const faulty = files.filter((file) => file.diagnostics.length > 0);
  const isAll = faulty.length === linted || faulty.some(({ isConfigFile }) => isConfigFile === true);
  return isAll ? pluralize(faulty.length, "file") : `${faulty.length} of ${linted} files`;
}

/** `, 2 suppressed`, or nothing. */
export function suppressedText(files: readonly FileReport[]): string {
  const suppressed = files.reduce((sum, file) => sum + file.suppressed.length, 0);
  return suppressed === 0 ? "" : `, ${suppressed} suppressed`;
}
