import { defaultLimits, type Limits } from "../../document/file-format.js";
import { choiceHint, invalidCountMessage } from "../../text/wording.js";
import { UsageError } from "../terminal/io.js";

export const presets = ["recommended", "strict", "spec", "errors"] as const;
export type Preset = (typeof presets)[number];

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
