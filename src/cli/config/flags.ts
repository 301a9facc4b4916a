import { defaultLimits, type Limits } from "../../document/file-format.js";
import type { Command } from "commander";
import { reporters } from "../../reporters/index.js";
import { choiceHint, invalidCountMessage, joinWords } from "../../text/wording.js";
import { conflictingFlags, UsageError } from "../terminal/messages.js";
import { presets } from "./config.js";

export interface ReportFlags extends LimitFlags {
  readonly format?: readonly string[];
  readonly maxWarnings?: string;
  readonly quiet?: true;
  readonly full?: true;
  readonly exitZero?: true;
  readonly preset?: string;
  readonly rule?: readonly string[];
  readonly config?: string | false;
  readonly color?: boolean;
}

export interface LintFlags extends ReportFlags {
  readonly only?: readonly string[];
  readonly inlineConfig?: boolean;
  readonly printConfig?: string;
  readonly baseline?: string;
  readonly updateBaseline?: true;
  readonly fix?: true;
  readonly fixDryRun?: true;
  readonly unsafeFixes?: true;
  readonly kind?: string;
  readonly staged?: true;
  readonly since?: string;
  readonly watch?: true;
  readonly specVersion?: string;
  readonly stdinFilename?: string;
  readonly stats?: true;
  readonly cache?: true;
  readonly cacheLocation?: string;
}

/** For a flag that may be given several times. */
export function collectValues(value: string, all: readonly string[] = []): readonly string[] {
  return [...all, value];
}

export function addReportFlags(command: Command, noConfig?: string): Command {
  return addSettingFlags(
    command
      .option(
        "-f, --format <name[=file]>",
        `report format: ${joinWords(Object.keys(reporters), "or")}; with =file, written to that file; repeatable`,
        collectValues,
      )
      .option("--max-warnings <n>", "fail when there are more warnings than this")
      .option("-q, --quiet", "show errors only; the exit code stays the same")
      .option("--full", "with the format pretty, show infos like warnings, not in a line each")
      .option("--exit-zero", "exit with 0 whatever the findings are"),
    noConfig,
  );
}

export function addSettingFlags(
  command: Command,
  noConfig = "use no config file, and no .promptpackignore",
): Command {
  return command
    .option("--preset <name>", `${joinWords(presets, "or")}; applied over the config`)
    .option("--rule <id:severity>", "set a rule to error, warning, info or off; repeatable", collectValues)
    .option("-c, --config <file>", "use this config file for every pack", configOrNoConfig)
    .option("--no-config", noConfig, (_, old: ConfigFlag) => configOrNoConfig(false, old));
}

type ConfigFlag = string | false | undefined;

/** commander treats `--config` and `--no-config` as one flag, and keeps the last value. */
function configOrNoConfig(value: string | false, old: ConfigFlag): ConfigFlag {
  if (old === undefined || typeof old === typeof value) return value;
  throw conflictingFlags("--config", "--no-config");
}

export function addLintFlags(command: Command): Command {
  const flagged = addReportFlags(command)
    .option("--only <id>", "run this rule and no other; repeatable", collectValues)
    .option("--print-config <file>", "print the configuration of a file and exit")
    .option("--no-inline-config", "ignore comments that disable rules")
    .option("--baseline <file>", "leave out the findings that this file records")
    .option("--update-baseline", "record the current findings in the baseline")
    .option(
      "--fix",
      "fix what can be fixed and report the rest; with the path -, print the fixed text and report on stderr",
    )
    .option("--fix-dry-run", "print what --fix would change as a diff, report on stderr, exit with 1 if any")
    .option(
      "--unsafe-fixes",
      "with --fix or --fix-dry-run, also make fixes that are likely, but not certain, to be right",
    )
    .option("--staged", "lint the files staged in git, as they are staged")
    .option("--since <ref>", "lint the files changed since this branch forked from a branch, tag or commit")
    .option("--watch", "lint again when a file changes, until Ctrl-C")
    .option("--kind <name>", "read every file as this kind, pack or routes (RFC-103), whatever it contains")
    .option(
      "--stdin-filename <path>",
      "with the path -, the file name for the report, the config, the format and the routes beside it",
    )
    .option("--cache", "keep findings in your cache folder, and lint only what has changed since")
    .option("--cache-location <folder>", "with --cache, the folder to keep findings in")
    .option("--stats", "print the time per phase and rule");
  return addColorFlags(addLimitFlags(addSpecVersionFlag(flagged)));
}

