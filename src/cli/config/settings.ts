import { dirname, relative, resolve } from "node:path";
import type { Level } from "../../diagnostic.js";
import { type Levels, noLevels } from "../../lint/run-rules.js";
import type { Property } from "../../properties/property.js";
import { rules } from "../../rules/index.js";
import { parseError } from "../../rules/file-rules.js";
import { type Target, type TargetNames, targetOf } from "../../runtimes/index.js";
import type { RuntimeName } from "../../runtimes/names.js";
import { isSpecification, type RuleInfo } from "../../rules/rule-info.js";
import { getOrCreate } from "../../text/collections.js";
import { nearestConfig, IgnoreFiles } from "../files/setting-files.js";
import { boundaryOf, displayPath, isLink, staysInside, withForwardSlashes } from "../files/paths.js";
import type { Config, IgnoredFinding } from "./config.js";
import type { Preset } from "./flags.js";
import { ConfigError, loadConfig } from "./load-config.js";

export interface Settings {
  readonly path: string;
  readonly config: Config | undefined;
  readonly levels: Levels;
  readonly ignoredBy: string | undefined;
  readonly ignoredFindings: readonly IgnoredFinding[];
  readonly properties: readonly Property[];
  readonly target: Target;
}

export interface ConfigFlags {
  readonly preset: Preset | undefined;
  readonly rules: Levels;
  /** If there are any, all other rules but `parse-error` are off. */
  readonly only?: readonly string[];
  /** These instead of those of the config. */
  readonly runtimes?: readonly RuntimeName[] | undefined;
  /** One config file for every pack, or false for none; if undefined, the nearest to each. */
  readonly config: string | false | undefined;
}

export class SettingsResolver {
  private readonly configPaths = new Map<string, string | undefined>();
  private readonly loaded = new Map<string, Promise<Config>>();
  private readonly ignoreFiles = new Map<string, IgnoreFiles>();
  private readonly boundaries = new Map<string, string>();
  /** By the config and its overrides that apply, which many files share. */
  private readonly levels = new Map<string, Levels>();

  constructor(
    private readonly cwd: string,
    private readonly flags: ConfigFlags,
  ) {}

  async settingsFor(path: string): Promise<Settings> {
    const configPath = this.configPathFor(path);
    const config =
      configPath === undefined
        ? undefined
        : await getOrCreate(this.loaded, configPath, () => this.load(configPath));
    const fromConfig = config === undefined ? "" : withForwardSlashes(relative(config.folder, path));
    const ignoredBy = config?.isIgnored(fromConfig) === true ? config.path : this.ignoreFileFor(path);
    return {
      path,
      config,
      levels: this.levelsFor(config, fromConfig),
      ignoredBy: ignoredBy === undefined ? undefined : displayPath(ignoredBy, this.cwd),
      ignoredFindings: config?.ignoredFindings.filter(({ matches }) => matches(fromConfig)) ?? [],
      properties: config?.properties.filter(({ matches }) => matches?.(fromConfig) !== false) ?? [],
      target: this.targetFor(config),
    };
  }

  private targetFor({ runtimes, validatorTypes, evalTypes }: TargetNames = {}): Target {
    return targetOf({ runtimes: this.flags.runtimes ?? runtimes, validatorTypes, evalTypes });
  }

  configPathFor(path: string): string | undefined {
    const { config } = this.flags;
    if (config === false) return undefined;
    return config === undefined ? nearestConfig(dirname(path), this.configPaths) : resolve(this.cwd, config);
  }

  private async load(path: string): Promise<Config> {
    if (this.flags.config === undefined && isLink(path) && !staysInside(dirname(path), path)) {
      const shown = displayPath(path, this.cwd);
      const advice = 'name it with "--config" to use it';
      throw new ConfigError(path, [`The config file "${shown}" is a link out of the repository: ${advice}.`]);
    }
    return loadConfig(path, this.cwd);
  }

  private ignoreFileFor(path: string): string | undefined {
    if (this.flags.config === false) return undefined;
    const folder = dirname(path);
    const boundary = getOrCreate(this.boundaries, folder, () => boundaryOf(folder, this.cwd));
    const files = getOrCreate(
      this.ignoreFiles,
      boundary,
      () => new IgnoreFiles(".promptpackignore", boundary),
    );
    return files.ignoredBy(path, false);
  }

  private levelsFor(config: Config | undefined, fromConfig: string): Levels {
    const { preset = "recommended", rules: own = noLevels, overrides = [] } = config ?? {};
    const applies = overrides.map(({ matches }) => matches(fromConfig));
    return getOrCreate(this.levels, `${config?.path ?? ""} ${applies.join()}`, () => {
      const layers = overrides.filter((_, index) => applies[index]).map((override) => override.rules);
      return resolveLevels(preset, [own, ...layers], this.flags);
    });
  }
}

/** In a config, rules override the preset; on the command line, the preset overrides the rules of the config. */
function resolveLevels(preset: Preset, layers: readonly Levels[], flags: ConfigFlags): Levels {
  const levelOf = (rule: RuleInfo): Level => {
    const configured = layers.findLast((layer) => layer.has(rule.id))?.get(rule.id);
    if (flags.preset !== undefined) return applyPreset(flags.preset, rule, configured ?? rule.severity);
    return configured ?? applyPreset(preset, rule, rule.severity);
  };
  const { only = [] } = flags;
  const chosenLevelOf = (rule: RuleInfo): Level => {
    const level = flags.rules.get(rule.id) ?? levelOf(rule);
    if (only.includes(rule.id)) return level === "off" ? rule.severity : level;
    return only.length === 0 || rule.id === parseError.id ? level : "off";
  };
  return new Map(rules.map((rule) => [rule.id, chosenLevelOf(rule)]));
}

function applyPreset(preset: Preset, { source, severity }: RuleInfo, level: Level): Level {
  switch (preset) {
    case "recommended":
      return level;
    case "strict":
      return level === "info" ? "warning" : level;
    case "spec":
      return severity !== "info" && isSpecification(source) ? level : "off";
    case "errors":
      return level === "error" ? level : "off";
  }
}
