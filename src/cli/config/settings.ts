import { dirname, relative, resolve } from "node:path";
import type { Level } from "../../diagnostic.js";
import type { Levels } from "../../lint/run-rules.js";
import { rules } from "../../rules/index.js";
import { isSpecification, type RuleInfo } from "../../rules/rule-info.js";
import { getOrCreate } from "../../text/collections.js";
import { ConfigFinder } from "../files/find-config.js";
import { boundaryOf, IgnoreFiles } from "../files/ignore-files.js";
import { displayPath, withForwardSlashes } from "../files/paths.js";
import type { Config, IgnoredFinding, Override, Preset } from "./config.js";
import { loadConfig } from "./load-config.js";

/** How one file is to be linted. */
export interface Settings {
  /** Where the file lies. */
  readonly path: string;
  readonly config: Config | undefined;
  readonly levels: Levels;
  /** The config or ignore file for which the file is not to be linted at all. */
  readonly ignoredBy: string | undefined;
  readonly ignoredFindings: readonly IgnoredFinding[];
}

export interface ConfigFlags extends LevelFlags {
  /** A config file for every pack, or none at all; otherwise the nearest one counts. */
  readonly config: string | false | undefined;
}

/** Finds, loads and applies the configs of a run, each once. */
export class SettingsResolver {
  private readonly finder = new ConfigFinder();
  private readonly loaded = new Map<string, Promise<Config>>();
  private readonly ignoreFiles = new Map<string, IgnoreFiles>();
  private readonly boundaries = new Map<string, string>();
  private readonly levels: LevelsByFile;

  constructor(
    private readonly cwd: string,
    private readonly flags: ConfigFlags,
  ) {
    this.levels = new LevelsByFile(flags);
  }

  async settingsFor(path: string): Promise<Settings> {
    const config = await this.configFor(path);
    const own = config === undefined ? "" : withForwardSlashes(relative(config.folder, path));
    return {
      path,
      config,
      levels: this.levels.of(config, own),
      ignoredBy: this.ignoredBy(path, own, config),
      ignoredFindings: config?.ignoredFindings.filter(({ matches }) => matches(own)) ?? [],
    };
  }

  /** The config file that counts for a file. */
  configPathFor(path: string): string | undefined {
    const { config } = this.flags;
    if (config === false) return undefined;
    return config === undefined ? this.finder.nearest(dirname(path)) : resolve(this.cwd, config);
  }

  private async configFor(path: string): Promise<Config | undefined> {
    const found = this.configPathFor(path);
    if (found === undefined) return undefined;
    return getOrCreate(this.loaded, found, () => loadConfig(found, this.cwd));
  }

  private ignoredBy(path: string, own: string, config: Config | undefined): string | undefined {
    const by = config?.ignoredFiles.ignores(own) === true ? config.path : this.ignoreFileFor(path);
    return by === undefined ? undefined : displayPath(by, this.cwd);
  }

  private ignoreFileFor(path: string): string | undefined {
    if (this.flags.config === false) return undefined;
    return this.ignoreFilesFor(dirname(path)).ignoredBy(path, false);
  }

  private ignoreFilesFor(folder: string): IgnoreFiles {
    const boundary = getOrCreate(this.boundaries, folder, () => boundaryOf(folder, this.cwd));
    return getOrCreate(this.ignoreFiles, boundary, () => new IgnoreFiles(".promptpackignore", boundary));
  }
}

/** What the command line says about severities. */
interface LevelFlags {
  readonly preset: Preset | undefined;
  readonly rules: Levels;
}

/** How severe each rule is for a file. Files to which the same overrides apply share an answer. */
class LevelsByFile {
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
