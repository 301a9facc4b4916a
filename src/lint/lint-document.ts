import type { Diagnostic, Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Facts } from "../machine/facts.js";
import { buildMachine } from "../machine/machine.js";
import { findFacts } from "../machine/verdicts.js";
import type { Pack } from "../pack/pack.js";
import { readPack } from "../pack/read-pack.js";
import { isOlderThan, resolveSpec } from "../schema/spec-version.js";
import { readRoutes } from "../routes/read-routes.js";
import { loopSpec, Routes } from "../routes/routes.js";
import { describeOther, notAPack } from "../rules/not-a-pack.js";
import type { FileContext, Need, RuleContext, RuleFor } from "../rules/rule.js";
import { runFileRules, type RunOptions, rulesOf, runRules } from "./run-rules.js";

export interface DocumentOptions extends FileContext, RunOptions {
  /** The name of the file. */
  readonly file?: string | undefined;
  /** Overrides the spec version that `$schema` names. */
  readonly specVersion?: string | undefined;
}

export interface RoutesOptions extends RunOptions {
  /** The configuration that the file belongs to; without one, the file is a configuration by itself. */
  readonly routes?: Routes | undefined;
}

export interface LintedDocument {
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What rules needed and did not have. */
  readonly lacking: ReadonlySet<Need>;
}

type PackRules = RuleFor<"file" | "document" | "pack" | "workflow" | "graph">;

const packRules = rulesOf("file", "document", "pack", "workflow", "graph");
const routeRules = rulesOf("file", "routes");

/**
 * The pipeline: document → pack → machine → facts, each built when the first rule needs it. The rule `schema` checks the
 * document, and so does `readPack`, for the parts that are unclear.
 */
export function lintPack(document: Document, options: DocumentOptions): LintedDocument {
  const spec = resolveSpec(document.root, options.specVersion);
  const { file = "", fileExists, readFileBeside, levels } = options;
  const context: RuleContext = { fileExists, readFileBeside, isOn: (rule) => levels?.get(rule) !== "off" };
  const time = options.around ?? ((_, work) => work());
  const isKnownAsOther = context.isOn(notAPack.id) && describeOther(document, file) !== undefined;
  let pack: Pack | undefined;
  let facts: Facts | undefined;
  const check = (rule: PackRules): Iterable<Finding> | undefined => {
    if (rule.since !== undefined && isOlderThan(spec, rule.since)) return undefined;
    if (rule.subject === "file") return isKnownAsOther ? undefined : rule.check(document, true);
    if (rule.subject === "document") return rule.check(document, file, spec);
    const { root } = document;
    if (root?.kind !== "mapping") return undefined;
    if (rule.section !== undefined && root.get(rule.section) === undefined) return undefined;
    pack ??= time("pack", () => readPack(document, root, spec));
    if (rule.subject === "pack") return rule.check(pack, context);
    const { workflow } = pack;
    if (workflow === undefined || (rule.subject === "graph" && !workflow.isClear)) return undefined;
    facts ??= time("machine", () => findFacts(buildMachine(workflow)));
    return rule.check(workflow, facts, pack, context);
  };
  return {
    specVersion: spec.version,
    diagnostics: runRules(document, packRules, check, options),
    lacking: new Set<Need>(fileExists === undefined ? ["files beside"] : []),
  };
}

/** Lints one file of an RFC-103 configuration. */
export function lintRoutes(file: string, document: Document, options: RoutesOptions): LintedDocument {
  const known = options.routes?.fileNamed(file);
  const isKnown = known?.document.text === document.text;
  const own = known !== undefined && isKnown ? known : readRoutes(file, document);
  const routes = isKnown ? options.routes : options.routes?.with(own);
  const all = routes ?? new Routes([own]);
  return {
    specVersion: loopSpec,
    diagnostics: runFileRules(document, routeRules, options, (rule) => rule.check(own, all)),
    lacking: lackingIn(all, options.routes === undefined),
  };
}

/** Without its list of allowed plugins, a configuration is a part of one: the rest is elsewhere. */
function lackingIn(routes: Routes, isAlone: boolean): ReadonlySet<Need> {
  const lacking = new Set<Need>();
  if (routes.allowed === undefined) lacking.add("allowed plugins");
  if (routes.allowed === undefined || isAlone) lacking.add("other routes");
  if (!routes.hasAllPipelines) lacking.add("every pipeline");
  return lacking;
}
