import type { Diagnostic } from "../diagnostic.js";
import { applyEdits, isFixable, withoutOverlaps, type Fixable } from "./apply-edits.js";
import { goneBetween, isSound, type Checked } from "./is-sound.js";

export interface Fixing {
  /** Lints a text, always in the same way. */
  readonly check: (text: string) => Checked;
  /** Which of the fixes that findings offer are wanted. */
  readonly wants: (finding: Fixable) => boolean;
  /** How often a text of this length may be linted; by default, often enough for any file a person wrote. */
  readonly tries?: (length: number) => number;
}

export interface Fixed {
  readonly text: string;
  /** How many findings are gone. */
  readonly fixed: number;
}

/**
 * Fixes what can be fixed. A fix is made only if linting the result shows its finding gone and no new one,
 * and if nothing but what the finding names is another. Each round leaves fewer findings, or less grave ones, so there
 * is a last one, and after it a second run finds nothing to do.
 */
export function applyFixes(text: string, checked: Checked, fixing: Fixing): Fixed {
  const trials = new Trials(fixing, text.length);
  let current = { text, checked };
  for (;;) {
    const next = firstProgress(current, fixing, trials);
    if (next === undefined) break;
    current = next;
  }
  return { text: current.text, fixed: goneBetween(checked, current.checked) };
}

/** The findings as they may be reported: a fix is offered only if it would be made. */
export function soundOffers(text: string, checked: Checked, check: Fixing["check"]): readonly Diagnostic[] {
  if (!checked.kept.some(isFixable)) return checked.kept;
  const sound = new Set<Diagnostic>();
  const findings = checked.kept.length + checked.suppressed.length;
  const tries = (length: number): number => offerTries(length + findings * asLongAs);
  for (const unsafe of [false, true]) {
    const wants = ({ fix }: Fixable): boolean => (fix.unsafe === true) === unsafe;
    for (const finding of soundFixes(text, checked, { check, wants, tries })) sound.add(finding);
  }
  return checked.kept.map((finding) => (sound.has(finding) ? finding : withoutFix(finding)));
}

/** Making a finding takes as long as linting so many characters that are right. */
const asLongAs = 300;

/** Whoever only lints waits for this. */
function offerTries(length: number): number {
  return Math.min(40, Math.floor(4_000_000 / (length + 1)));
}

function withoutFix({ fix: _, ...finding }: Diagnostic): Diagnostic {
  return finding;
}

/** The findings whose fix would be made if it were asked for. */
function soundFixes(text: string, checked: Checked, fixing: Fixing): ReadonlySet<Fixable> {
  const trials = new Trials(fixing, text.length);
  const sound = new Set<Fixable>();
  for (const group of groups(checked, fixing)) {
    if (trials.areSpent) break;
    for (const finding of trials.make({ text, checked }, group).made) sound.add(finding);
  }
  return sound;
}

interface Stage {
  readonly text: string;
  readonly checked: Checked;
}

function firstProgress(stage: Stage, fixing: Fixing, trials: Trials): Stage | undefined {
  for (const group of groups(stage.checked, fixing)) {
    if (trials.areSpent) break;
    const { made, result } = trials.make(stage, group);
    if (made.length > 0) return result;
  }
  return undefined;
}

/** The fixes that are wanted, in groups that can be made together. */
function* groups({ kept }: Checked, { wants }: Fixing): Iterable<readonly Fixable[]> {
  let rest = kept.filter(isFixable).filter(wants);
  while (rest.length > 0) {
    const group = withoutOverlaps(rest);
    yield group;
    const tried = new Set(group);
    rest = rest.filter((finding) => !tried.has(finding));
  }
}

/** Characters linted for the fixes of one file, and the least and most often that it is linted. */
const work = 100_000_000;
const fewest = 20;
const most = 500;

class Trials {
  private left: number;

  constructor(
    private readonly fixing: Fixing,
    length: number,
  ) {
    const usual = Math.max(fewest, Math.min(most, Math.floor(work / (length + 1))));
    this.left = fixing.tries?.(length) ?? usual;
  }

  get areSpent(): boolean {
    return this.left <= 0;
  }

  /** Makes all fixes of a group at once; where that is not sound, those of each half, down to the single one. */
  make(stage: Stage, group: readonly Fixable[]): { made: readonly Fixable[]; result: Stage } {
    const made: Fixable[] = [];
    let result = stage;
    const waiting = [group];
    for (let part = waiting.pop(); part !== undefined && this.left > 0; part = waiting.pop()) {
      this.left--;
      const text = applyEdits(
        stage.text,
        [...made, ...part].flatMap(({ fix }) => fix.edits),
      );
      const checked = this.fixing.check(text);
      if (isSound(result.checked, checked, part)) {
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
