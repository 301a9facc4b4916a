/** A block in the manner of Jinja: mere text where tags are written `{{x}}`. */
export interface JinjaBlock {
  readonly keyword: "if" | "for";
  /** What starts it where it is none of Jinja. */
  readonly helper: "if" | "unless" | "each";
  readonly start: number;
  /** Where its inside ends. */
  end: number;
  /** `{% if x %}`; without what stands in it where that is more than a path. */
  readonly tag: string;
  /** The path it asks about or walks through, if it is one. */
  readonly path: string | undefined;
  /** The names it reads. */
  readonly names: readonly string[];
  /** The names it defines for its inside. */
  readonly locals: readonly string[];
}

/** What to write, and in place of what. */
export interface Respelling {
  readonly right: string;
  readonly written: string;
}

/** More are not read, nor longer ones: a hostile text could have any. */
const mostBlocks = 200;
const tag = /\{%([^{}%]{0,200})%\}/g;

const wholePath = /^[A-Za-z_]\w*(?:\.\w+)*$/;
const name = /(?<![\w.])[A-Za-z_]\w*/g;
/** Not what is called, as in `range(3)`. */
const firstName = /^[A-Za-z_]\w*\b(?!\()/;

/** In the order of the text. */
export function jinjaBlocks(text: string): readonly JinjaBlock[] {
  const blocks: JinjaBlock[] = [];
  const open: JinjaBlock[] = [];
  for (const { 1: inside = "", index } of text.matchAll(tag)) {
    if (blocks.length === mostBlocks) break;
    const [keyword = "", ...words] = inside.replaceAll(/^[-+]|[-+]$/g, "").match(/\S+/g) ?? [];
    if (keyword === "endif" || keyword === "endfor") {
      const closed = open.pop();
      if (closed !== undefined) closed.end = index;
    } else if (keyword === "if" || keyword === "for") {
      const block: JinjaBlock = { keyword, start: index, end: text.length, ...reading(keyword, words) };
      blocks.push(block);
      open.push(block);
    }
  }
  return blocks;
}

function reading(
  keyword: JinjaBlock["keyword"],
  words: readonly string[],
): Pick<JinjaBlock, "helper" | "tag" | "path" | "names" | "locals"> {
  const isLoop = keyword === "for";
  const isNegated = !isLoop && words[0] === "not";
  const from = isLoop ? words.indexOf("in") + 1 : isNegated ? 1 : 0;
  const read = words.slice(from).join(" ");
  const isPath = wholePath.test(read);
  return {
    helper: isLoop ? "each" : isNegated && isPath ? "unless" : "if",
    tag: `{% ${keyword} ${isPath ? words.join(" ") : "…"} %}`,
    path: isPath ? read : undefined,
    names: (isLoop ? firstName.exec(read) : read.match(name)) ?? [],
    locals: isLoop ? (words.slice(0, from).join(" ").match(name) ?? []).slice(0, -1) : [],
  };
}

/** How the block is written that reads a name, with something of its inside. */
export function respelled(block: JinjaBlock, reads: string, inside?: Respelling): Respelling {
  const { keyword, helper, tag: opening, path = reads } = block;
  const around = (from: string, between: string | undefined, to: string) =>
    from + (between === undefined ? "…" : `…${between}…`) + to;
  return {
    right: around(`{{#${helper} ${path}}}`, inside?.right, `{{/${helper}}}`),
    written: around(opening, inside?.written, `{% end${keyword} %}`),
  };
}
