// `npm run precision` counts the warnings of each rule over the packs of this repository, and what share of them was judged
// worth acting on in fixtures/precision.json. `npm run precision -- <folder>...` counts all findings in folders of packs.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const minHits = 10;
const minShare = 0.8;

/** By rule, the places that were judged: true, or why the finding is not worth acting on. */
export function readJudgements() {
  return JSON.parse(readFileSync(join(root, "fixtures/precision.json"), "utf8"));
}

export function shareOf(places) {
  const verdicts = Object.values(places ?? {});
  return { worth: verdicts.filter((verdict) => verdict === true).length, of: verdicts.length };
}

function findingsIn(paths) {
  const args = ["lint", "--no-config", "--exit-zero", "--format", "json", ...paths];
  const options = { encoding: "utf8", maxBuffer: 2 ** 30 };
  const { stdout, stderr } = spawnSync("node", [join(root, "bin/promptpack.js"), ...args], options);
  process.stderr.write(stderr);
  const { files } = JSON.parse(stdout);
  return files.flatMap(({ file, diagnostics }) => diagnostics.map((found) => ({ ...found, file })));
}

function byRule(findings) {
  const rules = new Map();
  for (const found of findings) rules.set(found.rule, [...(rules.get(found.rule) ?? []), found]);
  return rules;
}

function countHits(paths) {
  const rules = byRule(findingsIn(paths));
  const counted = [...rules].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1));
  for (const [rule, hits] of counted) {
    const files = new Set(hits.map(({ file }) => file)).size;
    console.log(`${rule.padEnd(28)} ${hits[0].severity.padEnd(8)} ${hits.length} in ${files} files`);
  }
}

/** What is to be said of each rule, and what is wrong with the table. `page` is the text of docs/rules.md. */
export function checkPrecision({ corpus, judged }, page) {
  const warnings = findingsIn(corpus).filter(({ severity }) => severity === "warning");
  const hits = byRule(warnings);
  const lines = [];
  const problems = [];
  for (const rule of [...new Set([...hits.keys(), ...Object.keys(judged)])].sort()) {
    const places = judged[rule] ?? {};
    const found = new Set((hits.get(rule) ?? []).map(({ file, pointer }) => `${file}#${pointer}`));
    const { worth, of } = shareOf(places);
    lines.push(`${rule.padEnd(28)} ${worth} of ${of} worth acting on`);
    for (const place of found) if (!(place in places)) problems.push(`${rule} at ${place} is not judged.`);
    for (const place of Object.keys(places))
      if (!found.has(place)) problems.push(`${rule} is judged at ${place}, where it reports nothing.`);
    if (of >= minHits && worth / of < minShare && !page.includes(`\n- **\`${rule}\`**`))
      problems.push(`${rule} is rarely worth acting on: make it an info, or explain it in docs/rules.md.`);
  }
  return { lines, problems };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folders = process.argv.slice(2);
  if (folders.length > 0) countHits(folders);
  else {
    process.chdir(root);
    const { lines, problems } = checkPrecision(readJudgements(), readFileSync("docs/rules.md", "utf8"));
    for (const line of lines) console.log(line);
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) process.exitCode = 1;
  }
}
