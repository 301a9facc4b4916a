import type { Suppression } from "./diagnostic.js";
import type { Document } from "./document/document.js";
import { type DocumentOptions, lintDocument, type LintedDocument, lintRoutes } from "./lint/lint-document.js";
import { type FileKind, noLevels } from "./lint/run-rules.js";
import { isRoutesDocument, readRoutes } from "./routes/read-routes.js";
import { Routes, type RoutesFile } from "./routes/routes.js";
import { type MayReport, mayReportIn, suppress } from "./suppress/suppress.js";

export interface LintFileOptions extends DocumentOptions {
  readonly kind?: FileKind | undefined;
  /** The configuration it belongs to, should it be one of routes; where there is none, it is one by itself. */
  readonly routes?: Routes | undefined;
  /** Whether comments silence findings; they do unless this is false. */
  readonly inlineConfig?: boolean | undefined;
}

export interface LintResult extends Suppression {
  readonly root: Document["root"];
  readonly specVersion: string;
  readonly mayReport: MayReport;
}

/** What the rules and the comments make of a file: the one way there, for `lint()` and for every command. */
export function lintFile(file: string, document: Document, options: LintFileOptions): LintResult {
  const { specVersion, diagnostics: found, lacking } = lintAsKind(file, document, options);
  const { levels = noLevels, inlineConfig = true } = options;
  const mayReport = mayReportIn(document, found, levels, lacking);
  const { kept, suppressed } = inlineConfig
    ? suppress(document, found, levels, mayReport)
    : { kept: found, suppressed: [] };
  return { root: document.root, specVersion, kept, suppressed, mayReport };
}

function lintAsKind(file: string, document: Document, options: LintFileOptions): LintedDocument {
  const { kind = isRoutesDocument(document) ? "routes" : "pack" } = options;
  if (kind === "pack") return lintDocument(document, options);
  const { own, routes } = configurationOf(file, document, options.routes);
  return lintRoutes(own, routes, options.routes === undefined, options);
}

/** Most files are linted as their configuration knows them, which is one for all of them. */
function configurationOf(
  file: string,
  document: Document,
  routes: Routes | undefined,
): { readonly own: RoutesFile; readonly routes: Routes } {
  const known = routes?.fileNamed(file);
  if (routes !== undefined && known?.document.text === document.text) return { own: known, routes };
  const own = readRoutes(file, document);
  return { own, routes: routes?.with(own) ?? new Routes([own]) };
}
