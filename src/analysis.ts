import type { Diagnostic, Finding, Suppression } from "./diagnostic.js";
import type { Document } from "./document/document.js";
import type { FileKind } from "./document/file-format.js";
import { stablePointer } from "./document/pointers.js";
import type { Work } from "./machine/explore.js";
import { type Facts, verdictsOf } from "./machine/facts.js";
import { buildMachine, entersAlike, type Machine, runsAlike } from "./machine/machine.js";
import { type Pack, readPack } from "./pack/pack.js";
import type { Workflow } from "./pack/workflow.js";
import { checkProperty } from "./properties/check-property.js";
import { findNames, isJudged, type NamesInPack, type Property } from "./properties/property.js";
import {
  isRoutesDocument,
  joinRoutes,
  loopSpec,
  readRoutes,
  replaceFile,
  type Routes,
} from "./routes/routes.js";
import { defaultTarget, type Target } from "./runtimes/index.js";
import { readingOf, type Runtime } from "./runtimes/runtime.js";
import type { FileContext, JudgedProperty, Need, RuleFor } from "./rules/rule.js";
import { isAboutFileAlone } from "./rules/index.js";
import { checkSchema } from "./schema/check-schema.js";
import { isOlderThan, resolveSpec, type Spec } from "./schema/spec-version.js";
import type { SchemaErrors } from "./schema/validator.js";
import type { Project } from "./sources/project.js";
import { suppressByComments } from "./suppress/comments.js";
import { type SilentRules, silentRulesIn, suppress, type Suppressor } from "./suppress/suppress.js";
import { getOrCreate, lazy, withLazy } from "./text/collections.js";
import { noLevels, rulesOf, runFileRules, type RunOptions, runRules } from "./lint/run-rules.js";
import { findFacts } from "./machine/exact-facts.js";
import { describeOther, notAPack } from "./rules/file-rules.js";

export interface AnalysisOptions {
  /** Overrides the spec version that `$schema` names. */
  readonly specVersion?: string | undefined;
  /** The work limit for exploring runs, if several analyses share one. */
  readonly work?: Work | undefined;
  readonly around?: RunOptions["around"];
  /** The files that the pack comes from, if it is not one file. */
  readonly project?: Project | undefined;
}

export interface LintSettings extends FileContext, Omit<RunOptions, "around"> {
  /** By default, the content decides. */
  readonly kind?: FileKind | undefined;
  readonly properties?: readonly Property[] | undefined;
  /** Where the pack is to run. */
  readonly target?: Target | undefined;
  /** The configuration that a file of routes belongs to; without one, it is a configuration by itself. */
  readonly routes?: Routes | undefined;
  /** Whether suppression comments count; they do unless this is false. */
  readonly inlineConfig?: boolean | undefined;
  /** Applied after the comments, in this order. */
  readonly suppressors?: readonly Suppressor[] | undefined;
  readonly stablePointers?: boolean | undefined;
}

export interface Findings extends Suppression, Pick<Document, "root"> {
  readonly specVersion: string;
  readonly silentRules: SilentRules;
  /** Which names of the properties the pack has; undefined if unknown. */
  readonly propertyNames: readonly NamesInPack[] | undefined;
}

type PackRules = RuleFor<"file" | "document" | "pack" | "workflow" | "graph">;

const packRules = rulesOf("file", "document", "pack", "workflow", "graph");
const sourceRules = rulesOf("sources");
const routeRules = rulesOf("file", "routes");

/** The findings of all rules, before anything suppresses them. */
export interface RawFindings extends Omit<Findings, keyof Suppression | "root" | "silentRules"> {
  readonly diagnostics: readonly Diagnostic[];
  readonly lacking: ReadonlySet<Need>;
}

/** Everything derived from one text, each part on first use: document → pack → machine → facts → findings. */
export class Analysis {
  declare readonly spec: Spec;
  /** Says what the file is if it is certainly not a pack. */
  declare readonly other: Finding | undefined;
  declare readonly schemaErrors: SchemaErrors;
  /** As far as it is well-formed; undefined if the document has no object at its root. */
  declare readonly pack: Pack | undefined;
  declare readonly machine: Machine | undefined;
  declare readonly facts: Facts | undefined;
  private readonly factsByRuntime = new Map<Runtime, Facts>();

