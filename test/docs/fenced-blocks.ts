export interface FencedBlock {
  readonly language: string;
  readonly body: string;
  /** Where it begins, for messages. */
  readonly line: number;
  /** The offset of the body. */
  readonly start: number;
  /** The file that a comment above it names, for languages without comments. */
  readonly file: string | undefined;
}

/** The fenced blocks of a Markdown page, in order. */
export function fencedBlocks(page: string): readonly FencedBlock[] {
  return [...page.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? "",
    body: match[2] ?? "",
    line: page.slice(0, match.index).split("\n").length,
    start: match.index + "```\n".length + (match[1]?.length ?? 0),
    file: /<!-- file: (\S+) -->\n+$/.exec(page.slice(0, match.index))?.[1],
  }));
}
