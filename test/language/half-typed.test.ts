import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Analysis, hasPack, type PackAnalysis } from "../../src/analysis.js";
import { defaultLimits, detectFormat } from "../../src/document/file-format.js";
import { loadReader } from "../../src/document/read-lazily.js";
import { complete } from "../../src/language/complete.js";
import { hoverKey, hoverName } from "../../src/language/hover.js";
import { foldsOf, outlineOf, workflowLens } from "../../src/language/outline.js";
import type { SchemaPart } from "../../src/schema/validator.js";
import { readHalfTyped, typedPlaceAt } from "../../src/language/half-typed.js";
import { namesIn } from "../../src/pack/name-index.js";
import { triage } from "../composition/triage-pack.js";
import { runs } from "../runs.js";

const schema = JSON.parse(readFileSync("schema/promptpack.schema.json", "utf8")) as SchemaPart;
const selfCorrecting = readFileSync("examples/self-correcting.pack.json", "utf8");

const packs: [file: string, text: string][] = [
  ["triage.pack.yaml", triage],
  ["codegen.pack.yaml", readFileSync("examples/codegen.pack.yaml", "utf8")],
  ["self-correcting.pack.json", selfCorrecting],
];

/** Opens texts as the editor does. */
async function openerOf(file: string, text: string): Promise<(part: string) => PackAnalysis | undefined> {
  const read = await loadReader(detectFormat(file, text));
  return (part) => {
    const analysis = new Analysis(
      "",
      readHalfTyped(part, (half) => read(half, defaultLimits)),
    );
    return hasPack(analysis) ? analysis : undefined;
  };
}

const damages: readonly [name: string, damage: (text: string, at: number) => string][] = [
  ["is cut off", (text, at) => text.slice(0, at)],
  ["lacks a character", (text, at) => text.slice(0, at - 1) + text.slice(at)],
  ["lacks the rest of the line", (text, at) => text.slice(0, at) + text.slice(at).replace(/^.*/u, "")],
  ["has a word too many", (text, at) => `${text.slice(0, at)} prom${text.slice(at)}`],
  ["has a bracket too many", (text, at) => `${text.slice(0, at)}{${text.slice(at)}`],
];

it.each(
  packs.flatMap(([file, text]) => damages.map(([name, damage]) => [file, name, text, damage] as const)),
)("answers about %s wherever it %s", async (file, _, text, damage) => {
  const format = detectFormat(file, text);
  const open = await openerOf(file, text);
  const count = runs(600, 60);
  let answers = 0;
  for (let round = 1; round <= count; round++) {
    const at = Math.floor((round * text.length) / (count + 1));
    const damaged = damage(text, at);
    const place = typedPlaceAt(damaged, Math.min(at, damaged.length), format);
    const { start, end } = place.unfinished;
    const pack = open(damaged.slice(0, start) + damaged.slice(end))?.pack;
    for (const { replaced } of complete(place, { text: damaged, format, pack, schema })) {
      answers++;
      expect(replaced.start).toBeLessThanOrEqual(at);
      expect(replaced.end).toBeGreaterThanOrEqual(at);
    }
    const whole = open(damaged);
    if (whole === undefined) continue;
    void (hoverName(whole, at) ?? hoverKey(damaged, at, format, (path) => ({ path, schema })));
    outlineOf(whole.pack.root);
    foldsOf(whole.document);
    workflowLens(whole);
  }
  expect(answers).toBeGreaterThan(count / 4);
});

/** How much of a broken file is read, as the share of breaks after which most names are still known. */
it.each(packs)("still knows most names of %s while a line is typed", async (file, text) => {
  const open = await openerOf(file, text);
  const countNames = (part: string) => {
    const pack = open(part)?.pack;
    const kinds = pack === undefined ? [] : ["state", "prompt", "tool", "artifact", "step"];
    return kinds.flatMap((kind) => pack && namesIn(pack).ofKind(kind)).length;
  };
  const all = countNames(text);
  const lines = text.split("\n");
  const kept = lines.map((_, index) => {
    const typed = lines.map((line, at) => (at === index ? line.slice(0, line.search(/\S|$/u) + 4) : line));
    return countNames(typed.join("\n")) >= 0.8 * all;
  });
  expect(kept.filter(Boolean).length / kept.length).toBeGreaterThan(0.8);
});
