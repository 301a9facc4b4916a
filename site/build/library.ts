import { draw, type DrawingFormat } from "../../src/drawing/draw.js";
import { analyze, lintAnalysis, runsOf } from "../client/worker/analyze.js";

export { joinFiles } from "../client/files.js";
export { looksLikePack } from "../../src/document/file-format.js";
export { ruleGroups } from "../../src/rules/index.js";

export async function drawPack(text: string, format: DrawingFormat): Promise<string> {
  const runs = runsOf(analyze(text));
  if ("missing" in runs) throw new Error(runs.missing);
  const { pack, facts } = runs;
  return (await draw(format, { pack, facts, diagnostics: lintAnalysis(runs).kept })).text;
}
