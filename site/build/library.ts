import { draw, type DrawingFormat } from "../../src/drawing/draw.js";
import { lint } from "../../src/index.js";
import { findFacts } from "../../src/machine/verdicts.js";
import { openPack } from "../client/worker/open-pack.js";

export { looksLikePack } from "../../src/document/file-format.js";
export { ruleGroups } from "../../src/rules/index.js";

export async function drawPack(text: string, format: DrawingFormat): Promise<string> {
  const opened = openPack(text);
  if ("missing" in opened) throw new Error(opened.missing);
  const { pack, machine } = opened;
  const { diagnostics } = lint(text);
  return (await draw(format, { pack, facts: findFacts(machine), diagnostics })).text;
}
