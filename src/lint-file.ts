import type { FileKind } from "./document/file-format.js";
import type { Suppression } from "./diagnostic.js";
import type { Document } from "./document/document.js";
import {
  type DocumentOptions,
  type LintedDocument,
  lintPack,
  lintRoutes,
  type RoutesOptions,
} from "./lint/lint-document.js";
import { noLevels } from "./lint/run-rules.js";
import { isRoutesDocument } from "./routes/read-routes.js";
import { type MayReport, mayReportIn, suppress } from "./suppress/suppress.js";

export interface LintFileOptions extends DocumentOptions, RoutesOptions {
  readonly kind?: FileKind | undefined;
  /** Whether suppression comments count; they do unless this is false. */
  readonly inlineConfig?: boolean | undefined;
}

export interface LintResult extends Suppression, Pick<LintedDocument, "propertyNames"> {
  readonly root: Document["root"];
  readonly specVersion: string;
  readonly mayReport: MayReport;
}

/** Lints a document and applies its suppression comments: the one way, for `lint()` and for every command. */
export function lintFile(file: string, document: Document, options: LintFileOptions): LintResult {
  const { kind = isRoutesDocument(document) ? "routes" : "pack", levels = noLevels } = options;
  const { specVersion, diagnostics, lacking, propertyNames } =
    kind === "pack" ? lintPack(document, { ...options, file }) : lintRoutes(file, document, options);
  const mayReport = mayReportIn(document, diagnostics, levels, lacking);
  const { kept, suppressed } =
    options.inlineConfig === false
      ? { kept: diagnostics, suppressed: [] }
      : suppress(document, diagnostics, levels, mayReport);
  return { root: document.root, specVersion, kept, suppressed, mayReport, propertyNames };
}
