const maxPatternLength = 2_000;
const maxProgramLength = 5_000;
const maxNesting = 50;
/** Compiling one property escape takes as long as a thousand steps. */
const stepsPerPropertyEscape = 1_000;
const propertyEscape = /\\[pP]\{/g;
const astralCharacter = /[\u{10000}-\u{10ffff}]/u;

/** Shared by all matches of one pack, so that many cannot add up. */
export interface StepBudget {
  steps: number;
}

/**
 * Whether a pattern matches somewhere in a text. It follows all alternatives at once, so the work is at most the product of
 * program and text. Undefined for patterns that this engine cannot run, and once the budget is used up.
 */
export function matchPattern(pattern: string, text: string, budget: StepBudget): boolean | undefined {
  if (pattern.length > maxPatternLength) return undefined;
  const escapes = pattern.match(propertyEscape)?.length ?? 0;
  if (!spendSteps(budget, pattern.length + escapes * stepsPerPropertyEscape)) return undefined;
  // Without the flag, JavaScript splits such characters in two.
  if (astralCharacter.test(text) && tryCompile(pattern, "u") === undefined) return undefined;
  const expression = new PatternParser(pattern).parse();
  const program: Instruction[] = [];
  if (expression === undefined || !emitExpression(expression, program)) return undefined;
  program.push({ kind: "end" });
  if (!spendSteps(budget, program.length * (text.length + 1))) return undefined;
  return runProgram(program, Array.from(text));
}

function spendSteps(budget: StepBudget, steps: number): boolean {
  if (steps > budget.steps) return false;
  budget.steps -= steps;
  return true;
}

/** An instruction continues with the next one, unless it is a fork or the end. */
type Instruction =
  Extract<Expression, { readonly kind: "character" | "assertion" }> | Fork | { readonly kind: "end" };

interface Fork {
  readonly kind: "fork";
  first: number;
  second: number;
}

function runProgram(program: readonly Instruction[], characters: readonly string[]): boolean {
  let current: number[] = [];
  for (let at = 0; at <= characters.length; at++) {
    const before = characters[at - 1] ?? "";
    const after = characters[at] ?? "";
    const next: number[] = [];
    const seen = new Uint8Array(program.length);
    // A match may start at any position.
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

/** Appends the instructions of an expression; false if there are too many. */
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
    // Repeating an empty expression adds nothing.
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

/** The caller sets the second target later. */
function pushFork(program: Instruction[]): Fork {
  const fork: Fork = { kind: "fork", first: program.length + 1, second: program.length + 1 };
  program.push(fork);
  return fork;
}

/** A regular expression that can be matched without backtracking. */
type Expression =
  | { readonly kind: "character"; readonly accepts: (character: string) => boolean }
  | { readonly kind: "assertion"; readonly holds: (before: string, after: string) => boolean }
  | { readonly kind: "sequence"; readonly items: readonly Expression[] }
  | { readonly kind: "choice"; readonly items: readonly Expression[] }
  | { readonly kind: "repeat"; readonly item: Expression; readonly min: number; readonly max: number };

const groupOpening = /\((?:\?:|\?P?<[A-Za-z_]\w*>|(?!\?))/y;
const quantifier = /(?:([*+?])|\{(\d{1,5})(,(\d{0,5}))?\})\??/y;
const knownEscape =
  /\\(?:[dDwWsStnrfv]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|[pP]\{[^{}]{1,60}\}|0(?!\d))/y;
/** Not `[]a]` and `[[:alpha:]]`, which differ between dialects. */
const characterClass = /\[(?!\^?\])(?:[^\]\\[]|\[(?![:.=])|\\[^])*\]/y;
const unknownEscape = /\\(?:[^]|$)/;

const assertion = /\^|\$|\\[bB]/y;
const assertions: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  "^": (before) => before === "",
  $: (_before, after) => after === "",
  "\\b": (before, after) => isWordCharacter(before) !== isWordCharacter(after),
  "\\B": (before, after) => isWordCharacter(before) === isWordCharacter(after),
};

/** Rejects look-around and back-references, which need backtracking, and syntax that differs between dialects. */
class PatternParser {
  private at = 0;

  constructor(private readonly text: string) {}

  parse(): Expression | undefined {
    const expression = this.choice(0);
    return this.at === this.text.length ? expression : undefined;
  }

  private choice(depth: number): Expression | undefined {
    if (depth > maxNesting) return undefined;
    const items: Expression[] = [];
    do {
      const item = this.sequence(depth);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.skip("|"));
    return { kind: "choice", items };
  }

  private sequence(depth: number): Expression | undefined {
    const items: Expression[] = [];
    while (this.at < this.text.length && !"|)".includes(this.text.charAt(this.at))) {
      const item = this.assertion() ?? this.repeated(depth);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { kind: "sequence", items };
  }

  private assertion(): Expression | undefined {
    const holds = assertions[this.consume(assertion)?.[0] ?? ""];
    return holds && { kind: "assertion", holds };
  }

  private repeated(depth: number): Expression | undefined {
    const item = this.atom(depth);
    const counts = item === undefined ? undefined : this.consume(quantifier);
    if (item === undefined || counts === undefined) return item;
    const [, sign, least = "0", comma, most = ""] = counts;
    if (sign !== undefined) {
      return { kind: "repeat", item, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    }
    const min = Number(least);
    const max = comma === undefined ? min : most === "" ? Infinity : Number(most);
    return min > max ? undefined : { kind: "repeat", item, min, max };
  }

  private atom(depth: number): Expression | undefined {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    switch (character) {
      case "(":
        return this.group(depth);
      case "[":
        return characterSet(this.consume(characterClass)?.[0]);
      case "\\":
        return characterSet(this.consume(knownEscape)?.[0]) ?? this.escaped();
      case "*":
      case "+":
      case "?":
        return undefined;
      case "{":
        if (/[\d,]/.test(this.text.charAt(this.at + 1))) return undefined;
    }
    this.at += character.length;
    return character === "." ? characterSet(".") : literalCharacter(character);
  }

  private group(depth: number): Expression | undefined {
    if (this.consume(groupOpening) === undefined) return undefined;
    const inside = this.choice(depth + 1);
    return this.skip(")") ? inside : undefined;
  }

  /** An escaped letter or digit differs between dialects. */
  private escaped(): Expression | undefined {
    const character = String.fromCodePoint(this.text.codePointAt(this.at + 1) ?? 0);
    if (this.at + 1 >= this.text.length || /[\p{L}\p{N}]/u.test(character)) return undefined;
    this.at += 1 + character.length;
    return literalCharacter(character);
  }

  private skip(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private consume(wanted: RegExp): RegExpExecArray | undefined {
    wanted.lastIndex = this.at;
    const match = wanted.exec(this.text) ?? undefined;
    if (match !== undefined) this.at += match[0].length;
    return match;
  }
}

function literalCharacter(character: string): Expression {
  return { kind: "character", accepts: (other) => other === character };
}

/** Uses the built-in engine, which cannot backtrack on a single character. */
function characterSet(source: string | undefined): Expression | undefined {
  if (source === undefined) return undefined;
  const unescaped = source.replace(new RegExp(knownEscape, "g"), "").replace(/\\[^\p{L}\p{N}]/gu, "");
  if (unknownEscape.test(unescaped)) return undefined;
  const tester = tryCompile(`^(?:${source})$`, "u") ?? tryCompile(`^(?:${source})$`, "");
  if (tester === undefined) return undefined;
  const known = new Map<string, boolean>();
  const accepts = (character: string): boolean => {
    let answer = known.get(character);
    if (answer === undefined) known.set(character, (answer = tester.test(character)));
    return answer;
  };
  return { kind: "character", accepts };
}

function tryCompile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

function isWordCharacter(character: string): boolean {
  return /^\w$/.test(character);
}
