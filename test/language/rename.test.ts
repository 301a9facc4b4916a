import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Analysis, hasPack } from "../../src/analysis.js";
import { defaultLimits, detectFormat } from "../../src/document/file-format.js";
import { readDocumentLazily } from "../../src/document/read-lazily.js";
import { applyEdits } from "../../src/fix/apply-edits.js";
import { lint } from "../../src/index.js";
import { rename } from "../../src/language/rename.js";
import type { SchemaPart } from "../../src/schema/validator.js";
import { namesIn } from "../../src/pack/name-index.js";
import { everythingPack } from "../everything-pack.js";
import { isFull } from "../runs.js";

const schema = JSON.parse(readFileSync("schema/promptpack.schema.json", "utf8")) as SchemaPart;
const kinds = ["state", "prompt", "tool", "fragment", "variable", "artifact", "composition", "step"];

const packs: [file: string, text: string][] = ["examples", "fixtures/packs"]
  .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
  .filter((file) => /\.pack\.(?:json|yaml)$/u.test(file))
  .map((file) => [file, readFileSync(file, "utf8")]);
packs.push(["everything.pack.json", JSON.stringify(everythingPack, null, 2)]);

/** The findings, with one name in place of another. */
function findings(text: string, file: string, written?: string, shown = ""): readonly string[] {
  const { diagnostics } = lint(text, { file });
  const lines = diagnostics.map(
    ({ rule, pointer, message, range }) => `${range.start.line} ${rule} ${pointer} ${message}`,
  );
  return lines.map((line) => (written === undefined ? line : line.replaceAll(written, shown))).sort();
}

it.each(packs)("keeps the findings of %s after any rename", async (file, text) => {
  const format = detectFormat(file, text);
  const analyze = async (part: string) =>
    new Analysis("", await readDocumentLazily(part, format, defaultLimits));
  const analysis = await analyze(text);
  if (!hasPack(analysis)) throw new Error(`${file} cannot be read`);
  const { pack } = analysis;
  const before = findings(text, file);
  const entities = kinds.flatMap((kind) =>
    namesIn(pack)
      .ofKind(kind)
      .slice(0, isFull ? Infinity : 2),
  );
  expect(entities).not.toEqual([]);
  for (const { name, declarations } of entities) {
    const newName = `${name}_zz`;
    const after = applyEdits(text, await rename(pack, declarations[0].start + 1, newName, schema, analyze));
    expect(after).not.toBe(text);
    expect(findings(after, file, newName, name)).toEqual(before);
  }
});
