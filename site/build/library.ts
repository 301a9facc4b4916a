import { draw } from "../../src/drawing/draw.js";
import { findFacts } from "../../src/machine/verdicts.js";
import { openPack } from "../client/worker/open-pack.js";

export { looksLikePack } from "../../src/document/file-format.js";
export { ruleGroups } from "../../src/rules/index.js";

/** The page that the playground puts into a frame. */
export async function drawPage(text: string): Promise<string> {
  const opened = openPack(text);
  if ("missing" in opened) throw new Error(opened.missing);
  const { pack, machine } = opened;
  return (await draw("html", { pack, facts: findFacts(machine), diagnostics: [] })).text;
}
