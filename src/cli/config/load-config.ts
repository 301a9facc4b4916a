import { basename, dirname } from "node:path";
import { type Level, levels, type Range, type Span } from "../../diagnostic.js";
import { defaultLimits, detectFormat, type Document, type DuplicateKey } from "../../document/document.js";
import { type Key, type MappingNode, type Node, placeOf } from "../../document/node.js";
import { readDocumentLazily } from "../../document/read-lazily.js";
import type { Levels } from "../../lint/run-rules.js";
import { rules } from "../../rules/index.js";
import { parseError } from "../../rules/parse-error.js";
import { createGuesser, didYouMean } from "../../text/names.js";
import { listChoices, listNames, suggestChoice, unknownRuleMessage } from "../../text/wording.js";
import {
  compileGlob,
  globFault,
  hasWildcard,
  ignorePatternFault,
  isGlob,
  type PathTest,
} from "../files/glob.js";
import { IgnoreList } from "../files/ignore-files.js";
import { displayLocation, displayPath } from "../files/paths.js";
import { describeFileFault, describeIoError, FileError, readRegularFile } from "../files/read-file.js";
import { UsageError } from "../terminal/messages.js";
import { type Config, type IgnoredFinding, type Override, presets } from "./config.js";

/** Nobody writes a config of a megabyte, and the patterns in it are tried on every file. */
const maxConfigBytes = 1024 * 1024;
const maxMistakes = 20;

/** A mistake in a config file, for who shows it there. */
export interface ConfigFault {
  readonly range: Range;
  readonly message: string;
}

/** What is wrong with a config file, one line per mistake, each with its place. */
export class ConfigError extends UsageError {
  override readonly name = "BrokenConfig";

