import { tryCompile, type Expression, parsePattern } from "./parse-pattern.js";

/** What a step of the program does; steps are numbered, and lead to the next one unless they say otherwise. */
type Instruction =
  Extract<Expression, { readonly kind: "character" | "assertion" }> | Fork | { readonly kind: "end" };

interface Fork {
  readonly kind: "fork";
  first: number;
  second: number;
}

const beyondBasicPlane = /[\u{10000}-\u{10ffff}]/u;
const maxPatternLength = 2_000;
const maxProgramLength = 5_000;
/** Each use of a property of characters takes the engine as long as a thousand steps take us. */
const propertyEscape = /\\[pP]\{/g;
const stepsPerPropertyEscape = 1_000;

/** Steps that may still be taken: shared by the questions about one pack, so that many cannot add up. */
export interface StepBudget {
  steps: number;
}

/**
 * Whether a pattern matches somewhere in a text. All the ways to match are followed at once, so the work is at most
 * program times text, whatever the pattern. Nothing is answered for patterns this engine does not run, or too late.
 */
export function matchPattern(pattern: string, text: string, patience: StepBudget): boolean | undefined {
  if (pattern.length > maxPatternLength || !spendSteps(patience, parsingCost(pattern))) return undefined;
  // Without the flag the language splits such characters in two.
  if (beyondBasicPlane.test(text) && tryCompile(pattern, "u") === undefined) return undefined;
  const expression = parsePattern(pattern);
  const program: Instruction[] = [];
  if (expression === undefined || !emitExpression(expression, program)) return undefined;
  program.push({ kind: "end" });
  if (!spendSteps(patience, program.length * (text.length + 1))) return undefined;
  return runProgram(program, Array.from(text));
}

function parsingCost(pattern: string): number {
  return pattern.length + (pattern.match(propertyEscape)?.length ?? 0) * stepsPerPropertyEscape;
}

function spendSteps(patience: StepBudget, steps: number): boolean {
  if (steps > patience.steps) return false;
  patience.steps -= steps;
  return true;
}

function runProgram(program: readonly Instruction[], characters: readonly string[]): boolean {
  let current: number[] = [];
  for (let at = 0; at <= characters.length; at++) {
    const before = characters[at - 1] ?? "";
    const after = characters[at] ?? "";
    const next: number[] = [];
    const seen = new Uint8Array(program.length);
    // The first step is entered at every place: the match may begin anywhere.
    const open = [0, ...current];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      if (seen[number] === 1) continue;
      seen[number] = 1;
      const step = program[number];
      if (step === undefined || step.kind === "end") return true;
      if (step.kind === "fork") open.push(step.first, step.second);
      else if (step.kind === "assertion" && step.holds(before, after)) open.push(number + 1);
      else if (step.kind === "character" && after !== "" && step.accepts(after)) next.push(number + 1);
    }
    current = next;
  }
  return false;
}

/** Appends the steps of an expression; false when there would be too many. */
function emitExpression(expression: Expression, program: Instruction[]): boolean {
  if (program.length >= maxProgramLength) return false;
  switch (expression.kind) {
    case "character":
    case "assertion":
      program.push(expression);
      return true;
    case "sequence":
      return expression.items.every((item) => emitExpression(item, program));
    case "choice":
      return emitChoice(expression.items, program);
    case "repeat":
      return emitRepeat(expression.item, expression.min, expression.max, program);
  }
}

function emitChoice(items: readonly Expression[], program: Instruction[]): boolean {
  const leaving: Fork[] = [];
  for (const [index, item] of items.entries()) {
    const isLast = index === items.length - 1;
    const fork = isLast ? undefined : pushFork(program);
    if (!emitExpression(item, program)) return false;
    if (fork === undefined) continue;
    leaving.push(pushFork(program));
    fork.second = program.length;
  }
  for (const jump of leaving) jump.first = jump.second = program.length;
  return true;
}

function emitRepeat(item: Expression, min: number, max: number, program: Instruction[]): boolean {
  for (let times = 0; times < min; times++) {
    const before = program.length;
    if (!emitExpression(item, program)) return false;
    // What takes no step takes none however often it is repeated.
    if (program.length === before) break;
  }
  if (max === Infinity) {
    const start = program.length;
    const fork = pushFork(program);
    if (!emitExpression(item, program)) return false;
    const back = pushFork(program);
    back.first = back.second = start;
    fork.second = program.length;
    return true;
  }
  const leaving: Fork[] = [];
  for (let times = min; times < max; times++) {
    leaving.push(pushFork(program));
    if (!emitExpression(item, program)) return false;
  }
  for (const fork of leaving) fork.second = program.length;
  return true;
}

/** Goes on with the next step; where else it leads is filled in later. */
function pushFork(program: Instruction[]): Fork {
  const fork: Fork = { kind: "fork", first: program.length + 1, second: program.length + 1 };
  program.push(fork);
  return fork;
}
