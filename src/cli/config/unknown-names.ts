import type { Finding, Located, Severity } from "../../diagnostic.js";
import { findNode } from "../../document/pointers.js";
import { type NameInProperty, type NamesInPack, namesOf, type Property } from "../../properties/property.js";
import { propertyUnknownName } from "../../rules/linting-rules.js";
import { withRenameFix } from "../../rules/shared/fixes.js";
import { getOrCreate } from "../../text/collections.js";
import { nameAdvice } from "../../text/names.js";
import { listNames } from "../../text/wording.js";
import type { Config } from "./config.js";
import type { ConfigFindings } from "./config-findings.js";
import type { Settings } from "./settings.js";

interface NameUse {
  /** The packs that the property concerns, in order. */
  readonly lackedBy: string[];
  readonly guesses: Set<string>;
  lacking: number;
}

interface NamesOfConfig {
  readonly severity: Severity;
  readonly uses: Map<Located, NameUse>;
  /** How many packs were searched for the names of each property. */
  readonly packs: Map<Property, number>;
  /** Whether every pack of this config was linted, and could be read. */
  isComplete: boolean;
}

export class UnknownNames {
  private readonly byConfig = new Map<Config, NamesOfConfig>();

  /** `hasAll` says whether all packs of the config are linted in this run; `names` is undefined if they are unknown. */
  record(
    { config, levels }: Settings,
    file: string,
    names: readonly NamesInPack[] | undefined,
    hasAll: boolean,
  ): void {
    const severity = levels.get(propertyUnknownName.id) ?? propertyUnknownName.severity;
    if (config === undefined || config.properties.length === 0 || severity === "off") return;
    const known = getOrCreate(this.byConfig, config, () => {
      return { severity, uses: new Map(), packs: new Map(), isComplete: true };
    });
    if (names === undefined || !hasAll) known.isComplete = false;
    for (const { property, isConcerned, missing } of names ?? []) {
      known.packs.set(property, (known.packs.get(property) ?? 0) + 1);
      for (const each of missing) {
        const use = getOrCreate(known.uses, each.name, unused);
        use.lacking++;
        if (each.nearest !== undefined) use.guesses.add(each.nearest);
        if (isConcerned) use.lackedBy.push(file);
      }
    }
  }

  /** Reports what no pack has only if `sawAll`: a file that could not be linted may have it. */
  addTo(findings: ConfigFindings, sawAll: boolean): void {
    for (const [config, { severity, uses, packs, isComplete }] of this.byConfig) {
      for (const property of config.properties) {
        const packCount = packs.get(property) ?? 0;
        for (const each of namesOf(property)) {
          const use = uses.get(each.name) ?? unused();
          const isNowhere = use.lacking === packCount;
          if (use.lackedBy.length === 0 && !(isNowhere && isComplete && sawAll)) continue;
          const { document } = config;
          const at = (document.root && findNode(document.root, each.name.pointer)) ?? each.name;
          const finding = { at, ...describeUse(property, each, use, isNowhere) };
          findings.add(config, propertyUnknownName, severity, withRenameFix(document, finding));
        }
      }
    }
  }
}

function unused(): NameUse {
  return { lackedBy: [], guesses: new Set(), lacking: 0 };
}

/** Guesses apply only to names that no pack has. */
function describeUse(
  property: Property,
  { kind, name }: NameInProperty,
  use: NameUse,
  isNowhere: boolean,
): Omit<Finding, "at"> {
  const isStart = kind === "starting state";
  const claim = `The property "${property.name.text}" ${isStart ? "looks at runs from" : `names the ${kind}`} "${name.text}"`;
  const { lackedBy } = use;
  const guesses = isNowhere ? use.guesses : [];
  const [first, second] = guesses;
  const verb = lackedBy.length === 1 ? "does" : "do";
  const files = isStart
    ? `no run of ${listNames(lackedBy)} starts`
    : `${listNames(lackedBy)} ${verb} not have`;
  const packs = property.hasFiles ? "no pack among its files" : "no pack";
  const none = isStart ? `no run of ${packs.slice(3)} starts` : `${packs} has`;
  const remedy = property.hasFiles
    ? undefined
    : 'Correct it, or list the packs that the property is for in "files".';
  return {
    message: `${claim}, ${isStart ? "where" : "which"} ${lackedBy.length === 0 ? none : files}.`,
    claim,
    advice: nameAdvice(name.text, guesses) ?? (lackedBy.length === 0 ? undefined : remedy),
    replacement: second === undefined ? first : undefined,
  };
}
