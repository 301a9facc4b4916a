import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { defaultLimits, detectFormat } from "../../src/document/file-format.js";
import { loadReader } from "../../src/document/read-lazily.js";
import { complete } from "../../src/language/complete.js";
import { hoverAt } from "../../src/language/hover.js";
import { OpenPack } from "../../src/language/open-pack.js";
import { foldsOf, outlineOf, workflowLens } from "../../src/language/outline.js";
import type { KeySchema } from "../../src/language/schema-keys.js";
import { typedPlaceAt } from "../../src/language/typed-place.js";
import { triage } from "../composition/triage-pack.js";
import { runs } from "../runs.js";

const schema = JSON.parse(readFileSync("schema/promptpack.schema.json", "utf8")) as KeySchema;
const selfCorrecting = readFileSync("examples/self-correcting.pack.json", "utf8");

const packs: [file: string, text: string][] = [
  ["triage.pack.yaml", triage],
  ["codegen.pack.yaml", readFileSync("examples/codegen.pack.yaml", "utf8")],
  ["self-correcting.pack.json", selfCorrecting],
];

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
  const read = await loadReader(format);
  const open = (part: string) => OpenPack.in(part, (half) => read(half, defaultLimits), undefined);
  const count = runs(600, 60);
  let answers = 0;
  for (let round = 1; round <= count; round++) {
    const at = Math.floor((round * text.length) / (count + 1));
    const damaged = damage(text, at);
    const place = typedPlaceAt(damaged, Math.min(at, damaged.length), format);
    const { start, end } = place.unfinished;
    const rest = open(damaged.slice(0, start) + damaged.slice(end));
    for (const { replaced } of complete(place, { text: damaged, format, open: rest, schema })) {
      answers++;
      expect(replaced.start).toBeLessThanOrEqual(at);
      expect(replaced.end).toBeGreaterThanOrEqual(at);
    }
    const whole = open(damaged);
    if (whole === undefined) continue;
    hoverAt(whole, at, schema);
    outlineOf(whole.pack.root);
    foldsOf(whole.pack.document);
    workflowLens(whole);
  }
  expect(answers).toBeGreaterThan(count / 4);
});

/** How much of a broken file is read, as the share of breaks after which most names are still known. */
it.each(packs)("still knows most names of %s while a line is typed", async (file, text) => {
  const read = await loadReader(detectFormat(file, text));
  const namesIn = (part: string) => {
    const open = OpenPack.in(part, (half) => read(half, defaultLimits), undefined);
    return ["state", "prompt", "tool", "artifact", "step"].flatMap((kind) => open?.names().ofKind(kind) ?? [])
      .length;
  };
  const all = namesIn(text);
  const lines = text.split("\n");
  const kept = lines.map((_, index) => {
    const typed = lines.map((line, at) => (at === index ? line.slice(0, line.search(/\S|$/u) + 4) : line));
    return namesIn(typed.join("\n")) >= 0.8 * all;
  });
  expect(kept.filter(Boolean).length / kept.length).toBeGreaterThan(0.8);
});
