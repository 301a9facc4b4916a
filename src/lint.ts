import type { AgenticLog } from "./agentic/agentic-log.js";
import type { PluginState } from "./agentic/plugin-state.js";
import { diagnose, type Ask, type DiagnoseOptions } from "./diagnose.js";
import type { Diagnostic, Finding } from "./diagnostic.js";
import type { Document } from "./document/document.js";
import type { Facts } from "./machine/facts.js";
import { findFacts } from "./machine/find-facts.js";
import { buildMachine } from "./machine/machine.js";
import type { Pack } from "./pack/pack.js";
import { readPack } from "./pack/read-pack.js";
import { type Spec, specOf } from "./pack/spec.js";
import type { CheckedRun, RecordedRun } from "./replay/recorded-run.js";
import { replayText } from "./replay/replay-text.js";
import { RunReplay } from "./replay/run-replay.js";
import type { Routes, RoutesFile } from "./routes/routes.js";
import { rules } from "./rules/index.js";
import type { Rule, Surroundings } from "./rules/rule.js";

export { RuleFailure } from "./diagnose.js";

export interface LintOptions extends Surroundings, DiagnoseOptions {
  /** Overrides the spec version that `$schema` names. */
  readonly specVersion?: string | undefined;
}

export interface LintResult {
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
}

const rulesOf = (...subjects: readonly Rule["subject"][]): readonly Rule[] =>
  rules.filter(({ subject }) => subjects.includes(subject));
const packRules = rulesOf("document", "pack", "workflow");
const routeRules = rulesOf("document", "routes");
const logRules = rulesOf("document", "agentic");
const stateRules = rulesOf("document", "agentic-state");
const runRules = rulesOf("document", "run");

/** The whole way from a document to its diagnostics. */
export function lintDocument(document: Document, options: LintOptions = {}): LintResult {
  const spec = specOf(document.root, options.specVersion);
  const asking = new Asking(document, spec, options);
  return {
    specVersion: spec.version,
    diagnostics: diagnose(document, packRules, (rule) => asking.about(rule), options),
  };
}

/** The diagnostics of one file of an RFC-103 configuration. */
export function lintRoutes(
  file: RoutesFile,
  routes: Routes,
  options: DiagnoseOptions = {},
): readonly Diagnostic[] {
  return diagnoseOther(file.document, routeRules, options, (rule) =>
    rule.subject === "routes" ? rule.check(file, routes) : undefined,
  );
}

/** The diagnostics of a log of RFC-103 events. */
export function checkLog(log: AgenticLog, options: DiagnoseOptions = {}): readonly Diagnostic[] {
  return diagnoseOther(log.document, logRules, options, (rule) =>
    rule.subject === "agentic" ? rule.check(log) : undefined,
  );
}

/** The diagnostics of the state that the plugin of RFC-103 persists. */
export function checkState(state: PluginState, options: DiagnoseOptions = {}): readonly Diagnostic[] {
  return diagnoseOther(state.document, stateRules, options, (rule) =>
    rule.subject === "agentic-state" ? rule.check(state) : undefined,
  );
}

/** Holds a recorded run against its workflow. */
export function checkRun(run: RecordedRun, options: DiagnoseOptions = {}): CheckedRun {
  const { document } = run;
  const replay = new RunReplay(run);
  const diagnostics = diagnoseOther(document, runRules, options, (rule) =>
    rule.subject === "run" ? rule.check(replay) : undefined,
  );
  return { diagnostics, text: replayText(replay, diagnostics) };
}

/** The diagnostics of a file of which nothing is known but that it can be read. */
export function checkDocument(document: Document, options: DiagnoseOptions = {}): readonly Diagnostic[] {
  return diagnoseOther(document, rulesOf("document"), options, () => undefined);
}

/** Asks what is asked of every file, and what `ask` adds for its kind. */
function diagnoseOther(
  document: Document,
  asked: readonly Rule[],
  options: DiagnoseOptions,
  ask: Ask,
): readonly Diagnostic[] {
  return diagnose(
    document,
    asked,
    (rule) =>
      rule.subject === "document" && rule.ofAnyKind === true ? rule.check(document, undefined) : ask(rule),
    options,
  );
}

/** Readies a rule's question, reading pack and facts when the first rule needs them. */
class Asking {
  private packRead: Pack | undefined;
  private factsFound: Facts | undefined;

  constructor(
    private readonly document: Document,
    private readonly spec: Spec,
    private readonly options: LintOptions,
  ) {}

  about(rule: Rule): Iterable<Finding> | undefined {
    switch (rule.subject) {
      case "document":
        return rule.check(this.document, this.spec);
      case "pack": {
        const pack = this.pack();
        return pack && rule.check(pack, this.options);
      }
      case "workflow": {
        const pack = this.pack();
        const workflow = pack?.workflow;
        if (pack === undefined || workflow === undefined) return undefined;
        return rule.check(workflow, this.facts(workflow), pack);
      }
      case "routes":
      case "agentic":
      case "agentic-state":
      case "run":
      case "linting":
        return undefined;
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
