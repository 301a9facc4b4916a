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
  const program = new PatternParser(pattern).parse();
  if (program === undefined || !spendSteps(budget, (program.length + 1) * (text.length + 1)))
    return undefined;
  return runProgram(program, Array.from(text));
}

function spendSteps(budget: StepBudget, steps: number): boolean {
  if (steps > budget.steps) return false;
  budget.steps -= steps;
  return true;
}

/** Instructions without backtracking. Each continues with the next one, a jump at offsets from itself. */
type Program = readonly Instruction[];

type Instruction =
  | { readonly kind: "character"; readonly accepts: (character: string) => boolean }
  | { readonly kind: "assertion"; readonly holds: (before: string, after: string) => boolean }
  | { readonly kind: "jump"; readonly offsets: readonly number[] };

function runProgram(program: Program, characters: readonly string[]): boolean {
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
      if (step === undefined) return true;
      if (step.kind === "jump") for (const offset of step.offsets) open.push(number + offset);
      else if (step.kind === "assertion" && step.holds(before, after)) open.push(number + 1);
      else if (step.kind === "character" && after !== "" && step.accepts(after)) next.push(number + 1);
    }
    current = next;
  }
  return false;
}

function jump(...offsets: readonly number[]): Instruction {
  return { kind: "jump", offsets };
}

function either(one: Program, other: Program): Program {
  return [jump(1, one.length + 2), ...one, jump(other.length + 1), ...other];
}

/** Undefined if there are too many instructions. */
function repeat(item: Program, min: number, max: number): Program | undefined {
  if (item.length === 0) return item;
  const more = max === Infinity ? 1 : max - min;
  if ((item.length + 1) * (min + more) > maxProgramLength) return undefined;
  const required = Array.from({ length: min }, () => item).flat();
  if (max === Infinity) return [...required, jump(1, item.length + 2), ...item, jump(-item.length - 1)];
  const optional = [jump(1, item.length + 1), ...item];
  return [...required, ...Array.from({ length: more }, () => optional).flat()];
}

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

  parse(): Program | undefined {
    const program = this.choice(0);
    return this.at === this.text.length ? program : undefined;
  }

  private choice(depth: number): Program | undefined {
    if (depth > maxNesting) return undefined;
    const items: Program[] = [];
    do {
      const item = this.sequence(depth);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.skip("|"));
    return items.reduceRight((rest, item) => either(item, rest));
  }

  private sequence(depth: number): Program | undefined {
    const program: Instruction[] = [];
    while (this.at < this.text.length && !"|)".includes(this.text.charAt(this.at))) {
      const item = this.assertion() ?? this.repeated(depth);
      if (item === undefined || program.length + item.length > maxProgramLength) return undefined;
      program.push(...item);
    }
    return program;
  }

  private assertion(): Program | undefined {
    const holds = assertions[this.consume(assertion)?.[0] ?? ""];
    return holds && [{ kind: "assertion", holds }];
  }

  private repeated(depth: number): Program | undefined {
    const item = this.atom(depth);
    const counts = item === undefined ? undefined : this.consume(quantifier);
    if (item === undefined || counts === undefined) return item;
    const [, sign, least = "0", comma, most = ""] = counts;
    if (sign !== undefined) return repeat(item, sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity);
    const min = Number(least);
    const max = comma === undefined ? min : most === "" ? Infinity : Number(most);
    return min > max ? undefined : repeat(item, min, max);
  }

  private atom(depth: number): Program | undefined {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    if ("*+?".includes(character) || /^\{[\d,]/.test(this.text.slice(this.at, this.at + 2))) return undefined;
    switch (character) {
      case "(":
        return this.group(depth);
      case "[":
        return characterSet(this.consume(characterClass)?.[0]);
      case "\\":
        return characterSet(this.consume(knownEscape)?.[0]) ?? this.escaped();
    }
    this.at += character.length;
    return character === "." ? characterSet(".") : literalCharacter(character);
  }

  private group(depth: number): Program | undefined {
    if (this.consume(groupOpening) === undefined) return undefined;
    const inside = this.choice(depth + 1);
    return this.skip(")") ? inside : undefined;
  }

  /** An escaped letter or digit differs between dialects. */
  private escaped(): Program | undefined {
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

function literalCharacter(character: string): Program {
  return [{ kind: "character", accepts: (other) => other === character }];
}

/** Uses the built-in engine, which cannot backtrack on a single character. */
function characterSet(source: string | undefined): Program | undefined {
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
  return [{ kind: "character", accepts }];
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
