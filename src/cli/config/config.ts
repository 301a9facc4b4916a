import type { Range, Span } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { type MappingNode, type Node, placeOf } from "../../document/node.js";
import type { Levels } from "../../lint/run-rules.js";
import type { Property } from "../../properties/property.js";
import type { RuntimeName } from "../../runtimes/names.js";
import { createGuesser, didYouMean } from "../../text/names.js";
import { listChoices, listNames, suggestChoice } from "../../text/wording.js";
import { compileGlob, globFault, hasWildcard, type PathTest } from "../files/glob.js";
import type { Preset } from "./flags.js";

/** A config file without mistakes. Its patterns are relative to its folder. */
export interface Config {
  readonly path: string;
  readonly folder: string;
  readonly document: Document;
  readonly preset: Preset;
  readonly rules: Levels;
  readonly overrides: readonly Override[];
  readonly isIgnored: PathTest;
  readonly ignoredFindings: readonly IgnoredFinding[];
  readonly properties: readonly ConfiguredProperty[];
  /** Undefined if it names none. */
  readonly runtimes: readonly RuntimeName[] | undefined;
  readonly validatorTypes: readonly string[];
  readonly evalTypes: readonly string[];
}

export interface ConfiguredProperty extends Property {
  /** The files it is for; if undefined, those that have its names. */
  readonly matches: PathTest | undefined;
}

export interface Override {
  readonly matches: PathTest;
  readonly rules: Levels;
}

/** An entry of `ignore` that suppresses one rule at one place and below it. */
export interface IgnoredFinding {
  /** Its number among those of the config. */
  readonly index: number;
  readonly file: string;
  readonly matches: PathTest;
  readonly rule: string;
  readonly pointer: string;
  readonly reason: string | undefined;
  readonly node: MappingNode;
}

export interface ConfigFault {
  readonly range: Range;
  readonly message: string;
}

export class ConfigValues {
  readonly faults: ConfigFault[] = [];
  readonly guess = createGuesser();

  constructor(readonly document: Document) {}

  addFault({ start, end }: Span, message: string): void {
    this.faults.push({ range: this.document.lines.range(start, end), message });
  }

  fields(node: Node | undefined, what: string, known: readonly string[]): MappingNode | undefined {
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

  choice<T extends string>(node: Node | undefined, what: string, choices: readonly T[]): T | undefined {
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

  text(node: Node | undefined, what: string, owner: Node): string | undefined {
    if (node?.kind === "scalar" && typeof node.value === "string") return node.value;
    const fault = node === undefined ? "is missing" : "must be a string";
    this.addFault(placeOf(node ?? owner), `${what} ${fault}.`);
    return undefined;
  }

  items(node: Node | undefined, what: string): readonly Node[] {
    if (node === undefined) return [];
    if (node.kind === "sequence") return node.items;
    this.addFault(placeOf(node), `"${what}" must be a list.`);
    return [];
  }

  filePattern(node: Node | undefined, key: "file" | "files", owner: Node): string | undefined {
    const pattern = this.text(node, `"${key}"`, owner);
    if (pattern !== undefined) this.checkPattern(pattern, filePatternFault(pattern, key), node ?? owner);
    return pattern;
  }

  checkPattern(pattern: string, fault: string | undefined, node: Node): void {
    const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
    if (fault !== undefined) this.addFault(placeOf(node), `"${shown}" ${fault}.`);
  }

  files(entry: MappingNode): PathTest {
    const files = entry.get("files");
    const patterns = files?.kind === "sequence" ? files.items : [files];
    if (patterns.length === 0)
      this.addFault(placeOf(files ?? entry), '"files" is empty, so it matches no file.');
    const tests = patterns.flatMap((pattern) => {
      const text = this.filePattern(pattern, "files", entry);
      return text === undefined ? [] : [overrideMatcher(text)];
    });
    return (path) => tests.some((test) => test(path));
  }
}

/** Why a pattern can match nothing, as the end of a sentence that begins with it. */
function filePatternFault(pattern: string, key: "file" | "files"): string | undefined {
  if (pattern.startsWith("!"))
    return `matches no file: "${key}" can only name files to include, not files to leave out`;
  return emptyPatternFault(pattern) ?? globFault(pattern);
}

export function emptyPatternFault(pattern: string): string | undefined {
  return stripLeadingDotSlash(pattern) === "" ? "matches no file: it is empty" : undefined;
}

/** A pattern with no slash, except at its end, matches in any folder, and a plain name also matches a folder. */
function overrideMatcher(pattern: string): PathTest {
  const matches = compilePattern(pattern, isAnchored(pattern));
  if (hasWildcard(pattern) || pattern.endsWith("/")) return matches;
  const inFolder = compilePattern(`${pattern}/`, isAnchored(pattern));
  return (path) => matches(path) || inFolder(path);
}

export function isAnchored(pattern: string): boolean {
  return pattern.slice(0, -1).includes("/");
}

export function compilePattern(pattern: string, anchored: boolean): PathTest {
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
