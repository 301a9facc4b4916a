import { getOrCreate } from "../text/collections.js";
import type { Pack } from "./pack.js";
import type { Prompt, Tool } from "./prompt.js";
import { mayGrantTools } from "./skills.js";
import type { TemplateText } from "./template-text.js";

/** A place that names a tool, and the prompts that have the text there and do not list the tool. */
export interface UnlistedTool extends Mention {
  readonly prompts: readonly [Prompt, ...Prompt[]];
}

/** Two rules ask. */
const unlistedByPack = new WeakMap<Pack, readonly UnlistedTool[]>();

/** The first mention of each tool in each text. Skills in files may grant tools that no prompt lists. */
export function unlistedTools(pack: Pack): readonly UnlistedTool[] {
  return getOrCreate(unlistedByPack, pack, () => findUnlistedTools(pack));
}

function findUnlistedTools(pack: Pack): readonly UnlistedTool[] {
  const { clearPrompts, readings, skills, tools, delimiters } = pack;
  if (tools.size === 0 || delimiters === undefined || mayGrantTools(skills)) return [];
  const found = new Map<TemplateText, readonly Mention[]>();
  const unlisted = new Map<Mention, [Prompt, ...Prompt[]]>();
  for (const prompt of clearPrompts) {
    const known = new Set([...prompt.tools, ...(prompt.toolPolicy?.blocklist ?? [])].map(({ text }) => text));
    const seen = new Set<Tool>();
    for (const text of readings.textsOf(prompt)) {
      for (const mention of getOrCreate(found, text, () => mentionsIn(text, pack))) {
        const { key, name } = mention.tool;
        if (known.has(key.text) || known.has(name?.text ?? key.text) || seen.has(mention.tool)) continue;
        seen.add(mention.tool);
        const others = unlisted.get(mention);
        if (others === undefined) unlisted.set(mention, [prompt]);
        else others.push(prompt);
      }
    }
  }
  return [...unlisted].map(([mention, prompts]) => ({ ...mention, prompts }));
}

interface Mention {
  readonly tool: Tool;
  readonly source: TemplateText;
  readonly start: number;
  readonly end: number;
}

/** A tag, which names no tool, or a word. */
const tagOrWord = /\$?\{\{?[^{}]{0,500}\}|[\w-]+/g;

function mentionsIn(source: TemplateText, pack: Pack): readonly Mention[] {
  const first = new Map<Tool, Mention>();
  for (const mention of toolMentions(source, pack))
    if (!first.has(mention.tool)) first.set(mention.tool, mention);
  return [...first.values()];
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
