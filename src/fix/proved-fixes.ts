import { type Analysis, isRunnable, type RunnableAnalysis } from "../analysis.js";
import { attemptedBy, type Diagnostic, type Fix, lapOf, type TextEdit } from "../diagnostic.js";
import { addEntries, type Edits, replaceEntry, replaceText } from "../document/edit.js";
import type { NewEntry } from "../document/new-entry.js";
import { asMapping, type MappingNode } from "../document/node.js";
import { isWithin } from "../document/pointers.js";
import { ungroupDiagnostics } from "../lint/collect-diagnostics.js";
import { Work } from "../machine/explore.js";
import { verdictsOf } from "../machine/facts.js";
import { stoppingGuards } from "../machine/laps.js";
import type { State } from "../pack/workflow.js";
import { listNames, pluralize } from "../text/wording.js";
import { applyEdits, type Fixable, isProvable } from "./apply-edits.js";
import {
  affordableLints,
  applyFixes,
  changedPointers,
  type CheckedText,
  type FixOptions,
  type FixResult,
  isVerifiedFix,
} from "./apply-fixes.js";

/** Reads and lints other texts of a file, always in the same way. */
export interface Prover {
  /** Exploring the runs may take no more than is left of the work. */
  readonly analyze: (text: string, work?: Work) => Analysis;
  readonly lint: (analysis: Analysis) => CheckedText;
}

/** How many edits are tried for one finding. */
const maxTries = 20;

/**
 * For each finding, the small edits that remove it and add no other, the best first: tried one by one, with all runs of
 * the result explored. All tries together may take as much exploration as linting once.
 */
export function proveFixes(
  analysis: Analysis,
  checked: CheckedText,
  findings: readonly Diagnostic[],
  prover: Prover,
): readonly (readonly Fixable[])[] {
  const work = new Work();
  let lints = affordableLints(analysis.document.text, checked);
  const triesOfOne = Math.min(maxTries, lints >> 2);
  return findings.map((finding) => {
    const mayTry = triesOfOne > 0 && lints > 0 && isProvable(finding);
    if (!mayTry || !isRunnable(analysis) || !isExplored(analysis)) return [];
    const proved: Proved[] = [];
    const last = Math.max(0, lints - triesOfOne);
    for (const candidate of candidatesFor(analysis, finding)) {
      if (lints === last || work.isUsedUp) break;
      lints--;
      proved.push(...tryEdit(analysis, checked, finding, candidate, prover, work));
    }
    return proved.sort(compareProved).map((each) => each.finding);
  });
}

/** After one edit another may help; files that take more rounds than this are made for it. */
const maxRounds = 10;

/** Makes all other fixes, then the best proved one of each finding, until there is none. */
export function applyProvedFixes(start: Analysis, prover: Prover): FixResult {
  const check = (text: string): CheckedText => prover.lint(prover.analyze(text));
  let analysis = start;
  let fixed = 0;
  const apply = (checked: CheckedText, shouldFix: FixOptions["shouldFix"]): boolean => {
    const { text } = analysis.document;
    const result = applyFixes(text, checked, { check, shouldFix });
    if (result.text === text) return false;
    fixed += result.fixed;
    analysis = prover.analyze(result.text);
    return true;
  };
  for (let round = 0; round < maxRounds; round++) {
    apply(prover.lint(analysis), () => true);
    const checked = prover.lint(analysis);
    const best = proveFixes(analysis, checked, checked.kept, prover).map(([first]) => first);
    const kept = checked.kept.map((finding, index) => best[index] ?? finding);
    const proved = new Set(best.map((finding) => finding?.fix));
    if (!apply({ ...checked, kept }, ({ fix }) => proved.has(fix))) break;
  }
  return { text: analysis.document.text, fixed };
}

/** Whether all runs were tried, and none may continue behind an unknown name. */
function isExplored({ workflow, facts }: RunnableAnalysis): boolean {
  return facts.exact && verdictsOf(workflow, facts).fullyResolved;
}

interface Candidate {
  /** Without what it leads to. */
  readonly title: string;
  /** The only parts of the pack that it changes. */
  readonly pointers: readonly string[];
  readonly size: number;
  readonly edits: readonly TextEdit[];
}

interface Proved extends Pick<Candidate, "size"> {
  readonly finding: Fixable;
  readonly left: number;
}

function compareProved(a: Proved, b: Proved): number {
  const startOf = ({ finding }: Proved): number => finding.fix.edits[0]?.start ?? 0;
  return a.size - b.size || a.left - b.left || startOf(a) - startOf(b);
}

