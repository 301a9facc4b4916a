import type { Diagnostic } from "../diagnostic.js";
import { applyEdits, isFixable, withoutOverlappingFixes, type Fixable } from "./apply-edits.js";
import { countResolved, isVerifiedFix, type LintOutcome } from "./is-sound.js";

export interface FixOptions {
  /** Lints a text, always in the same way. */
  readonly check: (text: string) => LintOutcome;
  /** Which of the fixes that findings offer are wanted. */
  readonly shouldFix: (finding: Fixable) => boolean;
  /** How often a text of this length may be linted; by default, often enough for any file a person wrote. */
  readonly trialLimit?: (length: number) => number;
}

export interface FixResult {
  readonly text: string;
  /** How many findings are gone. */
  readonly fixed: number;
}

/**
 * Fixes what can be fixed. A fix is made only if linting the result shows its finding gone and no new one,
 * and if nothing but what the finding names is another. Each round leaves fewer findings, or less grave ones, so there
 * is a last one, and after it a second run finds nothing to do.
 */
export function applyFixes(text: string, checked: LintOutcome, fixing: FixOptions): FixResult {
  const trials = new FixTrials(fixing, text.length);
  let current = { text, checked };
  for (;;) {
    const next = applyNextGroup(current, fixing, trials);
    if (next === undefined) break;
    current = next;
  }
  return { text: current.text, fixed: countResolved(checked, current.checked) };
}

/** The findings as they may be reported: a fix is offered only if it would be made. */
export function withVerifiedFixes(text: string, checked: LintOutcome, check: FixOptions["check"]): readonly Diagnostic[] {
  if (!checked.kept.some(isFixable)) return checked.kept;
  const sound = new Set<Diagnostic>();
  const findings = checked.kept.length + checked.suppressed.length;
  const trialLimit = (length: number): number => offerTrialLimit(length + findings * charactersPerFinding);
  for (const unsafe of [false, true]) {
    const shouldFix = ({ fix }: Fixable): boolean => (fix.unsafe === true) === unsafe;
    for (const finding of findVerifiedFixes(text, checked, { check, shouldFix, trialLimit })) sound.add(finding);
  }
  return checked.kept.map((finding) => (sound.has(finding) ? finding : withoutFix(finding)));
}

/** Making a finding takes as long as linting so many characters that are right. */
const charactersPerFinding = 300;

/** Whoever only lints waits for this. */
function offerTrialLimit(length: number): number {
  return Math.min(40, Math.floor(4_000_000 / (length + 1)));
}

function withoutFix({ fix: _, ...finding }: Diagnostic): Diagnostic {
  return finding;
}

/** The findings whose fix would be made if it were asked for. */
function findVerifiedFixes(text: string, checked: LintOutcome, fixing: FixOptions): ReadonlySet<Fixable> {
  const trials = new FixTrials(fixing, text.length);
  const sound = new Set<Fixable>();
  for (const group of fixGroups(checked, fixing)) {
    if (trials.areUsedUp) break;
    for (const finding of trials.tryFixes({ text, checked }, group).made) sound.add(finding);
  }
  return sound;
}

interface LintedText {
  readonly text: string;
  readonly checked: LintOutcome;
}

function applyNextGroup(stage: LintedText, fixing: FixOptions, trials: FixTrials): LintedText | undefined {
  for (const group of fixGroups(stage.checked, fixing)) {
    if (trials.areUsedUp) break;
    const { made, result } = trials.tryFixes(stage, group);
    if (made.length > 0) return result;
  }
  return undefined;
}

/** The fixes that are wanted, in groups that can be made together. */
function* fixGroups({ kept }: LintOutcome, { shouldFix }: FixOptions): Iterable<readonly Fixable[]> {
  let rest = kept.filter(isFixable).filter(shouldFix);
  while (rest.length > 0) {
    const group = withoutOverlappingFixes(rest);
    yield group;
    const tried = new Set(group);
    rest = rest.filter((finding) => !tried.has(finding));
  }
}

/** Characters linted for the fixes of one file, and the least and most often that it is linted. */
const maxLintedCharacters = 100_000_000;
const minTrials = 20;
const maxTrials = 500;

class FixTrials {
  private left: number;

  constructor(
    private readonly options: FixOptions,
    length: number,
  ) {
    const usual = Math.max(minTrials, Math.min(maxTrials, Math.floor(maxLintedCharacters / (length + 1))));
    this.left = options.trialLimit?.(length) ?? usual;
  }

  get areUsedUp(): boolean {
    return this.left <= 0;
  }

  /** Makes all fixes of a group at once; where that is not sound, those of each half, down to the single one. */
  tryFixes(stage: LintedText, group: readonly Fixable[]): { made: readonly Fixable[]; result: LintedText } {
    const made: Fixable[] = [];
    let result = stage;
    const waiting = [group];
    for (let part = waiting.pop(); part !== undefined && this.left > 0; part = waiting.pop()) {
      this.left--;
      const text = applyEdits(
        stage.text,
        [...made, ...part].flatMap(({ fix }) => fix.edits),
      );
      const checked = this.options.check(text);
      if (isVerifiedFix(result.checked, checked, part)) {
        for (const finding of part) made.push(finding);
        result = { text, checked };
      } else if (part.length > 1) {
        const half = part.length >> 1;
        waiting.push(part.slice(half), part.slice(0, half));
      }
    }
    return { made, result };
  }
}
