import { type Analysis, isRunnable, type RunnableAnalysis } from "../analysis.js";
import { attemptedBy, type Diagnostic, lapOf, type TextEdit } from "../diagnostic.js";
import { addEntries, type Edits, replaceEntry, replaceText } from "../document/edit.js";
import { asMapping, type Node } from "../document/node.js";
import { isWithin } from "../document/pointers.js";
import { ungroupDiagnostics } from "../lint/collect-diagnostics.js";
import { Work } from "../machine/explore.js";
import { verdictsOf } from "../machine/facts.js";
import { stoppingGuards } from "../machine/laps.js";
import type { State } from "../pack/workflow.js";
import { listNames, pluralize } from "../text/wording.js";
import { applyEdits, type Fixable, isProved } from "./apply-edits.js";
import {
  affordableLints,
  applyFixes,
  changedPointers,
  type CheckedText,
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

/** The cost of a step in a finding's example run, in words of exploration. */
const wordsPerStep = 10;

/**
 * For each finding, the small edits that remove it and add no other, the best first: tried one by one, with all runs of
 * the result explored. All tries together may take as much work as exploring once.
 */
export function proveFixes(
  before: Analysis,
  checked: CheckedText,
  findings: readonly Diagnostic[],
  { analyze, lint }: Prover,
  work = new Work(),
): readonly (readonly Fixable[])[] {
  const { text, root } = before.document;
  let lints = affordableLints(text, checked);
  const triesOfOne = Math.min(maxTries, lints >> 2);
  const tryEdit = (finding: Diagnostic, candidate: Candidate) => {
    const { title, pointers, edits } = candidate;
    lints--;
    const after = analyze(applyEdits(text, edits), work);
    const newRoot = after.document.root;
    if (root === undefined || newRoot === undefined || !isExplored(after)) return [];
    // Through an alias, an edit may change several states.
    const isExpected = (changed: string): boolean => pointers.some((pointer) => isWithin(changed, pointer));
    if (!changedPointers(root, newRoot).every(isExpected)) return [];
    const found = lint(after);
    for (const { trace } of ungroupDiagnostics(found.kept))
      work.spend(wordsPerStep * (trace?.steps.length ?? 0));
    const fix = { description: `${title}${outcomeText(before, after)}.`, unsafe: true, edits };
    const fixed = { ...finding, fix, alsoAt: [...(finding.alsoAt ?? []), ...pointers] };
    return isVerifiedFix(checked, found, [fixed]) ? [{ ...candidate, fixed, left: found.kept.length }] : [];
  };
  return findings.map((finding) => {
    if (!isProved(finding) || triesOfOne === 0 || lints <= 0 || !isExplored(before)) return [];
    const tried = candidatesFor(before, finding).slice(0, Math.min(triesOfOne, lints));
    const proved = tried.flatMap((candidate) => (work.isUsedUp ? [] : tryEdit(finding, candidate)));
    const startOf = ({ edits }: Candidate): number => edits[0]?.start ?? 0;
    proved.sort((a, b) => a.size - b.size || a.left - b.left || startOf(a) - startOf(b));
    return proved.map(({ fixed }) => fixed);
  });
}

/** After one edit another may help; files that take more rounds than this are made for it. */
const maxRounds = 10;

/** Makes all other fixes and the best proved one of each finding, until there is none. */
export function applyProvedFixes(start: Analysis, prover: Prover): FixResult {
  const check = (text: string): CheckedText => prover.lint(prover.analyze(text));
  const work = new Work();
  let analysis = start;
  let fixed = 0;
  for (let round = 0; round < maxRounds; round++) {
    const { text } = analysis.document;
    const checked = prover.lint(analysis);
    const proved = proveFixes(analysis, checked, checked.kept, prover, work);
    const kept = checked.kept.map((finding, index) => proved[index]?.[0] ?? finding);
    const result = applyFixes(text, { ...checked, kept }, { check, shouldFix: () => true });
    if (result.text === text) break;
    fixed += result.fixed;
    analysis = prover.analyze(result.text);
  }
  return { text: analysis.document.text, fixed };
}

/** Whether all runs were tried, and none may continue behind an unknown name. */
function isExplored(analysis: Analysis): analysis is RunnableAnalysis {
  if (!isRunnable(analysis)) return false;
  return analysis.facts.exact && verdictsOf(analysis.workflow, analysis.facts).fullyResolved;
}

/** `: longest run 23 visits, was endless` */
function outcomeText({ facts: before, pack }: Analysis, { facts: after }: Analysis): string {
  const [was, is] = [before?.worstCase, after?.worstCase];
  const endless = pack?.workflow?.budget?.maxTotalVisits ? "ended only by the budget" : "endless";
  if (is === undefined || is === Infinity) return `: the longest run is still ${endless}`;
  const change = was === is ? "" : `, was ${was === Infinity ? endless : was}`;
  return `: longest run ${pluralize(is, "visit")}${change}`;
}

interface Candidate {
  /** Without what it leads to. */
  readonly title: string;
  /** The only parts of the pack that it changes. */
  readonly pointers: readonly string[];
  readonly size: number;
  readonly edits: readonly TextEdit[];
}

/** Each kind of edit in turn, so that many of one kind leave tries to the others. */
function candidatesFor(analysis: RunnableAnalysis, finding: Diagnostic): readonly Candidate[] {
  const kinds = editsByRule[finding.rule]?.(new SmallEdits(analysis, finding)) ?? [];
  return Array.from({ length: maxTries }, (_, turn) => kinds.flatMap((kind) => kind[turn] ?? [])).flat();
}

type Kinds = (edits: SmallEdits) => readonly (readonly Candidate[])[];

const ofLoop: Kinds = (edits) => [
  edits.leadOut(edits.onLap),
  edits.guard(edits.onLap, [undefined]),
  edits.guard(edits.onLap, edits.ends),
];
const ofBudget: Kinds = (edits) => [edits.setBudget()];

const editsByRule: Readonly<Record<string, Kinds>> = {
  "unbounded-loop": ofLoop,
  "loop-held-by-budget-only": ofLoop,
  "agent-turn-loop": ofLoop,
  "trapped-states": (edits) => [
    edits.leadOut(edits.leadingIn),
    edits.end(edits.reported),
    edits.guard(edits.reported, edits.ends),
  ],
  // The last state is most likely the end.
  "no-terminal-state": (edits) => [edits.end([...edits.states].reverse())],
  "never-completes": (edits) => [edits.leadOut(edits.stopping), edits.end(edits.reported)],
  "forced-exit-cycle": (edits) => [edits.leadOut(edits.reported, edits.endsAndUnguarded)],
  "unguarded-reentry": (edits) => [edits.guard(edits.reported, [undefined, ...edits.ends])],
  "loop-without-budget": ofBudget,
  "budget-too-small": ofBudget,
  "budget-coherence": ofBudget,
};

/** More edits at once are not small. */
const maxSize = 4;

/** Enough for a loop to do its work, and small enough to explore. */
const usualVisits = 5;

class SmallEdits {
  readonly states: readonly State[];
  readonly reported: readonly State[];
  readonly ends: readonly string[];

  constructor(
    private readonly analysis: RunnableAnalysis,
    private readonly finding: Diagnostic,
  ) {
    const { workflow, machine } = analysis;
    const listed = finding.data?.["states"];
    const named = Array.isArray(listed) ? new Set<unknown>(listed) : undefined;
    this.states = workflow.states;
    this.reported = this.states.filter(
      ({ name }) => named?.has(name.text) ?? name.pointer === finding.pointer,
    );
    this.ends = machine.states.flatMap(({ ends, name }) => (ends ? name : [])).slice(0, maxTries);
  }

  get endsAndUnguarded(): readonly string[] {
    const unguarded = this.states.flatMap(({ name, maxVisits }) =>
      maxVisits === undefined ? name.text : [],
    );
    return [...new Set([...this.ends, ...unguarded.slice(0, maxTries)])];
  }

  /** No other state can be on every lap. */
  get onLap(): readonly State[] {
    const names = new Set(lapOf(this.finding.trace)?.flatMap(attemptedBy));
    return names.size === 0 ? this.reported : this.states.filter(({ name }) => names.has(name.text));
  }

  get leadingIn(): readonly State[] {
    const names = new Set<string | undefined>(this.reported.map(({ name }) => name.text));
    return this.states.filter(
      ({ name, onMaxVisits }) => names.has(name.text) || names.has(onMaxVisits?.text),
    );
  }

  get stopping(): readonly State[] {
    const reported = this.reported.map(({ index }) => index);
    return stoppingGuards(this.analysis.facts, reported).flatMap((index) => this.states[index] ?? []);
  }

  /** One forced exit, or all of them. */
  leadOut(from: readonly State[], targets = this.ends): readonly Candidate[] {
    const guards = from.filter(({ maxVisits }) => maxVisits !== undefined).slice(0, maxTries);
    return targets.flatMap((target) => {
      const led = guards.filter(({ onMaxVisits }) => onMaxVisits?.text !== target);
      const exits = led.flatMap(({ name, node, onMaxVisits }) =>
        onMaxVisits === undefined
          ? this.add(node, `Add on_max_visits "${target}" to "${name.text}"`, { on_max_visits: target })
          : this.edit(
              node,
              `Change the on_max_visits of "${name.text}" to "${target}"`,
              replaceText(this.analysis.document, onMaxVisits.node, target),
            ),
      );
      if (exits.length < 2 || exits.length > maxSize || exits.length < led.length) return exits;
      const title = `Set the on_max_visits of ${listNames(led.map(({ name }) => name.text))} to "${target}"`;
      const [pointers, edits] = [exits.flatMap((exit) => exit.pointers), exits.flatMap((exit) => exit.edits)];
      return [...exits, { title, pointers, size: exits.length, edits }];
    });
  }

  /** A guard that no run attempts more often would never act; one of 1 would forbid to come back at all. */
  guard(to: readonly State[], exits: readonly (string | undefined)[]): readonly Candidate[] {
    const unguarded = to.filter(({ maxVisits }) => maxVisits === undefined).slice(0, maxTries);
    return exits.flatMap((exit) =>
      unguarded.flatMap(({ index, name, node }) => {
        const visits = Math.min(usualVisits, (this.analysis.facts.worstCaseOf(index) ?? Infinity) - 1);
        const also = exit === undefined ? "" : ` and on_max_visits "${exit}"`;
        const fields = { max_visits: visits, ...(exit !== undefined && { on_max_visits: exit }) };
        return visits < 2 ? [] : this.add(node, `Add max_visits ${visits}${also} to "${name.text}"`, fields);
      }),
    );
  }

  end(states: readonly State[]): readonly Candidate[] {
    return states.slice(0, maxTries).flatMap(({ name, node }) => {
      const terminal = { name: "terminal", value: true };
      const edits = node && replaceEntry(this.analysis.document, node, "on_event", terminal);
      return this.edit(node, `Make "${name.text}" terminal, in place of its events`, edits);
    });
  }

  /** At the longest run, or the sum of all max_visits if that is more, as `budget-coherence` asks for. */
  setBudget(): readonly Candidate[] {
    const { workflow, facts, document } = this.analysis;
    const { engine, budget, node } = workflow;
    const set = budget?.maxTotalVisits;
    const guarded = this.states.filter(({ index }) => facts.entered.has(index));
    const sum = guarded.reduce((total, { maxVisits }) => total + (maxVisits?.value ?? 0), 0);
    const longest = facts.worstCase ?? Infinity;
    const total = Math.max(sum, longest === Infinity ? (facts.shortestComplete?.entries ?? 0) : longest);
    if (set !== undefined) {
      const { start, end } = set;
      const isPlain = /^\d+$/.test(document.text.slice(start, end));
      const title = `Raise max_total_visits from ${set.value} to ${total}`;
      return isPlain ? this.edit(set.node, title, [{ start, end, text: `${total}` }]) : [];
    }
    if (longest === Infinity) return [];
    const limit = { name: "max_total_visits", value: total };
    const part = { name: "budget", value: [limit] };
    const owner = asMapping(engine?.get("budget")) ?? engine ?? node;
    const entry = owner === node ? { name: "engine", value: [part] } : owner === engine ? part : limit;
    const title = `Set engine.budget.max_total_visits to ${total}`;
    return this.edit(owner, title, addEntries(document, owner, [entry]));
  }

  private add(node: State["node"], title: string, fields: Readonly<Record<string, string | number>>) {
    const entries = Object.entries(fields).map(([name, value]) => ({ name, value }));
    return this.edit(node, title, node && addEntries(this.analysis.document, node, entries), entries.length);
  }

  /** Nothing if the file is written in a way that the author has to change by hand. */
  private edit(node: Node | undefined, title: string, edits: Edits, size = 1): readonly Candidate[] {
    return node && edits ? [{ title, pointers: [node.pointer], size, edits }] : [];
  }
}
