import type { Command } from "commander";
import { reporters } from "../../reporters/index.js";
import { joinWords } from "../../words/wording.js";
import { presets } from "../config/config.js";
import { conflictingFlags } from "../terminal/usage-error.js";
import { addLimitFlags, type LimitFlags } from "./limits.js";

/** What the functions below add for every command that reports findings, as it was written. */
export interface ReportFlags extends LimitFlags {
  readonly format?: readonly string[];
  readonly maxWarnings?: string;
  readonly quiet?: true;
  readonly exitZero?: true;
  readonly preset?: string;
  readonly rule?: readonly string[];
  readonly config?: string | false;
  readonly color?: boolean;
}

/** The flags of `lint` as they were written. */
export interface LintFlags extends ReportFlags {
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
}

/** For a flag that may be given several times. */
export function collectValues(value: string, all: readonly string[] = []): readonly string[] {
  return [...all, value];
}

/** What to report, how, and by which settings: the flags that everything which reports findings has. */
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
      .option("--exit-zero", "exit with 0 whatever the findings are"),
    noConfig,
  );
}

/** By which settings files are linted. */
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

/** To commander, `--config` and `--no-config` are one flag, of which the last counts. */
function configOrNoConfig(value: string | false, old: ConfigFlag): ConfigFlag {
  if (old === undefined || typeof old === typeof value) return value;
  throw conflictingFlags("--config", "--no-config");
}

export function addLintFlags(command: Command): Command {
  const flagged = addReportFlags(command)
    .option("--print-config <file>", "print the configuration of a file and exit")
    .option("--no-inline-config", "ignore comments that disable rules")
    .option("--baseline <file>", "leave out the findings that this file records")
    .option("--update-baseline", "record the current findings in the baseline")
    .option(
      "--fix",
      "fix what can be fixed and report the rest; with the path -, print the fixed text and report on stderr",
    )
    .option("--fix-dry-run", "print what --fix would change as a unified diff, and report on stderr")
    .option("--unsafe-fixes", "with --fix or --fix-dry-run, also make fixes that are likely but not certain")
    .option("--staged", "lint the files staged in git, as they are staged")
    .option("--since <ref>", "lint the files changed since this branch left a branch, tag or commit")
    .option("--watch", "lint again when a file changes, until Ctrl-C")
    .option("--kind <name>", "read every file as this kind, pack or routes (RFC-103), whatever it contains")
    .option(
      "--spec-version <version>",
      "check the packs against this version of the specification, whatever their $schema says",
    )
    .option(
      "--stdin-filename <path>",
      "with the path -, the file name for the report, the config, the format and the routes beside it",
    )
    .option("--stats", "print the time per phase and rule");
  return addColorFlags(addLimitFlags(flagged));
}

export function addColorFlags(command: Command): Command {
  return command.option("--color", "always use colour").option("--no-color", "never use colour");
}
