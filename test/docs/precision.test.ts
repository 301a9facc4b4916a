import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { checkPrecision, readJudgements, shareOf } from "../../scripts/precision.mjs";
import { clean, otherId } from "../cli/packs.js";
import { folderOf } from "../cli/harness.js";

const page = readFileSync("docs/rules.md", "utf8");
const { corpus, judged } = readJudgements();

it("every warning over our packs is judged, and none that is gone", () => {
  expect(checkPrecision({ corpus, judged }, page).problems).toEqual([]);
});

it("notices what is not judged, what is gone, and a rule that is rarely worth acting on", () => {
  const cwd = folderOf({ "a.pack.json": otherId, "b.pack.json": clean });
  const table = (places: Readonly<Record<string, true | string>>) =>
    checkPrecision({ corpus: [cwd], judged: { "prompt-id-differs": places } }, page).problems;
  const place = `${relative(process.cwd(), cwd)}/a.pack.json#/prompts/bye/id`;
  expect(table({ [place]: true })).toEqual([]);
  expect(table({ [place]: "Nobody reads it." })).toEqual([]);
  expect(table({})).toEqual([`prompt-id-differs at ${place} is not judged.`]);
  expect(table({ [place]: true, x: true })).toEqual([
    "prompt-id-differs is judged at x, where it reports nothing.",
  ]);
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`x${index}`, "No."]));
  expect(table({ [place]: true, ...many }).at(-1)).toBe(
    "prompt-id-differs is rarely worth acting on: make it an info, or explain it in docs/rules.md.",
  );
});

it("says why a finding is not worth acting on", () => {
  const verdicts = Object.values(judged).flatMap((places) => Object.values(places));
  expect(verdicts.filter((verdict) => verdict !== true && !/^[A-Z].*\.$/u.test(verdict))).toEqual([]);
  expect(shareOf({ a: true, b: "No.", c: true })).toEqual({ worth: 2, of: 3 });
});

it("counts the findings in folders of packs", () => {
  const cwd = folderOf({ "a.pack.json": otherId, "b.pack.json": clean });
  const { stdout } = spawnSync("node", ["scripts/precision.mjs", cwd], { encoding: "utf8" });
  expect(stdout).toMatch(/^prompt-id-differs +warning +1 in 1 files$/mu);
});
