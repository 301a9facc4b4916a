import { readFileSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "../nearest-name.js";
import { rules } from "../rules/index.js";
import { wantsColor } from "./color.js";
import type { Io } from "./io.js";
import { packageRoot } from "./package-root.js";
import { renderPage } from "./render-page.js";
import { UsageError } from "./usage-error.js";

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 80;

/** Reports write ids in brackets, and people with capitals. */
export function explainRule(io: Io, written: string, color: boolean | undefined): number {
  const id = written.replace(/^\[(.*)\]$/u, "$1").toLowerCase();
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule === undefined) {
    const near = didYouMean(
      id,
      rules.map((candidate) => candidate.id),
    );
    throw new UsageError(`No rule is called "${written}".${near || ' "promptpack rules" lists them.'}`);
  }
  const page = readFileSync(join(packageRoot(), "docs", "rules", `${rule.id}.md`), "utf8");
  const width = Math.min(io.stdout.columns || widest, widest);
  io.stdout.write(renderPage(page, wantsColor(color, io), width));
  return 0;
}
