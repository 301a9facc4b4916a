import type { Command } from "commander";
import { defaultLimits, type Limits } from "../../document/document.js";
import { UsageError } from "../terminal/usage-error.js";
import { parseWholeNumber } from "./whole-number.js";

/** What every command that reads a pack or a record takes, as it was written. */
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

export function readCount(flag: string, text: string | undefined, usual: number): number {
  return text === undefined ? usual : parseWholeNumber(flag, text);
}

const sizeUnits = new Map([
  ["", 1],
  ["k", 2 ** 10],
  ["m", 2 ** 20],
  ["g", 2 ** 30],
]);

function readSize(text: string): number {
  const match = /^(\d+)\s*([kmg]?)(?:i?b)?$/iu.exec(text);
  const unit = sizeUnits.get(match?.[2]?.toLowerCase() ?? "?");
  if (match === null || unit === undefined) {
    throw new UsageError(
      `"--max-size" must be a number of bytes such as 500000, 800kB or 64MB, not "${text}".`,
    );
  }
  return Number(match[1]) * unit;
}
