/** A block in the manner of Jinja that has its like here. It is mere text where tags are written `{{x}}`. */
export interface JinjaBlock {
  readonly keyword: "if" | "for";
  /** What starts it where it is none of Jinja. */
  readonly helper: "if" | "unless" | "each";
  readonly start: number;
  /** Where its inside ends. */
  readonly end: number;
  /** `{% if user.vip %}` */
  readonly tag: string;
  /** What it asks about or walks through: `user.vip`. */
  readonly path: string;
  /** The first name of that. */
  readonly name: string;
  /** What a loop calls each item by. */
  readonly item: string | undefined;
}

/** What to write, and in place of what. */
export interface Respelling {
  readonly right: string;
  readonly written: string;
}

/** More are not read, nor longer ones: a hostile text could have any. */
const mostBlocks = 200;
const tag = /\{%([^{}%]{0,200})%\}/g;

/** Other conditions and lists have no like: what is made of their names alone could mean the opposite. */
const simple = /^(?:if (?<not>not )?|for (?<item>[A-Za-z_]\w*) in )(?<path>(?<name>[A-Za-z_]\w*)(?:\.\w+)*)$/;

/** Those with no other tag inside, in the order of the text: with an `else` or another loop, more than the block has to be written anew. */
export function jinjaBlocks(text: string): readonly JinjaBlock[] {
  const blocks: JinjaBlock[] = [];
  let open: Omit<JinjaBlock, "end"> | undefined;
  for (const { 1: inside = "", index } of text.matchAll(tag)) {
    if (blocks.length === mostBlocks) break;
    const words = inside.replaceAll(/^[-+]|[-+]$/g, "").match(/\S+/g) ?? [];
    if (open !== undefined && words[0] === `end${open.keyword}`) blocks.push({ ...open, end: index });
    open = simpleBlock(words, index);
  }
  return blocks;
}

function simpleBlock(words: readonly string[], start: number): Omit<JinjaBlock, "end"> | undefined {
  const written = words.join(" ");
  const { not, item, path, name } = simple.exec(written)?.groups ?? {};
  if (path === undefined || name === undefined) return undefined;
  const condition = not === undefined ? "if" : "unless";
  return {
    keyword: item === undefined ? "if" : "for",
    helper: item === undefined ? condition : "each",
    start,
    tag: `{% ${written} %}`,
    path,
    name,
    item,
  };
}

/** How the block is written, with something of its inside. */
export function respelled(
  { keyword, helper, tag: opening, path }: JinjaBlock,
  inside?: Respelling,
): Respelling {
  const around = (from: string, between: string | undefined, to: string) =>
    from + (between === undefined ? "…" : `…${between}…`) + to;
  return {
    right: around(`{{#${helper} ${path}}}`, inside?.right, `{{/${helper}}}`),
    written: around(opening, inside?.written, `{% end${keyword} %}`),
  };
}
