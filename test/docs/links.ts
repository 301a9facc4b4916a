import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Link {
  readonly target: string;
  /** The file it leads to, relative to the repository; its own page for an anchor alone. */
  readonly file: string;
  readonly anchor: string | undefined;
}

/** The links and pictures of a page, except those to the web and those in code. */
export function linksOf(page: string): readonly Link[] {
  const text = readFileSync(page, "utf8")
    .replace(/^```[^]*?^```/gm, "")
    .replace(/`[^`\n]*`/g, "");
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const defined = text.matchAll(/^\[[^\]]+\]: (\S+)/gm);
  const inHtml = text.matchAll(/<(?:a|img|source)\b[^>]*?(?:href|src|srcset)="([^"]+)"/g);
  return [...inline, ...defined, ...inHtml]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = "", anchor] = target.split("#");
      return { target, file: path === "" ? page : join(dirname(page), path), anchor };
    });
}

/** The headings of a page as addresses, the way GitHub makes them: the second of two equal ones gets a number. */
export function anchorsIn(page: string): readonly string[] {
  const text = readFileSync(page, "utf8").replace(/^```[^]*?^```/gm, "");
  const seen = new Map<string, number>();
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}
