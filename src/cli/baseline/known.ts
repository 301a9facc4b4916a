import type { Document } from "../../document/document.js";
import type { FileReport } from "../../reporters/report.js";

/** Findings that are to be left alone, such as those that a baseline remembers. */
export interface Known {
  silence(report: FileReport, root: Document["root"]): FileReport;
}
