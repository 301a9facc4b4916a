import { getOrCreate } from "../text/collections.js";
import type { Pack } from "./pack.js";
import type { Prompt } from "./prompt.js";
import type { TemplateText } from "./template-text.js";

// Created on use: compiling a pattern with Unicode properties takes a millisecond.
const wordPattern = () => /[\p{L}\p{M}\p{N}_]+/gu;
/** Searches per text, and characters in all, before the words of a text are indexed instead. */
const maxDirectSearches = 12;
const maxDirectCharacters = 500_000;
/** Limits for names of several words, such as `order-placed`: their length, and the characters searched. */
const maxNameLength = 100;
const maxSearchedCharacters = 5_000_000;

/** Whether a prompt's text, fragments and overrides included, contains a name as a whole word in any letter case. */
export type MentionSearch = (prompt: Prompt, name: string) => boolean | undefined;

/** Undefined where the text is unknown: no template, unsupported delimiters, a missing fragment. */
export function createMentionSearch(pack: Pack): MentionSearch {
  const known = new Map<Prompt, PromptText | undefined>();
  const sources = new Map<TemplateText, FoldedText>();
  let searched = 0;
  return (prompt, name) => {
    const wording = getOrCreate(known, prompt, () => promptTextOf(pack, prompt, sources));
    if (wording === undefined) return undefined;
    const folded = fold(name);
    const isShort = folded.length <= maxNameLength;
    if (
      isShort &&
      wording.searches++ < maxDirectSearches &&
      searched + wording.length <= maxDirectCharacters
    ) {
      searched += wording.length;
      return wording.holds(folded);
    }
    const parts = folded.match(wordPattern()) ?? [];
    if (!parts.every((part) => wording.hasWord(part))) return false;
    if (parts[0] === folded) return true;
    searched += wording.length;
    if (!isShort || searched > maxSearchedCharacters) return undefined;
    return wording.holds(folded);
  };
}

/** One text, case-folded; its words are indexed once for all prompts that include it. */
class FoldedText {
  readonly text: string;
  private found: ReadonlySet<string> | undefined;

  constructor({ literalText }: TemplateText) {
    this.text = fold(literalText);
  }

  get words(): ReadonlySet<string> {
    this.found ??= new Set(this.text.match(wordPattern()) ?? []);
    return this.found;
  }
}

/** The texts of one prompt. */
class PromptText {
  searches = 0;
  readonly length: number;
  private looks = 0;
  private all: ReadonlySet<string> | undefined;

  constructor(private readonly sources: readonly FoldedText[]) {
    this.length = sources.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Searches text by text until an index of all words would have been cheaper. */
  hasWord(word: string): boolean {
    this.looks += this.sources.length;
    if (this.looks <= this.length) return this.sources.some(({ words }) => words.has(word));
    this.all ??= new Set(this.sources.flatMap(({ words }) => [...words]));
    return this.all.has(word);
  }

  holds(name: string): boolean {
    return this.sources.some(({ text }) => containsName(text, name));
  }
}

function promptTextOf(
  pack: Pack,
  prompt: Prompt,
  known: Map<TemplateText, FoldedText>,
): PromptText | undefined {
  if (pack.delimiters === undefined || !pack.hasAllFragments || !pack.readings.isComplete(prompt))
    return undefined;
  return new PromptText(
    [...pack.readings.textsOf(prompt)].map((template) => {
      return getOrCreate(known, template, () => new FoldedText(template));
    }),
  );
}

/** Via upper case, so that "GRÖSSE" and "Größe" are the same word. */
function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** Whether the text contains the name with no letter right before or after it. */
function containsName(text: string, name: string): boolean {
  if (name === "") return true;
  const opens = startsWithWord(name);
  const closes = endsWithWord(name);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + name.length, at + name.length + 2);
    if (!(opens && endsWithWord(before)) && !(closes && startsWithWord(after))) return true;
  }
  return false;
}

// A fast path for ASCII: the patterns for everything else take a millisecond each to compile.
function startsWithWord(text: string): boolean {
  return isAscii(text.charCodeAt(0)) ? /^\w/.test(text) : /^[\p{L}\p{M}\p{N}_]/u.test(text);
}

function endsWithWord(text: string): boolean {
  return isAscii(text.charCodeAt(text.length - 1)) ? /\w$/.test(text) : /[\p{L}\p{M}\p{N}_]$/u.test(text);
}

/** Also true for the empty string. */
function isAscii(code: number): boolean {
  return !(code >= 128);
}
