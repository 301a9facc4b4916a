import { extname } from "node:path";
import type { PackAnalysis } from "../../analysis.js";
import { changeLevels } from "../../diff/change.js";
import { comparePacks } from "../../diff/compare.js";
import type { ComparedPack, PackVersion } from "../../diff/diff-report.js";
import { schema } from "../../rules/tables/schema-rules.js";
import { type DiffFormat, failOnLevels, type PackFlags, readChoice, readLimits } from "../config/flags.js";
import { refuseToOverwrite } from "../config/refuse-overwrite.js";
import { SettingsResolver } from "../config/settings.js";
import { packsAgainst, type PackVersions } from "../files/changed-files.js";
import { readTargetBytes } from "../files/discover.js";
import { hasBlobId } from "../files/git.js";
import { describeIoError, FileError } from "../files/read-file.js";
import { looksLikeSource } from "../../sources/source-file.js";
import { appendStepSummary, withCiPaths, writeReport } from "../lint/write-reports.js";
import { type Io, printMessage, UsageError } from "../terminal/io.js";
import { openBytes, readPack } from "./open-pack.js";

interface DiffFlags extends PackFlags {
  readonly against?: string;
  readonly failOn?: string;
  readonly format?: DiffFormat;
}

export async function diffPacks(io: Io, paths: readonly string[], flags: DiffFlags): Promise<number> {
  const { against, format, output = "-" } = flags;
  const name = format ?? formatByExtension[extname(output).toLowerCase()] ?? "pretty";
  const level = flags.failOn === undefined ? undefined : readChoice("--fail-on", flags.failOn, failOnLevels);
  const failing = level === undefined ? [] : changeLevels.slice(0, failOnLevels.indexOf(level) + 1);
  const isAgainst = against !== undefined;
  const { packs, isComplete } = isAgainst
    ? await compareWithCommit(io, paths, against, flags)
    : await compareFiles(io, paths, flags);
  if (packs.length === 0 && !isAgainst) return 2;
  const file = output === "-" ? undefined : output;
  if (file !== undefined) {
    const inputs = packs.flatMap(({ old, new: now }) => [old, now].flatMap((side) => side?.file ?? []));
    refuseToOverwrite(io.cwd, file, inputs);
  }
  const { renderDiff } = await import("../../diff/diff-report.js");
  const context = { isAgainst, isComplete };
  const render = await renderDiff(name, packs, {
    ...context,
    rename: (files) => (name === "html" ? files : withCiPaths(io, name, files)),
  });
  const problems = await writeReport(io, { name, file }, flags.color, (options) => [render(options)]);
  for (const problem of problems) printMessage(io, problem);
  await appendStepSummary(io, [{ name, file }], () => renderDiff("markdown", packs, context));
  if (!isComplete || problems.length > 0) return 2;
  const differences = packs.flatMap(({ difference }) => difference ?? []);
  const fails = differences.some(
    ({ changes, versionFaults }) =>
      versionFaults.some(({ rule }) => rule === "version-not-raised") ||
      changes.some(({ level }) => failing.includes(level)),
  );
  return fails ? 1 : 0;
}

const formatByExtension: Readonly<Record<string, DiffFormat>> = {
  ".json": "json",
  ".md": "markdown",
  ".sarif": "sarif",
  ".html": "html",
  ".htm": "html",
};

interface Comparison {
  readonly packs: readonly ComparedPack[];
  readonly isComplete: boolean;
}

async function compareFiles(io: Io, paths: readonly string[], flags: DiffFlags): Promise<Comparison> {
  const [old, now, ...more] = paths;
  if (old === undefined || now === undefined || more.length > 0)
    throw new UsageError(
      'Name two packs, the old one and the new one, or a commit to compare with: "--against <ref>".',
    );
  if (old === "-" && now === "-")
    throw new UsageError("Standard input cannot be both packs: name a file for one of them.");
  const before = await openBytes(io, await readPack(io, old, flags), flags);
  const after = await openBytes(io, await readPack(io, now, flags), flags);
  const result = compared(io, before, after);
  return { packs: result === undefined ? [] : [result], isComplete: result !== undefined };
}

