import { endOfToken, type LocatedProblem } from "../json/json-words.js";
import { lastNonSpaceBefore, openingQuote } from "./json-translate.js";
import type { OpenBrackets } from "./open-brackets.js";

/** What the parser stumbles over where a key lacks a quote, or stands in a list that was to end before it. */
export function findKeyProblem(text: string, said: LocatedProblem, brackets: OpenBrackets): LocatedProblem | undefined {
  const list = brackets.openList;
  if (list === undefined) return unopenedKey(text, said) ?? unclosedKey(text, said);
  if (said.problem !== "open-object" && said.problem !== "comma") return undefined;
  const end = endOfToken(text, said.start);
  if (text.charAt(said.start) !== '"' || !isBeforeColon(text, end)) return undefined;
  const isFurtherOut = brackets.extraIndent(list, said.start) <= 0;
  return isFurtherOut || followsPlainItem(text, said.start)
    ? { problem: "open-list", start: said.start, end }
    : undefined;
}

/** Whether only one of the two quotes of a key is there. */
export function isHalfQuoted(text: string, { problem, start, end }: LocatedProblem): boolean {
  return (
    problem === "key-end" || (problem === "key" && text.charAt(start) !== '"' && text.charAt(end - 1) === '"')
  );
}

/** `name": 1` */
function unopenedKey(text: string, { problem, start, end }: LocatedProblem): LocatedProblem | undefined {
  if (problem !== "symbol" || !startsEntry(text, start)) return undefined;
  if (text.charAt(end) !== '"' || !isBeforeColon(text, end + 1)) return undefined;
  return { problem: "key", start, end: end + 1 };
}

/** `"name: "text"`: the string ends where the value should start. */
function unclosedKey(text: string, { problem, start }: LocatedProblem): LocatedProblem | undefined {
  if (problem !== "early-end") return undefined;
  const quote = openingQuote(text, start - 1);
  if (!startsEntry(text, quote)) return undefined;
  const name = /^"[\w$-]+(?=:[ \t]*[[{]?[ \t]*"$)/.exec(text.slice(quote, start))?.[0];
  return name === undefined ? undefined : { problem: "key-end", start: quote, end: quote + name.length };
}

function startsEntry(text: string, at: number): boolean {
  return /[{,]/.test(text.charAt(lastNonSpaceBefore(text, at)));
}

function isBeforeColon(text: string, end: number): boolean {
  return /^\s*:/.test(text.slice(end, end + 40));
}

/** Whether what comes before in the list is neither an object nor the start of one that lacks its bracket. */
function followsPlainItem(text: string, key: number): boolean {
  let before = lastNonSpaceBefore(text, key);
  if (text.charAt(before) === ",") before = lastNonSpaceBefore(text, before);
  return !/[[{}]/.test(text.charAt(before));
}