  constructor(
    /** As reports name it. */
    readonly file: string,
    readonly document: Document,
    private readonly options: AnalysisOptions = {},
  ) {
    const { root } = document;
    const { specVersion, work, around = (_, run) => run() } = options;
    withLazy<Analysis, Pick<Analysis, "spec" | "other" | "schemaErrors" | "pack" | "machine" | "facts">>(
      this,
      {
        spec: () => resolveSpec(root, specVersion),
        other: () => describeOther(document, file),
        schemaErrors: () => checkSchema(document, this.spec),
        pack: () => {
          if (root?.kind !== "mapping") return undefined;
          return around("pack", () => readPack(document, root, this.spec, this.schemaErrors));
        },
        machine: () => this.workflow && buildMachine(this.workflow),
        facts: () => {
          const { machine } = this;
          return machine && around("machine", () => findFacts(machine, work));
        },
      },
    );
  }

  get workflow(): Workflow | undefined {
    return this.pack?.workflow;
  }

  /** The facts of the machine of a runtime; undefined if it runs no workflows, or there is none. */
  factsIn(runtime: Runtime): Facts | undefined {
    const { options, facts } = this;
    const reading = readingOf(runtime);
    if (reading === undefined || facts === undefined) return undefined;
    return getOrCreate(this.factsByRuntime, runtime, () => {
      const machine = { ...facts.machine, reading };
      return runsAlike(machine) ? { ...facts, machine } : findFacts(machine, options.work);
    });
  }

  /** The same for those who only ask which states runs enter, and how: mostly, no other machine need be explored. */
  entriesIn(runtime: Runtime): Facts | undefined {
    const { facts } = this;
    const isSame = facts !== undefined && readingOf(runtime) !== undefined && entersAlike(facts.machine);
    return isSame ? facts : this.factsIn(runtime);
  }

  get project(): Project | undefined {
    return this.options.project;
  }

  isRoutes({ kind }: LintSettings): boolean {
    return kind === undefined ? isRoutesDocument(this.document) : kind === "routes";
  }

  /** The one way to lint, for `lint()` and for every command. */
  lint(settings: LintSettings): Findings {
    const { document } = this;
    const { root } = document;
    const { levels = noLevels, inlineConfig, suppressors = [] } = settings;
    const { lacking, diagnostics, ...rest } = this.isRoutes(settings)
      ? this.checkRoutes(settings)
      : this.checkPack(settings);
    const silentRules = silentRulesIn(document, diagnostics, levels, lacking);
    const kept = settings.stablePointers ? withStablePointers(root, diagnostics) : diagnostics;
    const all = { kept, suppressed: [] };
    const found = inlineConfig === false ? all : suppressByComments(document, all, levels, silentRules);
    return { ...rest, ...suppressors.reduce(suppress, found), root, silentRules };
  }

  /** The findings about the files of a project themselves. */
  checkSources(settings: LintSettings): readonly Diagnostic[] {
    const { project, pack, document } = this;
    if (project === undefined) return [];
    const isOn = (rule: string): boolean => settings.levels?.get(rule) !== "off";
    const { facts } = this;
    const { target = defaultTarget } = settings;
    const entriesIn = (runtime: Runtime): Facts | undefined => this.entriesIn(runtime);
    const check = (rule: RuleFor<"sources">) => rule.check({ project, pack, facts, isOn, target, entriesIn });
    return runRules(document, sourceRules, check, this.runOptions(settings));
  }

