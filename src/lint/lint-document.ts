import type { Diagnostic, Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { MappingNode } from "../document/node.js";
import type { Facts } from "../machine/facts.js";
import { buildMachine } from "../machine/machine.js";
import { findFacts, verdictsOf } from "../machine/verdicts.js";
import type { Pack } from "../pack/pack.js";
import { readPack } from "../pack/read-pack.js";
import type { Workflow } from "../pack/workflow.js";
import { checkProperty } from "../properties/check-property.js";
import { findNames, isJudged, type NamesInPack, type Property } from "../properties/property.js";
import { checkSchema } from "../schema/check-schema.js";
import { isOlderThan, resolveSpec } from "../schema/spec-version.js";
import { readRoutes } from "../routes/read-routes.js";
import { loopSpec, Routes } from "../routes/routes.js";
import { describeOther, notAPack } from "../rules/not-a-pack.js";
import type { FileContext, JudgedProperty, Need, RuleContext, RuleFor } from "../rules/rule.js";
import { lazy } from "../text/collections.js";
import { runFileRules, type RunOptions, rulesOf, runRules } from "./run-rules.js";

export interface DocumentOptions extends FileContext, RunOptions {
  readonly file?: string | undefined;
  /** Overrides the spec version that `$schema` names. */
  readonly specVersion?: string | undefined;
  /** The properties of the config that may be about this file. */
  readonly properties?: readonly Property[] | undefined;
}

export interface RoutesOptions extends RunOptions {
  /** The configuration that the file belongs to; without one, the file is a configuration by itself. */
  readonly routes?: Routes | undefined;
}

export interface LintedDocument {
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly lacking: ReadonlySet<Need>;
  /** Which names of the properties the pack has; undefined if unknown. */
  readonly propertyNames?: readonly NamesInPack[] | undefined;
}

type PackRules = RuleFor<"file" | "document" | "pack" | "workflow" | "graph">;

const packRules = rulesOf("file", "document", "pack", "workflow", "graph");
const routeRules = rulesOf("file", "routes");

/** The pipeline: document → schema errors → pack → machine → facts, each built when the first rule needs it. */
export function lintPack(document: Document, options: DocumentOptions): LintedDocument {
  const spec = resolveSpec(document.root, options.specVersion);
  const { file = "", fileExists, readFileBeside, levels, properties = [] } = options;
  let names: readonly NamesInPack[] | undefined;
  let judged: readonly JudgedProperty[] | undefined;
  const namesIn = (workflow: Workflow) => (names ??= findNames(properties, workflow));
  const namesInPack = ({ workflow }: Pack) =>
    workflow === undefined ? [] : workflow.isClear ? namesIn(workflow) : undefined;
  const context: RuleContext = {
    fileExists,
    readFileBeside,
    isOn: (rule) => levels?.get(rule) !== "off",
    judgeProperties: (workflow, found) =>
      (judged ??= namesIn(workflow)
        .filter(isJudged)
        .map(({ property }) => {
          const { targetsKnown } = verdictsOf(workflow, found);
          return { property, verdict: checkProperty(found, property, targetsKnown) };
        })),
  };
  const time = options.around ?? ((_, work) => work());
  const isKnownAsOther = context.isOn(notAPack.id) && describeOther(document, file) !== undefined;
  const schemaErrors = lazy(() => checkSchema(document, spec));
  let pack: Pack | undefined;
  const packOf = (root: MappingNode) =>
    (pack ??= time("pack", () => readPack(document, root, spec, schemaErrors())));
  let facts: Facts | undefined;
  const check = (rule: PackRules): Iterable<Finding> | undefined => {
    if (rule.since !== undefined && isOlderThan(spec, rule.since)) return undefined;
    if (rule.subject === "file") return isKnownAsOther ? undefined : rule.check(document, true);
    if (rule.subject === "document") return rule.check(document, file, spec, schemaErrors);
    const { root } = document;
    if (root?.kind !== "mapping") return undefined;
    if (rule.section !== undefined && root.get(rule.section) === undefined) return undefined;
    const read = packOf(root);
    if (rule.subject === "pack") return rule.check(read, context);
    const { workflow } = read;
    if (workflow === undefined || (rule.subject === "graph" && !workflow.isClear)) return undefined;
    facts ??= time("machine", () => findFacts(buildMachine(workflow)));
    return rule.check(workflow, facts, read, context);
  };
  const diagnostics = runRules(document, packRules, check, options);
  const isUnread = properties.length === 0 || document.root?.kind !== "mapping";
  const propertyNames = isUnread ? undefined : namesInPack(packOf(document.root));
  const lacking = new Set<Need>(fileExists === undefined ? ["files beside"] : []);
  const areJudged = propertyNames?.every((each) => !each.isConcerned || isJudged(each));
  if (areJudged !== true) lacking.add("properties");
  return { specVersion: spec.version, diagnostics, lacking, propertyNames };
}

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
    propertyNames: [],
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