function tryEdit(
  before: RunnableAnalysis,
  checked: CheckedText,
  finding: Diagnostic,
  { title, pointers, size, edits }: Candidate,
  { analyze, lint }: Prover,
  work: Work,
): readonly Proved[] {
  const { root, text } = before.document;
  const after = analyze(applyEdits(text, edits), work);
  const newRoot = after.document.root;
  if (root === undefined || newRoot === undefined || !isRunnable(after) || !isExplored(after)) return [];
  // Through an alias, an edit may change several states.
  const isExpected = (changed: string): boolean => pointers.some((pointer) => isWithin(changed, pointer));
  if (!changedPointers(root, newRoot).every(isExpected)) return [];
  const found = lint(after);
  const fix: Fix = { description: `${title}${outcomeText(before, after)}.`, unsafe: true, edits };
  const fixed = { ...finding, fix, alsoAt: [...(finding.alsoAt ?? []), ...pointers] };
  if (!isVerifiedFix(checked, found, [fixed], true)) return [];
  return [{ finding: fixed, size, left: ungroupDiagnostics(found.kept).length }];
}

/** `: longest run 23 visits, was endless` */
function outcomeText({ facts: { worstCase: was } }: RunnableAnalysis, { facts }: RunnableAnalysis): string {
  const { worstCase: is } = facts;
  if (is === undefined || is === Infinity) return ": the longest run stays endless";
  const change = was === is ? "" : `, was ${was === Infinity ? "endless" : was}`;
  return `: longest run ${pluralize(is, "visit")}${change}`;
}

/** Each kind of edit in turn, so that many of one kind leave tries to the others. */
function* candidatesFor(analysis: RunnableAnalysis, finding: Diagnostic): Iterable<Candidate> {
  const kinds = (editsByRule[finding.rule]?.(new SmallEdits(analysis, finding)) ?? []).map((edits) =>
    edits[Symbol.iterator](),
  );
  while (kinds.length > 0) {
    for (const kind of [...kinds]) {
      const next = kind.next();
      if (next.done === true) kinds.splice(kinds.indexOf(kind), 1);
      else yield next.value;
    }
  }
}

type Kinds = (edits: SmallEdits) => readonly Iterable<Candidate>[];

const ofLoop: Kinds = (edits) => [
  edits.leadOut(edits.onLap),
  edits.addGuard(edits.onLap),
  edits.addGuardWithExit(edits.onLap),
];
const ofBudget: Kinds = (edits) => [edits.setBudget()];

const editsByRule: Readonly<Record<string, Kinds>> = {
  "unbounded-loop": ofLoop,
  "loop-held-by-budget-only": ofLoop,
  "agent-turn-loop": ofLoop,
  "trapped-states": (edits) => [
    edits.leadOut(edits.leadingIn),
    edits.markTerminal(edits.reported),
    edits.addGuardWithExit(edits.reported),
  ],
  // The last state is most likely the end.
  "no-terminal-state": (edits) => [edits.markTerminal([...edits.states].reverse())],
  "never-completes": (edits) => [edits.leadOut(edits.stopping), edits.markTerminal(edits.reported)],
  "forced-exit-cycle": (edits) => [edits.leadOut(edits.reported, "any state without max_visits")],
  "unguarded-reentry": (edits) => [edits.addGuard(edits.reported), edits.addGuardWithExit(edits.reported)],
  "loop-without-budget": ofBudget,
  "budget-too-small": ofBudget,
  "budget-coherence": ofBudget,
};

/** More edits at once are not small. */
const maxSize = 4;

/** Enough for a loop to do its work, and small enough to explore. */
const usualVisits = 5;

/** The edits that may help against one finding. */
class SmallEdits {
  readonly states: readonly State[];
  readonly reported: readonly State[];

  constructor(
    private readonly analysis: RunnableAnalysis,
    private readonly finding: Diagnostic,
  ) {
    const { pointer, data } = finding;
    const listed = data?.["states"];
    const named = Array.isArray(listed) ? new Set<unknown>(listed) : undefined;
    this.states = analysis.workflow.states;
    this.reported = this.states.filter(({ name }) => named?.has(name.text) ?? name.pointer === pointer);
  }

  /** No other state can be on every lap. */
  get onLap(): readonly State[] {
    const lap = lapOf(this.finding.trace);
    const names = lap && new Set(lap.flatMap(attemptedBy));
    return names === undefined ? this.reported : this.states.filter(({ name }) => names.has(name.text));
  }

  get leadingIn(): readonly State[] {
    const names = new Set(this.reported.map(({ name }) => name.text));
    return this.states.filter(
      ({ name, onMaxVisits }) => names.has(name.text) || (onMaxVisits && names.has(onMaxVisits.text)),
    );
  }

  get stopping(): readonly State[] {
    const reported = this.reported.map(({ index }) => index);
    return stoppingGuards(this.analysis.facts, reported).flatMap((index) => this.states[index] ?? []);
  }