  /** `faults` are those that have a place. */
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

/** `read` gives at most so many bytes and one more: those of the disk, or else what an editor has in its place. */
export async function loadConfig(
  path: string,
  cwd: string,
  read = (limit: number): Uint8Array => readRegularFile(path, limit),
): Promise<Config> {
  const shown = displayPath(path, cwd);
  const bytes = readConfigBytes(path, shown, read);
  const document = await readDocumentLazily(bytes, detectFormat(path, bytes), defaultLimits);
  const complain = (mistakes: readonly Mistake[]) => {
    if (mistakes.length === 0) return;
    const told = [...mistakes].sort((a, b) => a.at.start - b.at.start).slice(0, maxMistakes);
    const lines = formatMistakes(told, shown, document, mistakes.length - told.length);
    const faults = told.map(({ at, message }) => ({
      range: document.lines.range(at.start, at.end),
      message,
    }));
    throw new ConfigError(path, lines, faults);
  };
  const isBlank = hasOnlyComments(document);
  if (!isBlank)
    complain(document.faults.map((fault) => ({ at: fault, message: describeFileFault(fault, "config") })));
  const root = configNode(path, document);
  const reader = new ConfigReader();
  if (root === undefined && !isBlank)
    throw new ConfigError(path, [`${shown}: There is no "promptpack" key in this file.`]);
  const own = isPackageJson(path) ? "/promptpack" : "";
  const isOwn = ({ second: { pointer } }: DuplicateKey) => `${pointer}/`.startsWith(`${own}/`);
  const body = reader.read(root, document.duplicateKeys.filter(isOwn));
  complain(reader.mistakes);
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

/** A config of comments alone. What cannot be decoded has no text either. */
function hasOnlyComments({ text, faults }: Document): boolean {
  return (
    faults.every(({ kind }) => kind === "no-object") &&
    text.split("\n").every((line) => /^\s*(?:#|$)/u.test(line))
  );
}

function formatMistakes(
  mistakes: readonly Mistake[],
  shown: string,
  document: Document,
  left: number,
): readonly string[] {
  const lines = mistakes.map(
    ({ at, message }) => `${displayLocation(shown, document, at.start)}: ${message}`,
  );
  return left > 0
    ? [...lines, `${shown}: There ${left === 1 ? "is 1 more mistake" : `are ${left} more mistakes`}.`]
    : lines;
}

function isPackageJson(path: string): boolean {
  return basename(path) === "package.json";
}

function configNode(path: string, { root }: Document): Node | undefined {
  if (!isPackageJson(path)) return root;
  return root?.kind === "mapping" ? root.get("promptpack") : undefined;
}

interface Mistake {
  readonly at: Span;
  readonly message: string;
}

const ruleIds = rules.map(({ id }) => id);

type ConfigBody = Omit<Config, "path" | "folder" | "document">;

/** Every mistake of a config file, or what it says. */
class ConfigReader {
  readonly mistakes: Mistake[] = [];
  private readonly guess = createGuesser();

  read(root: Node | undefined, duplicates: Document["duplicateKeys"]): ConfigBody {
    for (const { second } of duplicates) this.addMistake(second, `"${second.text}" is set twice.`);
    const fields = this.fields(root, "The configuration", [
      "$schema",
      "extends",
      "rules",
      "overrides",
      "ignore",
    ]);
    const ignore = this.ignore(fields?.get("ignore"));
    return {
      preset: this.choice(fields?.get("extends"), "preset", presets) ?? "recommended",
      rules: this.rules(fields?.get("rules")),
      overrides: this.items(fields?.get("overrides"), "overrides").flatMap((item) => this.override(item)),
      ...ignore,
    };
  }

  private addMistake(at: Mistake["at"], message: string): void {
    this.mistakes.push({ at, message });
  }

  /** The mapping, after naming every key of it that is not among the known ones. */
  private fields(node: Node | undefined, what: string, known: readonly string[]): MappingNode | undefined {
    if (node === undefined) return undefined;
    if (node.kind !== "mapping") {
      this.addMistake(placeOf(node), `${what} must be an object with ${listNames(known, known.length)}.`);
      return undefined;
    }
    for (const { key } of node.entries) {
      if (!known.includes(key.text))
        this.addMistake(key, `${what} has no key "${key.text}".${this.suggestKey(key, known)}`);
    }
    return node;
  }

  private suggestKey(key: Key, known: readonly string[]): string {
    return didYouMean(key.text, known) || ` The known keys are ${listNames(known, known.length)}.`;
  }

  private choice<T extends string>(
    node: Node | undefined,
    what: string,
    choices: readonly T[],
  ): T | undefined {
    if (node === undefined) return undefined;
    const text = node.kind === "scalar" ? levelText(node.value) : undefined;
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) {
      const found = text === undefined ? "This" : `"${text}"`;
      const near = text === undefined ? "" : suggestChoice(text, choices);
      this.addMistake(
        placeOf(node),
        `${found} is not a ${what}.${near || ` Choose ${listChoices(choices)}.`}`,
      );
    }
    return chosen;
  }

  private text(node: Node | undefined, what: string, owner: Node): string | undefined {
    if (node?.kind === "scalar" && typeof node.value === "string") return node.value;
    this.addMistake(
      placeOf(node ?? owner),
      node === undefined ? `${what} is missing.` : `${what} must be a string.`,
    );
    return undefined;
  }

  private items(node: Node | undefined, what: string): readonly Node[] {
    if (node === undefined) return [];
    if (node.kind === "sequence") return node.items;
    this.addMistake(placeOf(node), `"${what}" must be a list.`);
    return [];
  }

  private rules(node: Node | undefined): Levels {
    const rules = new Map<string, Level>();
    if (node === undefined) return rules;
    if (node.kind !== "mapping") {
      this.addMistake(placeOf(node), '"rules" must be an object of rule ids and severities.');
      return rules;
    }
    for (const { key, value } of node.entries) {
      const level = this.choice(value, "severity", levels);
      if (!ruleIds.includes(key.text))
        this.addMistake(key, unknownRuleMessage(key.text, ruleIds, this.guess));
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
      this.addMistake(placeOf(files ?? node), '"files" is empty, so it matches no file.');
    const tests = patterns.flatMap((pattern) => this.readOverridePattern(pattern, fields));
    return [{ matches: (path) => tests.some((test) => test(path)), rules: this.rules(fields.get("rules")) }];
  }

  private readOverridePattern(node: Node | undefined, owner: Node): readonly PathTest[] {
    const pattern = this.text(node, '"files"', owner);
    if (pattern === undefined) return [];
    this.checkPattern(pattern, filePatternFault(pattern, "files"), node ?? owner);
    return [overrideMatcher(pattern)];
  }

  private checkPattern(pattern: string, fault: string | undefined, node: Node): void {
    const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
    if (fault !== undefined) this.addMistake(placeOf(node), `"${shown}" ${fault}.`);
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
    this.checkPattern(line, ignoreLineFault(line), node);
    return [line];
  }

  private ignoredFinding(node: MappingNode): readonly IgnoredFinding[] {
    this.fields(node, 'An entry of "ignore"', ["file", "rule", "pointer", "reason"]);
    const file = this.text(node.get("file"), '"file"', node);
    const rule = this.text(node.get("rule"), '"rule"', node);
    const pointer = this.text(node.get("pointer"), '"pointer"', node);
    const reason = node.get("reason");
    const because = reason === undefined ? undefined : this.text(reason, '"reason"', node);
    const place = node.get("rule") ?? node;
    if (file !== undefined) this.checkPattern(file, filePatternFault(file, "file"), node.get("file") ?? node);
    if (rule !== undefined && !ruleIds.includes(rule))
      this.addMistake(placeOf(place), unknownRuleMessage(rule, ruleIds, this.guess));
    if (rule === parseError.id)
      this.addMistake(
        placeOf(place),
        '"parse-error" cannot be ignored at one place in a file: ignore the whole file.',
      );
    const fault = pointerFault(pointer ?? "");
    if (fault !== undefined)
      this.addMistake(placeOf(node.get("pointer") ?? node), `"${pointer}" is not a JSON Pointer: ${fault}.`);
    if (file === undefined || rule === undefined || pointer === undefined) return [];
    return [{ file, matches: ignoredFindingMatcher(file), rule, pointer, reason: because, node }];
  }
}

function pointerFault(pointer: string): string | undefined {
  if (!/^(?:\/|$)/u.test(pointer)) return 'a JSON Pointer begins with "/"';
  if (/~(?![01])/u.test(pointer)) return '"~" must be followed by 0 or 1: "~0" means "~", and "~1" means "/"';
  return undefined;
}

/** YAML 1.1 habits: some readers of the same file take a bare `off` for false. */
function levelText(value: string | number | boolean | null): string | undefined {
  return value === false ? "off" : typeof value === "string" ? value : undefined;
}

/**
 * The files of an override. As under `ignore`, a pattern that has no slash, but perhaps at its end, counts in any folder;
 * one with a slash at its end means what is in a folder, and a plain name either.
 */
function overrideMatcher(pattern: string): PathTest {
  const asWritten = compilePattern(pattern, isAnchored(pattern));
  if (hasWildcard(pattern) || pattern.endsWith("/")) return asWritten;
  const inFolder = compilePattern(`${pattern}/`, isAnchored(pattern));
  return (path) => asWritten(path) || inFolder(path);
}

/** The files of an entry of `ignore`: the same, but a plain name is one file, or one folder. */
function ignoredFindingMatcher(pattern: string): PathTest {
  return compilePattern(pattern, isAnchored(pattern) || !isGlob(pattern));
}

/** Why a pattern can match nothing, as the end of a sentence that begins with it; `key` is what it stands under. */
function filePatternFault(pattern: string, key: "file" | "files"): string | undefined {
  if (pattern.startsWith("!"))
    return `matches no file: "${key}" can only name files to include, not files to leave out`;
  return emptyPatternFault(pattern) ?? globFault(pattern);
}

/** The same for a line of `ignore`, which may leave out files again. */
function ignoreLineFault(line: string): string | undefined {
  return emptyPatternFault(line.replace(/^!/u, "").trimEnd()) ?? ignorePatternFault(line);
}

function emptyPatternFault(pattern: string): string | undefined {
  return stripLeadingDotSlash(pattern) === "" ? "matches no file: it is empty" : undefined;
}

/** The pattern from the folder of the config. */
export function stripLeadingDotSlash(pattern: string): string {
  return pattern.replace(/^\.?\//u, "");
}

function isAnchored(pattern: string): boolean {
  return pattern.slice(0, -1).includes("/");
}

/** In web projects folders are called `[slug]`: brackets may stand for themselves, too. */
function compilePattern(pattern: string, tied: boolean): PathTest {
  const bare = stripLeadingDotSlash(pattern);
  const glob = (tied ? "" : "**/") + (bare.endsWith("/") ? `${bare}**` : bare);
  const spellings = new Set([glob, glob.replaceAll("[", "\\[")]);
  const tests = [...spellings].map((each) => compileGlob(each, true));
  return (path) => tests.some((matches) => matches(path));
}
