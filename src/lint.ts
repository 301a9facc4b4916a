import { compareDiagnostics, type Diagnostic, type Finding, type Severity } from "./diagnostic.js";
import type { Document } from "./document/document.js";
import type { Facts } from "./machine/facts.js";
import { findFacts } from "./machine/find-facts.js";
import { buildMachine } from "./machine/machine.js";
import type { Pack } from "./pack/pack.js";
import { readPack } from "./pack/read-pack.js";
import { type Spec, specOf } from "./pack/spec.js";
import { rules } from "./rules/index.js";
import type { Rule, Surroundings } from "./rules/rule.js";

export interface LintOptions extends Surroundings {
  /** Overrides the spec version that `$schema` names. */
  readonly specVersion?: string | undefined;
  /** The severity of a rule where it is not the rule's own; `off` silences it. */
  readonly severityOf?: ((rule: Rule) => Severity | "off") | undefined;
  /** Base of the addresses of rule pages. */
  readonly docsBase?: string | undefined;
  /** Called around each phase and rule, to time them. */
  readonly around?: (<T>(name: string, work: () => T) => T) | undefined;
}

export interface LintResult {
  readonly specVersion: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A fault of ours, not of the file. */
export class RuleFailure extends Error {
  constructor(
    readonly rule: string,
    cause: unknown,
  ) {
    super(`the rule "${rule}" failed`, { cause });
  }
}

/** The whole way from a document to its diagnostics. */
export function lintDocument(document: Document, options: LintOptions = {}): LintResult {
  const spec = specOf(document.root, options.specVersion);
  const ask = new Asking(document, spec, options);
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    const severity = options.severityOf?.(rule) ?? rule.severity;
    if (severity === "off" && !(rule.subject === "document" && rule.stops === true)) continue;
    const findings = ask.about(rule);
    if (severity !== "off") {
      for (const finding of findings) diagnostics.push(diagnose(document, rule, severity, finding, options));
    }
    if (findings.length > 0 && rule.subject === "document" && rule.stops === true) {
      // Nothing else can be said about such a file.
      return {
        specVersion: spec.version,
        diagnostics: inOrder(diagnostics.filter(({ rule: id }) => id === rule.id)),
      };
    }
  }
  return { specVersion: spec.version, diagnostics: inOrder(diagnostics) };
}

/** Puts a rule's question, reading pack and facts when the first rule needs them. */
class Asking {
  private packRead: Pack | undefined;
  private factsFound: Facts | undefined;

  constructor(
    private readonly document: Document,
    private readonly spec: Spec,
    private readonly options: LintOptions,
  ) {}

  about(rule: Rule): readonly Finding[] {
    // Read before the rule is asked, so that its time and its failures are its own.
    const pack = rule.subject === "pack" || rule.subject === "workflow" ? this.pack() : undefined;
    const facts = rule.subject === "workflow" && pack?.workflow !== undefined ? this.facts(pack) : undefined;
    return this.around(rule.id, () => {
      try {
        return [...this.put(rule, pack, facts)];
      } catch (error) {
        throw new RuleFailure(rule.id, error);
      }
    });
  }

  private put(rule: Rule, pack: Pack | undefined, facts: Facts | undefined): Iterable<Finding> {
    switch (rule.subject) {
      case "document":
        return rule.check(this.document, this.spec);
      case "pack":
        return pack === undefined ? [] : rule.check(pack, this.options);
      case "workflow":
        return pack?.workflow === undefined || facts === undefined
          ? []
          : rule.check(pack.workflow, facts, pack);
      case "linting":
        return [];
    }
  }

  private pack(): Pack | undefined {
    const { root } = this.document;
    if (root?.kind !== "mapping") return undefined;
    this.packRead ??= this.around("pack", () => readPack(this.document, root, this.spec));
    return this.packRead;
  }

  private facts({ workflow }: Pack): Facts | undefined {
    if (workflow === undefined) return undefined;
    this.factsFound ??= this.around("machine", () => findFacts(buildMachine(workflow)));
    return this.factsFound;
  }

  private around<T>(name: string, work: () => T): T {
    return this.options.around === undefined ? work() : this.options.around(name, work);
  }
}

/** Sorted; what is seen through two aliases of one anchor is said once. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return [...diagnostics].sort(compareDiagnostics).filter(({ rule, range, message }) => {
    const key = JSON.stringify([rule, range, message]);
    return !seen.has(key) && seen.add(key);
  });
}

function diagnose(
  { lines }: Document,
  rule: Rule,
  severity: Severity,
  { at, message, related = [], trace, data, fix }: Finding,
  { docsBase }: LintOptions,
): Diagnostic {
  return {
    rule: rule.id,
    severity,
    message,
    pointer: at.pointer,
    range: lines.range(at.start, at.end),
    ...(related.length > 0 && {
      related: related.map((place) => ({
        message: place.message,
        pointer: place.at.pointer,
        range: lines.range(place.at.start, place.at.end),
      })),
    }),
    ...(trace !== undefined && { trace }),
    ...(data !== undefined && { data }),
    ...(fix !== undefined && { fix }),
    ...(docsBase !== undefined && { docs: `${docsBase}/docs/rules/${rule.id}.md` }),
  };
}