async function compareWithCommit(
  io: Io,
  paths: readonly string[],
  revision: string,
  flags: DiffFlags,
): Promise<Comparison> {
  const { packs, problems } = packsAgainst(io, paths, revision);
  for (const problem of problems) printMessage(io, problem);
  const settings = new SettingsResolver(io.cwd, { preset: undefined, rules: new Map(), config: undefined });
  const results: ComparedPack[] = [];
  let isComplete = problems.length === 0;
  for (const versions of packs) {
    if ((await settings.settingsFor(versions.path)).ignoredBy !== undefined) continue;
    const result = await compareVersions(io, versions, revision, flags);
    if (result === undefined) isComplete = false;
    else results.push(result);
  }
  return { packs: results, isComplete };
}

const commitId = /^[0-9a-f]{40,64}$/u;

/** Undefined if they cannot be compared, which has been reported. */
async function compareVersions(
  io: Io,
  { file, path, old, new: now }: PackVersions,
  revision: string,
  flags: DiffFlags,
): Promise<ComparedPack | undefined> {
  const shown = `${file} (${commitId.test(revision) ? revision.slice(0, 10) : revision})`;
  if (old === undefined) return { file, status: "added", old: undefined, new: { file, shown: file } };
  if (now === undefined) return { file, status: "removed", old: { file, shown }, new: undefined };
  const { maxBytes } = readLimits(flags);
  const newBytes = readOrReport(io, file, () => readTargetBytes(now, maxBytes));
  if (newBytes === undefined) return undefined;
  const isProject = looksLikeSource(new TextDecoder().decode(newBytes), "Arena");
  if (!isProject && hasBlobId(newBytes, old.id))
    return { file, status: "same", old: { file, shown }, new: { file, shown: file } };
  const oldBytes = readOrReport(io, shown, () => old.read(maxBytes));
  if (oldBytes === undefined) return undefined;
  const overlay = old.overlay;
  const before = await openBytes(
    io,
    { file, path, bytes: oldBytes, ...(overlay && { overlay }) },
    flags,
    shown,
  );
  const after = await openBytes(io, { file, path, bytes: newBytes }, flags);
  return compared(io, before, after, shown);
}

function readOrReport(io: Io, shown: string, read: () => Uint8Array): Uint8Array | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    printMessage(io, `"${shown}" ${describeIoError(error)}.`);
    return undefined;
  }
}

/** Undefined for a pack that does not parse, whose faults have been printed, or whose runs are unknown. */
function comparable(
  io: Io,
  analysis: PackAnalysis | undefined,
  shown = analysis?.file ?? "",
): Required<PackVersion> | undefined {
  if (analysis === undefined || analysis.document.faults.length > 0) return undefined;
  const { file, pack, workflow } = analysis;
  const isBroken = (): boolean =>
    workflow?.isClear !== true ||
    [...schema.check(analysis)].some(({ at }) => /^\/workflow(?:\/|$)/u.test(at.pointer));
  if (pack.root.get("workflow") === undefined || !isBroken()) return { file, shown, analysis };
  printMessage(
    io,
    `"${shown}" cannot be compared: its workflow breaks the schema, as "promptpack lint" shows.`,
  );
  return undefined;
}

/** Characters of all messages: a long name may be in thousands of them. */
const maxCharacters = 100_000_000;

function compared(
  io: Io,
  before: PackAnalysis | undefined,
  after: PackAnalysis | undefined,
  shownBefore?: string,
): ComparedPack | undefined {
  const [old, now] = [comparable(io, before, shownBefore), comparable(io, after)];
  if (old === undefined || now === undefined) return undefined;
  const { file } = now;
  const difference = comparePacks(old.analysis, now.analysis);
  const { changes, requiredBump, oldVersion, newVersion } = difference;
  const size = changes.reduce((sum, { message, at }) => sum + message.length + at.pointer.length, 0);
  if (size > maxCharacters) {
    printMessage(io, `The changes of "${file}" take more than ${maxCharacters} characters.`);
    return undefined;
  }
  const isSame = changes.length === 0 && requiredBump === "none" && oldVersion === newVersion;
  return { file, status: isSame ? "same" : "changed", old, new: now, difference };
}