  checkPack(settings: LintSettings): RawFindings {
    const { document, spec, project } = this;
    const { fileExists, readFileBeside, levels, properties = [], target = defaultTarget } = settings;
    const isOn = (rule: string): boolean => levels?.get(rule) !== "off";
    const names = lazy(() => (this.workflow === undefined ? [] : findNames(properties, this.workflow)));
    const judgeProperties = lazy(() => this.judge(properties, names()));
    const entriesIn = (runtime: Runtime): Facts | undefined => this.entriesIn(runtime);
    const context = { isOn, fileExists, readFileBeside, target, entriesIn };
    const isKnownAsOther = project === undefined && isOn(notAPack.id) && this.other !== undefined;
    const check = (rule: PackRules): Iterable<Finding> | undefined => {
      if (rule.since !== undefined && isOlderThan(spec, rule.since)) return undefined;
      if (project !== undefined && (rule.subject === "file" || rule === notAPack)) return undefined;
      if (project !== undefined && project.head === undefined && !isAboutFileAlone(rule.id)) return undefined;
      if (rule.subject === "file") return isKnownAsOther ? undefined : rule.check({ document, isPack: true });
      if (rule.subject === "document") return rule.check(this);
      if (document.root?.kind !== "mapping") return undefined;
      if (rule.section !== undefined && document.root.get(rule.section) === undefined) return undefined;
      const { pack } = this;
      if (pack === undefined) return undefined;
      if (rule.subject === "pack") return rule.check({ pack, ...context });
      const { workflow } = pack;
      if (workflow === undefined || (rule.subject === "graph" && !workflow.isClear)) return undefined;
      const { facts } = this;
      return facts && rule.check({ pack, workflow, facts, judgeProperties, ...context });
    };
    const diagnostics = runRules(document, packRules, check, this.runOptions(settings));
    const isUnread = properties.length === 0 || this.pack === undefined || this.workflow?.isClear === false;
    const propertyNames = isUnread ? undefined : names();
    const lacking = new Set<Need>(fileExists === undefined ? ["files beside"] : []);
    const areJudged = propertyNames?.every((each) => !each.isConcerned || isJudged(each));
    if (areJudged !== true) lacking.add("properties");
    return { specVersion: spec.version, diagnostics, lacking, propertyNames };
  }

  /** Judges the properties of the config that are about this workflow and whose names it has. */
  private judge(properties: readonly Property[], names: readonly NamesInPack[]): readonly JudgedProperty[] {
    const { workflow, facts } = this;
    if (workflow === undefined || facts === undefined) return [];
    const { targetsKnown } = verdictsOf(workflow, facts);
    const judged = new Set(names.filter(isJudged).map(({ property }) => property));
    return properties
      .filter(({ name }) => judged.has(name.pointer))
      .map((property) => {
        const own = (property.runtime && this.factsIn(property.runtime)) ?? facts;
        return { property, verdict: checkProperty(own, property, targetsKnown) };
      });
  }

  private checkRoutes(settings: LintSettings): RawFindings {
    const { document, file: name } = this;
    const known = settings.routes?.fileNamed(name);
    const isKnown = known?.document.text === document.text;
    const file = known !== undefined && isKnown ? known : readRoutes(name, document);
    const all = isKnown ? settings.routes : settings.routes && replaceFile(settings.routes, file);
    const routes = all ?? joinRoutes([file]);
    const isOn = (rule: string): boolean => settings.levels?.get(rule) !== "off";
    const check = (rule: RuleFor<"routes">) => rule.check({ file, routes, isOn });
    return {
      specVersion: loopSpec,
      diagnostics: runFileRules(document, routeRules, this.runOptions(settings), check),
      lacking: lackingIn(routes, settings.routes === undefined),
      propertyNames: [],
    };
  }

  private runOptions({ levels }: LintSettings): RunOptions {
    return { levels, around: this.options.around };
  }
}

export function withStablePointers(
  root: Document["root"],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics.map((found) => ({
    ...found,
    stablePointer: stablePointer(root, found.pointer),
    ...(found.members && { members: withStablePointers(root, found.members) }),
  }));
}

/** An analysis of a text that has an object at its root. */
export type PackAnalysis = Analysis & { readonly pack: Pack };

/** An analysis of a pack whose workflow has states. */
export type RunnableAnalysis = Analysis & {
  readonly pack: Pack & { readonly workflow: Workflow };
  readonly workflow: Workflow;
  readonly machine: Machine;
  readonly facts: Facts;
};

/** The machine of a runtime; of the RFCs without one. */
export function machineIn({ machine }: RunnableAnalysis, runtime: Runtime | undefined): Machine {
  const reading = runtime && readingOf(runtime);
  return reading === undefined ? machine : { ...machine, reading };
}

export function hasPack(analysis: Analysis): analysis is PackAnalysis {
  return analysis.pack !== undefined;
}

export function isRunnable(analysis: Analysis): analysis is RunnableAnalysis {
  return (analysis.workflow?.states.length ?? 0) > 0;
}

/** Without its list of allowed plugins, a configuration is a part of one: the rest is elsewhere. */
function lackingIn(routes: Routes, isAlone: boolean): ReadonlySet<Need> {
  const lacking = new Set<Need>();
  if (routes.allowed === undefined) lacking.add("allowed plugins");
  if (routes.allowed === undefined || isAlone) lacking.add("other routes");
  if (!routes.hasAllPipelines) lacking.add("every pipeline");
  return lacking;
}
