import { defaultLimits, detectFormat } from "../../document/file-format.js";
import { basename, dirname } from "node:path";
import { type Level, levels, type Range, type Span } from "../../diagnostic.js";
import { type Document } from "../../document/document.js";
import { type MappingNode, type Node, placeOf } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import type { Levels } from "../../lint/run-rules.js";
import { rules } from "../../rules/index.js";
import { parseError } from "../../rules/parse-error.js";
import { createGuesser, didYouMean } from "../../text/names.js";
import { listChoices, listNames, pluralize, suggestChoice, unknownRuleMessage } from "../../text/wording.js";
import {
  compileGlob,
  globFault,
  hasWildcard,
  ignorePatternFault,
  isGlob,
  type PathTest,
} from "../files/glob.js";
import { IgnoreList } from "../files/ignore-files.js";
import { displayPath } from "../files/paths.js";
import { describeFileFault, describeIoError, FileError, readRegularFile } from "../files/read-file.js";
import { UsageError } from "../terminal/messages.js";
import { type Config, type IgnoredFinding, type Override, presets } from "./config.js";

/** The patterns of a config are tried on every file. */
const maxConfigBytes = 1024 * 1024;
const maxReportedFaults = 20;

export interface ConfigFault {
  readonly range: Range;
  readonly message: string;
}

/** The mistakes in a config file, one line each. */
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
  const body = reader.read(root, key === undefined ? "/" : `/${key}/`);
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

const ruleIds = rules.map(({ id }) => id);

/** Reads a config file, and collects every mistake in it. */
class ConfigReader {
  readonly faults: ConfigFault[] = [];
  private readonly guess = createGuesser();

  constructor(private readonly document: Document) {}

  /** `prefix` is the pointer of the root, and a slash. */
  read(root: Node | undefined, prefix: string): Omit<Config, "path" | "folder" | "document"> {
    for (const { second } of this.document.duplicateKeys)
      if (`${second.pointer}/`.startsWith(prefix)) this.addFault(second, `"${second.text}" is set twice.`);
    const keys = ["$schema", "extends", "rules", "overrides", "ignore"];
    const fields = this.fields(root, "The configuration", keys);
    return {
      ...this.ignore(fields?.get("ignore")),
      preset: this.choice(fields?.get("extends"), "preset", presets) ?? "recommended",
      rules: this.rules(fields?.get("rules")),
      overrides: this.items(fields?.get("overrides"), "overrides").flatMap((item) => this.override(item)),
    };
  }

  addFault({ start, end }: Span, message: string): void {
    this.faults.push({ range: this.document.lines.range(start, end), message });
  }

  /** Returns the mapping, and reports its unknown keys. */
  private fields(node: Node | undefined, what: string, known: readonly string[]): MappingNode | undefined {
    if (node === undefined) return undefined;
    if (node.kind !== "mapping") {
      this.addFault(placeOf(node), `${what} must be an object with ${listNames(known, known.length)}.`);
      return undefined;
    }
    for (const { key } of node.entries) {
      if (known.includes(key.text)) continue;
      const hint = didYouMean(key.text, known) || ` The known keys are ${listNames(known, known.length)}.`;
      this.addFault(key, `${what} has no key "${key.text}".${hint}`);
    }
    return node;
  }

