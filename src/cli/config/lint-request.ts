import { fileKinds } from "../../document/file-format.js";
import { resolve } from "node:path";
import { type Level, levels } from "../../diagnostic.js";
import { unknownVersionMessage } from "../../schema/spec-version.js";
import { type ReporterName, reporterNames } from "../../reporters/index.js";
import { type RuntimeName, runtimeNames } from "../../runtimes/names.js";
import { ruleIds } from "../../rules/index.js";
import { unknownRuleMessage } from "../../text/wording.js";
import type { ChangeSelection } from "../files/changed-files.js";
import { displayPath, realPathOf } from "../files/paths.js";
import { conflictingFlags, UsageError } from "../terminal/io.js";
import { type LintFlags, presets, chooseFrom, readChoice, readCount, readLimits } from "./flags.js";

export interface OutputFormat {
  readonly name: ReporterName;
  /** Undefined for standard output. */
  readonly file: string | undefined;
}

export type LintRequest = ReturnType<typeof readLintRequest>;

export function readLintRequest(flags: LintFlags, cwd: string) {
  if (flags.updateBaseline === true && flags.baseline === undefined)
    throw new UsageError('"--update-baseline" needs "--baseline <file>" to say which file.');
  // The baseline would record every new finding as soon as its file is saved.
  if (flags.watch === true && flags.updateBaseline === true)
    throw conflictingFlags("--watch", "--update-baseline");
  const formats = readFormats(flags.format ?? ["pretty"], cwd);
  return {
    formats,
    maxWarnings: readCount("--max-warnings", flags.maxWarnings, Infinity),
    quiet: flags.quiet === true,
    full: flags.full === true,
    exitZero: flags.exitZero === true,
    preset: flags.preset === undefined ? undefined : readChoice("--preset", flags.preset, presets),
    rules: new Map((flags.rule ?? []).map(readRule)),
    only: (flags.only ?? []).map(readRuleId),
    config: flags.config,
    /** Undefined if the config decides. */
    runtimes: readRuntimes(flags.runtime),
    inlineConfig: flags.inlineConfig !== false,
    baseline: flags.baseline,
    updateBaseline: flags.updateBaseline === true,
    fix: readFix(flags),
    unsafeFixes: flags.unsafeFixes === true,
    /** Whether reports show fixes. Proving them takes longer than linting. */
    offersFixes: formats.some(({ name }) => name === "pretty" || name === "json"),
    /** Undefined if it depends on the content of each file. */
    kind: flags.kind === undefined ? undefined : readChoice("--kind", flags.kind, fileKinds),
    /** Undefined if all files are linted. */
    changes: readChanges(flags),
    specVersion: readVersion(flags.specVersion),
    stdinFilename:
      flags.stdinFilename === undefined ? undefined : displayPath(resolve(cwd, flags.stdinFilename), cwd),
    limits: readLimits(flags),
    stats: flags.stats === true,
    cache: readCache(flags),
    color: flags.color,
  };
}

function readCache({ cache, cacheLocation: folder }: LintFlags): { folder: string | undefined } | undefined {
  if (folder !== undefined && cache !== true)
    throw new UsageError('"--cache-location" needs "--cache", which keeps the findings there.');
  return cache === true ? { folder } : undefined;
}

function readFix({ fix, fixDryRun, unsafeFixes, updateBaseline }: LintFlags): "write" | "show" | undefined {
  if (fix === true && fixDryRun === true) throw conflictingFlags("--fix", "--fix-dry-run");
  // The baseline would lack findings that the files still have.
  if (fixDryRun === true && updateBaseline === true)
    throw new UsageError(
      '"--fix-dry-run" and "--update-baseline" cannot be used together: a dry run changes no files.',
    );
  if (unsafeFixes === true && fix !== true && fixDryRun !== true) {
    throw new UsageError('"--unsafe-fixes" needs "--fix" or "--fix-dry-run".');
  }
  return fix === true ? "write" : fixDryRun === true ? "show" : undefined;
}

function readChanges({ staged, since, watch, fix, updateBaseline }: LintFlags): ChangeSelection | undefined {
  if (staged === undefined && since === undefined) return undefined;
  if (staged === true && since !== undefined) throw conflictingFlags("--staged", "--since");
  if (watch === true) throw conflictingFlags("--watch", staged === true ? "--staged" : "--since");
  if (staged === true && (fix === true || updateBaseline === true)) {
    throw new UsageError(
      '"--staged" changes no files: it cannot be used with "--fix" or "--update-baseline".',
    );
  }
  return since === undefined ? { staged: true } : { since };
}

function readFormats(specs: readonly string[], cwd: string): readonly OutputFormat[] {
  const formats = specs.map((spec): OutputFormat => {
    const [, written = "", file] = /^([^=]*)(?:=(.*))?$/su.exec(spec) ?? [];
    // `-f=json` has the name after the equals sign.
    const name = chooseFrom(reporterNames, written || spec, "There is no format");
    if (file === "") throw new UsageError(`The format "${spec}" needs a file name after "=".`);
    return { name, file: file === "-" ? undefined : file };
  });
  const [first, second] = formats.filter(({ file }) => file === undefined);
  if (first !== undefined && second !== undefined)
    throw new UsageError(
      `Both "${first.name}" and "${second.name}" would go to standard output: give one of them a file, as in "--format ${second.name}=<file>".`,
    );
  const files = formats.flatMap(({ file }) => file ?? []);
  const paths = files.map((file) => realPathOf(resolve(cwd, file)));
  const repeated = files.find((_, index) => paths.indexOf(paths[index] ?? "") !== index);
  if (repeated !== undefined)
    throw new UsageError(`Two formats would be written to "${repeated}": give each a file of its own.`);
  return formats;
}

function readRule(setting: string): readonly [string, Level] {
  const colon = setting.lastIndexOf(":");
  if (colon < 0)
    throw new UsageError(
      `"--rule ${setting}" must be a rule id, a colon and a severity, such as unknown-entry:error.`,
    );
  const id = readRuleId(setting.slice(0, colon));
  return [id, readChoice(`--rule ${id}`, setting.slice(colon + 1), levels)];
}

function readRuleId(id: string): string {
  if (!ruleIds.includes(id)) throw new UsageError(unknownRuleMessage(id, ruleIds));
  return id;
}

/** "none" turns off what depends on runtimes. */
export function readRuntimes(names: readonly string[] | undefined): readonly RuntimeName[] | undefined {
  const chosen = names?.map((name) => readChoice("--runtime", name, [...runtimeNames, "none"] as const));
  const runtimes = chosen?.flatMap((name) => (name === "none" ? [] : name));
  const [first] = runtimes ?? [];
  if (first !== undefined && chosen?.includes("none") === true)
    throw conflictingFlags("--runtime none", `--runtime ${first}`);
  return runtimes;
}

function readVersion(text: string | undefined): string | undefined {
  const fault = text === undefined ? undefined : unknownVersionMessage(text);
  if (fault !== undefined) throw new UsageError(fault);
  return text;
}

export function checkStdinName(paths: readonly string[], { stdinFilename, updateBaseline }: LintFlags): void {
  const readsStdin = paths.includes("-");
  if (stdinFilename !== undefined && !readsStdin)
    throw new UsageError(
      '"--stdin-filename" has no effect, because standard input is not read: add "-" to the paths.',
    );
  if (stdinFilename === undefined && readsStdin && updateBaseline === true)
    throw new UsageError('A baseline needs a name for standard input: add "--stdin-filename".');
}
