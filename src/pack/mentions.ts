import { appendTo, cached, firstByKey, getOrCreate, lazy } from "../text/collections.js";
import type { Pack } from "./pack.js";
import type { Prompt, TemplateText, Tool } from "./prompt.js";
import { mayGrantTools } from "./skills.js";

// Created on use: compiling a pattern with Unicode properties takes a millisecond.
const wordPattern = () => /[\p{L}\p{M}\p{N}_]+/gu;
/** Searches per text, and characters in all, before the words of a text are indexed instead. */
const maxDirectSearches = 12;
const maxDirectCharacters = 500_000;
/** Limits for names of several words, such as `order-placed`: their length, and the characters searched. */
const maxNameLength = 100;
const maxSearchedCharacters = 5_000_000;

/** How a prompt's text, fragments and overrides included, contains a name as a word; undefined if unknown. */
export type MentionSearch = (prompt: Prompt, name: string) => "exact" | "other case" | "none" | undefined;

export function createMentionSearch(pack: Pack): MentionSearch {
  const inAnyCase = createWordSearch(pack, fold);
  const inExactCase = createWordSearch(pack, (text) => text);
  return (prompt, name) => {
    const found = inAnyCase(prompt, fold(name));
    if (found !== true) return found === false ? "none" : undefined;
    const isExact = inExactCase(prompt, name);
    return isExact === undefined ? undefined : isExact ? "exact" : "other case";
  };
}

function createWordSearch(
  pack: Pack,
  convert: (text: string) => string,
): (prompt: Prompt, name: string) => boolean | undefined {
  const known = new Map<Prompt, PromptText | undefined>();
  const sources = new Map<TemplateText, SearchedText>();
  let searched = 0;
  return (prompt, name) => {
    const wording = getOrCreate(known, prompt, () => promptTextOf(pack, prompt, sources, convert));
    if (wording === undefined) return undefined;
    const isShort = name.length <= maxNameLength;
    if (
      isShort &&
      wording.searches++ < maxDirectSearches &&
      searched + wording.length <= maxDirectCharacters
    ) {
      searched += wording.length;
      return wording.holds(name);
    }
    const parts = name.match(wordPattern()) ?? [];
    if (!parts.every((part) => wording.words.has(part))) return false;
    if (parts[0] === name) return true;
    searched += wording.length;
    if (!isShort || searched > maxSearchedCharacters) return undefined;
    return wording.holds(name);
  };
}

/** One text, for all prompts that include it. */
type SearchedText = Readonly<ReturnType<typeof searchedText>>;

function searchedText(text: string) {
  return { text, words: lazy(() => new Set<string>(text.match(wordPattern()) ?? [])) };
}

/** The words of several texts, which other prompts may share. */
export class WordUnion {
  private looks = 0;
  private all: ReadonlySet<string> | undefined;

  /** `length`: the characters of all texts, about what it takes to collect their words. */
  constructor(
    private readonly texts: readonly (() => ReadonlySet<string>)[],
    private readonly length = 0,
  ) {}

  /** Searches text by text until an index of all words would have been cheaper. */
  has(word: string): boolean {
    this.looks += this.texts.length;
    if (this.looks <= this.length) return this.texts.some((words) => words().has(word));
    this.all ??= new Set(this.texts.flatMap((words) => [...words()]));
    return this.all.has(word);
  }
}

class PromptText {
  searches = 0;
  readonly length: number;
  readonly words: WordUnion;

  constructor(private readonly sources: readonly SearchedText[]) {
    this.length = sources.reduce((sum, { text }) => sum + text.length, 0);
    this.words = new WordUnion(
      sources.map(({ words }) => words),
      this.length,
    );
  }

  holds(name: string): boolean {
    return this.sources.some(({ text }) => containsName(text, name));
  }
}

function promptTextOf(
  pack: Pack,
  prompt: Prompt,
  known: Map<TemplateText, SearchedText>,
  convert: (text: string) => string,
): PromptText | undefined {
  const texts = completeTextsOf(pack, prompt)?.map((template) => {
    return getOrCreate(known, template, () => searchedText(convert(template.literalText)));
  });
  return texts && new PromptText(texts);
}

/** The templates and fragments of a prompt; undefined unless all of them are known. */
export function completeTextsOf(pack: Pack, prompt: Prompt): readonly TemplateText[] | undefined {
  const { delimiters, hasAllFragments, readings } = pack;
  if (delimiters === undefined || !hasAllFragments || !readings.isComplete(prompt)) return undefined;
  return [...readings.textsOf(prompt)];
}

/** Via upper case, so that "GRÖSSE" and "Größe" are the same word. */
export function fold(text: string): string {
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

/** The first mention of each tool in each text, with the prompts that have the text and do not list the tool. */
export const unlistedTools = cached((pack: Pack) => {
  const { clearPrompts, readings, skills, tools, delimiters } = pack;
  // Skills in files may grant tools that no prompt lists.
  if (tools.size === 0 || delimiters === undefined || mayGrantTools(skills)) return [];
  const found = new Map<TemplateText, readonly Mention[]>();
  const unlisted = new Map<Mention, Prompt[]>();
  for (const prompt of clearPrompts) {
    if (!prompt.isClear("tools")) continue;
    const known = new Set([...prompt.tools, ...(prompt.toolPolicy?.blocklist ?? [])].map(({ text }) => text));
    const seen = new Set<Tool>();
    for (const text of readings.textsOf(prompt)) {
      for (const mention of getOrCreate(found, text, () => mentionsIn(text, pack))) {
        const { key, name } = mention.tool;
        if (known.has(key.text) || known.has(name?.text ?? key.text) || seen.has(mention.tool)) continue;
        seen.add(mention.tool);
        appendTo(unlisted, mention, prompt);
      }
    }
  }
  return [...unlisted].map(([mention, prompts]) => ({ ...mention, prompts }));
});

interface Mention {
  readonly tool: Tool;
  readonly source: TemplateText;
  readonly start: number;
  readonly end: number;
}

/** A tag, which names no tool, or a word. */
const tagOrWord = /\$?\{\{?[^{}]{0,500}\}|[\w-]+/g;

function mentionsIn(source: TemplateText, pack: Pack): readonly Mention[] {
  return [...firstByKey(toolMentions(source, pack), ({ tool }) => tool).values()];
}

/** Names of tools in backticks or quotes, and those that no word of prose looks like: with an underscore. */
export function* toolMentions(source: TemplateText, { toolUse }: Pack): Generator<Mention> {
  const { text } = source.text;
  for (const { 0: word, index } of text.matchAll(tagOrWord)) {
    const tool = toolUse.toolNamed(word);
    if (tool === undefined) continue;
    const end = index + word.length;
    const isQuoted = "`\"'".includes(text.charAt(index - 1) || " ") && text[index - 1] === text[end];
    if (isQuoted || word.includes("_")) yield { tool, source, start: index, end };
  }
}