  private choice<T extends string>(
    node: Node | undefined,
    what: string,
    choices: readonly T[],
  ): T | undefined {
    if (node === undefined) return undefined;
    // YAML 1.1 reads a bare `off` as false.
    const value = node.kind === "scalar" && (node.value === false ? "off" : node.value);
    const text = typeof value === "string" ? value : undefined;
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) {
      const found = text === undefined ? "This" : `"${text}"`;
      const near = text === undefined ? "" : suggestChoice(text, choices);
      this.addFault(placeOf(node), `${found} is not a ${what}.${near || ` Choose ${listChoices(choices)}.`}`);
    }
    return chosen;
  }

  private text(node: Node | undefined, what: string, owner: Node): string | undefined {
    if (node?.kind === "scalar" && typeof node.value === "string") return node.value;
    this.addFault(
      placeOf(node ?? owner),
      `${what} ${node === undefined ? "is missing" : "must be a string"}.`,
    );
    return undefined;
  }

  private items(node: Node | undefined, what: string): readonly Node[] {
    if (node === undefined) return [];
    if (node.kind === "sequence") return node.items;
    this.addFault(placeOf(node), `"${what}" must be a list.`);
    return [];
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
    const files = fields.get("files");
    const patterns = files?.kind === "sequence" ? files.items : [files];
    if (patterns.length === 0)
      this.addFault(placeOf(files ?? node), '"files" is empty, so it matches no file.');
    const tests = patterns.flatMap((pattern) => {
      const text = this.filePattern(pattern, "files", fields);
      return text === undefined ? [] : [overrideMatcher(text)];
    });
    return [{ matches: (path) => tests.some((test) => test(path)), rules: this.rules(fields.get("rules")) }];
  }

  private filePattern(node: Node | undefined, key: "file" | "files", owner: Node): string | undefined {
    const pattern = this.text(node, `"${key}"`, owner);
    if (pattern !== undefined) this.checkPattern(pattern, filePatternFault(pattern, key), node ?? owner);
    return pattern;
  }

  private checkPattern(pattern: string, fault: string | undefined, node: Node): void {
    const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
    if (fault !== undefined) this.addFault(placeOf(node), `"${shown}" ${fault}.`);
  }

  private ignore(node: Node | undefined): Pick<Config, "ignoredFiles" | "ignoredFindings"> {
    const globs: string[] = [];
    const findings: IgnoredFinding[] = [];
    for (const item of this.items(node, "ignore")) {
      if (item.kind === "mapping") findings.push(...this.ignoredFinding(item));
      else globs.push(...this.ignoredFile(item));
    }
    return { ignoredFiles: new IgnoreList(globs), ignoredFindings: findings };
  }

  private ignoredFile(node: Node): readonly string[] {
    const line = this.text(node, "A file to ignore", node);
    if (line === undefined) return [];
    const pattern = line.replace(/^!/u, "").trimEnd();
    this.checkPattern(line, emptyPatternFault(pattern) ?? ignorePatternFault(line), node);
    return [line];
  }

  private ignoredFinding(node: MappingNode): readonly IgnoredFinding[] {
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
    return [{ file, matches, rule, pointer, reason, node }];
  }
}

function pointerFault(pointer: string): string | undefined {
  if (!/^(?:\/|$)/u.test(pointer)) return 'a JSON Pointer begins with "/"';
  if (/~(?![01])/u.test(pointer)) return '"~" must be followed by 0 or 1: "~0" means "~", and "~1" means "/"';
  return undefined;
}

/** Why a pattern can match nothing, as the end of a sentence that begins with it. */
function filePatternFault(pattern: string, key: "file" | "files"): string | undefined {
  if (pattern.startsWith("!"))
    return `matches no file: "${key}" can only name files to include, not files to leave out`;
  return emptyPatternFault(pattern) ?? globFault(pattern);
}

function emptyPatternFault(pattern: string): string | undefined {
  return stripLeadingDotSlash(pattern) === "" ? "matches no file: it is empty" : undefined;
}

/** A pattern with no slash, except at its end, matches in any folder, and a plain name also matches a folder. */
function overrideMatcher(pattern: string): PathTest {
  const matches = compilePattern(pattern, isAnchored(pattern));
  if (hasWildcard(pattern) || pattern.endsWith("/")) return matches;
  const inFolder = compilePattern(`${pattern}/`, isAnchored(pattern));
  return (path) => matches(path) || inFolder(path);
}

function isAnchored(pattern: string): boolean {
  return pattern.slice(0, -1).includes("/");
}

function compilePattern(pattern: string, anchored: boolean): PathTest {
  const path = stripLeadingDotSlash(pattern);
  const glob = (anchored ? "" : "**/") + (path.endsWith("/") ? `${path}**` : path);
  // Web projects have folders called `[slug]`, so brackets also match themselves.
  const globs = new Set([glob, glob.replaceAll("[", "\\[")]);
  const tests = [...globs].map((each) => compileGlob(each, true));
  return (file) => tests.some((matches) => matches(file));
}

export function stripLeadingDotSlash(pattern: string): string {
  return pattern.replace(/^\.?\//u, "");
}
