import type { Diagnostic, Finding } from "../diagnostic.js";
import type { Document } from "../document/document.js";
import type { Facts } from "../machine/facts.js";
import { buildMachine } from "../machine/machine.js";
import { findFacts } from "../machine/verdicts.js";
import type { Pack } from "../pack/pack.js";
import { readPack } from "../pack/read-pack.js";
import { resolveSpec, type Spec } from "../pack/spec-version.js";
import { loopSpec, type Routes, type RoutesFile } from "../routes/routes.js";
import type { FileContext, Need, RuleFor } from "../rules/rule.js";
import { rulesOf, runFileRules, type RunOptions, runRules } from "./run-rules.js";

export { RuleFailure } from "./run-rules.js";

export interface DocumentOptions extends FileContext, RunOptions {
  /** Overrides the spec version that `$schema` names. */
  readonly specVersion?: string | undefined;
}

export interface LintedDocument {
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What the rules could not ask about. */
  readonly lacking: ReadonlySet<Need>;
}

const packRules = rulesOf("file", "document", "pack", "workflow", "graph");
const routeRules = rulesOf("file", "routes");

/** The whole way from a document to its diagnostics. */
export function lintDocument(document: Document, options: DocumentOptions): LintedDocument {
  const spec = resolveSpec(document.root, options.specVersion);
  const asking = new PackChecks(document, spec, options);
  return {
    specVersion: spec.version,
    diagnostics: runRules(document, packRules, (rule) => asking.check(rule), options),
    lacking: new Set<Need>(options.fileExists === undefined ? ["files beside"] : []),
  };
}

/** One file of an RFC-103 configuration; `isAlone` where nobody has looked for the others. */
export function lintRoutes(
  file: RoutesFile,
  routes: Routes,
  isAlone: boolean,
  options: RunOptions,
): LintedDocument {
  return {
    specVersion: loopSpec,
    diagnostics: runFileRules(file.document, routeRules, options, (rule) => rule.check(file, routes)),
    lacking: lackingIn(routes, isAlone),
  };
}

/** Without the loop's list, a configuration is a part of one: the rest lies elsewhere. */
function lackingIn({ allowed, hasAllPipelines }: Routes, isAlone: boolean): ReadonlySet<Need> {
  const lacking = new Set<Need>();
  if (allowed === undefined) lacking.add("allowed plugins");
  if (allowed === undefined || isAlone) lacking.add("other routes");
  if (!hasAllPipelines) lacking.add("every pipeline");
  return lacking;
}

/** Readies a rule's question, reading pack and facts when the first rule needs them. */
class PackChecks {
  private packRead: Pack | undefined;
  private factsFound: Facts | undefined;

  constructor(
    private readonly document: Document,
    private readonly spec: Spec,
    private readonly options: DocumentOptions,
  ) {}

  check(rule: RuleFor<"file" | "document" | "pack" | "workflow" | "graph">): Iterable<Finding> | undefined {
    switch (rule.subject) {
      case "file":
        return rule.check(this.document, true);
      case "document":
        return rule.check(this.document);
      case "pack": {
        const pack = this.pack();
        return pack && rule.check(pack, this.options);
      }
      case "workflow":
      case "graph": {
        const pack = this.pack();
        const workflow = pack?.workflow;
        if (pack === undefined || workflow === undefined) return undefined;
        if (rule.subject === "graph" && !workflow.isClear) return undefined;
        return rule.check(workflow, this.facts(workflow), pack);
      }
    }
  }

  private pack(): Pack | undefined {
    const { root } = this.document;
    if (root?.kind !== "mapping") return undefined;
    this.packRead ??= this.around("pack", () => readPack(this.document, root, this.spec));
    return this.packRead;
  }

  private facts(workflow: NonNullable<Pack["workflow"]>): Facts {
    this.factsFound ??= this.around("machine", () => findFacts(buildMachine(workflow)));
    return this.factsFound;
  }

  private around<T>(name: string, work: () => T): T {
    return this.options.around === undefined ? work() : this.options.around(name, work);
  }
}
