import type { Levels } from "./diagnose.js";
import { compareText, type Diagnostic } from "./diagnostic.js";
import type { Document } from "./document/document.js";
import { lintDocument, lintRoutes, type LintOptions, type LintResult } from "./lint.js";
import { isRoutes, readRoutes } from "./routes/read-routes.js";
import { loopSpec, Routes, type RoutesFile } from "./routes/routes.js";
import { applyComments } from "./suppress/apply-comments.js";
import type { Suppression } from "./suppress/suppress.js";

export interface JudgeOptions extends LintOptions {
  /** A pack, or a file of routes (RFC-103); by what is in it where this is absent. */
  readonly kind?: "pack" | "routes" | undefined;
  /** The files of the configuration it belongs to, should it be one of routes; by itself where there are none. */
  readonly routes?: readonly RoutesFile[] | undefined;
  /** Whether comments silence findings; they do unless this is false. */
  readonly inlineConfig?: boolean | undefined;
}

export interface Judgement extends Suppression {
  readonly root: Document["root"];
  readonly specVersion: string;
  /** All that the rules found, silenced or not. */
  readonly found: readonly Diagnostic[];
}

const ownLevels: Levels = new Map();

/** What the rules and the comments make of a file: the one way there, for `lint()` and for every command. */
export function judge(file: string, document: Document, options: JudgeOptions): Judgement {
  const { specVersion, diagnostics: found } = lintAsKind(file, document, options);
  const { levels = ownLevels, inlineConfig = true } = options;
  const { kept, suppressed } = inlineConfig
    ? applyComments(document, found, levels)
    : { kept: found, suppressed: [] };
  return { root: document.root, specVersion, found, kept, suppressed };
}

function lintAsKind(file: string, document: Document, options: JudgeOptions): LintResult {
  const { kind = isRoutes(document) ? "routes" : "pack", routes = [] } = options;
  if (kind === "pack") return lintDocument(document, options);
  const own = readRoutes(file, document);
  const all = [own, ...routes.filter(({ name }) => name !== file)];
  all.sort((a, b) => compareText(a.name, b.name));
  return { specVersion: loopSpec, diagnostics: lintRoutes(own, new Routes(all), options) };
}
