import type { Finding, Severity } from "../../diagnostic.js";
import { findNode } from "../../document/pointers.js";
import { type NameInProperty, type NamesInPack, namesOf, type Property } from "../../properties/property.js";
import { propertyUnknownName } from "../../rules/property-unknown-name.js";
import { withRenameFix } from "../../rules/shared/fixes.js";
import { appendTo, getOrCreate } from "../../text/collections.js";
import { nameAdvice } from "../../text/names.js";
import { listNames } from "../../text/wording.js";
import type { Config } from "./config.js";
import type { ConfigFindings } from "./config-findings.js";
import type { Settings } from "./settings.js";

interface SearchedFile {
  readonly file: string;
  readonly settings: Settings;
  /** Undefined if they are unknown. */
  readonly propertyNames: readonly NamesInPack[] | undefined;
}

/** A pack that lacks a name of a property. */
interface Lack {
  readonly file: string;
  readonly isConcerned: boolean;
  readonly nearest: string | undefined;
}

/** What no pack of a config has is reported only if all of them are known: another may have it. */
export function reportUnknownNames<File extends SearchedFile>(
  findings: ConfigFindings,
  files: readonly File[],
  coversConfig: (file: File) => boolean,
): void {
  const byConfig = new Map<Config, { readonly severity: Severity; readonly packs: File[] }>();
  for (const file of files) {
    const { config, levels } = file.settings;
    const severity = levels.get(propertyUnknownName.id) ?? propertyUnknownName.severity;
    if (config !== undefined && severity !== "off")
      getOrCreate(byConfig, config, () => ({ severity, packs: [] })).packs.push(file);
  }
  for (const [config, { severity, packs }] of byConfig) {
    const { document, properties } = config;
    const isComplete = packs.every((pack) => pack.propertyNames !== undefined && coversConfig(pack));
    const packCounts = new Map<string, number>();
    const lacks = new Map<string, Lack[]>();
    for (const { file, propertyNames = [] } of packs) {
      for (const { property, isConcerned, missing } of propertyNames) {
        packCounts.set(property, (packCounts.get(property) ?? 0) + 1);
        for (const { name, nearest } of missing) appendTo(lacks, name, { file, isConcerned, nearest });
      }
    }
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
