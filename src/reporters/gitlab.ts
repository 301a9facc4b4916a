import type { Severity } from "../diagnostic.js";
import { escapeInvisible, formatJson } from "../text/escape.js";
import { fingerprintFindings } from "./fingerprint.js";
import type { Reporter } from "./report.js";

const severityOf: Readonly<Record<Severity, string>> = { error: "major", warning: "minor", info: "info" };

export const gitlab: Reporter = (report) =>
  formatJson(
    report.files.flatMap((file) =>
      fingerprintFindings(file)
        .filter(({ suppressed }) => suppressed === undefined)
        .map(({ diagnostic, fingerprint }) => ({
          description: escapeInvisible(diagnostic.message),
          check_name: diagnostic.rule,
          fingerprint,
          severity: severityOf[diagnostic.severity],
          location: { path: file.file, lines: { begin: diagnostic.range.start.line } },
        })),
    ),
  );
