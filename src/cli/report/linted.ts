import type { Format } from "../../document/document.js";
import type { FileReport } from "../../reporters/report.js";
import type { MayReport } from "../../suppress/may-report.js";
import type { IgnoredFinding } from "../config/config.js";
import type { Settings } from "../config/settings.js";

/** The tree of the file is gone by now: a thousand of them would fill the memory. */
export interface LintedFile {
  readonly report: FileReport;
  readonly format: Format;
  /** Whether the file could not be read, so that nobody knows what is in it. */
  readonly hasFaults: boolean;
  readonly levels: Settings["levels"];
  readonly mayReport: MayReport;
  /** The entries of the config's `ignore` that silenced something here, or may do so again. */
  readonly usedEntries: ReadonlySet<IgnoredFinding>;
  /** Those whose pointer leads nowhere. */
  readonly danglingEntries: ReadonlySet<IgnoredFinding>;
}
