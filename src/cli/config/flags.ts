import { Option } from "commander";
import { defaultLimits, type Limits } from "../../document/file-format.js";
import { runtimeNames, workflowRuntimeNames } from "../../runtimes/names.js";
import { reporterNames } from "../../reporters/index.js";
import { choiceHint, invalidChoiceMessage, invalidCountMessage, joinWords } from "../../text/wording.js";
import { conflictingFlags, UsageError } from "../terminal/io.js";

export const presets = ["recommended", "strict", "spec", "errors"] as const;
export type Preset = (typeof presets)[number];

/** Options by their flags; a plain text describes an ordinary one. */
export type Options = Readonly<Record<string, string | ((flags: string) => Option)>>;

export const hidden = (text: string) => (flags: string) => new Option(flags, text).hideHelp();
export const byDefault = (value: string, text: string) => (flags: string) =>
  new Option(flags, text).default(value);

export const repeatable = (text: string) => (flags: string) =>
  new Option(flags, text).argParser((value: string, all: readonly string[] = []) => [...all, value]);

/** commander treats `--config` and `--no-config` as one flag, and keeps the last value. */
export const configOrNone = (text: string) => (flags: string) => {
  const option = new Option(flags, text);
  return option.argParser((written: string | undefined, old: string | false | undefined) => {
    const value = option.negate ? false : written;
    if (old !== undefined && typeof old !== typeof value) throw conflictingFlags("--config", "--no-config");
    return value;
  });
};

export const specVersionOption: Options = {
  "--spec-version <version>": "use this version of the specification, whatever $schema says",
};

export const limitOptions: Options = {
  "--max-size <size>": `largest file to read, such as ${defaultLimits.maxBytes / 2 ** 20}MB (the default)`,
  "--max-depth <n>": `deepest nesting to read (${defaultLimits.maxDepth} by default)`,
  "--max-alias-nodes <n>": `most values that YAML aliases may add (${defaultLimits.maxAliasNodes} by default)`,
  "--max-values <n>": `most values to read from one file (${defaultLimits.maxValues} by default)`,
};

export const packOptions: Options = { ...specVersionOption, ...limitOptions };

export const colorOptions: Options = {
  "--color": "always use colour",
  "--no-color": "never use colour",
};

/** Where packs are to run. */
export const targetOptions: Options = {
  "--runtime <name>": repeatable(
    `the runtime that packs are for, whatever the config says: ${joinWords([...runtimeNames, "none"], "or")}; repeatable`,
  ),
};

/** How a workflow runs. */
export const readingOptions: Options = {
  "--runtime <name>": `run it as ${joinWords(workflowRuntimeNames, "or")} does, not as the RFCs say`,
};

export interface ReadingFlags {
  readonly runtime?: string;
}

export const drawingOutput: Options = {
  "-o, --output <file>": "write to this file, creating missing folders; its extension sets the format",
};

export const settingOptions: Options = {
  "--preset <name>": `${joinWords(presets, "or")}; applied over the config`,
  "--rule <id:severity>": repeatable("set a rule to error, warning, info or off; repeatable"),
  "-c, --config <file>": configOrNone("use this config file for every pack"),
  "--no-config": configOrNone("use no config file, and no .promptpackignore"),
};

export const reportOptions: Options = {
  "-f, --format <name[=file]>": repeatable(
    `report format: ${joinWords(reporterNames, "or")}; with =file, written to that file; repeatable`,
  ),
  "--max-warnings <n>": "fail when there are more warnings than this",
  "-q, --quiet": "show errors only; the exit code stays the same",
  "--full": "with the format pretty, show infos like warnings, not in a line each",
  "--exit-zero": "exit with 0 whatever the findings are",
  ...settingOptions,
};

export const lintOptions: Options = {
  ...reportOptions,
  ...targetOptions,
  "--only <id>": repeatable("run this rule and no other; repeatable"),
  "--print-config <file>": "print the configuration of a file and exit",
  "--no-inline-config": "ignore comments that disable rules",
  "--baseline <file>": "leave out the findings that this file records",
  "--update-baseline": "record the current findings in the baseline",
  "--fix":
    "fix what can be fixed and report the rest; with the path -, print the fixed text and report on stderr",
  "--fix-dry-run": "print what --fix would change as a diff, report on stderr, exit with 1 if any",
  "--unsafe-fixes":
    "with --fix or --fix-dry-run, also make fixes that are likely, but not certain, to be right",
  "--staged": "lint the files staged in git, as they are staged",
  "--since <ref>": "lint the files changed since this branch forked from a branch, tag or commit",
  "--watch": "lint again when a file changes, until Ctrl-C",
  "--kind <name>": "read every file as this kind, pack or routes (RFC-103), whatever it contains",
  "--stdin-filename <path>":
    "with the path -, the file name for the report, the config, the format and the routes beside it",
  "--cache": "keep findings in your cache folder, and lint only what has changed since",
  "--cache-location <folder>": "with --cache, the folder to keep findings in",
  "--stats": "print the time per phase and rule",
  ...packOptions,
  ...colorOptions,
};

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
  readonly runtime?: readonly string[];
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

export interface PackFlags extends LimitFlags {
  readonly specVersion?: string;
  readonly output?: string;
  readonly color?: boolean;
}

/** For a command with a format by default. */
export interface FormatFlags extends PackFlags {
  readonly format: string;
}

export interface LimitFlags {
  readonly maxSize?: string;
  readonly maxDepth?: string;
  readonly maxAliasNodes?: string;
  readonly maxValues?: string;
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

export const commandFormats = {
  coverage: ["table", "markdown", "json"],
  diff: ["pretty", "json", "markdown", "github", "sarif", "html"],
  inspect: ["text", "json"],
  paths: ["table", "jsonl", "arena"],
  rules: ["text", "json"],
  simulate: ["table", "json", "jsonl"],
} as const;

/** The changes on which `diff` can fail; each includes those before it. */
export const failOnLevels = ["breaking", "behaviour", "any"] as const;

export type DiffFormat = (typeof commandFormats.diff)[number];

export function requireFormat(command: string, format: unknown): void {
  const formats = new Map<string, readonly string[]>(Object.entries(commandFormats)).get(command);
  if (formats !== undefined && typeof format === "string")
    chooseFrom(formats, format, `"${command}" has no format`);
}

/** The choice with this name; `fault` begins the message about any other. */
export function chooseFrom<Choice extends string>(
  choices: readonly Choice[],
  name: string,
  fault: string,
): Choice {
  const chosen = choices.find((each) => each === name);
  if (chosen !== undefined) return chosen;
  throw new UsageError(`${fault} "${name}".${choiceHint(name, choices)}`);
}

export function readChoice<Choice extends string>(
  flag: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  throw new UsageError(invalidChoiceMessage(flag, text, choices));
}
