import type { Severity } from "../diagnostic.js";
import { identify } from "./fingerprint.js";
import type { Reporter } from "./report.js";
import { jsonText, visible } from "../text/visible-text.js";

const severityOf: Readonly<Record<Severity, string>> = { error: "major", warning: "minor", info: "info" };

/** GitLab's code quality report: an array of issues. */
export const gitlab: Reporter = (report) =>
  jsonText(
    report.files.flatMap((file) =>
      identify(file)
        .filter(({ suppressed }) => suppressed === undefined)
        .map(({ diagnostic, fingerprint }) => ({
          description: visible(diagnostic.message),
          check_name: diagnostic.rule,
          fingerprint,
          severity: severityOf[diagnostic.severity],
          location: { path: file.file, lines: { begin: diagnostic.range.start.line } },
        })),
    ),
  );
