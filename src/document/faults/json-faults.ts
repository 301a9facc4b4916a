import { printParseErrorCode, visit } from "jsonc-parser";
import type { Fault } from "../document.js";
import { isHalfQuoted, findKeyProblem } from "./json-keys.js";
import { toProblem } from "./json-translate.js";
import { jsonFault, type JsonProblem, type LocatedProblem } from "../json/json-words.js";
import { OpenBrackets } from "./open-brackets.js";
import { maxFaults } from "../refusal.js";
import { endOfLine } from "../scan-text.js";

/** After this many errors that follow from others the text is not JSON at all. */
const maxFollowUpErrors = 10_000;

/** Thrown to leave the parser when enough was found. */
const stopParsing = new Error("enough");

/** All syntax errors that can be told apart, in their order. */
export function findJsonFaults(text: string): Fault[] {
  const list = new ProblemList(text);
  try {
    visit(
      text,
      {
        onError: (code, offset, length) => list.add(printParseErrorCode(code), offset, length),
        onObjectBegin: (offset) => list.enter(offset),
        onObjectEnd: (offset) => list.leave(offset),
        onObjectProperty: (_, offset) => list.resume(offset),
        onArrayBegin: (offset) => list.enter(offset),
        onArrayEnd: (offset) => list.leave(offset),
        onLiteralValue: (_, offset) => list.resume(offset),
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    // A RangeError is a stack that deep nesting exhausted: what was found until then is still true.
    if (error !== stopParsing && !(error instanceof RangeError)) throw error;
  }
  return list.faults();
}

class ProblemList {
  private readonly found = new Map<number, LocatedProblem>();
  private readonly brackets: OpenBrackets;
  private related: Fault["related"];
  /** After an error the parser stumbles over what follows; until it finds its feet again, it is not believed. */
  private isRecovering = false;
  /** A string that is not closed took brackets with it: no structure can be believed any more. */
  private lostBrackets = false;
  /** A bracket is missing, or the parser passed over one: from here on only what two marks tell is believed. */
  private isUnbalanced = false;
  private recoversAt = 0;
  private followUps = 0;
  private isAfterRoot = false;

  constructor(private readonly text: string) {
    this.brackets = new OpenBrackets(text);
  }

  add(code: string, offset: number, length: number): void {
    const isContained = singleTokenErrors.has(code);
    // A second one in a row is the end of a text on several lines: its quote opens nothing.
    if (code === "UnexpectedEndOfString")
      this.lostBrackets ||= this.isRecovering || unbalancesBrackets(this.text.slice(offset, offset + length));
    if (this.isRecovering && !isContained) {
      this.recoversAt = Math.max(this.recoversAt, offset + length);
      return this.countFollowUp();
    }
    const isRest = code === "InvalidSymbol" && this.isAfterRoot;
    const said = toProblem(this.text, isRest ? "EndOfFileExpected" : code, offset, length);
    const problem = findKeyProblem(this.text, said, this.brackets) ?? said;
    if (this.isUnbalanced && !isContained && problem.problem !== "trailing-comma") return this.countFollowUp();
    if (isUnbalancing(this.text, problem)) this.isUnbalanced = true;
    if (!isContained && problem.problem !== "trailing-comma") {
      this.isRecovering = true;
      // Behind half a pair of quotes what is a string and what is not are the wrong way round.
      this.recoversAt = isHalfQuoted(this.text, problem) ? endOfLine(this.text, offset) : offset + length;
    }
    // Behind another mistake the parser may have passed over brackets.
    if (this.found.size === 0) this.related = this.relatedTo(problem);
    if (!this.found.has(problem.start)) this.found.set(problem.start, problem);
    if (this.found.size >= maxFaults || problem.problem === "yaml") throw stopParsing;
  }

  private relatedTo({ problem, start }: LocatedProblem): Fault["related"] {
    if (problem === "rest") return this.brackets.relatedToTrailingText(start);
    if (problem === "other-bracket" || problem === "open-list") return this.brackets.related(false);
    return problem === "close-object" || problem === "close-array" ? this.brackets.related(true) : undefined;
  }

  private countFollowUp(): void {
    if (++this.followUps > maxFollowUpErrors) throw stopParsing;
  }

  enter(offset: number): void {
    this.resume(offset);
    this.brackets.enter(offset);
  }

  leave(offset: number): void {
    this.brackets.leave(offset);
    this.isAfterRoot = this.brackets.depth === 0;
  }

  resume(offset: number): void {
    if (offset >= this.recoversAt && !this.lostBrackets) this.isRecovering = false;
  }

  faults(): Fault[] {
    const [first] = this.found.values();
    const problems = [...this.found.values()].sort((a, b) => a.start - b.start);
    return problems.map((found) => {
      const fault = jsonFault(this.text, found);
      return found === first ? { ...fault, related: this.related } : fault;
    });
  }
}

function unbalancesBrackets(swallowed: string): boolean {
  const count = (mark: string): number => swallowed.split(mark).length;
  return count("{") !== count("}") || count("[") !== count("]");
}

function isUnbalancing(text: string, { problem, end }: LocatedProblem): boolean {
  const isKeyOfCollection = () => /^\s{0,40}:\s{0,40}[[{]/.test(text.slice(end, end + 82));
  return unbalancingProblems.has(problem) || (problem === "key" && isKeyOfCollection());
}

const unbalancingProblems: ReadonlySet<JsonProblem> = new Set([
  "open-list",
  "open-object",
  "other-bracket",
  "template",
]);

/** Errors inside one token, which leave the rest of the text as it was. */
const singleTokenErrors: ReadonlySet<string> = new Set([
  "InvalidCommentToken",
  "InvalidUnicode",
  "InvalidEscapeCharacter",
  "InvalidCharacter",
]);
