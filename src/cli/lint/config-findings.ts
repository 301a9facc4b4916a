import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic, Finding, Severity } from "../../diagnostic.js";
import type { Document } from "../../document/document.js";
import { placeOf } from "../../document/node.js";
import { findNode } from "../../document/pointers.js";
import { toDiagnostic } from "../../lint/collect-diagnostics.js";
import { type NameInProperty, namesOf, type Property } from "../../properties/property.js";
import { levelOf } from "../../lint/run-rules.js";
import type { FileReport } from "../../reporters/report.js";
import { propertyUnknownName, unusedSuppression } from "../../rules/linting-rules.js";
import type { LintingRule } from "../../rules/rule.js";
import { withRenameFix } from "../../rules/shared/fixes.js";
import { isSilent, PointerSuppressor, type SilentRules } from "../../suppress/suppress.js";
import { appendTo, countBy, getOrCreate } from "../../text/collections.js";
import { nameAdvice } from "../../text/names.js";
import { listNames } from "../../text/wording.js";
import { type Config, type IgnoredFinding, stripLeadingDotSlash } from "../config/config.js";
import { isSparseCheckout } from "../files/discover.js";
import { isGlob } from "../files/glob.js";
import { displayPath } from "../files/paths.js";
import { configFileReport, type LintedFile, type StaleEntry } from "./write-reports.js";

/** Findings about config files that come from linting packs; configs are not linted themselves. */
export class ConfigFindings extends Map<Config, Diagnostic[]> {
  add(config: Config, rule: LintingRule, severity: Severity, finding: Finding): void {
    appendTo(this, config, toDiagnostic(config.document, rule, severity, finding));
  }

  reports(cwd: string): readonly FileReport[] {
    return [...this].map(([{ path, document }, diagnostics]) =>
      configFileReport(displayPath(path, cwd), document, diagnostics),
    );
  }
}

export function configSuppressor(entries: readonly IgnoredFinding[]): PointerSuppressor<IgnoredFinding> {
  const suppressor = new PointerSuppressor<IgnoredFinding>("config");
  for (const entry of entries) suppressor.add(entry.rule, entry.pointer, entry);
  return suppressor;
}

export function staleEntriesOf(
  { root }: Document,
  entries: readonly IgnoredFinding[],
  suppressor: PointerSuppressor<IgnoredFinding>,
  silent: SilentRules,
): readonly StaleEntry[] {
  const stale = entries.filter(
    (entry) => !suppressor.hasUsed(entry, entry.rule) && !isSilent(silent, entry.rule),
  );
  return stale.map(({ index, pointer }) => ({
    index,
    isDangling: root !== undefined && findNode(root, pointer) === undefined,
  }));
}

/** An entry with a pattern is never reported: it may be for files that were not linted this time. */
export function reportStaleEntries(
  findings: ConfigFindings,
  files: readonly Pick<LintedFile, "settings" | "staleEntries">[],
  cwd: string,
): void {
  const stale = new Map<IgnoredFinding, { readonly severity: Severity; readonly message: string }>();
  const severities = new Map<Config, Severity>();
  const configByPath = new Map(files.map(({ settings: { path, config } }) => [path, config]));
  for (const { settings, staleEntries } of files) {
    const { config, levels } = settings;
    const severity = levelOf(unusedSuppression, levels);
    if (config === undefined || severity === "off") continue;
    getOrCreate(severities, config, () => severity);
    for (const { index, isDangling } of staleEntries) {
      const entry = config.ignoredFindings[index];
      if (entry !== undefined && !isGlob(entry.file) && !entry.file.endsWith("/"))
        stale.set(entry, { severity, message: staleMessage(entry, isDangling) });
    }
  }
  for (const [config, severity] of severities) {
    for (const entry of config.ignoredFindings) {
      const { file, node } = entry;
      const message = isPlainName(file) ? missingFileMessage(config, file, configByPath, cwd) : undefined;
      const found = message === undefined ? stale.get(entry) : { severity, message };
      if (found === undefined) continue;
      const at = placeOf(node.get(message === undefined ? "rule" : "file") ?? node);
      findings.add(config, unusedSuppression, found.severity, { at, message: found.message });
    }
  }
}

function staleMessage({ rule, pointer, file }: IgnoredFinding, isDangling: boolean): string {
  return isDangling
    ? `There is no "${pointer}" in "${file}": correct the pointer, or remove the entry.`
    : `"${rule}" reports nothing at "${pointer}" in "${file}": remove the entry.`;
}