  /** One forced exit, or all of them. */
  *leadOut(from: readonly State[], to?: "any state without max_visits"): Iterable<Candidate> {
    const guards = from.filter(({ maxVisits }) => maxVisits !== undefined);
    const { states } = this.analysis.machine;
    const unguarded = states.filter(({ ends, maxVisits }) => to && !ends && maxVisits === undefined);
    for (const { name: target } of [...states.filter(({ ends }) => ends), ...unguarded]) {
      const exits = guards.flatMap((guard) => [...this.leadTo(guard, target)]);
      yield* exits;
      if (exits.length < 2 || exits.length > maxSize) continue;
      const title = `Set the on_max_visits of ${listNames(guards.map(({ name }) => name.text))} to "${target}"`;
      const [pointers, edits] = [exits.flatMap((exit) => exit.pointers), exits.flatMap((exit) => exit.edits)];
      yield { title, pointers, size: exits.length, edits };
    }
  }

  private *leadTo({ name, node, onMaxVisits }: State, target: string): Iterable<Candidate> {
    if (onMaxVisits === undefined)
      yield* this.add(node, `Add on_max_visits "${target}" to "${name.text}"`, { on_max_visits: target });
    else if (onMaxVisits.text !== target) {
      const title = `Change the on_max_visits of "${name.text}" to "${target}"`;
      yield* this.edit(node, title, replaceText(this.analysis.document, onMaxVisits.node, target));
    }
  }

  *addGuard(to: readonly State[]): Iterable<Candidate> {
    for (const state of to) {
      const limit = this.limitFor(state);
      if (limit === undefined) continue;
      yield* this.add(state.node, `Add max_visits ${limit} to "${state.name.text}"`, { max_visits: limit });
    }
  }

  *addGuardWithExit(to: readonly State[]): Iterable<Candidate> {
    for (const { name: target } of this.analysis.machine.states.filter(({ ends }) => ends)) {
      for (const state of to) {
        const limit = this.limitFor(state);
        if (limit === undefined) continue;
        const title = `Add max_visits ${limit} and on_max_visits "${target}" to "${state.name.text}"`;
        yield* this.add(state.node, title, { max_visits: limit, on_max_visits: target });
      }
    }
  }

  /** A guard that no run attempts more often would never act; one of 1 would forbid to come back at all. */
  private limitFor({ index, maxVisits }: State): number | undefined {
    if (maxVisits !== undefined) return undefined;
    const limit = Math.min(usualVisits, (this.analysis.facts.worstCaseOf(index) ?? Infinity) - 1);
    return limit > 1 ? limit : undefined;
  }

  *markTerminal(states: readonly State[]): Iterable<Candidate> {
    for (const { name, node } of states) {
      const terminal = { name: "terminal", value: true };
      const edits = node && replaceEntry(this.analysis.document, node, "on_event", terminal);
      yield* this.edit(node, `Make "${name.text}" terminal, in place of its events`, edits);
    }
  }

  /** At the longest run, or the sum of all max_visits if that is more, as `budget-coherence` asks for. */
  *setBudget(): Iterable<Candidate> {
    const { workflow, facts, document } = this.analysis;
    const { engine, budget, node } = workflow;
    const set = budget?.maxTotalVisits;
    const longest = facts.worstCase ?? Infinity;
    if (longest === Infinity && set === undefined) return;
    const guarded = this.states.filter(({ index }) => facts.entered.has(index));
    const sum = guarded.reduce((total, { maxVisits }) => total + (maxVisits?.value ?? 0), 0);
    const needed = longest === Infinity ? (facts.shortestComplete?.entries ?? 0) : longest;
    const limit = { name: "max_total_visits", value: Math.max(sum, needed) };
    const part = asMapping(engine?.get("budget"));
    const nested = { name: "budget", value: [limit] };
    if (part !== undefined && set !== undefined) {
      const title = `Raise max_total_visits from ${set.value} to ${limit.value}`;
      yield* this.edit(part, title, replaceEntry(document, part, limit.name, limit));
      return;
    }
    const [home, entry] =
      part !== undefined
        ? [part, limit]
        : engine !== undefined
          ? [engine, nested]
          : [node, { name: "engine", value: [nested] }];
    const title = `Set engine.budget.max_total_visits to ${limit.value}`;
    yield* this.edit(home, title, addEntries(document, home, [entry]));
  }

  private *add(
    node: MappingNode | undefined,
    title: string,
    fields: Readonly<Record<string, string | number>>,
  ): Iterable<Candidate> {
    const entries: readonly NewEntry[] = Object.entries(fields).map(([name, value]) => ({ name, value }));
    yield* this.edit(node, title, node && addEntries(this.analysis.document, node, entries), entries.length);
  }

  /** Nothing if the file is written in a way that the author has to change by hand. */
  private *edit(node: MappingNode | undefined, title: string, edits: Edits, size = 1): Iterable<Candidate> {
    if (node !== undefined && edits !== undefined) yield { title, pointers: [node.pointer], size, edits };
  }
}
