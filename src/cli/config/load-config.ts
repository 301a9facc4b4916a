import { defaultLimits, detectFormat } from "../../document/file-format.js";
import { basename, dirname } from "node:path";
import { type Level, levels } from "../../diagnostic.js";
import { type Document } from "../../document/document.js";
import { type MappingNode, type Node, placeOf } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import type { Levels } from "../../lint/run-rules.js";
import { ruleIds } from "../../rules/index.js";
import { runtimeNames } from "../../runtimes/names.js";
import { parseError } from "../../rules/file-rules.js";
import { pluralize, unknownRuleMessage } from "../../text/wording.js";
import { ignorePatternFault, isGlob } from "../files/glob.js";
import { ignoreTest } from "../files/setting-files.js";
import { displayPath } from "../files/paths.js";
import { describeFileFault, describeIoError, FileError, readRegularFile } from "../files/read-file.js";
import { UsageError } from "../terminal/io.js";
import {
  compilePattern,
  type Config,
  type ConfigFault,
  ConfigValues,
  emptyPatternFault,
  type IgnoredFinding,
  isAnchored,
  type Override,
} from "./config.js";
import { presets } from "./flags.js";
import { readProperties } from "./read-properties.js";

const maxConfigBytes = 1024 * 1024;
const maxReportedFaults = 20;

export class ConfigError extends UsageError {
  override readonly name = "ConfigError";

  /** `faults` are the mistakes that have a location. */
  constructor(
    readonly path: string,
    private readonly mistakes: readonly string[],
    readonly faults: readonly ConfigFault[] = [],
  ) {
    super(mistakes.join("\n"));
  }

  override get lines(): readonly string[] {
    return this.mistakes;
  }
}

/** An editor passes `read`, which returns at most `limit` bytes and one more. */
export async function loadConfig(
  path: string,
  cwd: string,
  read = (limit: number): Uint8Array => readRegularFile(path, limit),
): Promise<Config> {
  const shown = displayPath(path, cwd);
  const bytes = readConfigBytes(path, shown, read);
  const document = await readDocumentLazily(bytes, detectFormat(path, bytes), defaultLimits);
  return readConfig(path, shown, document);
}

export function readConfig(path: string, shown: string, document: Document): Config {
  const reader = new ConfigReader(document);
  const isBlank = hasOnlyComments(document);
  if (!isBlank)
    for (const fault of document.faults) reader.addFault(fault, describeFileFault(fault, "config"));
  throwFaults(path, shown, reader.faults);
  const key = basename(path) === "package.json" ? "promptpack" : undefined;
  const { root: top } = document;
  const root = key !== undefined && top?.kind === "mapping" ? top.get(key) : top;
  if (root === undefined && !isBlank)
    throw new ConfigError(path, [`${shown}: There is no "promptpack" key in this file.`]);
  const body = reader.read(root, shown, key === undefined ? "/" : `/${key}/`);
  throwFaults(path, shown, reader.faults);
  return { path, folder: dirname(path), document, ...body };
}

function readConfigBytes(path: string, shown: string, read: (limit: number) => Uint8Array): Uint8Array {
  try {
    const bytes = read(maxConfigBytes);
    if (bytes.length > maxConfigBytes) throw new FileError(`has more than ${maxConfigBytes} bytes`);
    return bytes;
  } catch (error) {
    throw new ConfigError(path, [`The config file "${shown}" ${describeIoError(error)}.`]);
  }
}

