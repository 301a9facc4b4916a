import type { Levels } from "../../diagnose/diagnose.js";
import type { Level } from "../../diagnostic.js";
import { getOrCreate } from "../../maps/get-or-make.js";
import { rules } from "../../rules/index.js";
import type { RuleInfo } from "../../rules/rule-info.js";
import { isSpecification } from "../../rules/rule-source.js";
import type { Config, Override, Preset } from "./config.js";

/** What the command line says about severities. */
export interface LevelFlags {
  readonly preset: Preset | undefined;
  readonly rules: Levels;
}

/** How severe each rule is for a file. Files to which the same overrides apply share an answer. */
export class LevelsByFile {
  private readonly cache = new Map<Config | undefined, Map<string, Levels>>();

  constructor(private readonly flags: LevelFlags) {}

  /** The path is relative to the config's folder. */
  of(config: Config | undefined, path: string): Levels {
    const all = config?.overrides ?? [];
    const applies = all.map(({ matches }) => matches(path));
    const key = applies.join();
    const answers = getOrCreate(this.cache, config, () => new Map());
    return getOrCreate(answers, key, () =>
      resolveLevels(
        config,
        all.filter((_, index) => applies[index]),
        this.flags,
      ),
    );
  }
}

function resolveLevels(
  config: Config | undefined,
  overrides: readonly Override[],
  flags: LevelFlags,
): Levels {
  const layers = [
    ...(config === undefined ? [] : [config.rules]),
    ...overrides.map((override) => override.rules),
  ];
  const levels = new Map<string, Level>();
  for (const rule of rules) {
    const configured = layers.findLast((layer) => layer.has(rule.id))?.get(rule.id);
    const level =
      flags.preset === undefined
        ? (configured ?? applyPreset(config?.preset ?? "recommended", rule, rule.severity))
        : applyPreset(flags.preset, rule, configured ?? rule.severity);
    levels.set(rule.id, flags.rules.get(rule.id) ?? level);
  }
  return levels;
}

/** In a config, rules are set on top of the preset; a preset on the command line has the last word on them. */
function applyPreset(preset: Preset, rule: RuleInfo, level: Level): Level {
  switch (preset) {
    case "recommended":
      return level;
    case "strict":
      return level === "info" ? "warning" : level;
    case "spec":
      return isSpecRule(rule) ? level : "off";
    case "errors":
      return level === "error" ? level : "off";
  }
}

/** Nobody asks for what is only worth knowing, whatever it is about. */
function isSpecRule({ source, severity }: RuleInfo): boolean {
  return severity !== "info" && isSpecification(source);
}
