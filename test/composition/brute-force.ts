import {
  constantAnswers,
  type PlainComposition,
  type PlainPredicate,
  type PlainStep,
} from "./random-composition.js";

/**
 * A second implementation, from the text of the specification alone: it knows nothing of `src`. Answers are given to all
 * branches at once, and what contradicts itself is thrown away.
 */
export type Answers = ReadonlyMap<string, boolean>;

export interface PlainWalk {
  readonly ran: ReadonlySet<string>;
  readonly asked: readonly string[];
  readonly result: string | undefined;
}

export function plainWalk({ steps, output }: PlainComposition, answers: Answers): PlainWalk {
  const marked = new Set<string>();
  const skipped = new Set<string>();
  const ran = new Set<string>();
  const asked: string[] = [];
  let result: string | undefined;
  for (const step of steps) {
    const dependencies = step.depends_on ?? [];
    const isCut = dependencies.length > 0 && dependencies.every((id) => skipped.has(id));
    if (marked.has(step.id) || isCut) {
      skipped.add(step.id);
      continue;
    }
    ran.add(step.id);
    if (step.kind !== "branch") {
      result = step.id;
      continue;
    }
    asked.push(step.id);
    const notChosen = answers.get(step.id) === true ? step.else : step.then;
    if (notChosen !== undefined && step.then !== step.else) marked.add(notChosen);
  }
  if (output !== undefined) result = ran.has(output) ? output : undefined;
  return { ran, asked, result };
}

/** A predicate without its `not`s, and whether they turn the answer round. */
function bare(predicate: PlainPredicate): { readonly core: PlainPredicate; readonly isTurned: boolean } {
  if ("not" in predicate) {
    const { core, isTurned } = bare(predicate.not);
    return { core, isTurned: !isTurned };
  }
  if ("exists" in predicate) {
    return { core: { ...predicate, exists: true }, isTurned: !predicate.exists };
  }
  if ("op" in predicate && predicate.op.startsWith("not_")) {
    return { core: { ...predicate, op: predicate.op.slice(4) }, isTurned: true };
  }
  return { core: predicate, isTurned: false };
}

/** Equal for predicates that ask the same. */
function same(predicate: PlainPredicate): string {
  const { core, isTurned } = bare(predicate);
  const sign = isTurned ? "-" : "+";
  if ("all_of" in core) return `${sign}all ${JSON.stringify(core.all_of.map(same))}`;
  if ("any_of" in core) return `${sign}any ${JSON.stringify(core.any_of.map(same))}`;
  if ("not" in core) throw new Error("There is no not left.");
  const path = core.path.replaceAll(" ", "");
  return "op" in core ? `${sign}${path} ${core.op} ${sorted(core.value)}` : `${sign}${path} exists`;
}

function sorted(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${key}=${sorted(inner)}`);
  return `{${entries.sort().join()}}`;
}

/** What a branch asks, and how its answer follows from that of the question. */
export interface Asked {
  readonly branch: PlainStep;
  readonly question: string;
  readonly isTurned: boolean;
  readonly constant: boolean | undefined;
  /** The step whose whole output is asked for. */
  readonly outputOf: string | undefined;
  /** The path of an `equals`. */
  readonly equals: string | undefined;
}

export function askedBy(branch: PlainStep): Asked {
  const { predicate } = branch;
  if (predicate === undefined) throw new Error("A branch has a predicate.");
  const { core, isTurned } = bare(predicate);
  const isEquals = "op" in core && core.op === "equals";
  const outputOf = "exists" in core ? /^\$\{(s\d+)\.output\}$/.exec(core.path)?.[1] : undefined;
  return {
    branch,
    question: same(core),
    isTurned,
    constant: constantAnswers.get(predicate),
    outputOf,
    equals: isEquals ? core.path.replaceAll(" ", "") : undefined,
  };
}

/** Whether a walk can go like that: the rules for what branches answer. */
export function isConsistent(asked: readonly Asked[], answers: Answers, { ran }: PlainWalk): boolean {
  const yes = ({ branch, isTurned }: Asked): boolean => answers.get(branch.id) !== isTurned;
  for (const one of asked) {
    if (one.constant !== undefined) {
      if (answers.get(one.branch.id) !== one.constant) return false;
    } else if (one.outputOf !== undefined) {
      if (yes(one) !== ran.has(one.outputOf)) return false;
    }
  }
  const open = asked.filter(({ constant, outputOf }) => constant === undefined && outputOf === undefined);
  return open.every((one) =>
    open.every((other) => {
      if (one.question === other.question) return yes(one) === yes(other);
      return one.equals === undefined || one.equals !== other.equals || !(yes(one) && yes(other));
    }),
  );
}

/** Every walk that the branches allow. */
export function consistentWalks(
  composition: PlainComposition,
): readonly (PlainWalk & { answers: Answers })[] {
  const asked = composition.steps.filter(({ kind }) => kind === "branch").map(askedBy);
  const found: (PlainWalk & { answers: Answers })[] = [];
  const assign = (index: number, answers: Map<string, boolean>): void => {
    const branch = asked[index]?.branch;
    if (branch === undefined) {
      const walk = plainWalk(composition, answers);
      if (isConsistent(asked, answers, walk)) found.push({ ...walk, answers: new Map(answers) });
      return;
    }
    for (const answer of [true, false]) assign(index + 1, answers.set(branch.id, answer));
  };
  assign(0, new Map());
  return found;
}

/** One `${…}` that fails if what it reads was skipped. */
export interface PlainRead {
  readonly reader: string;
  readonly read: string;
}

/** The reads of a step that fail where they do not resolve, in file order. */
export function failingReads({ steps }: PlainComposition): readonly PlainRead[] {
  return steps.flatMap((step) => {
    const texts = [step, ...(step.branches ?? [])].flatMap(({ input, args, predicate }) => {
      const core = predicate && bare(predicate).core;
      const isOrdered = core !== undefined && "op" in core && core.op === "less_than";
      return [JSON.stringify([input, args]), isOrdered ? core.path : ""];
    });
    const names = [...texts.join(" ").matchAll(/\$\{(s\d+)\.output/g)].map((match) => match[1] ?? "");
    return names.map((read) => ({ reader: step.id, read }));
  });
}

/** The steps between the targets of a branch that run on. */
export function runningOn({ steps }: PlainComposition): readonly string[] {
  const indexOf = (id: string | undefined): number => steps.findIndex((step) => step.id === id);
  const isTarget = (id: string): boolean => steps.some((step) => step.then === id || step.else === id);
  return steps
    .filter(({ id, depends_on }, index) => {
      if (depends_on !== undefined || isTarget(id)) return false;
      return steps.some((branch) => {
        if (branch.then === undefined || branch.else === undefined) return false;
        const [from = 0, to = 0] = [indexOf(branch.then), indexOf(branch.else)].sort((x, y) => x - y);
        return from < index && index < to;
      });
    })
    .map(({ id }) => id);
}
