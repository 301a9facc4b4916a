import { count } from "../wording.js";
import { summarize, type FileReport } from "./report.js";

/** `3 problems (1 error, 2 warnings) in 2 of 5 files`, or that there are none. */
export function summaryText(files: readonly FileReport[]): string {
  const { errors, warnings, infos } = summarize(files);
  const problems = errors + warnings + infos;
  if (files.length === 0) return "Nothing was checked";
  if (problems === 0) return `No problems in ${count(files.length, "file")}`;
  const kinds = [
    ...(errors > 0 ? [count(errors, "error")] : []),
    ...(warnings > 0 ? [count(warnings, "warning")] : []),
    ...(infos > 0 ? [count(infos, "info")] : []),
  ];
  const faulty = files.filter((file) => file.diagnostics.length > 0).length;
  const where = faulty === files.length ? count(faulty, "file") : `${faulty} of ${files.length} files`;
  return `${count(problems, "problem")} (${kinds.join(", ")}) in ${where}`;
}

/** `, 2 suppressed`, or nothing. */
export function suppressedText(files: readonly FileReport[]): string {
  const suppressed = files.reduce((sum, file) => sum + file.suppressed.length, 0);
  return suppressed === 0 ? "" : `, ${suppressed} suppressed`;
}
