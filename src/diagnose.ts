import { compareDiagnostics, type Diagnostic, type Finding, type Severity } from "./diagnostic.js";
import type { Document } from "./document/document.js";
import { rules } from "./rules/index.js";
import type { Rule } from "./rules/rule.js";

export interface DiagnoseOptions {
  /** The severity of a rule where it is not the rule's own; `off` silences it. */
  readonly severityOf?: ((rule: Rule) => Severity | "off") | undefined;
  /** Base of the addresses of rule pages. */
  readonly docsBase?: string | undefined;
  /** Called around each phase and rule, to time them. */
  readonly around?: (<T>(name: string, work: () => T) => T) | undefined;
}

/** Places told with one finding: an event of a hundred thousand states would be told with each. */
const mostRelated = 1_000;

/** A fault of ours, not of the file. */
export class RuleFailure extends Error {
  constructor(
    readonly rule: string,
    cause: unknown,
  ) {
    super(`the rule "${rule}" failed`, { cause });
  }
}

/** Readies the question of a rule; nothing when it has none for this kind of file. What it takes to ready it is not the rule's time. */
export type Ask = (rule: Rule) => (() => Iterable<Finding>) | undefined;

/** Puts every rule's question to a file. */
export function diagnose(document: Document, ask: Ask, options: DiagnoseOptions): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    const severity = options.severityOf?.(rule) ?? rule.severity;
    const stops = rule.subject === "document" && rule.stops === true;
    if (severity === "off" && !stops) continue;
    const question = ask(rule);
    if (question === undefined) continue;
    const findings = put(rule, question, options);
    if (severity !== "off") {
      for (const finding of findings)
        diagnostics.push(diagnostic(document, rule, severity, finding, options));
    }
    // Nothing else can be said about such a file.
    if (findings.length > 0 && stops) return inOrder(diagnostics.filter(({ rule: id }) => id === rule.id));
  }
  return inOrder(diagnostics);
}

function put(rule: Rule, question: () => Iterable<Finding>, { around }: DiagnoseOptions): readonly Finding[] {
  const answer = () => {
    try {
      return [...question()];
    } catch (error) {
      throw new RuleFailure(rule.id, error);
    }
  };
  return around === undefined ? answer() : around(rule.id, answer);
}

/** Sorted; what is seen through two aliases of one anchor is said once, of the place where it was seen first. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map<string, { readonly pointer: string; readonly messages: Set<string> }>();
  return [...diagnostics].sort(compareDiagnostics).filter(({ rule, range, pointer, message }) => {
    const key = JSON.stringify([rule, range]);
    const first = seen.get(key);
    if (first === undefined) return seen.set(key, { pointer, messages: new Set([message]) });
    return isWithin(pointer, first.pointer) && !first.messages.has(message) && first.messages.add(message);
  });
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

function diagnostic(
  { lines }: Document,
  rule: Rule,
  severity: Severity,
  { at, message, related = [], trace, data, fix }: Finding,
  { docsBase }: DiagnoseOptions,
): Diagnostic {
  return {
    rule: rule.id,
    severity,
    message,
    pointer: at.pointer,
    range: lines.range(at.start, at.end),
    ...(related.length > 0 && {
      related: related.slice(0, mostRelated).map((place) => ({
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
