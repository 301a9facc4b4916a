import type { Levels } from "../../diagnose/diagnose.js";
import { levels, type Level, type Span } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { placeOf, type Key, type MappingNode, type Node } from "../../document/node.js";
import { rules } from "../../rules/index.js";
import { parseError } from "../../rules/parse-error.js";
import { didYouMean, createGuesser } from "../../words/nearest-name.js";
import { suggestChoice, unknownRuleMessage } from "../../words/setting-words.js";
import { listChoices, listNames } from "../../words/wording.js";
import type { PathTest } from "../files/glob.js";
import { IgnoreList } from "../files/ignore-files.js";
import { presets, type Config, type IgnoredFinding, type Override } from "./config.js";
import { ignoredFindingMatcher, ignoreLineFault, overrideMatcher, filePatternFault } from "./file-patterns.js";

export interface Mistake {
  readonly at: Span;
  readonly message: string;
}

const ruleIds = rules.map(({ id }) => id);

type ConfigBody = Omit<Config, "path" | "folder" | "document">;

/** Every mistake of a config file, or what it says. */
export class ConfigReader {
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
      this.addMistake(placeOf(node), `${found} is not a ${what}.${near || ` Choose ${listChoices(choices)}.`}`);
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
      if (!ruleIds.includes(key.text)) this.addMistake(key, unknownRuleMessage(key.text, ruleIds, this.guess));
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
    if (fault !== undefined) this.addMistake(placeOf(node), `"${pattern}" ${fault}.`);
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
    if (file !== undefined)
      this.checkPattern(file, filePatternFault(file, "file"), node.get("file") ?? node);
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