function missingFileMessage(
  config: Config,
  name: string,
  configByPath: ReadonlyMap<string, Config | undefined>,
  cwd: string,
): string | undefined {
  const path = resolve(config.folder, stripLeadingDotSlash(name));
  const nearer = configByPath.get(path);
  if (nearer !== undefined && nearer.path !== config.path) {
    const [shown, file] = [displayPath(nearer.path, cwd), displayPath(path, nearer.folder)];
    return `Only the config "${shown}" counts for "${name}": move the entry there, with the file "${file}".`;
  }
  if (!existsSync(path))
    return isSparseCheckout(config.folder)
      ? undefined
      : `The file "${name}" does not exist: remove the entry.`;
  if (name.endsWith("/") || !statSync(path).isDirectory()) return undefined;
  return `"${name}" is a folder: write "${name}/" for the files in it.`;
}

/** Whether it is certainly a name, not a pattern, and short enough for a message. */
function isPlainName(name: string): boolean {
  return name.length <= 200 && !/[*?![\]{}()]/u.test(name);
}

type SearchedFile = Pick<LintedFile, "file" | "folder" | "settings" | "propertyNames">;

interface Lack {
  readonly file: string;
  readonly isConcerned: boolean;
  readonly nearest: string | undefined;
}

/** A name that no pack has is reported only if all packs of the config are known: another may have it. */
export function reportUnknownNames(
  findings: ConfigFindings,
  files: readonly SearchedFile[],
  coversConfig: (file: SearchedFile) => boolean,
): void {
  const byConfig = new Map<Config, { readonly severity: Severity; readonly packs: SearchedFile[] }>();
  for (const file of files) {
    const { config, levels } = file.settings;
    const severity = levelOf(propertyUnknownName, levels);
    if (config !== undefined && severity !== "off")
      getOrCreate(byConfig, config, () => ({ severity, packs: [] })).packs.push(file);
  }
  for (const [config, { severity, packs }] of byConfig) {
    const { document, properties } = config;
    const isComplete = packs.every((pack) => pack.propertyNames !== undefined && coversConfig(pack));
    const named = packs.flatMap(({ file, propertyNames = [] }) =>
      propertyNames.map((names) => ({ file, ...names })),
    );
    const packCounts = countBy(named, ({ property }) => property);
    const lacks = new Map<string, Lack[]>();
    for (const { file, isConcerned, missing } of named)
      for (const { name, nearest } of missing) appendTo(lacks, name, { file, isConcerned, nearest });
    for (const property of properties) {
      for (const each of namesOf(property)) {
        const lacking = lacks.get(each.name.pointer) ?? [];
        const isNowhere = lacking.length === (packCounts.get(property.name.pointer) ?? 0);
        if (!lacking.some(({ isConcerned }) => isConcerned) && !(isNowhere && isComplete)) continue;
        const at = (document.root && findNode(document.root, each.name.pointer)) ?? each.name;
        const finding = { at, ...describeLack(property, each, lacking, isNowhere) };
        findings.add(config, propertyUnknownName, severity, withRenameFix(document, finding));
      }
    }
  }
}

/** Guesses apply only to names that no pack has. */
function describeLack(
  property: Property,
  { kind, name }: NameInProperty,
  lacking: readonly Lack[],
  isNowhere: boolean,
): Omit<Finding, "at"> {
  const isStart = kind === "starting state";
  const claim = `The property "${property.name.text}" ${isStart ? "looks at runs from" : `names the ${kind}`} "${name.text}"`;
  const concerned = lacking.flatMap(({ file, isConcerned }) => (isConcerned ? file : []));
  const guesses = new Set(isNowhere ? lacking.flatMap(({ nearest }) => nearest ?? []) : []);
  const [first, second] = guesses;
  const verb = concerned.length === 1 ? "does" : "do";
  const files = isStart
    ? `no run of ${listNames(concerned)} starts`
    : `${listNames(concerned)} ${verb} not have`;
  const packs = property.hasFiles ? "no pack among its files" : "no pack";
  const none = isStart ? `no run of ${packs.slice(3)} starts` : `${packs} has`;
  const remedy = property.hasFiles
    ? undefined
    : 'Correct it, or list the packs that the property is for in "files".';
  return {
    message: `${claim}, ${isStart ? "where" : "which"} ${concerned.length === 0 ? none : files}.`,
    claim,
    advice: nameAdvice(name.text, guesses) ?? (concerned.length === 0 ? undefined : remedy),
    replacement: second === undefined ? first : undefined,
  };
}