export function addSpecVersionFlag(command: Command): Command {
  return command.option(
    "--spec-version <version>",
    "use this version of the specification, whatever $schema says",
  );
}

export function addColorFlags(command: Command): Command {
  return command.option("--color", "always use colour").option("--no-color", "never use colour");
}

export interface PackFlags extends LimitFlags {
  readonly specVersion?: string;
  readonly output?: string;
  readonly color?: boolean;
}

export interface LimitFlags {
  readonly maxSize?: string;
  readonly maxDepth?: string;
  readonly maxAliasNodes?: string;
  readonly maxValues?: string;
}

export function addLimitFlags(command: Command): Command {
  const { maxBytes, maxDepth, maxAliasNodes, maxValues } = defaultLimits;
  return command
    .option("--max-size <size>", `largest file to read, such as ${maxBytes / 2 ** 20}MB (the default)`)
    .option("--max-depth <n>", `deepest nesting to read (${maxDepth} by default)`)
    .option("--max-alias-nodes <n>", `most values that YAML aliases may add (${maxAliasNodes} by default)`)
    .option("--max-values <n>", `most values to read from one file (${maxValues} by default)`);
}

export function readLimits({ maxSize, maxDepth, maxAliasNodes, maxValues }: LimitFlags): Limits {
  return {
    maxBytes: maxSize === undefined ? defaultLimits.maxBytes : readSize(maxSize),
    maxDepth: readCount("--max-depth", maxDepth, defaultLimits.maxDepth),
    maxAliasNodes: readCount("--max-alias-nodes", maxAliasNodes, defaultLimits.maxAliasNodes),
    maxValues: readCount("--max-values", maxValues, defaultLimits.maxValues),
  };
}

export function readCount(flag: string, text: string | undefined, fallback: number): number {
  return text === undefined ? fallback : parseWholeNumber(flag, text);
}

function readSize(text: string): number {
  const [, number, unit = ""] = /^(\d+)\s*([kmg]?)(?:i?b)?$/iu.exec(text) ?? [];
  if (number === undefined)
    throw new UsageError(
      `"--max-size" must be a number of bytes such as 500000, 800kB or 64MB, not "${text}".`,
    );
  return Number(number) * 1024 ** ["", "k", "m", "g"].indexOf(unit.toLowerCase());
}

export function parseWholeNumber(flag: string, text: string, least = 0, most = Infinity): number {
  const number = /^\d+$/u.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(invalidCountMessage(flag, text, least, most));
}

/** Commands that have formats of their own. */
export const commandFormats = {
  coverage: ["table", "markdown", "json"],
  diff: ["pretty", "json", "markdown", "github", "sarif", "html"],
  inspect: ["text", "json"],
  paths: ["table", "jsonl", "arena"],
  rules: ["text", "json"],
  simulate: ["table", "json", "jsonl"],
} as const;

export type DiffFormat = (typeof commandFormats.diff)[number];

/** The changes on which `diff` can fail; each includes those before it. */
export const failOnLevels = ["breaking", "behaviour", "any"] as const;

export function requireFormat(command: keyof typeof commandFormats, format: string): void {
  const known: readonly string[] = commandFormats[command];
  if (known.includes(format)) return;
  throw new UsageError(`"${command}" has no format "${format}".${choiceHint(format, known)}`);
}
