import { readFileSync } from "node:fs";
import { rules } from "../../rules/index.js";
import { loadPaint } from "../../text/paint.js";
import { nearestName } from "../../words/nearest-name.js";
import { unknownRuleMessage } from "../../words/setting-words.js";
import { rulePagePath } from "../files/rule-page.js";
import { shouldUseColor } from "../terminal/color.js";
import type { Io } from "../terminal/io.js";
import { UsageError } from "../terminal/usage-error.js";
import { renderPage } from "./render-page.js";

/** Longer lines are hard to read, however wide the terminal is. */
const maxPageWidth = 80;

/** Reports write ids in brackets, and people with capitals. */
export async function explainRule(io: Io, written: string, color: boolean | undefined): Promise<number> {
  const id = written.replace(/^\[(.*)\]$/u, "$1").toLowerCase();
  const ids = rules.map((rule) => rule.id);
  if (!ids.includes(id)) throw new UsageError(unknownRuleMessage(written, ids, () => nearestName(id, ids)));
  const page = readFileSync(rulePagePath(id), "utf8");
  const width = Math.min(io.stdout.columns || maxPageWidth, maxPageWidth);
  const paint = await loadPaint({ color: shouldUseColor(color, io), links: false });
  io.stdout.write(renderPage(page, paint, width));
  return 0;
}