/** Text that cannot be decoded is empty, too, but has another fault. */
function hasOnlyComments({ text, faults }: Document): boolean {
  return (
    faults.every(({ kind }) => kind === "no-object") &&
    text.split("\n").every((line) => /^\s*(?:#|$)/u.test(line))
  );
}

function throwFaults(path: string, shown: string, all: readonly ConfigFault[]): void {
  if (all.length === 0) return;
  const order = ({ range: { start: a } }: ConfigFault, { range: { start: b } }: ConfigFault) =>
    a.line - b.line || a.column - b.column;
  const faults = [...all].sort(order).slice(0, maxReportedFaults);
  const lines = faults.map(
    ({ range: { start }, message }) => `${shown}:${start.line}:${start.column}: ${message}`,
  );
  const more = all.length - faults.length;
  if (more > 0)
    lines.push(`${shown}: There ${more === 1 ? "is" : "are"} ${pluralize(more, "more mistake")}.`);
  throw new ConfigError(path, lines, faults);
}

class ConfigReader extends ConfigValues {
  /** `shown` is the file as messages show it, `prefix` the pointer of the root, and a slash. */
  read(root: Node | undefined, shown: string, prefix: string): Omit<Config, "path" | "folder" | "document"> {
    for (const { second } of this.document.duplicateKeys)
      if (`${second.pointer}/`.startsWith(prefix)) this.addFault(second, `"${second.text}" is set twice.`);
    const runsIn = ["runtimes", "validatorTypes", "evalTypes"];
    const keys = ["$schema", "extends", "rules", "overrides", "ignore", "properties", ...runsIn];
    const fields = this.fields(root, "The configuration", keys);
    return {
      ...this.ignore(fields?.get("ignore")),
      preset: this.choice(fields?.get("extends"), "preset", presets) ?? "recommended",
      rules: this.rules(fields?.get("rules")),
      overrides: this.items(fields?.get("overrides"), "overrides").flatMap((item) => this.override(item)),
      properties: readProperties(this, fields?.get("properties"), shown),
      runtimes: this.runtimes(fields?.get("runtimes")),
      validatorTypes: this.names(fields?.get("validatorTypes"), "validatorTypes"),
      evalTypes: this.names(fields?.get("evalTypes"), "evalTypes"),
    };
  }

  private runtimes(node: Node | undefined): Config["runtimes"] {
    if (node === undefined) return undefined;
    return this.items(node, "runtimes").flatMap((item) => this.choice(item, "runtime", runtimeNames) ?? []);
  }

  private names(node: Node | undefined, key: string): readonly string[] {
    return this.items(node, key).flatMap((item) => this.text(item, `A name in "${key}"`, item) ?? []);
  }

  private rules(node: Node | undefined): Levels {
    const rules = new Map<string, Level>();
    if (node === undefined) return rules;
    if (node.kind !== "mapping") {
      this.addFault(placeOf(node), '"rules" must be an object of rule ids and severities.');
      return rules;
    }
    for (const { key, value } of node.entries) {
      const level = this.choice(value, "severity", levels);
      if (!ruleIds.includes(key.text)) this.addFault(key, unknownRuleMessage(key.text, ruleIds, this.guess));
      else if (level !== undefined) rules.set(key.text, level);
    }
    return rules;
  }

  private override(node: Node): readonly Override[] {
    const fields = this.fields(node, "An override", ["files", "rules"]);
    if (fields === undefined) return [];
    return [{ matches: this.files(fields), rules: this.rules(fields.get("rules")) }];
  }

  private ignore(node: Node | undefined): Pick<Config, "isIgnored" | "ignoredFindings"> {
    const globs: string[] = [];
    const findings: IgnoredFinding[] = [];
    for (const item of this.items(node, "ignore")) {
      if (item.kind === "mapping") findings.push(...this.ignoredFinding(item, findings.length));
      else globs.push(...this.ignoredFile(item));
    }
    return { isIgnored: ignoreTest(globs), ignoredFindings: findings };
  }

  private ignoredFile(node: Node): readonly string[] {
    const line = this.text(node, "A file to ignore", node);
    if (line === undefined) return [];
    const pattern = line.replace(/^!/u, "").trimEnd();
    this.checkPattern(line, emptyPatternFault(pattern) ?? ignorePatternFault(line), node);
    return [line];
  }

  private ignoredFinding(node: MappingNode, index: number): readonly IgnoredFinding[] {
    this.fields(node, 'An entry of "ignore"', ["file", "rule", "pointer", "reason"]);
    const file = this.filePattern(node.get("file"), "file", node);
    const rule = this.text(node.get("rule"), '"rule"', node);
    const pointer = this.text(node.get("pointer"), '"pointer"', node);
    const reason = node.get("reason") && this.text(node.get("reason"), '"reason"', node);
    const place = placeOf(node.get("rule") ?? node);
    if (rule !== undefined && !ruleIds.includes(rule))
      this.addFault(place, unknownRuleMessage(rule, ruleIds, this.guess));
    if (rule === parseError.id)
      this.addFault(place, '"parse-error" cannot be ignored at one place in a file: ignore the whole file.');
    const fault = pointerFault(pointer ?? "");
    if (fault !== undefined)
      this.addFault(placeOf(node.get("pointer") ?? node), `"${pointer}" is not a JSON Pointer: ${fault}.`);
    if (file === undefined || rule === undefined || pointer === undefined) return [];
    // Unlike in an override, a plain name is one file.
    const matches = compilePattern(file, isAnchored(file) || !isGlob(file));
    return [{ index, file, matches, rule, pointer, reason, node }];
  }
}

function pointerFault(pointer: string): string | undefined {
  if (!/^(?:\/|$)/u.test(pointer)) return 'a JSON Pointer begins with "/"';
  if (/~(?![01])/u.test(pointer)) return '"~" must be followed by 0 or 1: "~0" means "~", and "~1" means "/"';
  return undefined;
}
