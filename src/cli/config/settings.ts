import { dirname, relative, resolve } from "node:path";
import type { Levels } from "../../diagnose/diagnose.js";
import { getOrCreate } from "../../maps/get-or-make.js";
import { boundaryOf, IgnoreFiles } from "../files/ignore-files.js";
import { displayPath, withForwardSlashes } from "../files/shown-path.js";
import type { Config, IgnoredFinding } from "./config.js";
import { ConfigFinder } from "./find-config.js";
import { LevelsByFile, type LevelFlags } from "./levels.js";
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
